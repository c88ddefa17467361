package computer

import (
	"cmp"
	"errors"
	"slices"

	"chimera/rules"
	"chimera/storage"
)

// Story is a review together with its game, ready to be shown.
type Story struct {
	Scores        []int          // White's, of each position, on the scale of chess
	Marks         []string       // of each move: "?!", "?" or "??" if it was bad, else ""
	Moves         []string       // in the notation of chats, with their marks
	Accuracy      [2]float64     // of White and Black, in per cent
	Marked        []TurningPoint // bad moves for which a better line is known, in the order of play
	TurningPoints []TurningPoint // the worst of these, which decided the game, in the order of play
	Births        []Birth        // in the order of play
}

// TurningPoint is a bad move together with a better one.
type TurningPoint struct {
	Ply           int
	Before        *rules.Position // the position in which it was played
	Played        rules.Move
	Better        []rules.Move // the best line instead, at least one move
	After         *rules.Position
	Answer        []rules.Move  // the best answer to it; none if it ended the game
	Taken         []rules.Piece // pieces, by the first move of Answer
	Could, Became float64       // its side's winning chances with Better, and after it
	Gain, Loss    Trade         // what its side wins and loses with Better, and by the move
	Mates, Mated  int           // in how many moves its side could have mated, and will now be mated; 0 if not
}

// Trade is the material that a side wins and loses in a line, as far as it is forced.
type Trade struct {
	Took, Gave []rules.Piece // without those of equal worth, and without pawns if there are others; the most valuable first
	Net        int           // the side's gain, in pawns
	Moves      int           // of the line that count
}

// Loses reports whether the side gives more than it takes.
func (t *Trade) Loses() bool { return t.Net < 0 && len(t.Gave) > 0 }

// Wins reports whether the side takes more than it gives.
func (t *Trade) Wins() bool { return t.Net > 0 && len(t.Took) > 0 }

// Loses reports whether the move loses pieces that Better would have kept.
func (m *TurningPoint) Loses() bool { return m.Loss.Loses() && m.Loss.Net < m.Gain.Net }

// Misses reports whether Better would have won pieces, and the move wins none.
func (m *TurningPoint) Misses() bool { return m.Gain.Wins() && m.Loss.Net <= 0 }

// Birth is a piece that became more by a move, as described at [rules.Made].
type Birth struct {
	Ply   int    // of the move that made it
	Move  string // in the notation of chats
	Side  rules.Color
	Piece rules.Piece
	On    rules.Square
}

// errOther means that a review belongs to another game.
var errOther = errors.New("computer: it is of another game")

// Tell makes the story of a review, given the positions of its game and the moves between them. An error means that
// the review belongs to another game.
func Tell(found storage.Review, games []rules.Game, moves []rules.Move) (*Story, error) {
	if len(found.Scores) != len(games) {
		return nil, errOther
	}
	scores := evened(games[0].Position.Variant(), found.Scores)
	s := &Story{Scores: scores, Accuracy: Accuracy(scores, games[0].Position.Turn())}
	lost := slices.Concat(found.Lost, make([]int, len(moves)))
	bad := make([]int, len(moves))
	for i, m := range moves {
		pos := games[i].Position
		bad[i] = badness(scores, i, pos, lost[i])
		s.Marks = append(s.Marks, marks[bad[i]])
		s.Moves = append(s.Moves, pos.Chat(m)+s.Marks[i])
		for _, e := range rules.Made(m, pos.Effects(m)) {
			s.Births = append(s.Births, Birth{i, pos.Chat(m), pos.Turn(), e.Into, e.To})
		}
	}
	for _, m := range found.Moments {
		if m.Ply < 0 || m.Ply >= len(moves) {
			return nil, errOther
		}
		point, err := turningPoint(scores, m, games, moves)
		if err != nil {
			return nil, err
		}
		if bad[m.Ply] > 0 {
			s.Marked = append(s.Marked, point)
		}
	}
	worst := slices.DeleteFunc(slices.Clone(s.Marked), func(m TurningPoint) bool {
		return m.Could-m.Became < slight && m.Mates+m.Mated == 0 || m.Could-m.Became < unseen
	})
	slices.SortStableFunc(worst, func(a, b TurningPoint) int {
		return byBadness(bad[a.Ply], a.Could-a.Became, bad[b.Ply], b.Could-b.Became)
	})
	n := min(told, len(worst))
	for n < min(suspected, len(worst)) && bad[worst[n].Ply] == blunder {
		n++
	}
	s.TurningPoints = worst[:n]
	slices.SortFunc(s.TurningPoints, func(a, b TurningPoint) int { return cmp.Compare(a.Ply, b.Ply) })
	return s, nil
}

