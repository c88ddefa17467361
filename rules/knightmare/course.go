package knightmare

import "chimera/rules"

// course leads from the first birth to a mate that nobody can take away.
func course() []rules.Lesson {
	return []rules.Lesson{
		{
			Topic: "birth", FEN: "6k1/5ppp/8/1p1b4/8/2N5/5PPP/3R2K1 w - - 0 1 -",
			Right: []string{"d1d5", "c3d5"}, Near: []string{"c3b5"}, Happens: []rules.EffectKind{rules.Born},
			Explains: []rules.Reason{rules.CannotMerge},
		},
		{
			Topic: "removal", FEN: "6k1/5ppp/8/3r4/2B1P3/8/5PPP/6K1 w - - 0 1 -",
			Right: []string{"e4d5"}, Near: []string{"c4d5"}, Happens: []rules.EffectKind{rules.Captured},
		},
		{
			Topic: "part", FEN: "6k1/5ppp/8/2q5/4[Nr]3/4B3/5PPP/6K1 w - - 0 1 -",
			Right: []string{"e4c5"}, Near: []string{"e3c5"}, Happens: []rules.EffectKind{rules.Captured},
			Shows: []string{"NR"},
		},
		{
			Topic: "frozen", FEN: "6k1/5ppp/8/8/3[Nq]4/4P3/5PPP/3R2K1 w - - 0 1 d4",
			Right: []string{"d1d4", "e3d4"}, Happens: []rules.EffectKind{rules.Captured},
			Explains: []rules.Reason{Frozen},
		},
		{
			Topic: "control", FEN: "5rk1/5ppp/8/[Nq]7/8/8/5PPP/4R1K1 w - - 0 1 -",
			Right: []string{"a5b3", "a5b7", "a5c4", "a5c6"}, Near: []string{"g2g3", "h2h3"},
		},
		{
			Topic: "checker", FEN: "6k1/5ppp/8/8/8/5n2/5PPP/3Q1RK1 w - - 0 1 -",
			Right: []string{"g2f3"}, Near: []string{"g1h1"}, Happens: []rules.EffectKind{rules.Captured},
			Explains: []rules.Reason{KeepsCheck},
		},
		{
			Topic: "check", FEN: "3r2k1/5pp1/1n5p/8/8/4B3/5PPP/3R2K1 w - - 0 1 -",
			Right: []string{"d1d8"}, Near: []string{"e3b6"}, Happens: []rules.EffectKind{rules.Born},
		},
		{
			Topic: "mate", FEN: "6rk/3q2pp/8/6N1/8/8/5PPP/6K1 w - - 0 1 -",
			Right: []string{"g5f7"}, Near: []string{"g5h7"}, Ends: true,
		},
	}
}
