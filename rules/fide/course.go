package fide

import "chimera/rules"

// course teaches somebody who knows how the pieces move what else there is.
func course() []rules.Lesson {
	return []rules.Lesson{
		{
			Topic: "castle", FEN: "4k3/p4pp1/b6p/8/8/8/PPP2PPP/R3K2R w KQ - 0 1",
			Right: []string{"e1c1"}, Near: []string{"e1d1", "e1d2"}, Happens: []rules.EffectKind{rules.Castled},
			Explains: []rules.Reason{rules.CannotCastle}, Shows: []string{"K"},
		},
		{
			Topic: "passing", FEN: "4k3/5ppp/8/3pP3/8/8/5PPP/4K3 w - d6 0 1",
			Right: []string{"e5d6"}, Near: []string{"e5e6"}, Happens: []rules.EffectKind{rules.Captured},
			Explains: []rules.Reason{rules.NothingToTake}, Shows: []string{"P"},
		},
		{
			Topic: "promote", FEN: "3r4/4P2k/6pp/8/8/8/6PP/6K1 w - - 0 1",
			Right: []string{"e7d8q"}, Near: []string{"e7e8q"}, Happens: []rules.EffectKind{rules.Captured, rules.Promoted},
			Explains: []rules.Reason{rules.NoPromotion},
		},
		{
			Topic: "fork", FEN: "r3k3/5ppp/8/3N4/8/8/5PPP/4K3 w - - 0 1",
			Right: []string{"d5c7"}, Near: []string{"d5f6"},
		},
		{
			Topic: "pin", FEN: "6k1/6pp/5p2/3r4/8/8/4BPPP/6K1 w - - 0 1",
			Right: []string{"e2c4"}, Near: []string{"e2f3"},
			Explains: []rules.Reason{rules.LeavesCheck},
		},
		{
			Topic: "mate", FEN: "6k1/5ppp/8/8/8/3Q4/5PPP/R5K1 w - - 0 1",
			Right: []string{"a1a8", "d3d8"}, Near: []string{"d3h7"}, Ends: true,
		},
	}
}
