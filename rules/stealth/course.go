package stealth

import "chimera/rules"

// course leads from the first piece absorbed to a bomber's mate.
func course() []rules.Lesson {
	return []rules.Lesson{
		{
			Topic: "absorb", FEN: "6k1/5ppp/8/3n4/8/1B6/5PPP/3R2K1 w - - 0 1",
			Right: []string{"d1d5"}, Near: []string{"b3d5"}, Happens: []rules.EffectKind{rules.Absorbed},
			Explains: []rules.Reason{OnlyByCapture}, Shows: []string{"RN"},
		},
		{
			Topic: "general", FEN: "6k1/5ppp/8/3[RN]4/1q6/8/5PPP/6K1 w - - 0 1",
			Right: []string{"d5b4"}, Near: []string{"d5d8", "d5e7", "d5f6"}, Happens: []rules.EffectKind{rules.Absorbed},
			Shows: []string{"QN"},
		},
		{
			Topic: "pawn", FEN: "4k3/5ppp/8/2b1r3/3P4/8/5PPP/6K1 w - - 0 1",
			Right: []string{"d4e5"}, Near: []string{"d4c5"}, Happens: []rules.EffectKind{rules.Absorbed},
			Explains: []rules.Reason{BecomesItsPrey}, Shows: []string{"P"},
		},
		{
			Topic: "captain", FEN: "6k1/5ppp/2p5/3C4/2r5/8/5PPP/6K1 w - - 0 1",
			Right: []string{"d5c4"}, Near: []string{"d5c6"}, Happens: []rules.EffectKind{rules.Absorbed},
			Explains: []rules.Reason{CaptainStays}, Shows: []string{"C"},
		},
		{
			Topic: "promotion", FEN: "8/1P1P1pkp/6p1/8/8/8/5PPP/6K1 w - - 0 1",
			Right: []string{"d7d8q"}, Near: []string{"b7b8n"}, Happens: []rules.EffectKind{rules.Promoted},
		},
		{
			Topic: "aeroplane", FEN: "6k1/5ppp/3r4/8/5B2/8/5PPP/3R2K1 w - - 0 1",
			Right: []string{"d1d6"}, Near: []string{"f4d6"}, Happens: []rules.EffectKind{rules.Absorbed},
			Shows: []string{"RR"},
		},
		{
			Topic: "leap", FEN: "3q4/5ppk/7p/8/3P4/8/5PPP/3[RR]2K1 w - - 0 1",
			Right: []string{"d1d8"}, Near: []string{"d1d5", "d1d6", "d1d7"}, Happens: []rules.EffectKind{rules.Absorbed},
		},
		{
			Topic: "run", FEN: "6k1/5pp1/7p/8/[RRR]P1n1bp1/8/5PPP/6K1 w - - 0 1",
			Right: []string{"a4g4xd4xf4", "a4h4xd4xf4xg4"}, Near: []string{"a4f4xd4"}, Happens: []rules.EffectKind{rules.Absorbed},
			Explains: []rules.Reason{NoRun, rules.MissingCapture}, Shows: []string{"RRR"},
		},
		{
			Topic: "mate", FEN: "[rr]n3bk1/5ppp/8/8/8/8/5PBP/[RR]5K1 w - - 0 1",
			Right: []string{"a1a8"}, Near: []string{"g2a8"}, Happens: []rules.EffectKind{rules.Absorbed}, Ends: true,
		},
	}
}
