package brigade

import "chimera/rules"

// course shows each arm, and then how they cover a king and take one.
func course() []rules.Lesson {
	return []rules.Lesson{
		{
			Topic: "infantry", FEN: "6k1/5ppp/8/8/3P4/3n4/5PPP/6K1 w - - 0 1",
			Right: []string{"d4d3"}, Happens: []rules.EffectKind{rules.Captured},
			Explains: []rules.Reason{CannotFire}, Shows: []string{"P"},
		},
		{
			Topic: "armor", FEN: "6k1/5ppp/8/8/3pb3/3p4/3N4/6K1 w - - 0 1",
			Right: []string{"d2e4xd3xd4"}, Near: []string{"d2e4xd3", "d2d3xd4", "d2c4xd3xd4", "d2d5xd3xd4"},
			Happens:  []rules.EffectKind{rules.Captured},
			Explains: []rules.Reason{rules.MissingCapture}, Shows: []string{"N"},
		},
		{
			Topic: "shot", FEN: "6k1/5ppp/8/8/8/5n2/PP4R1/1K5B w - - 0 1",
			Right: []string{"h1h1xf3"}, Happens: []rules.EffectKind{rules.Shot},
			Explains: []rules.Reason{OutOfRange, EmptyOnly}, Shows: []string{"B"},
		},
		{
			Topic: "march", FEN: "6k1/5ppp/4r3/8/8/8/5PPP/1B4K1 w - - 0 1",
			Right:   []string{"b1e4xe6", "b1f5xe6", "b1g6xe6"},
			Near:    []string{"b1f5xf7", "b1f5xh7", "b1g6xf7", "b1g6xg7", "b1g6xh7"},
			Happens: []rules.EffectKind{rules.Moved, rules.Shot},
		},
		{
			Topic: "heavy", FEN: "6k1/5ppp/8/8/3n4/8/1P3PPP/R5K1 w - - 0 1",
			Right: []string{"a1a1xd4"}, Near: []string{"a1a4", "a1d1"}, Happens: []rules.EffectKind{rules.Shot},
			Shows: []string{"R"},
		},
		{
			Topic: "aviation", FEN: "5bk1/4pppp/1pp5/1p6/8/8/5PPP/3Q2K1 w - - 0 1",
			Right: []string{"d1b5xb6xc6", "d1c6xb5xb6"},
			Near: []string{
				"d1b5xb6", "d1b5xc6", "d1b6xb5", "d1b6xc6", "d1c6xb5", "d1c6xb6",
				"d1a5xb5xb6", "d1a6xb5xb6", "d1b4xb5xb6", "d1b7xb5xb6", "d1c5xb5xb6",
				"d1a6xb6xc6", "d1b7xb6xc6", "d1c5xb6xc6", "d1c7xb6xc6",
			},
			Happens:  []rules.EffectKind{rules.Captured},
			Explains: []rules.Reason{UnderFire}, Shows: []string{"Q"},
		},
		{
			Topic: "cover", FEN: "6k1/5ppp/8/1B6/7q/8/5PPP/R4K2 w - - 0 1",
			Right: []string{"b5d3", "b5e2"}, Near: []string{"a1b1", "a1c1", "f1e1"},
			Shows: []string{"K"},
		},
		{
			Topic: "uncover", FEN: "5bk1/4pppp/8/2R5/8/8/5PPP/3Q2K1 w - - 0 1",
			Right: []string{"c5c5xf8"}, Near: []string{"d1e5xe7", "d1e6xe7", "d1h7"}, Happens: []rules.EffectKind{rules.Shot},
		},
		{
			Topic: "king", FEN: "5bk1/4p1pp/5p2/2R3N1/8/8/5PPP/3Q2K1 w - - 0 1",
			Right: []string{"g5g8xg7"}, Near: []string{"c5c5xf8"}, Happens: []rules.EffectKind{rules.Captured}, Ends: true,
			Explains: []rules.Reason{KingNotShot},
		},
	}
}
