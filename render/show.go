package render

import (
	"slices"

	"chimera/rules"
)

// ShowZones is d with the squares marked to which pieces lend their powers. Where a piece is
// chosen they are those to which it does, and its own.
func (d Diagram) ShowZones(zones []rules.Influence) Diagram {
	d.Marks = slices.Clone(d.Marks)
	for _, z := range zones {
		for sq := range z.On.Squares() {
			d.Marks = append(d.Marks, Mark{Kind: Lent, From: z.From, To: sq})
		}
	}
	d.narrow()
	return d
}

// narrow leaves, where a piece is chosen, only what it lends and what it borrows.
func (d *Diagram) narrow() {
	if chosen := d.marked(Chosen); chosen != 0 {
		d.Marks = slices.DeleteFunc(d.Marks, func(m Mark) bool {
			return m.Kind == Lent && !chosen.Has(m.From) && !(chosen.Has(m.To) && d.lends(m))
		})
	}
}

// ShowMoves is d with the piece on a square marked, and where moves of it lead: to
// squares where it can end, into pieces, or parts of it; and to what it kills on others.
func (d Diagram) ShowMoves(from rules.Square, moves []rules.Move) Diagram {
	d.Marks = append(slices.Clone(d.Marks), on(Chosen, from))
	ends := map[MarkKind]rules.Set{}
	for _, m := range moves {
		if m.From != from && (m.Act != rules.Rally || m.With != from) {
			continue
		}
		kind := Target
		switch m.Act {
		case rules.Merge, rules.Rally:
			kind = Merges
		case rules.Split:
			kind = Splits
		case rules.Step, rules.Castle:
		}
		ends[kind] |= m.To.Set() &^ from.Set()
		ends[Aimed] |= m.Kills
	}
	d.narrow()
	for _, kind := range []MarkKind{Target, Merges, Splits, Aimed} {
		d.Marks = append(d.Marks, each(kind, ends[kind])...)
	}
	return d
}

// each is a mark about each square of a set.
func each(kind MarkKind, set rules.Set) (marks []Mark) {
	for sq := range set.Squares() {
		marks = append(marks, on(kind, sq))
	}
	return marks
}

// ShowTaken is d with the pieces in strips above and below the board that each side has
// lost since the start: those captured by the player at the top stand above. It
// counts simple pieces; where pieces grow by what they capture, it may show too few.
func (d Diagram) ShowTaken(start rules.Board) Diagram {
	d.Taken = []rules.Piece{}
	lost := d.count(start)
	for piece, n := range d.count(d.Board) {
		lost[piece] -= n
	}
	for r := range d.Table {
		for _, side := range []rules.Color{rules.White, rules.Black} {
			piece := rules.PieceOf(side, rules.Role(r))
			for range lost[piece] {
				d.Taken = append(d.Taken, piece)
			}
		}
	}
	return d
}

// count counts the simple pieces of a board, the parts of compounds one by one.
func (d Diagram) count(b rules.Board) map[rules.Piece]int {
	n := map[rules.Piece]int{}
	for sq := range d.Shape.Squares.Squares() {
		for _, side := range []rules.Color{rules.White, rules.Black} {
			if r := b[sq].Half(side); r != rules.NoRole {
				for _, part := range d.Table.Simple(r) {
					n[rules.PieceOf(side, part)]++
				}
			}
		}
	}
	return n
}
