package sample

import (
	"maps"
	"strings"
	"testing"

	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/analysis"
	"chimera/rules/phrase"
	"chimera/rules/variants"
)

// All are the diagrams whose pictures and texts are compared with stored ones, by name.
func All(t testing.TB) map[string]diagram.Diagram {
	all := marked(t)
	for _, more := range []map[string]diagram.Diagram{played(t), barred(t), Taught(t)} {
		maps.Copy(all, more)
	}
	for _, v := range variants.All() {
		all["start-"+v.Key] = diagram.Of(position(t, v.Key, ""), nil, rules.White)
		all["pieces-"+v.Key] = diagram.Sheets(v)[0]
	}
	levels := diagram.Sheets(Game(t, "stealth"))
	levels[3].Theme = diagram.Night

	all["levels"], all["levels-night"] = levels[2], levels[3]
	return all
}

// marked are boards of the game made up for tests, and what is marked on them.
func marked(t testing.TB) map[string]diagram.Diagram {
	start := Diagram(t, StartBoard)

	hybrids := Diagram(t, "[rb][rn][bn][qn]k3/8/[RB][RN][BN][QN]4/[rb][rn][bn][qn]4/4[qrb][QRB][wz][WZ]/[Nr][Rn][Qb][Bq][Nn][Qq][Rr][Bb]/8/[RB][RN][BN][QN]K3")

	check := Diagram(t, "rnb1kbnr/pppp1ppp/8/4p3/5PPq/8/PPPPP2P/RNBQKBNR")
	check.Marks = []diagram.Mark{Mark(check, diagram.Left, "d8"), Mark(check, diagram.Reached, "h4"), Mark(check, diagram.Check, "e1")}

	merge := Diagram(t, "r1bqkbnr/pppppppp/2n5/8/4P3/5[RN]2/PPPP1PPP/RNBQKB2")
	merge.Marks = []diagram.Mark{Mark(merge, diagram.Left, "h1"), Mark(merge, diagram.Reached, "f3"), Mark(merge, diagram.Joined, "h1", "f3")}
	merge.Turn = rules.Black

	split := Diagram(t, "4k3/8/3p1n2/2p5/3RN3/8/3Q4/4K3")
	split.Marks = []diagram.Mark{
		Mark(split, diagram.Left, "d4"), Mark(split, diagram.Reached, "e4"), Mark(split, diagram.Parted, "d4", "e4"),
		Mark(split, diagram.Killed, "e4", "d6"), Mark(split, diagram.Killed, "e4", "f5"), Mark(split, diagram.Fired, "d4", "a4"),
	}

	flipped := check
	flipped.Bottom = rules.Black

	holes := Diagram(t, "***k***/*ibanr*/*p1p1p*/*1p1p1*/7/*1P1P1*/*P1P1P*/*IBANR*/***K***")
	holes.Turn = rules.Black

	lent := holes.ShowZones(Zones(holes))

	frozen := Diagram(t, "rnb1kbnr/pppp1ppp/8/4p1[Bq]1/8/3P4/PPP1PPPP/RN1QKBNR")
	frozen.Marks = []diagram.Mark{Mark(frozen, diagram.Left, "d8"), Mark(frozen, diagram.Reached, "g5"), Mark(frozen, diagram.Joined, "d8", "g5"), Mark(frozen, diagram.Frozen, "g5")}

	blast := Diagram(t, "***k***/*ib1nr*/*p1p1p*/*1p3*/7/*1P3*/*P1P1P*/*IB1NR*/***K***")
	blast.Marks = []diagram.Mark{Mark(blast, diagram.Left, "d2"), Mark(blast, diagram.Reached, "d4")}
	for _, name := range []string{"d4", "e4", "e5", "e6"} {
		m := Mark(blast, diagram.Blasted, name)
		m.Piece = rules.PieceOf(rules.White, Pawn)
		blast.Marks = append(blast.Marks, m)
	}

	outside := check
	outside.Coords = diagram.Outside

	aside := holes
	aside.Coords, aside.Bottom = diagram.Outside, rules.Black

	letters := frozen
	letters.Letters = true

	contrast := check
	contrast.Theme = diagram.Contrast

	print := lent
	print.Theme = diagram.Print
	return map[string]diagram.Diagram{
		"start": start, "hybrids": hybrids, "check": check, "merge": merge, "split": split, "flipped": flipped,
		"holes": holes, "zones": lent, "frozen": frozen, "letters": letters, "blast": blast,
		"contrast": contrast, "print": print, "outside": outside, "outside-holes": aside,
	}
}

