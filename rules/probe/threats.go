package probe

import (
	"slices"

	"chimera/rules"
)

// Threats are what could happen to the side to move's pieces if it were not its turn, and what
// either side's next move could annihilate.
type Threats struct {
	Mover    rules.Color
	Attacked rules.Set // where the other side could capture a piece of the mover's, did one stand there
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

// Find finds the threats in a position that is not the end of a game. Moves that would leave the
// attacker's own king in check are no threats; where kings are captured, to capture one is.
func Find(pos *rules.Position) Threats {
	t := Threats{Mover: pos.Turn()}
	setup, ok := passed(pos)
	if !ok {
		return t
	}
	v, them := pos.Variant(), t.Mover.Other()
	other, err := v.FromSetup(setup)
	if err != nil {
		return t
	}
	on := owned(pos, t.Mover)
	t.Pieces, t.Blasts = captures(other, on), blasts(other, on)
	t.Chances = blasts(pos, owned(pos, them))
	for _, threat := range t.Pieces {
		t.Attacked |= threat.On.Set()
		t.Ranged |= t.shots(other, threat.On)
	}
	for sq := range v.Shape.Squares.Squares() {
		if setup.Board[sq] != (rules.Piece{}) {
			continue
		}
		eachFoe(v, setup, sq, t.Mover, func(tried *rules.Position) bool {
			if attackers(tried, sq) == 0 {
				return true
			}
			t.Attacked |= sq.Set()
			t.Ranged |= t.shots(tried, sq)
			return false
		})
	}
	return t
}

// passed is a position with the turn given to the other side. A king in check is put where it is
// safe, and exchanged for another piece, lest a line pass where it stood that it could stop: for
// none if each would take the other side's moves away by checking its king, or cannot be captured.
// False if there is no such place.
func passed(pos *rules.Position) (rules.Setup, bool) {
	v, mover := pos.Variant(), pos.Turn()
	setup := rules.Setup{Board: pos.Board(), Turn: mover.Other(), EnPassant: rules.NoSquare, FullMove: pos.FullMove()}
	if _, err := v.FromSetup(setup); err == nil {
		return setup, true
	}
	bare, ok := setup, false
	for king := range pos.Checked().Squares() {
		for sq := range v.Shape.Squares.Squares() {
			if setup.Board[sq] != (rules.Piece{}) {
				continue
			}
			moved, found := setup, false
			moved.Board[sq], moved.Board[king] = setup.Board[king], rules.Piece{}
			if _, err := v.FromSetup(moved); err == nil && !ok {
				bare, ok = moved, true
			}
			eachFoe(v, moved, king, mover, func(tried *rules.Position) bool {
				if found = tried.Checked() == 0 && attackers(tried, king) != 0; found {
					moved.Board = tried.Board()
				}
				return !found
			})
			if found {
				return moved, true
			}
		}
	}
	return bare, ok
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

// attackers are the mover's pieces that can kill what stands on a square.
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

// captures are the threats by the mover to the pieces on these squares.
func captures(pos *rules.Position, on rules.Set) (all []Threat) {
	for _, sq := range pos.Variant().Shape.ByFile(on) {
		if by := attackers(pos, sq); by != 0 {
			all = append(all, Threat{sq, by})
		}
	}
	return all
}

// shots is a square, if a move of the mover's shoots what stands there from where the gun is.
func (t *Threats) shots(pos *rules.Position, on rules.Square) rules.Set {
	shot := func(m rules.Move) bool { return kills(m).Has(on) && kill(pos, m, on).Shoots != 0 }
	if slices.ContainsFunc(pos.Moves(), shot) {
		return on.Set()
	}
	return 0
}

// blasts are what moves of the mover's annihilate on these squares.
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
