package rules

import (
	"math"
	"slices"
)

// Result is the winner of a game, if any.
type Result uint8

// The results.
const (
	Unfinished Result = iota
	WhiteWins
	BlackWins
	Drawn
	Aborted // ended before both sides had moved; counts for nothing
)

// WinFor is the result in which c has won.
func WinFor(c Color) Result { return [...]Result{WhiteWins, BlackWins}[c] }

// String is the result in the notation of scores: "1-0", "0-1", "1/2-1/2" or "*".
func (r Result) String() string {
	return [...]string{"*", "1-0", "0-1", "1/2-1/2", "*"}[r]
}

// Ending is what ended a game.
type Ending string

// The endings.
const (
	ByCheckmate   Ending = "checkmate"
	ByStalemate   Ending = "stalemate"
	ByKingTaken   Ending = "king taken"
	ByMaterial    Ending = "insufficient material"
	ByRepetition  Ending = "repetition"
	ByMoveCount   Ending = "move count"
	ByResignation Ending = "resignation"
	ByAgreement   Ending = "agreement"
	ByTime        Ending = "time"
	ByAbort       Ending = "abort"
)

// Outcome is the state of a game; the zero Outcome is a game in progress.
type Outcome struct {
	Result Result
	Ending Ending
}

// Over reports whether the game has ended.
func (o Outcome) Over() bool { return o.Result != Unfinished }

// The plies and repetitions at which a draw may be claimed, and at which it is automatic: FIDE's Laws 9.2, 9.3 and 9.6.
const (
	claimRepetitions = 3
	drawRepetitions  = 5
	claimPlies       = 100
	drawPlies        = 150
)

// Game is a position with as much of its past as the rules need. It is a value: playing makes another. It is safe for
// concurrent use.
type Game struct {
	Position *Position
	// Past are the keys of the positions before, since the last final move, oldest first. None before that can come again.
	// Where pawns move backwards, there may be as many as the game has moves.
	Past []uint64
}

// NewGame is a game that begins with pos.
func NewGame(pos *Position) Game { return Game{Position: pos} }

// Closed reports whether no move can follow. A game drawn by repetition may have gone on if that was overlooked once:
// the next move that repeats as often draws it again.
func (g Game) Closed() bool {
	return g.outcome(math.MaxInt).Over() || len(g.Position.moves) == 0
}

// Play is the game after m. The error is an [*Illegal]; a closed game has no legal moves.
func (g Game) Play(m Move) (Game, error) {
	if g.Closed() {
		return g, &Illegal{Reason: GameOver, Sentence: book.Say("refused.over", "status", "")}
	}
	next, err := g.Position.Play(m)
	if err != nil {
		return g, err
	}
	if g.Position.state.Final(m) {
		return Game{Position: next}, nil
	}
	return Game{next, slices.Concat(g.Past, []uint64{g.Position.Key()})}, nil
}

// Repetitions is how often the position has occurred, including now.
func (g Game) Repetitions() int {
	n, key := 1, g.Position.Key()
	for _, k := range g.Past {
		if k == key {
			n++
		}
	}
	return n
}

// Outcome is the game's outcome according to its moves alone.
func (g Game) Outcome() Outcome { return g.outcome(drawRepetitions) }

// outcome is the game's outcome if that number of repetitions draws.
func (g Game) outcome(repetitions int) Outcome {
	loser := g.Position.Turn()
	switch g.Position.Status() {
	case KingTaken:
		if g.Position.kings(loser) != 0 {
			loser = loser.Other()
		}
		return Outcome{WinFor(loser.Other()), ByKingTaken}
	case Checkmate:
		return Outcome{WinFor(loser.Other()), ByCheckmate}
	case Stalemate:
		return Outcome{Drawn, ByStalemate}
	case Insufficient:
		return Outcome{Drawn, ByMaterial}
	case Ongoing, Mated:
	}
	if g.kingHangs() {
		return Outcome{}
	}
	return g.drawAt(repetitions, drawPlies)
}

// Claim is the draw that the player to move may claim, if there is one.
func (g Game) Claim() (Outcome, bool) {
	if g.Closed() || g.kingHangs() {
		return Outcome{}, false
	}
	o := g.drawAt(claimRepetitions, claimPlies)
	return o, o.Over()
}

// kingHangs reports whether a king is lost already, in a game in which kings are taken: then the past cannot draw.
func (g Game) kingHangs() bool {
	return g.Position.Status() == Mated || g.Position.TakesKing()
}

func (g Game) drawAt(repetitions, plies int) Outcome {
	switch {
	case g.Position.HalfMoves() >= plies:
		return Outcome{Drawn, ByMoveCount}
	case len(g.Past) >= repetitions-1 && g.Repetitions() >= repetitions:
		return Outcome{Drawn, ByRepetition}
	}
	return Outcome{}
}
