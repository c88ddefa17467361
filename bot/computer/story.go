package computer

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"chimera/rules"
	"chimera/rules/engine"
	"chimera/storage"
)

// Story is a review as it can be told: with the game.
type Story struct {
	Scores        []int          // of each position, White's, as chess has them
	Marks         []string       // of each move that was bad: "?!", "?" or "??"
	Moves         []string       // as people write them, with their marks
	Accuracy      [2]float64     // of White and Black, in per cent
	Marked        []TurningPoint // all of these moves of which there is something to tell, in their order
	TurningPoints []TurningPoint // the worst of them: those that decided the game
	Births        []Birth        // likewise
}

// TurningPoint is a move that was worse than another.
type TurningPoint struct {
	Ply           int
	Before        *rules.Position // in which it was played
	Played        rules.Move
	Better        []rules.Move // how the game could have gone on instead; one at least
	After         *rules.Position
	Answer        []rules.Move  // how the move could have been met; none if it ended the game
	Taken         []rules.Piece // by the first of these
	Could, Became float64       // the chances of its side with what is better, and after it
	Gain, Loss    Trade         // what Better comes to for its side, and the move
	Mates, Mated  int           // in how many moves its side could have mated, and is mated now; 0 if not
}

// Trade is what moves come to for one side by the time that nothing more is forced.
type Trade struct {
	Took, Gave []rules.Piece // but for those of equal worth, and pawns beside others; the most worth first
	Net        int           // what it is up by, in pawns
	Moves      int           // after how many
}

// Loses reports whether more is given than taken.
func (t *Trade) Loses() bool { return t.Net < 0 && len(t.Gave) > 0 }

// Wins reports whether more is taken than given.
func (t *Trade) Wins() bool { return t.Net > 0 && len(t.Took) > 0 }

// Loses reports whether the move loses pieces that what is better would not have lost.
func (m *TurningPoint) Loses() bool { return m.Loss.Loses() && m.Loss.Net < m.Gain.Net }

// Misses reports whether what is better would have won pieces, and the move wins none.
func (m *TurningPoint) Misses() bool { return m.Gain.Wins() && m.Loss.Net <= 0 }

// Birth is a piece that became more than it was.
type Birth struct {
	Ply   int    // of the move that made it
	Move  string // as people write that
	Side  rules.Color
	Piece rules.Piece
	On    rules.Square
}

// errOther is about a review that is none of its game.
var errOther = errors.New("computer: it is of another game")

// Tell is the story of a review: of a game with those positions, and those moves between them.
// An error means that the review is not this game's.
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
	worst := slices.DeleteFunc(slices.Clone(s.Marked), func(m TurningPoint) bool { return bad[m.Ply] < blunder && m.Could-m.Became < slight })
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

// marks are those of moves, by how bad they are.
var marks = []string{"", "?!", "?", "??"} //nolint:gochecknoglobals // never written

// blunder is the badness of a move marked "??".
const blunder = 3

// slight are chances that another move may lose without having changed the game.
const slight = .1

// byBadness compares two moves by their badness and what they have lost, the worse first.
func byBadness(a int, lostA float64, b int, lostB float64) int {
	return cmp.Or(cmp.Compare(b/blunder, a/blunder), cmp.Compare(lostB, lostA))
}