// marks are the marks of moves, by badness.
var marks = []string{"", "?!", "?", "??"} //nolint:gochecknoglobals // never written

// blunder is the badness of a move marked "??".
const blunder = 3

// slight is the loss of chances below which a move is no turning point, unless there is a mate; unseen is the one below
// which it never is, as the same chances would be shown before and after it.
const slight, unseen = .1, .005

// byBadness compares two moves: blunders come first, then those that lost more chances.
func byBadness(a int, lostA float64, b int, lostB float64) int {
	return cmp.Or(cmp.Compare(b/blunder, a/blunder), cmp.Compare(lostB, lostA))
}

// badness is how bad the move at ply is, as an index of marks. pawns is the material that it cost its side, or -1 if
// nothing better is known. Lost chances and mates count as on Lichess, whose limits .1, .2 and .3 are on a scale from
// -1 to 1 (https://github.com/lichess-org/lila/blob/master/modules/tree/src/main/Advice.scala). Lost material and
// near mates count too, since chances hardly change in a game that is almost decided. Slight mistakes in the first two
// moves are not marked: many games share these moves, and their marks must not depend on how long each game was
// searched.
func badness(scores []int, ply int, pos *rules.Position, pawns int) int {
	before, after := scores[ply], scores[ply+1]
	switch {
	case pawns < 0: // nothing better is known
		return 0
	case pos.Turn() == rules.Black:
		before, after = -before, -after
	}
	had, bad := Chances(before), 0
	for _, least := range []float64{.05, .1, .15} {
		if had-Chances(after) >= least {
			bad++
		}
	}
	const much, certain, lost, near, first = 4, .97, .1, 3, 2 // pawns, chances, chances, moves, moves
	if pawns > 0 && before-after >= max(100, 50*pawns) {
		costs := max(1, min(pawns, much)-1)
		if had > certain || had < lost {
			costs--
		}
		bad = max(bad, costs)
	}
	could, _ := mates(before)
	can, _ := mates(after)
	made, missed := can < 0 && could >= 0, could > 0 && can <= 0 && after < won-farthest
	decided := -before // centipawns by which the game was decided anyway
	if missed {
		decided = after
	}
	switch {
	case !made && !missed:
	case decided <= 700:
		bad = 3
	case decided < 1000 || made && can >= -near:
		bad = max(bad, 2)
	default:
		bad = max(bad, 1)
	}
	if pos.FullMove() <= first && bad == 1 {
		return 0
	}
	return bad
}

func turningPoint(scores []int, m storage.TurningPoint, games []rules.Game, moves []rules.Move) (told TurningPoint, err error) {
	var err2 error
	before, after := games[m.Ply], games[m.Ply+1].Position
	turn := before.Position.Turn()
	told = TurningPoint{
		Ply: m.Ply, Before: before.Position, Played: moves[m.Ply], After: after,
		Could: chances(scores[m.Ply], turn), Became: chances(scores[m.Ply+1], turn),
		Mates: matesFor(scores[m.Ply], turn), Mated: matesFor(scores[m.Ply+1], turn.Other()),
	}
	told.Better, err = before.Position.ParseLine(m.Better)
	told.Answer, err2 = after.ParseLine(m.Answer)
	if err := errors.Join(err, err2); err != nil || len(told.Better) == 0 {
		return told, errors.Join(errOther, err)
	}
	const shown = 6 // moves of a line: enough to show that what is said is true
	told.Better = told.Better[:min(shown, len(told.Better))]
	told.Gain = settle(before.Position, told.Better, 0)
	if whole := settle(before.Position, told.Better, neither); whole.Net < told.Gain.Net {
		told.Gain = whole
	}
	then := append([]rules.Move{told.Played}, told.Answer...)
	told.Loss = settle(before.Position, then, 1)
	told.Answer = told.Answer[:min(max(shown, told.Loss.Moves, 2*told.Mated), len(told.Answer))] // later moves show nothing more
	if whole := settle(before.Position, then[:1+len(told.Answer)], neither); whole.Net > told.Loss.Net || whole.Loses() && !told.Loss.Loses() {
		told.Loss = whole
	}
	told.Taken = settle(after, told.Answer[:min(1, len(told.Answer))], neither).Took
	return told, nil
}

// matesFor is in how many moves a side mates according to a score, 0 if it does not.
func matesFor(score int, side rules.Color) int {
	moves, _ := mates(score)
	if side == rules.Black {
		moves = -moves
	}
	return max(0, moves)
}

// neither, as the side for settle, has the whole line count.
const neither = -1

