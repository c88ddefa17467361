package analysis

import (
	"slices"

	"chimera/rules"
)

// Threats are the captures that the other side could make if it were its turn, and the pieces that
// either side's next move could annihilate.
type Threats struct {
	Mover    rules.Color
	Attacked rules.Set // squares on which the other side could capture a piece of the mover's
	Pieces   []Threat  // to the mover's own pieces, by file
	Ranged   rules.Set // the squares of Attacked on which it would be shot from where the gun stands
	Blasts   []Threat  // what the other side's next move could annihilate of the mover's, by file
	Chances  []Threat  // what the mover's could of the other's, likewise
}

// Threat is to a piece, by others.
type Threat struct {
	On rules.Square
	By rules.Set
}

// Find finds the threats in a position of a game that goes on. A move that would leave the
// attacker's own king in check is no threat; in a game where kings are captured, capturing one is.
func Find(pos *rules.Position) Threats {
	t := Threats{Mover: pos.Turn()}
	views := passed(pos)
	if views == nil {
		return t
	}
	v, them := pos.Variant(), t.Mover.Other()
	on := owned(pos, t.Mover)
	for _, sq := range v.Shape.ByFile(on) {
		var by rules.Set
		for _, view := range views {
			by |= safely(pos, attackers(view, sq), sq)
			t.Ranged |= shots(view, sq)
		}
		if by != 0 {
			t.Pieces = append(t.Pieces, Threat{sq, by})
			t.Attacked |= sq.Set()
		}
	}
	t.Blasts, t.Chances = blasts(views[0], on), blasts(pos, owned(pos, them))
	for sq := range v.Shape.Squares.Squares() {
		for _, view := range views {
			if view.Board()[sq] == (rules.Piece{}) && !t.Attacked.Has(sq) {
				t.try(pos, view, sq)
			}
		}
	}
	return t
}

// try finds whether a piece of the mover's would be attacked on a square that is empty in a view.
func (t *Threats) try(pos, view *rules.Position, sq rules.Square) {
	setup := rules.Setup{Board: view.Board(), Turn: view.Turn(), EnPassant: rules.NoSquare, FullMove: view.FullMove()}
	eachFoe(pos.Variant(), setup, sq, t.Mover, func(tried *rules.Position) bool {
		if safely(pos, attackers(tried, sq), sq) == 0 {
			return true
		}
		t.Attacked |= sq.Set()
		t.Ranged |= shots(tried, sq)
		return false
	})
}

// safely are the attackers of a square without a king that would be captured there, as the mover's
// pieces really stand.
func safely(pos *rules.Position, by rules.Set, on rules.Square) rules.Set {
	v, board := pos.Variant(), pos.Board()
	for from := range by.Squares() {
		if !v.Table[board[from].Half(pos.Turn().Other())].Royal {
			continue
		}
		setup := rules.Setup{Board: board, Turn: pos.Turn(), EnPassant: rules.NoSquare, FullMove: pos.FullMove()}
		setup.Board[on], setup.Board[from] = board[from], rules.Piece{}
		if _, err := v.FromSetup(setup); err != nil {
			by &^= from.Set()
		}
	}
	return by
}

// passed are views of a position with the turn given to the other side. One is enough unless the king
// is in check. Then it is moved to a safe square, and another piece takes its place so that no line
// opens through that square; if every such piece would give check or could not be captured, its place
// stays empty. As the piece may hinder moves that the king does not, there are views with several
// pieces and with the king at both ends of the board; none if the king is safe nowhere.
func passed(pos *rules.Position) (views []*rules.Position) {
	v, mover := pos.Variant(), pos.Turn()
	setup := rules.Setup{Board: pos.Board(), Turn: mover.Other(), EnPassant: rules.NoSquare, FullMove: pos.FullMove()}
	if view, err := v.FromSetup(setup); err == nil {
		return []*rules.Position{view}
	}
	var bare []*rules.Position
	free := slices.DeleteFunc(slices.Collect(v.Shape.Squares.Squares()), func(sq rules.Square) bool { return setup.Board[sq] != rules.Piece{} })
	for range 2 {
		for king := range pos.Checked().Squares() {
			for _, sq := range free {
				moved, known := setup, len(views)
				moved.Board[sq], moved.Board[king] = setup.Board[king], rules.Piece{}
				if view, err := v.FromSetup(moved); err == nil && bare == nil {
					bare = append(bare, view)
				}
				eachFoe(v, moved, king, mover, func(tried *rules.Position) bool {
					if tried.Checked() == 0 && attackers(tried, king) != 0 {
						views = append(views, tried)
					}
					return true
				})
				if len(views) > known {
					break
				}
			}
		}
		slices.Reverse(free)
	}
	if views == nil {
		return bare
	}
	return views
}

// owned are the squares of a side's pieces, those of both sides among them.
func owned(pos *rules.Position, side rules.Color) (set rules.Set) {
	for sq, p := range pos.Board() {
		if p.Half(side) != rules.NoRole {
			set |= rules.Square(sq).Set()
		}
	}
	return set
}

// attackers are the mover's pieces that can capture on a square.
func attackers(pos *rules.Position, on rules.Square) (by rules.Set) {
	for _, m := range pos.Moves() {
		if m.From != on && kills(m).Has(on) {
			by |= from(m)
		}
	}
	return by
}

// kills are the squares on which a move kills if an enemy is there.
func kills(m rules.Move) rules.Set {
	if m.Act != rules.Step && m.Act != rules.Rally {
		return m.Kills
	}
	return m.Kills | m.To.Set()
}

// from are the squares of the pieces that a move moves.
func from(m rules.Move) rules.Set {
	if m.Act == rules.Rally {
		return m.From.Set() | m.With.Set()
	}
	return m.From.Set()
}

// shots is the set of a square if a move of the mover's kills there without going there.
func shots(pos *rules.Position, on rules.Square) rules.Set {
	shot := func(m rules.Move) bool { return kills(m).Has(on) && kill(pos, m, on).Shoots != 0 }
	if slices.ContainsFunc(pos.Moves(), shot) {
		return on.Set()
	}
	return 0
}

// blasts are the annihilations on these squares by moves of the mover's.
func blasts(pos *rules.Position, on rules.Set) (all []Threat) {
	by := map[rules.Square]rules.Set{}
	for _, m := range pos.Moves() {
		for _, e := range pos.Effects(m) {
			if e.Kind == rules.Annihilated && on.Has(e.To) {
				by[e.To] |= m.From.Set()
			}
		}
	}
	for _, sq := range pos.Variant().Shape.ByFile(on) {
		if by[sq] != 0 {
			all = append(all, Threat{sq, by[sq]})
		}
	}
	return all
}