// played are boards with moves that were played, or could be.
func played(t testing.TB) map[string]diagram.Diagram {
	targets := Diagram(t, "4k3/8/1p3p2/8/3R4/8/1p3P2/4K3").ShowMoves(27, []rules.Move{
		{From: 27, To: 24},
		{From: 27, To: 25},
		{From: 27, To: 26},
		{From: 27, To: 13, Act: rules.Merge},
		{From: 27, To: 27, Kills: rules.Square(45).Set() | rules.Square(9).Set()},
		{From: 4, To: 3}, // another piece's
	})

	run := After(t, "stealth", "4k3/8/p7/8/p7/8/8/[RRR]3K3 w - - 0 1", "a1a8xa4xa6")
	armor := After(t, "brigade", "k7/8/8/8/8/2p5/1p6/1N5K w - - 0 1", "b1c3xb2")
	armor.Bottom = rules.White

	choose := func(pos *rules.Position, from string) diagram.Diagram {
		return diagram.Of(pos, nil, rules.White).ShowMoves(pos.Variant().Shape.Parse(from), pos.Moves())
	}
	fused, sways := position(t, "combine", "4k3/8/8/3p4/3[RN]4/2B2p2/3P4/R3K2R w - - 0 1"), position(t, "combination", "")
	return map[string]diagram.Diagram{
		"targets": targets, "run": run, "armor": armor,
		"choice-split": choose(fused, "d4"), "choice-merge": choose(fused, "a1"),
		"choice-zone": choose(sways, "e2").ShowZones(sways.Influences()),
	}
}

// barred are boards between bars, in a game and at its end.
func barred(t testing.TB) map[string]diagram.Diagram {
	taken := Barred(t)
	taken.Theme = diagram.Night

	won := taken.ShowWinner(rules.Black)
	won.Theme, won.Bottom, won.Over = diagram.Wood, rules.Black, true
	won.Bars.Result, won.Bars.Sides[0].When = "0–1 · resignation", ""

	drawn := Barred(t)
	drawn.Theme, drawn.Over, drawn.Bars.Result, drawn.Bars.Sides[0].When = diagram.Contrast, true, "½–½ · Stellungswiederholung", ""

	return map[string]diagram.Diagram{"taken": taken, "won": won, "drawn": drawn}
}

// Barred is a diagram with bars about two players, one of whom has captured a lot.
func Barred(t testing.TB) diagram.Diagram {
	t.Helper()
	d := Diagram(t, "r1b1kb1r/pp2pppp/2n5/8/8/5N2/PP3PPP/4K2R").ShowTaken(Diagram(t, StartBoard).Board, nil)
	white, black := &d.Bars.Sides[rules.White], &d.Bars.Sides[rules.Black]
	white.Name, white.Rating, white.When = "anna", "1668", "Tue 24 Nov 16:20 UTC"
	black.Name, black.Rating = "Bernhard der Große 棋士 سارة, who has a long name", "1634?"
	return d
}

// Card is the card of a piece of White's by its letters, or of one of both sides by White's and
// Black's.
func Card(t testing.TB, key, code string) diagram.Diagram {
	t.Helper()
	v := Game(t, key)
	white, black, _ := strings.Cut(code, "/")
	w, err := analysis.Of(v, rules.Piece{White: v.Table.Role(white), Black: v.Table.Role(black)})
	if err != nil {
		t.Fatal(err)
	}
	return diagram.Card(v, w)
}

