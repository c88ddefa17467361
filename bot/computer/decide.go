package computer

import (
	"slices"

	"chimera/bot/match"
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/storage"
)

// When the computer accepts or claims a draw, or resigns. Scores are in centipawns for its own side.
const (
	even     = 10   // up to this, a draw is welcome
	hopeless = -900 // down from this, the game is lost
	mateSoon = 5    // moves: being mated within them is hopeless, too

	resignFrom = 20 // plies before which it does not resign
	stubborn   = 2  // the highest level that never resigns, as beginners play on to the end
)

// decide is what the computer does in a game that waits for it. It depends only on the game. The error is search's.
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

// When the computer itself offers a draw.
const (
	offerFrom  = 60 // plies before its first offer
	offerAgain = 60 // plies between two offers
	balanced   = 20 // centipawns either way that count as level
	idle       = 12 // plies without a capture or a pawn move
	steady     = 3  // positions, four plies apart, that have to be level
)

// offers reports whether the computer offers a draw with its move. It does in an endgame, with at most half of the
// pieces left, that has long been level and without captures or pawn moves.
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

// before reports whether the computer's scores at its n-1 earlier moves satisfied are. The moves are the given number
// of plies apart; the current one, the n-th, is left to the caller. It is false if the game is too short.
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

// men is the number of occupied squares.
func men(pos *rules.Position) int {
	board := pos.Board()
	return pos.Variant().Shape.Squares.Where(func(sq rules.Square) bool { return board[sq] != rules.Piece{} }).Len()
}

// How strong levels, which make no mistakes on purpose, vary their openings: in the first plies, they choose among the
// best moves if these are nearly equal, so that nobody beats them twice with the same moves.
const (
	strong   = 7  // the lowest such level
	variety  = 8  // plies
	choices  = 4  // moves
	concedes = 40 // centipawns that a choice may be worse than the best move
)

func limits(g *storage.Game, level int, toMove bool) engine.Limits {
	l := engine.Limits{Level: engine.AtLevel(level), Seed: uint64(g.ID), Taste: tasteIn(g)}
	if toMove && level >= strong && len(g.Moves) < variety {
		l.Lines = choices
	}
	return l
}

// choose picks the move to play from those that were found.
func choose(g *storage.Game, found engine.Result) rules.Move {
	good := []rules.Move{found.Move()}
	for _, l := range found.Lines[1:] {
		if centipawns(l.Score) >= centipawns(found.Score)-concedes {
			good = append(good, l.Moves[0])
		}
	}
	return good[dice(g, len(g.Moves))%uint64(len(good))]
}

// resigns reports whether the computer resigns. It does when the game has been lost for several of its moves in a row,
// two to four depending on the game.
func resigns(search Search, g *storage.Game, line *match.Replayed, score int) (bool, error) {
	_, level := g.Computer()
	if level <= stubborn || score > hopeless || len(g.Moves) < resignFrom {
		return false, nil
	}
	const least, apart = 2, 3
	return before(search, g, line, 2, least+int(dice(g, 0)%apart), func(score int) bool { return score <= hopeless })
}

// centipawns is a score of the side to move as a number. Being mated much later is not hopeless: people may miss it.
func centipawns(s engine.Score) int {
	if s.Mate < -mateSoon {
		return min(hopeless/2, s.Centipawns)
	}
	return scoreOf(s, rules.White)
}

// dice is a pseudorandom number, always the same for the same game and ply.
func dice(g *storage.Game, ply int) uint64 {
	x := uint64(g.ID)<<16 ^ uint64(ply)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// tastes are the preferences of characters.
var tastes = map[string]engine.Taste{ //nolint:gochecknoglobals // never written
	"greta": {Gain: 60}, "ignaz": {Attack: 40}, "melba": {Growth: 25}, "otto": {Exchange: 60},
}

// tasteIn is the preference of the computer's character in a game. In Brigade, where it is good in itself to take, Gain and
// Exchange are a quarter: in 200 games against the plain level they score 54.0 ± 5.6 and 54.2 ± 5.1 % so at level 3, and
// 54.0 ± 5.0 and 56.8 ± 5.1 % at level 2; whole, 61 and 63 %.
func tasteIn(g *storage.Game) engine.Taste {
	taste := tastes[g.Face]
	if g.Variant == "brigade" {
		taste.Gain, taste.Exchange = taste.Gain/4, taste.Exchange/4
	}
	return taste
}

// Occasion is the event that a character comments on after its move or at the end of its game, such as "gains"; "" for
// none. n chooses one of its two sentences for that event: it repeats none in a game, and the next game starts with the
// other one. At the end of a game in which it has taken nothing, n is 2. In between, it seldom speaks.
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
	const sentences, few = 2, 4 // plies after which there is nothing to say of a game
	switch {
	case said[what] > sentences, g.Over() && len(line.Moves) < few:
		return "", 0
	case g.Over() && !took:
		return what, sentences
	}
	return what, (int(g.ID%sentences) + said[what]) % sentences
}

// remark is the event that a character could comment on after its move at a ply: it has won material for good, lost
// some without return, or either side has joined two pieces. Its first move is "hello".
func remark(g *storage.Game, line *match.Replayed, ply int) string {
	const much, seldom = 3, 3 // pawns; it comments on one event in three
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
