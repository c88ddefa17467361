package computer

import (
	"slices"

	"chimera/bot/match"
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/storage"
)

// What the computer thinks of a game before it does anything but play on, in centipawns as it sees
// them, plies and levels.
const (
	even     = 10   // at most: a draw is welcome
	hopeless = -900 // at most: the game is lost
	mateSoon = 5    // moves: being mated in no more of them is as bad

	resignFrom = 20 // plies: it does not resign before
	stubborn   = 2  // the highest level that plays on to the end, as beginners do
)

// decide is what the computer does in a game that waits for it. It depends on nothing but the game.
func decide(search Search, g *storage.Game, line *match.Replayed) (match.Deed, error) {
	side, level := g.Computer()
	now := line.End()
	toMove := match.SideToMove(now.Position) == side
	l := limits(g, level, toMove)
	if n := len(line.Moves); toMove && n > 1 {
		l.Last = line.Moves[n-2]
	}
	found, err := search(now, l)
	if err != nil {
		return match.Deed{}, err
	}
	score := centipawns(found.Score)
	if !toMove {
		score = -score
	}
	drawish := score <= even && len(g.Moves) >= match.DrawFrom
	switch offered := g.Draw != nil && g.Draw.By != g.Players[side]; {
	case offered && drawish:
		return match.Deed{What: match.AgreeDraw}, nil
	case !toMove:
		return match.Deed{What: match.DeclineDraw}, nil
	}
	if _, ok := now.Claim(); ok && score <= even {
		return match.Deed{What: match.ClaimDraw}, nil
	}
	if gives, err := resigns(search, g, line, score); gives || err != nil {
		return match.Deed{What: match.GiveUp}, err
	}
	draw, err := offers(search, g, line, score)
	return match.Deed{Move: now.Position.Variant().Coordinate(choose(g, found)), Draw: draw}, err
}

// When the computer offers a draw of its own accord.
const (
	offerFrom  = 60 // plies before which it does not
	offerAgain = 60 // plies before which it does not do so again
	balanced   = 20 // centipawns either way: the game is level
	idle       = 12 // plies without a capture or a pawn's move
	steady     = 3  // of its moves, every other one, at which the game was level
)

// offers reports whether the computer offers a draw with its move: in an endgame that has been level
// for a long time, and in which nothing happens.
func offers(search Search, g *storage.Game, line *match.Replayed, score int) (bool, error) {
	side, _ := g.Computer()
	last := g.Asked[side]
	switch now := line.End(); {
	case len(g.Moves) < offerFrom, last.Draws > 0 && len(g.Moves) < last.Ply+offerAgain:
		return false, nil
	case max(score, -score) > balanced, now.Position.HalfMoves() < idle, 2*men(now.Position) > men(line.Games[0].Position):
		return false, nil
	}
	return before(search, g, line, 4, steady, func(score int) bool { return max(score, -score) <= balanced })
}

// before reports whether the scores of a game were of some kind at the computer's moves before this
// one, each some plies before the next; they are n together with this one.
func before(search Search, g *storage.Game, line *match.Replayed, plies, n int, are func(score int) bool) (bool, error) {
	_, level := g.Computer()
	for back := 1; back < n; back++ {
		ply := len(g.Moves) - plies*back
		if ply < 0 {
			return false, nil
		}
		then, err := search(line.Games[ply], limits(g, level, false))
		if err != nil || !are(centipawns(then.Score)) {
			return false, err
		}
	}
	return true, nil
}

// men is how many pieces there are on a board.
func men(pos *rules.Position) (n int) {
	board := pos.Board()
	for sq := range pos.Variant().Shape.Squares.Squares() {
		if board[sq] != (rules.Piece{}) {
			n++
		}
	}
	return n
}

// How a strong level, which makes no mistakes on purpose, varies its openings: in the first plies it
// takes one of the best moves that are worth nearly the same, so that nobody beats it twice by the
// same moves.
const (
	strong   = 7
	variety  = 8  // plies
	choices  = 4  // moves
	concedes = 40 // centipawns
)