// settle is what the side that begins a line wins and loses by it. which is the side that forces matters: 0 for the one
// that begins, 1 for the other. The line counts up to that side's first quiet move, except its first move of all: one
// that captures nothing, neither gives check nor escapes it, and is not answered by a recapture. A capture at the very
// end does not count if it could be answered by a recapture, unless the side that begins forces matters and the capture
// is the other side's. If which is neither, no quiet move ends the line.
func settle(pos *rules.Position, line []rules.Move, which int) (t Trade) {
	side, on := pos.Turn(), rules.NoSquare
	was := balance(pos, side)
	for i, m := range line {
		next, err := pos.Play(m)
		same := err != nil || balance(pos, side) == balance(next, side)
		quiet := err != nil || same && pos.Checkers()|next.Checkers() == 0
		open := !same && i > 0 && i+1 == len(line) && (which != 0 || i%2 == 0) && slices.ContainsFunc(next.Moves(), func(r rules.Move) bool { return r.To == m.To })
		if err != nil || open || quiet && i > which && i%2 == which && (i+1 == len(line) || line[i+1].To != on) {
			break
		}
		for _, e := range pos.Effects(m) {
			switch {
			case !removes(e.Kind) || e.Piece.Shared():
			case e.Piece.Half(side) != rules.NoRole:
				t.Gave, on = append(t.Gave, e.Piece), m.To
			default:
				t.Took, on = append(t.Took, e.Piece), m.To
			}
		}
		pos, t.Moves = next, i+1
	}
	t.Net = balance(pos, side) - was
	t.Gave, t.Took = unlike(pos, t.Gave, t.Took), unlike(pos, t.Took, t.Gave)
	if sum := worths(pos, t.Took) - worths(pos, t.Gave); sum > 0 && t.Net < 0 || sum < 0 && t.Net > 0 { // pieces became more
		t.Gave, t.Took = nil, nil
	}
	return t
}

// balance is how much more a side's pieces are worth than the other's, in pawns.
func balance(pos *rules.Position, side rules.Color) (pawns int) {
	for _, p := range pos.Board() {
		pawns += worth(pos, rules.Piece{White: p.White}) - worth(pos, rules.Piece{Black: p.Black})
	}
	if side == rules.Black {
		return -pawns
	}
	return pawns
}

// unlike are pieces without those that others equal in worth, and without pawns if more is left and they do not decide
// which are worth more; the most valuable first.
func unlike(pos *rules.Position, pieces, others []rules.Piece) (rest []rules.Piece) {
	rest, others = slices.Clone(pieces), slices.Clone(others)
	for _, kind := range []bool{true, false} { // those of the same kind make up for each other first
		rest = slices.DeleteFunc(rest, func(p rules.Piece) bool {
			i := slices.IndexFunc(others, func(o rules.Piece) bool {
				return worth(pos, o) == worth(pos, p) && (!kind || o.White|o.Black == p.White|p.Black)
			})
			if i >= 0 {
				others = slices.Delete(others, i, i+1)
			}
			return i >= 0
		})
	}
	slices.SortStableFunc(rest, func(a, b rules.Piece) int { return cmp.Compare(worth(pos, b), worth(pos, a)) })
	i := slices.IndexFunc(rest, func(p rules.Piece) bool { return pos.Variant().Table[p.White|p.Black].Pawn })
	if enough := worths(pos, others); i > 0 && (worths(pos, rest) > enough) == (worths(pos, rest[:i]) > enough) {
		rest = rest[:i]
	}
	return rest
}

// removes reports whether an effect takes its piece off the board.
func removes(kind rules.EffectKind) bool {
	return kind == rules.Captured || kind == rules.Absorbed || kind == rules.Shot || kind == rules.Annihilated
}

// removesOn reports whether a move removes a piece from a square.
func removesOn(pos *rules.Position, m rules.Move, on rules.Square) bool {
	return (m.Kills | m.To.Set()).Has(on) && slices.ContainsFunc(pos.Effects(m), func(e rules.Effect) bool { return e.To == on && removes(e.Kind) })
}

// falls reports whether a line removes the piece on a square, even after it has moved.
func falls(pos *rules.Position, line []rules.Move, on rules.Square) bool {
	for _, m := range line {
		if removesOn(pos, m, on) {
			return true
		}
		if m.From == on {
			on = m.To
		}
		var err error
		if pos, err = pos.Play(m); err != nil {
			break
		}
	}
	return false
}

