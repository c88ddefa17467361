package combination

import "chimera/rules"

// course leads from what a piece borrows to what an annihilation wins.
func course() []rules.Lesson {
	captured := []rules.EffectKind{rules.Captured}
	return []rules.Lesson{
		{
			Topic: "borrow", FEN: "***k***/*5*/*1p1p1*/*5*/3b3/*2N1R*/*2P2*/*5*/***K*** w - - 0 1",
			Right: []string{"f4d5"}, Happens: captured,
			Shows: []string{"N", "R", "B"},
		},
		{
			Topic: "pawn", FEN: "***k***/*5*/*1p3*/*3pr*/7/*5*/*1P3*/*1B3*/***K*** w - - 0 1",
			Right: []string{"c3f6"}, Happens: captured,
			Shows: []string{"P"},
		},
		{
			Topic: "king", FEN: "***k***/*5*/*1p1p1*/*5*/7/*5*/*2Nn1*/*5*/***K*** w - - 0 1",
			Right: []string{"d1e3"}, Near: []string{"d1b2", "d1d2", "d1e2", "d1f2", "d1c3"}, Happens: captured,
			Shows: []string{"K"},
		},
		{
			Topic: "lend", FEN: "***k***/*5*/*3R1*/*pp3*/7/*P3P*/*2N2*/*5*/***K*** w - - 0 1",
			Right: []string{"d3e5"}, Near: []string{"e7d7"},
		},
		{
			Topic: "amplify", FEN: "***k***/*5*/*R2p1*/*1B3*/7/*5*/*2A2*/*5*/***K*** w - - 0 1",
			Right: []string{"d3d5"}, Near: []string{"c6b6", "c6c7"},
			Shows: []string{"A"},
		},
		{
			Topic: "isolate", FEN: "***k***/*5*/*1p3*/*5*/2n4/*4I*/*1r3*/*3P1*/***K*** w - - 0 1",
			Right: []string{"f4d4"}, Near: []string{"d1d2"},
			Explains: []rules.Reason{Isolated}, Shows: []string{"I"},
		},
		{
			Topic: "annihilate", FEN: "***k***/*rbn2*/*1i2p*/*5*/7/*2A2*/*R3P*/*5*/***K*** w - - 0 1",
			Right: []string{"d4d6"}, Near: []string{"b3b8"}, Happens: []rules.EffectKind{rules.Annihilated},
		},
		{
			Topic: "win", FEN: "***k***/*2i2*/*5*/*5*/2A4/*2r2*/*5*/*5*/***K*** w - - 0 1",
			Right: []string{"c5c7"}, Near: []string{"d1c2", "d1e2"}, Happens: []rules.EffectKind{rules.Annihilated}, Ends: true,
		},
	}
}
