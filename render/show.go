package render

import (
	"slices"

	"chimera/rules"
)

// ShowZones is d with the squares marked to which pieces lend their powers.
func (d Diagram) ShowZones(zones []rules.Influence) Diagram {
	d.Marks = slices.Clone(d.Marks)
	for _, z := range zones {
		for sq := range z.On.Squares() {
			d.Marks = append(d.Marks, Mark{Kind: Lent, From: z.From, To: sq})
		}
	}
	return d
}

// ShowMoves is d with the piece on a square marked, and where moves of it lead: to
// squares where it can end, and to what it kills on others.
func (d Diagram) ShowMoves(from rules.Square, moves []rules.Move) Diagram {
	var ends, kills rules.Set
	for _, m := range moves {
		if m.From == from || m.Act == rules.Rally && m.With == from {
			ends |= m.To.Set()
			kills |= m.Kills
		}
	}
	d.Marks = append(slices.Clone(d.Marks), on(Chosen, from))
	return d.aim(ends&^from.Set(), kills)
}

func (d Diagram) aim(ends, kills rules.Set) Diagram {
	for sq := range ends.Squares() {
		d.Marks = append(d.Marks, on(Target, sq))
	}
	for sq := range kills.Squares() {
		d.Marks = append(d.Marks, on(Aimed, sq))
	}
	return d
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