// Key is the most memorable move of a game that was not reviewed, counted from 0. Among the moves of the given sides,
// it is the one that won most for good or made pieces worth most; the last of equals. It is never the last move of the
// game, whose position is shown anyway. ok is false if there is none.
func Key(games []rules.Game, moves []rules.Move, of [2]bool) (ply int, ok bool) {
	gains := make([]int, len(moves))
	for i, m := range moves {
		gains[i] = wins(games[i].Position, m)
	}
	most := 2 // pawns at least
	for i := range max(0, len(moves)-1) {
		pos, gain := games[i].Position, gains[i]-gains[i+1]
		if i > 0 {
			gain -= gains[i-1] // it may only have been a recapture
		}
		if gain += makes(pos, moves[i]); of[pos.Turn()] && gain >= most {
			ply, most, ok = i, gain, true
		}
	}
	return ply, ok
}

// wins is what a move takes from the other side less what it takes from its own, in pawns.
func wins(pos *rules.Position, m rules.Move) (pawns int) {
	for _, e := range pos.Effects(m) {
		switch {
		case !removes(e.Kind), e.Piece.Shared():
		case e.Piece.Half(pos.Turn()) != rules.NoRole:
			pawns -= worth(pos, e.Piece)
		default:
			pawns += worth(pos, e.Piece)
		}
	}
	return pawns
}

// PlayOut is how a line goes on after the played moves, the last of which was by the side that began. rest ends where
// that side has gained most, or with mate, and is nil if that is too far ahead. won is what the side wins, in pieces,
// and zero if pieces also became more or it mates; pawns is the worth of the whole gain, 0 if it mates.
func PlayOut(pos *rules.Position, line []rules.Move, played int) (rest []rules.Move, won Trade, pawns int) {
	const most = 6                                // moves: people would hardly watch more
	start, sums, grown := pos, []int{0}, []int{0} // after each move
	for i, m := range line[:min(len(line), played+most)] {
		more := makes(pos, m)
		gain := wins(pos, m) + more
		if i%2 != 0 {
			gain, more = -gain, 0
		}
		next, err := pos.Play(m)
		if err != nil {
			break
		}
		sums, grown = append(sums, sums[i]+gain), append(grown, grown[i]+more)
		if pos = next; pos.Status() == rules.Checkmate || pos.Status() == rules.KingTaken {
			return line[played : i+1], won, 0
		}
	}
	best := played
	for n := played; n+1 < len(sums); n += 2 { // only where the answer is known
		if sums[n+1] > sums[best+1] {
			best = n
		}
	}
	if best+1 >= len(sums) {
		return nil, won, 0
	}
	if grown[best+1] == 0 { // otherwise pieces have become more, too
		won = settle(start, line[:best+1], neither)
	}
	return line[played:best], won, sums[best+1]
}

// makes is how much a move adds to the worth of pieces other than by captures, in pawns. Of pieces that join, the
// lesser part counts.
func makes(pos *rules.Position, m rules.Move) (pawns int) {
	effects := pos.Effects(m)
	for _, e := range rules.Made(m, effects) {
		if !removes(e.Kind) {
			part := worth(pos, e.Piece)
			pawns += min(part, worth(pos, e.Into)-part)
		}
	}
	for _, e := range effects {
		if e.Kind == rules.Promoted {
			pawns += worth(pos, e.Into) - worth(pos, e.Piece)
		}
	}
	return pawns
}

// worth is what the simple pieces in a piece are worth, in pawns.
func worth(pos *rules.Position, p rules.Piece) int {
	t := pos.Variant().Table
	return t.Worth(p.White) + t.Worth(p.Black)
}

// worths is what pieces are worth together, in pawns.
func worths(pos *rules.Position, pieces []rules.Piece) (pawns int) {
	for _, p := range pieces {
		pawns += worth(pos, p)
	}
	return pawns
}

// Best is the best line from a position: the review's, if the position is in one of its lines, or else other.
func (s *Story) Best(from *rules.Position, other []rules.Move) []rules.Move {
	for _, m := range s.Marked {
		for _, line := range [][]rules.Move{m.Better, append([]rules.Move{m.Played}, m.Answer...)} {
			for pos, err := m.Before, error(nil); len(line) > 0 && err == nil; line = line[1:] {
				if pos.FEN() == from.FEN() {
					return line
				}
				pos, err = pos.Play(line[0])
			}
		}
	}
	return other
}

// Turning is the turning point that changed the chances most, among moves of some sides; nil if there is none.
func (s *Story) Turning(of [2]bool) (most *TurningPoint) {
	for i := range s.TurningPoints {
		if m := &s.TurningPoints[i]; of[m.Before.Turn()] && (most == nil || m.Could-m.Became > most.Could-most.Became) {
			most = m
		}
	}
	return most
}
