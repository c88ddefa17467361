package computer

import (
	"cmp"
	"errors"
	"slices"

	"chimera/rules"
	"chimera/rules/engine"
	"chimera/storage"
)

// Story is a review as it can be told: with the game.
type Story struct {
	Scores        []int          // of each position, White's, as chess has them
	Marks         []string       // of each move that lost much: "?!", "?" or "??"
	Moves         []string       // as people write them, with their marks
	Accuracy      [2]float64     // of White and Black, in per cent
	TurningPoints []TurningPoint // that decided it, in their order
	Births        []Birth        // likewise
}

// TurningPoint is a move that was worse than another.
type TurningPoint struct {
	Ply           int
	Before        *rules.Position // in which it was played
	Played        rules.Move
	Better        []rules.Move // how the game could have gone on instead; one at least
	Could, Became float64      // the chances of its side with what is better, and after it
	Gain          Fate         // what Better comes to for its side
	Loss          Fate         // what the answer to the move comes to for the other; nothing that was exchanged
	Left          *Danger      // of a piece that the answer captures; nil for none
}

// Fate is what a line of moves comes to for the side that begins it.
type Fate struct {
	Mates int           // in how many of its moves it mates; 0 if it does not
	Wins  []rules.Piece // what it captures without losing more than pawns: pawns if nothing else
	Gives bool          // it loses something
}

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
	for _, m := range found.Moments {
		if m.Ply < 0 || m.Ply >= len(moves) {
			return nil, errOther
		}
		told, err := turningPoint(scores, m, games, moves)
		if err != nil {
			return nil, err
		}
		if told.Could-told.Became >= slight {
			s.TurningPoints = append(s.TurningPoints, told)
		}
	}
	for i, m := range moves {
		pos := games[i].Position
		s.Marks = append(s.Marks, s.mark(i, pos.Turn()))
		s.Moves = append(s.Moves, pos.Chat(m)+s.Marks[i])
		for _, e := range rules.Made(m, pos.Effects(m)) {
			s.Births = append(s.Births, Birth{i, pos.Chat(m), pos.Turn(), e.Into, e.To})
		}
	}
	return s, nil
}

// mark is that of a move of a side: by how much of its chances it lost, and whether it decided the game.
func (s *Story) mark(ply int, side rules.Color) string {
	switch lost := chances(s.Scores[ply], side) - chances(s.Scores[ply+1], side); {
	case lost >= .3:
		return "??"
	case lost >= .2:
		return "?"
	case lost >= .1, slices.ContainsFunc(s.TurningPoints, func(m TurningPoint) bool { return m.Ply == ply }):
		return "?!"
	}
	return ""
}

// slight are chances that a move may lose without having changed the game.
const slight = .1