// threatened is a position with its threats shown.
func threatened(t testing.TB, key, fen string) diagram.Diagram {
	pos := position(t, key, fen)
	return diagram.Of(pos, nil, pos.Turn()).ShowThreats(analysis.Find(pos))
}

// position is one of a game, the first if the FEN is "".
func position(t testing.TB, key, fen string) *rules.Position {
	t.Helper()
	pos, err := Game(t, key).Position(fen)
	if err != nil {
		t.Fatal(err)
	}
	return pos
}

// Taught are the diagrams of cards and threats that are compared with stored ones.
func Taught(t testing.TB) map[string]diagram.Diagram {
	admiral, doomed := Card(t, "stealth", "BNW"), threatened(t, "combination", "***k***/*2b1r*/*p1a1p*/*1p3*/7/*1PIP1*/*P1R1P*/*2BN1*/***K*** w - - 0 1")
	part := func(code string) diagram.Mark {
		return diagram.Mark{Kind: diagram.Goes, From: admiral.Marks[0].From, Piece: rules.Piece{White: Game(t, "stealth").Table.Role(code)}}
	}
	admiral.Legend = []diagram.Lesson{{
		Piece: admiral.Board[admiral.Marks[0].From], Name: phrase.As("Admiral (BNW)"),
		Line:  phrase.As("The admiral can slide along diagonals, leap as a knight and step one square straight."),
		Signs: []diagram.Sign{{Mark: part("B"), Means: phrase.As("bishop")}, {Mark: part("N"), Means: phrase.As("knight")}, {Mark: part("WF"), Means: phrase.As("prince")}, {Mark: diagram.Mark{Kind: diagram.Takes}, Means: phrase.As("can capture here")}},
	}}
	admiral.Theme = diagram.Print
	pawn := rules.Piece{White: doomed.Table.Role("P")}
	doomed.Legend = []diagram.Lesson{{Name: phrase.As("Threats by Black"), Signs: []diagram.Sign{
		{Mark: diagram.Mark{Kind: diagram.Attacks}, Piece: pawn, Means: phrase.As("attacked piece")},
		{Mark: diagram.Mark{Kind: diagram.Attacks}, Means: phrase.As("attacked")},
		{Mark: diagram.Mark{Kind: diagram.Doomed}, Piece: pawn, Means: phrase.As("could be annihilated")},
	}}}
	fresh := Diagram(t, "r1bqkbnr/pppppppp/2n5/8/4P3/5[RN]2/PPPP1PPP/RNBQKB2")
	fresh.Bars = &diagram.Bars{Sides: [2]diagram.Bar{{Name: "alice"}, {Name: "bob"}}}
	fresh.Legend = []diagram.Lesson{{
		Piece: rules.Piece{White: RookKnight}, Name: phrase.As("New: rook-knight (RN)"),
		Line: phrase.As("The rook-knight moves and captures as a rook or as a knight. It can split: one part moves to a neighbouring empty square."),
	}}
	fresh.Theme = diagram.Night
	return map[string]diagram.Diagram{
		"legend-new":     fresh,
		"legend-card":    admiral,
		"legend-threats": doomed,
		"card-passes":    Card(t, "stealth", "RRN"),
		"card-runs":      Card(t, "stealth", "QQQ"),
		"card-both":      Card(t, "knightmare", "R/N"),
		"card-guns":      Card(t, "brigade", "B"),
		"card-armor":     Card(t, "brigade", "N"),
		"card-lends":     Card(t, "combination", "A"),
		"threats":        threatened(t, "chess", "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3"),
		"threats-guns":   threatened(t, "brigade", "r3k2r/pp3ppp/2b2n2/8/3P4/2N1B3/PP3PPP/R3K2R w - - 0 1"),
	}
}