// badness says which of marks is that of a move in a position, which has cost its side pieces worth some pawns. Chances
// that are lost and mates count as on Lichess, whose .1, .2 and .3 are of a scale from -1 to 1
// (https://github.com/lichess-org/lila/blob/master/modules/tree/src/main/Advice.scala); where chances are so few or many
// that they hardly change, what was lost counts too, and a mate that is near. What is said of first moves, which many
// games have in common, is not to differ by how long each was searched.
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
	const much, certain, near, first = 4, .97, 3, 2 // pawns, chances, moves, moves
	if pawns > 0 && before-after >= max(100, 50*pawns) {
		costs := max(1, min(pawns, much)-1)
		if had > certain || had < 1-certain {
			costs--
		}
		bad = max(bad, costs)
	}
	could, _ := mates(before)
	can, _ := mates(after)
	made, missed := can < 0 && could >= 0, could > 0 && can <= 0 && after < won-farthest
	decided := -before // centipawns by which the game was anyway
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
	const shown = 6 // moves of the better line, which are to bear out what is said of it
	told.Better = told.Better[:min(shown, len(told.Better))]
	told.Gain = settle(before.Position, told.Better, 0)
	if whole := settle(before.Position, told.Better, neither); whole.Net < told.Gain.Net {
		told.Gain = whole
	}
	then := append([]rules.Move{told.Played}, told.Answer...)
	told.Loss = settle(before.Position, then, 1)
	told.Answer = told.Answer[:min(max(shown, told.Loss.Moves, 2*told.Mated), len(told.Answer))] // what comes later bears nothing out
	if whole := settle(before.Position, then[:1+len(told.Answer)], neither); whole.Net > told.Loss.Net || whole.Loses() && !told.Loss.Loses() {
		told.Loss = whole
	}
	told.Taken = settle(after, told.Answer[:min(1, len(told.Answer))], neither).Took
	return told, nil
}

// matesFor is in how many moves a side mates by a score, 0 if it does not.
func matesFor(score int, side rules.Color) int {
	moves, _ := mates(score)
	if side == rules.Black {
		moves = -moves
	}
	return max(0, moves)
}

// neither is which side forces matters where all of a line counts.
const neither = -1

// settle is what a line comes to for the side that begins it. Either that side, as which is 0, or the other one, as it
// is 1, forces matters with every other move: they end before one of its that is neither its first, nor a capture or a
// check, nor out of check, nor answered by capturing what captured last. What the last move captures counts for nothing
// where it could be taken back, but against the side that begins where it forces matters itself. With neither, no
// quiet move ends matters.
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
	return t
}

// balance is what a side's pieces are worth more than the other's, in pawns.
func balance(pos *rules.Position, side rules.Color) (pawns int) {
	for _, p := range pos.Board() {
		pawns += worth(pos, rules.Piece{White: p.White}) - worth(pos, rules.Piece{Black: p.Black})
	}
	if side == rules.Black {
		return -pawns
	}
	return pawns
}

// unlike are pieces but for those that others match in worth, and for pawns where there are others; the most worth first.
func unlike(pos *rules.Position, pieces, others []rules.Piece) (rest []rules.Piece) {
	others = slices.Clone(others)
	for _, p := range pieces {
		i := slices.IndexFunc(others, func(o rules.Piece) bool { return worth(pos, o) == worth(pos, p) })
		if i < 0 {
			rest = append(rest, p)
			continue
		}
		others = slices.Delete(others, i, i+1)
	}
	slices.SortStableFunc(rest, func(a, b rules.Piece) int { return cmp.Compare(worth(pos, b), worth(pos, a)) })
	if i := slices.IndexFunc(rest, func(p rules.Piece) bool { return pos.Variant().Table[p.White|p.Black].Pawn }); i > 0 {
		rest = rest[:i]
	}
	return rest
}

// removes reports whether the piece of an effect is gone by it.
func removes(kind rules.EffectKind) bool {
	return kind == rules.Captured || kind == rules.Absorbed || kind == rules.Shot || kind == rules.Annihilated
}

// Danger is a piece by whose capture the other side would win something, how many pieces could capture it,
// and how many could capture there then.
type Danger struct {
	Piece                rules.Piece
	On                   rules.Square
	Attackers, Defenders int
}

// Threatened are the dangers to the pieces of the side to move, nil where the other one cannot be to move instead.
func Threatened(pos *rules.Position) []Danger { return dangers(Passed(pos)) }

