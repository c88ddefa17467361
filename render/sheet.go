package render

import "chimera/rules"

// Sheets are diagrams that show every piece of a game, for people who want to look
// them over: each man of White's and of Black's on a light and on a dark square, then
// the pieces that both sides can share.
func Sheets(v *rules.Variant) []Diagram {
	const perSheet = 64
	var men []rules.Piece
	for r := range v.Table[1:] {
		for _, c := range []rules.Color{rules.White, rules.Black} {
			man := rules.Man(c, rules.Role(r+1))
			men = append(men, man, man)
		}
	}
	for _, p := range shared(v) {
		men = append(men, p, p)
	}
	var sheets []Diagram
	for begin := 0; begin < len(men); begin += perSheet {
		d := Diagram{Shape: rules.NewShape(8, 8), Table: v.Table}
		for i, man := range men[begin:min(begin+perSheet, len(men))] {
			d.Board[d.Shape.At(i%8, 7-i/8)] = man
		}
		sheets = append(sheets, d)
	}
	return sheets
}

// shared are the pieces that two men of different sides can become.
func shared(v *rules.Variant) []rules.Piece {
	var all []rules.Piece
	if !v.Shared {
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