func turningPoint(scores []int, m storage.TurningPoint, games []rules.Game, moves []rules.Move) (told TurningPoint, err error) {
	before, after := games[m.Ply], games[m.Ply+1]
	turn := before.Position.Turn()
	told = TurningPoint{
		Ply: m.Ply, Before: before.Position, Played: moves[m.Ply],
		Could: chances(scores[m.Ply], turn), Became: chances(scores[m.Ply+1], turn),
	}
	told.Better, told.Gain, err = follow(before, m.Better)
	answer, loss, err2 := follow(after, m.Answer)
	told.Loss = loss
	if err := errors.Join(err, err2); err != nil || len(told.Better) == 0 {
		return told, errors.Join(errOther, err)
	}
	if slices.ContainsFunc(before.Position.Effects(told.Played), func(e rules.Effect) bool {
		return removes(e.Kind) && !isPawn(before.Position, e.Piece)
	}) {
		told.Loss.Wins = nil // it may have been an exchange
	}
	if len(answer) > 0 && len(told.Loss.Wins) == 1 {
		told.Left = left(after.Position, answer[0])
	}
	told.Gain.Mates, told.Loss.Mates = matesFor(scores[m.Ply], turn), matesFor(scores[m.Ply+1], turn.Other())
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

// follow plays a line, and sees what its side wins and gives. What is captured by the last move of
// the line may cost more than it wins: that is not known, and counts for nothing.
func follow(now rules.Game, texts []string) (line []rules.Move, fate Fate, err error) {
	side := now.Position.Turn()
	var pawns, men []rules.Piece
	for i, text := range texts {
		pos := now.Position
		m, err := pos.ParseCoordinate(text)
		if err != nil {
			return nil, fate, err
		}
		last := i == len(texts)-1 && pos.Turn() == side
		for _, e := range pos.Effects(m) {
			switch p := e.Piece; {
			case !removes(e.Kind) || p.Shared() || last:
			case p.Half(side) != rules.NoRole:
				fate.Gives = fate.Gives || !isPawn(pos, p)
			case isPawn(pos, p):
				pawns = append(pawns, p)
			default:
				men = append(men, p)
			}
		}
		line = append(line, m)
		if now, err = now.Play(m); err != nil {
			return nil, fate, err
		}
	}
	switch {
	case fate.Gives:
	case len(men) > 0:
		fate.Wins = men
	default:
		fate.Wins = pawns
	}
	return line, fate, nil
}

// removes reports whether the piece of an effect is gone by it.
func removes(kind rules.EffectKind) bool {
	return kind == rules.Captured || kind == rules.Absorbed || kind == rules.Shot || kind == rules.Annihilated
}

func isPawn(pos *rules.Position, p rules.Piece) bool {
	return pos.Variant().Table[p.White|p.Black].Pawn
}

// Danger is a piece by whose capture the other side would win something, how many pieces could capture it,
// and how many could capture there then.
type Danger struct {
	Piece                rules.Piece
	On                   rules.Square
	Attackers, Defenders int
}

// dangers are those of the pieces of the side that is not to move, the most worth first.
func dangers(pos *rules.Position) (all []Danger) {
	turn, board := pos.Turn(), pos.Board()
	froms, captures := map[rules.Square]rules.Set{}, map[rules.Square]rules.Move{}
	for _, m := range pos.Moves() {
		for _, e := range pos.Effects(m) {
			if !removes(e.Kind) || e.Piece.Half(turn) != rules.NoRole {
				continue
			}
			if froms[e.To] |= m.From.Set(); froms[e.To].Len() == 1 || worth(pos, board[m.From]) < worth(pos, board[captures[e.To].From]) {
				captures[e.To] = m
			}
		}
	}
	for on, by := range froms {
		m := captures[on]
		next, err := pos.Play(m)
		if err != nil {
			continue
		}
		var again rules.Set
		for _, reply := range next.Moves() {
			if reply.To == m.To {
				again |= reply.From.Set()
			}
		}
		d := Danger{board[on], on, by.Len(), again.Len()}
		is, costs := worth(pos, d.Piece), worth(pos, board[m.From])
		if is > 0 && (d.Defenders == 0 || costs < is || costs == is && d.Attackers > d.Defenders) {
			all = append(all, d)
		}
	}
	slices.SortFunc(all, func(a, b Danger) int {
		return cmp.Or(cmp.Compare(worth(pos, b.Piece), worth(pos, a.Piece)), cmp.Compare(a.On, b.On))
	})
	return all
}

// passed is a position with the turn given to the other side, nil where that cannot be.
func passed(pos *rules.Position) *rules.Position {
	view, err := pos.Variant().FromSetup(rules.Setup{Board: pos.Board(), Turn: pos.Turn().Other(), EnPassant: rules.NoSquare, FullMove: pos.FullMove()})
	if err != nil {
		return nil
	}
	return view
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

// Reason is why a move is good.
type Reason struct {
	Kind   string        // "cuts": it takes Cut from the king; "wins" pieces; "saves" or "attacks" the piece of Danger; "" if there is none
	Cut    rules.Set     // squares
	Wins   []rules.Piece // mostly one
	Danger Danger
}

// Why is the reason for a move that was found.
func Why(now rules.Game, found engine.Result) Reason {
	pos, m := now.Position, found.Move()
	after, err := pos.Play(m)
	if err != nil {
		return Reason{}
	}
	view := passed(pos)
	if found.Score.Mate > 1 && view != nil {
		if cut := flights(view) &^ flights(after); cut != 0 {
			return Reason{Kind: "cuts", Cut: cut}
		}
	}
	_, fate, err := follow(now, texts(pos.Variant(), found.Moves))
	if err == nil && len(fate.Wins) > 0 && !fate.Gives {
		return Reason{Kind: "wins", Wins: fate.Wins}
	}
	if view != nil {
		still := dangers(after)
		for _, d := range dangers(view) {
			if !slices.ContainsFunc(still, func(s Danger) bool { return s.Piece == d.Piece && (s.On == d.On || m.From == d.On && s.On == m.To) }) {
				return Reason{Kind: "saves", Danger: d}
			}
		}
	}
	if view = passed(after); view != nil {
		was := dangers(pos)
		for _, d := range dangers(view) {
			if !slices.ContainsFunc(was, func(w Danger) bool { return w.On == d.On }) {
				return Reason{Kind: "attacks", Danger: d}
			}
		}
	}
	return Reason{}
}

// left is the danger in which a move has left a piece, if an answer to it captures that; nil if it does not.
func left(after *rules.Position, answer rules.Move) *Danger {
	for _, e := range after.Effects(answer) {
		for _, d := range dangers(after) {
			if removes(e.Kind) && d.On == e.To {
				return &d
			}
		}
	}
	return nil
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
// that side has won all that it does; and what that is: pieces, if it has given none for them, and its worth in pawns.
func PlayOut(pos *rules.Position, line []rules.Move, played int) (rest []rules.Move, won []rules.Piece, pawns int) {
	const most = 6 // moves, of which more would hardly be watched
	start, sums, chosen := rules.NewGame(pos), []int{0}, []string(nil)
	for i, m := range line[:min(len(line), played+most)] {
		gain := wins(pos, m) + makes(pos, m)
		if i%2 != 0 {
			gain = -gain
		}
		next, err := pos.Play(m)
		if err != nil {
			break
		}
		sums, chosen = append(sums, sums[i]+gain), append(chosen, pos.Variant().Coordinate(m))
		if pos = next; pos.Status() == rules.Checkmate || pos.Status() == rules.KingTaken {
			return line[played : i+1], nil, 0
		}
	}
	best := played
	for n := played; n+1 < len(sums); n += 2 { // the answer to that is known
		if sums[n+1] > sums[best+1] {
			best = n
		}
	}
	if best+1 >= len(sums) {
		return nil, nil, 0
	}
	_, fate, err := follow(start, chosen[:best+1])
	if err != nil || fate.Gives {
		fate.Wins = nil
	}
	return line[played:best], fate.Wins, sums[best+1]
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
