package computer

import (
	"cmp"
	"slices"

	"chimera/rules"
	"chimera/rules/engine"
)

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