// dangers are those of the pieces of the side that is not to move, the most worth first; none without a position.
func dangers(pos *rules.Position) (all []Danger) {
	if pos == nil {
		return nil
	}
	turn, board := pos.Turn(), pos.Board()
	froms, costs, again := map[rules.Square]rules.Set{}, map[rules.Square]int{}, map[rules.Square]rules.Set{}
	for _, m := range pos.Moves() {
		var back rules.Set // from where the piece that captures could be captured then
		var cost int       // with that, less what is won
		for _, e := range pos.Effects(m) {
			if !removes(e.Kind) || e.Piece.Half(turn) != rules.NoRole {
				continue
			}
			if next, err := pos.Play(m); err == nil && cost == 0 {
				for _, reply := range next.Moves() {
					if removesOn(next, reply, m.To) {
						back, cost = back|reply.From.Set(), worth(pos, board[m.From])
					}
				}
				cost -= wins(pos, m)
			}
			if froms[e.To] == 0 || cost < costs[e.To] {
				costs[e.To], again[e.To] = cost, back
			}
			froms[e.To] |= m.From.Set()
		}
	}
	for on, by := range froms {
		d := Danger{board[on], on, by.Len(), again[on].Len()}
		if worth(pos, d.Piece) > 0 && (costs[on] < 0 || costs[on] == 0 && d.Attackers > d.Defenders) {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b Danger) int {
		return cmp.Or(cmp.Compare(worth(pos, b.Piece), worth(pos, a.Piece)), cmp.Compare(a.On, b.On))
	})
	return all
}

// removesOn reports whether a move removes a piece from a square.
func removesOn(pos *rules.Position, m rules.Move, on rules.Square) bool {
	return (m.Kills | m.To.Set()).Has(on) && slices.ContainsFunc(pos.Effects(m), func(e rules.Effect) bool { return e.To == on && removes(e.Kind) })
}

// Passed is a position with the turn given to the other side, nil where that cannot be.
func Passed(pos *rules.Position) *rules.Position {
	view, err := pos.Variant().FromSetup(rules.Setup{Board: pos.Board(), Turn: pos.Turn().Other(), Castling: pos.Castling(), EnPassant: rules.NoSquare, FullMove: pos.FullMove()})
	if err != nil {
		return nil
	}
	return view
}

// falls reports whether a line removes the piece on a square, wherever it goes.
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

// flights are the squares to which the king of the side to move can go.
func flights(pos *rules.Position) (to rules.Set) {
	board := pos.Board()
	for _, m := range pos.Moves() {
		if pos.Variant().Table[board[m.From].Half(pos.Turn())].Royal && m.Act == rules.Step {
			to |= m.To.Set()
		}
	}
	return to
}

// room is to how many squares each piece of the side to move can go, by where it stands.
func room(pos *rules.Position) (n [64]int) {
	var to [64]rules.Set
	for _, m := range pos.Moves() {
		to[m.From] |= m.To.Set()
		n[m.From] = to[m.From].Len()
	}
	return n
}

// Reason is why a move is good.
type Reason struct {
	Kind      string        // "cuts": it takes Cut from the king; "wins" or "loses" pieces For others, or "comes-out" ahead by them, having captured others first, or "takes" them; "saves", "attacks" or "trades" the piece of Danger; "castles"; "threatens" Threat, which wins pieces or mates in More moves, with Cut taken from the king; "brings-out" the piece of Danger; "centers" on Cut and "frees" that piece by More squares; "" for none
	Cut       rules.Set     // squares
	Wins, For []rules.Piece // mostly one, and none
	Danger    Danger
	Threat    string
	Moves     int // after which those are won or lost
	More      int // also the pawns by which a side that trades is ahead, or 0
}

// Shown is how many moves of a line a hint tells at least: more would hardly be believed.
const Shown = 4

// believed are the moves after which what is won is the reason for the first of them.
const believed = 5

// Told is what a hint tells of a line: n moves at least, and more while they capture or give check.
func Told(pos *rules.Position, line []rules.Move, n int) []rules.Move {
	for i, m := range line {
		next, err := pos.Play(m)
		if err != nil || i+1 >= max(Shown, n) && next.Checkers() == 0 && balance(pos, rules.White) == balance(next, rules.White) {
			return line[:i+1]
		}
		pos = next
	}
	return line
}