func limits(g *storage.Game, level int, toMove bool) engine.Limits {
	l := engine.Limits{Level: engine.AtLevel(level), Seed: uint64(g.ID), Taste: tastes[g.Face]}
	if toMove && level >= strong && len(g.Moves) < variety {
		l.Lines = choices
	}
	return l
}

// choose is the move that is played of those that were found.
func choose(g *storage.Game, found engine.Result) rules.Move {
	good := []rules.Move{found.Move()}
	for _, l := range found.Lines[1:] {
		if centipawns(l.Score) >= centipawns(found.Score)-concedes {
			good = append(good, l.Moves[0])
		}
	}
	return good[dice(g, len(g.Moves))%uint64(len(good))]
}

// resigns reports whether the computer gives a game up: it has been lost for some of its moves in
// a row, two to four of them, which differ from game to game.
func resigns(search Search, g *storage.Game, line *match.Replayed, score int) (bool, error) {
	_, level := g.Computer()
	if level <= stubborn || score > hopeless || len(g.Moves) < resignFrom {
		return false, nil
	}
	const least, apart = 2, 3
	return before(search, g, line, 2, least+int(dice(g, 0)%apart), func(score int) bool { return score <= hopeless })
}

// centipawns is a score of the side to move as a number. Opponents may miss a mate that is far away.
func centipawns(s engine.Score) int {
	if s.Mate < -mateSoon {
		return min(hopeless/2, s.Centipawns)
	}
	return scoreOf(s, rules.White)
}

// dice is a number that differs from game to game, and from ply to ply.
func dice(g *storage.Game, ply int) uint64 {
	x := uint64(g.ID)<<16 ^ uint64(ply)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// tastes are what characters like.
var tastes = map[string]engine.Taste{ //nolint:gochecknoglobals // never written
	"greta": {Gain: 60}, "ignaz": {Attack: 40}, "melba": {Growth: 25}, "otto": {Exchange: 60},
}

// Occasion is what a character has something to say of at the end of its game or after its move, such as
// "gains", "" for nothing, and a number by which one of its sentences is chosen: none twice in a game, nor the same ones
// first in the next. It is 2 at the end of a game in which it has taken nothing. It seldom speaks but at the beginning
// and at the end.
func Occasion(g *storage.Game, line *match.Replayed) (what string, n int) {
	side, _ := g.Computer()
	said, took := map[string]int{}, false
	for ply, m := range line.Moves {
		if what = ""; line.Games[ply].Position.Turn() == rules.Color(side) {
			took = took || wins(line.Games[ply].Position, m) > 0
			what = remark(g, line, ply)
			said[what]++
		}
	}
	if g.Over() {
		what = map[string]string{rules.WinFor(rules.Color(side)).String(): "won", rules.WinFor(rules.Color(1 - side)).String(): "lost", rules.Drawn.String(): "drawn"}[g.Result]
	}
	const sentences = 2
	switch {
	case said[what] > sentences:
		return "", 0
	case g.Over() && !took:
		return what, sentences
	}
	return what, (int(g.ID%sentences) + said[what]) % sentences
}

// remark is what a character could say something of after its move at a ply: that it has taken something for good, or
// lost something that was not given for another, or that two pieces have become one.
func remark(g *storage.Game, line *match.Replayed, ply int) string {
	const much, seldom = 3, 3 // pawns; it speaks of every third occasion
	if ply < 2 {
		return "hello"
	}
	pos, before, m := line.Games[ply].Position, line.Games[ply-1].Position, line.Moves[ply]
	gain, lost := wins(pos, m), wins(before, line.Moves[ply-1])
	merges := func(pos *rules.Position, m rules.Move) bool { return m.Role == rules.NoRole && makes(pos, m) > 0 }
	retaken := func(r rules.Move) bool { return r.To == m.To && gain <= worth(pos, pos.Board()[m.From]) }
	switch {
	case dice(g, ply)%seldom != 0:
	case gain >= much && lost < much && !slices.ContainsFunc(line.Games[ply+1].Position.Moves(), retaken):
		return "gains"
	case lost >= much && gain <= 0 && wins(line.Games[ply-2].Position, line.Moves[ply-2]) < much:
		return "loses"
	case merges(pos, m):
		return "merges"
	case merges(before, line.Moves[ply-1]):
		return "yours"
	}
	return ""
}
