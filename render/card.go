package render

import (
	"errors"

	"chimera/rules"
)

// Card is the diagram of what one piece of White can do on an empty board: a spot
// where it can go, a sight on what it can kill. It is found by trying all moves, with
// a piece of Black's on each square in turn; it is meant for a Small picture. There is
// none for a piece that cannot be set up.
func Card(v *rules.Variant, r rules.Role) (Diagram, error) {
	if r == rules.NoRole || int(r) >= len(v.Table) {
		return Diagram{}, errors.New("render: a card needs a piece")
	}
	c := card{Variant: v, piece: rules.PieceOf(rules.White, r)}
	c.from = c.Shape.At((c.Shape.Files-1)/2, (c.Shape.Ranks-1)/2)
	if !c.place() {
		return Diagram{}, errors.New("render: no position with a " + v.Table[r].Name + " alone")
	}
	d := Diagram{Shape: v.Shape, Table: v.Table, Marks: []Mark{on(Chosen, c.from)}}
	d.Board[c.from] = c.piece
	d.Marks = append(append(d.Marks, each(Target, c.ends)...), each(Aimed, c.targets())...)
	return d, nil
}

// card is a Card that is being drawn: a piece near the middle, where it can go from
// there, and the positions, with kings out of its way.
type card struct {
	*rules.Variant
	piece  rules.Piece
	from   rules.Square
	ends   rules.Set
	setups []rules.Setup
}

// place finds the squares for the kings, at the lower and the upper edge, that leave
// the piece most moves, and reports whether there are any.
func (c *card) place() bool {
	most := 0
	for own := range c.edge(0, 1).Squares() {
		for other := range c.edge(c.Shape.Ranks-1, -1).Squares() {
			setup := c.kings(own, other)
			pos, err := c.FromSetup(setup)
			if err != nil {
				continue
			}
			ends, _ := c.reach(pos)
			if ends.Len() > most {
				most, c.ends, c.setups = ends.Len(), 0, nil
			}
			if ends.Len() == most {
				c.ends |= ends
				c.setups = append(c.setups, setup)
			}
		}
	}
	return c.setups != nil
}

// edge are the squares of a rank, and of the next ones inward where it has few.
func (c *card) edge(rank, inward int) rules.Set {
	const few = 4
	var squares rules.Set
	for ; squares.Len() < few; rank += inward {
		for file := range c.Shape.Files {
			squares |= c.Shape.At(file, rank).Set()
		}
	}
	return squares
}

// kings is the piece with the kings on these squares. A king needs none of its own
// side.
func (c *card) kings(own, other rules.Square) rules.Setup {
	setup := rules.Setup{Turn: rules.White, EnPassant: rules.NoSquare, FullMove: 1}
	for r, info := range c.Table {
		if !info.Royal {
			continue
		}
		setup.Board[other] = rules.PieceOf(rules.Black, rules.Role(r))
		if !c.Table[c.piece.White].Royal {
			setup.Board[own] = rules.PieceOf(rules.White, rules.Role(r))
		}
		break
	}
	setup.Board[c.from] = c.piece
	return setup
}

// reach is where the piece can end its move, and what it can kill elsewhere.
func (c *card) reach(pos *rules.Position) (ends, kills rules.Set) {
	for _, m := range pos.Moves() {
		if m.From == c.from && m.Act == rules.Step {
			ends |= m.To.Set()
			kills |= m.Kills
		}
	}
	return ends, kills
}

// targets are the squares on which the piece can kill a simple piece of Black's.
func (c *card) targets() rules.Set {
	const enough = 6 // positions, with the kings in different places
	var all rules.Set
	for sq := range c.Shape.Squares.Squares() {
		for i := 0; i < len(c.setups) && !all.Has(sq); i += (len(c.setups) + enough) / enough {
			if setup := c.setups[i]; setup.Board[sq] == (rules.Piece{}) && c.kills(setup, sq) {
				all |= sq.Set()
			}
		}
	}
	return all
}

// kills reports whether the piece can kill any of the simple pieces on a square.
func (c *card) kills(setup rules.Setup, on rules.Square) bool {
	for r, info := range c.Table {
		if info.Royal || info.Glyph == "" {
			continue
		}
		setup.Board[on] = rules.PieceOf(rules.Black, rules.Role(r))
		pos, err := c.FromSetup(setup)
		if err != nil {
			continue
		}
		if ends, kills := c.reach(pos); (ends | kills).Has(on) {
			return true
		}
	}
	return false
}