// Why is the reason for a move that was found. What it threatens, if it does nothing else, is that which is advised to
// its side to play next.
func Why(ctx context.Context, now rules.Game, found engine.Result, advise func(context.Context, rules.Game) (engine.Result, error)) Reason {
	pos, m := now.Position, found.Move()
	after, err := pos.Play(m)
	if err != nil {
		return Reason{}
	}
	view, next, answered := Passed(pos), Passed(after), len(found.Moves) > 1 && removesOn(after, found.Moves[1], m.To)
	if found.Score.Mate > 1 && view != nil {
		if cut := flights(view) &^ flights(after); cut != 0 {
			return Reason{Kind: "cuts", Cut: cut}
		}
	}
	won := settle(pos, head(found.Moves), 0)
	if !won.Wins() || won.Moves > believed {
		won = Trade{}
	}
	line := Told(pos, found.Moves, won.Moves)
	t := settle(pos, line, neither) // which is what people see
	if t.Net < won.Net {
		won = t
	}
	if up := min(balance(pos, pos.Turn())+won.Net, 1); up >= 0 && scoreOf(found.Score, rules.White) < Edge*(2*up-1) {
		won = Trade{} // it is made up for
	}
	still := dangers(after)
	for _, d := range Threatened(pos) {
		if worth(pos, d.Piece) > won.Net && worth(pos, d.Piece)+t.Net >= 0 && !falls(pos, line, d.On) && !slices.ContainsFunc(still, func(s Danger) bool { return s.Piece == d.Piece && (s.On == d.On || m.From == d.On && s.On == m.To) }) {
			return Reason{Kind: "saves", Danger: d}
		}
	}
	first := settle(pos, line[:1], neither).Took
	switch {
	case won.Wins() && len(first) > 0 && !slices.ContainsFunc(first, func(p rules.Piece) bool { return slices.Contains(won.Took, p) }):
		return Reason{Kind: "comes-out", Wins: won.Took, For: won.Gave, Moves: won.Moves}
	case won.Wins():
		return Reason{Kind: "wins", Wins: won.Took, For: won.Gave, Moves: won.Moves}
	case t.Loses() && t.Moves == len(line): // else the last capture may make up for it
		return Reason{Kind: "loses", Wins: t.Gave, For: t.Took, Moves: t.Moves}
	}
	var met *rules.Position
	if len(line) > 1 {
		met, _ = after.Play(line[1])
	}
	was, left, board := dangers(pos), dangers(met), pos.Board()
	for _, d := range Threatened(after) {
		same := func(other Danger) bool { return other.On == d.On }
		if !answered && t.Net >= 0 && !slices.ContainsFunc(was, same) && (falls(after, line[1:], d.On) || !slices.ContainsFunc(left, same)) {
			return Reason{Kind: "attacks", Danger: d}
		}
	}
	switch own := worth(pos, board[m.From]); {
	case m.Act == rules.Castle:
		return Reason{Kind: "castles"}
	case answered && own > 0 && own == wins(pos, m):
		return Reason{Kind: "trades", Danger: Danger{Piece: board[m.From], On: m.From}, More: max(0, balance(pos, pos.Turn()))}
	case wins(pos, m) > 0:
		return Reason{Kind: "takes", Wins: first}
	case next != nil && next.Status() == rules.Ongoing && !answered:
		if threat, by := Threat(ctx, pos, m, after, advise); threat.Kind != "" && !slices.Contains(found.Moves, by) { // else it would not win then
			return threat
		}
		free := Reason{Kind: "frees", More: 1}
		before, to := room(pos), room(next)
		before[m.To] = before[m.From]
		for on, n := range to {
			if n-before[on] > free.More {
				free.More, free.Danger = n-before[on], Danger{Piece: next.Board()[on], On: rules.Square(on)}
			}
		}
		sh, moved := pos.Variant().Shape, board[m.From]
		start, err := pos.Variant().Position("")
		alone := m.Act == rules.Step && own > 0 && err == nil
		middle := func(at, all int) bool { return at == (all-1)/2 || at == all/2 }
		switch {
		case alone && start.Board()[m.From] == moved && !pos.Variant().Table[moved.White|moved.Black].Pawn:
			return Reason{Kind: "brings-out", Danger: Danger{Piece: moved}}
		case alone && middle(sh.File(m.To), sh.Files) && middle(sh.Rank(m.To), sh.Ranks):
			return Reason{Kind: "centers", Cut: m.To.Set(), Danger: free.Danger, More: free.More}
		case free.More > 1:
			return free
		}
	}
	return Reason{}
}

