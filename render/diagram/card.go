package diagram

import (
	"chimera/rules"
	"chimera/rules/analysis"
)

// Card is the diagram of what a piece can do, with nobody to move: what each of its parts can
// reach, what it could shoot from where it stands, and where it lends its powers. It is meant for a
// picture of 480 pixels or more.
func Card(v *rules.Variant, w analysis.Power) Diagram {
	d := Diagram{Shape: v.Shape, Table: v.Table, Board: w.Board, Idle: true, Marks: []Mark{on(Chosen, w.From)}}
	add := func(kind MarkKind, squares rules.Set, part rules.Piece) {
		for sq := range squares.Squares() {
			d.Marks = append(d.Marks, Mark{Kind: kind, From: w.From, To: sq, Piece: part})
		}
	}
	for _, part := range w.Parts {
		add(Goes, part.Goes, part.Piece)
	}
	for _, part := range w.Parts {
		add(Takes, part.Takes, part.Piece)
	}
	add(Ranged, w.All.Shoots&^w.All.Takes, rules.Piece{})
	add(Lent, w.Lends, rules.Piece{})
	return d
}

// MaxParts is how many parts of a piece have marks of their own; further ones look like the last.
const MaxParts = 3

// PartNumber is which of the parts of the piece on m.From a mark is about, from 1 on.
func (d *Diagram) PartNumber(m Mark) uint8 {
	var parts []rules.Piece
	for _, other := range d.Marks {
		if other.Kind != m.Kind && other.Kind != Goes || other.From != m.From {
			continue
		}
		if len(parts) == 0 || parts[len(parts)-1] != other.Piece {
			parts = append(parts, other.Piece)
		}
		if other.Piece == m.Piece {
			break
		}
	}
	return uint8(min(len(parts), MaxParts))
}

// Everywhere reports whether the piece of a card can go to and capture on every square but its own, so
// that small signs tell enough.
func (d *Diagram) Everywhere() bool {
	others := d.Shape.Squares &^ d.Marked(Chosen)
	return d.Marked(Goes) == others && d.Marked(Takes) == others
}
