package diagram

import "chimera/rules"

// Sheets are diagrams that show every piece of a game, for people who want to look
// them over: each piece of White's and of Black's on a light and on a dark square, then
// the pieces that both sides can share.
func Sheets(v *rules.Variant) []Diagram {
	const perSheet = 64
	var pieces []rules.Piece
	for r := range v.Table[1:] {
		for _, c := range []rules.Color{rules.White, rules.Black} {
			piece := rules.PieceOf(c, rules.Role(r+1))
			pieces = append(pieces, piece, piece)
		}
	}
	for _, p := range shared(v) {
		pieces = append(pieces, p, p)
	}
	var sheets []Diagram
	for begin := 0; begin < len(pieces); begin += perSheet {
		d := Diagram{Shape: rules.NewShape(8, 8), Table: v.Table, Idle: true, Coords: NoCoords}
		for i, piece := range pieces[begin:min(begin+perSheet, len(pieces))] {
			d.Board[d.Shape.At(i%8, 7-i/8)] = piece
		}
		sheets = append(sheets, d)
	}
	return sheets
}

// shared are the pieces of both sides that there can be.
func shared(v *rules.Variant) []rules.Piece {
	var all []rules.Piece
	if !v.Shares() {
		return nil
	}
	for white, one := range v.Table {
		for black, other := range v.Table {
			if white > 0 && black > 0 && !one.Royal && !one.Pawn && !other.Royal && !other.Pawn {
				all = append(all, rules.Piece{White: rules.Role(white), Black: rules.Role(black)})
			}
		}
	}
	return all
}