// Threat is what a quiet move threatens that has led to a position, and by which move: what its side is advised to play
// next, if that wins something. It also takes squares from the king.
func Threat(ctx context.Context, pos *rules.Position, m rules.Move, after *rules.Position, advise func(context.Context, rules.Game) (engine.Result, error)) (why Reason, by rules.Move) {
	view, next := Passed(pos), Passed(after)
	if view == nil || next == nil || wins(pos, m) > 0 || after.Checkers() != 0 || next.Status() != rules.Ongoing {
		return why, by
	}
	idea, err := advise(ctx, rules.NewGame(next))
	if t := settle(next, head(idea.Moves), 0); err == nil && (t.Wins() || idea.Score.Mate > 0) {
		why = Reason{Kind: "threatens", Cut: flights(view) &^ flights(after), Threat: next.Chat(idea.Move()), Wins: t.Took, For: t.Gave, More: max(0, idea.Score.Mate)}
	}
	return why, idea.Move()
}

// Key is the move to remember a game by that was not reviewed, counted from 0: the one among those of
// the given sides that won most for good or made the most of pieces, the last of several. It is never
// the last move of the game, whose position is shown anyway. False if there is none.
func Key(games []rules.Game, moves []rules.Move, of [2]bool) (ply int, ok bool) {
	gains := make([]int, len(moves))
	for i, m := range moves {
		gains[i] = wins(games[i].Position, m)
	}
	most := 2 // more than what a pawn is worth
	for i := range max(0, len(moves)-1) {
		pos, gain := games[i].Position, gains[i]-gains[i+1]
		if i > 0 {
			gain -= gains[i-1] // of what may only have been taken back
		}
		if gain += makes(pos, moves[i]); of[pos.Turn()] && gain >= most {
			ply, most, ok = i, gain, true
		}
	}
	return ply, ok
}

// wins is what a move takes from the other side beyond what it takes from its own, in pawns.
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

// PlayOut is how a line goes on, of which some moves were played, the last of them by the side that began, up to where
// that side has won all that it does; and what that is: pieces, if they are all, and its worth in pawns.
func PlayOut(pos *rules.Position, line []rules.Move, played int) (rest []rules.Move, won Trade, pawns int) {
	const most = 6                                // moves, of which more would hardly be watched
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
	for n := played; n+1 < len(sums); n += 2 { // the answer to that is known
		if sums[n+1] > sums[best+1] {
			best = n
		}
	}
	if best+1 >= len(sums) {
		return nil, won, 0
	}
	if grown[best+1] == 0 { // else pieces have become more, too
		won = settle(start, line[:best+1], neither)
	}
	return line[played:best], won, sums[best+1]
}

// makes is what pieces become worth more by a move without a capture, in pawns: promoted ones, and those that
// are put together by their lesser parts.
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
func worth(pos *rules.Position, p rules.Piece) (pawns int) {
	t := pos.Variant().Table
	for _, half := range []rules.Role{p.White, p.Black} {
		for _, part := range t.Simple(half) {
			pawns += t[part].Worth
		}
	}
	return pawns
}

// Best is how a game could go on best from a position: as a line that the review tells does, or else as another one does.
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

// Turning is the turning point that changed most, nil if there is none.
func (s *Story) Turning() *TurningPoint {
	var most *TurningPoint
	for i := range s.TurningPoints {
		if m := &s.TurningPoints[i]; most == nil || m.Could-m.Became > most.Could-most.Became {
			most = m
		}
	}
	return most
}
