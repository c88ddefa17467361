package combine

import "chimera/rules"

// course teaches what is new to somebody who plays chess, and in the free game what is free.
func course(free bool) []rules.Lesson {
	joined, parted := []rules.EffectKind{rules.Merged}, []rules.EffectKind{rules.Parted}
	merge := rules.Lesson{
		Topic: "merge", FEN: "6k1/5ppp/8/8/3B4/8/5PPP/3R2K1 w - - 0 1",
		Right: []string{"d1~d4", "d4~d1"}, Happens: joined,
		Explains: []rules.Reason{rules.CannotMerge}, Shows: []string{"RB"},
	}
	square := rules.Lesson{
		Topic: "square", FEN: "4k3/5ppp/8/8/8/4N3/5PPP/3R2K1 w - - 0 1",
		Right: []string{"d1~e3"}, Near: []string{"e3~d1"}, Happens: joined,
		Explains: []rules.Reason{StrictGame},
	}
	halves := rules.Lesson{
		Topic: "halves", FEN: "6k1/2q2pp1/7p/8/8/8/5PPP/4[RN]1K1 w - - 0 1",
		Right: []string{"e1e8"}, Near: []string{"e1e7"},
		Shows: []string{"RN"},
	}
	rescue := rules.Lesson{
		Topic: "rescue", FEN: "8/5k2/6p1/4p2N/7p/8/5PPP/3B2K1 w - - 0 1",
		Right: []string{"h5~d1"}, Near: []string{"d1~h5"}, Happens: joined,
		Shows: []string{"BN"},
	}
	split := rules.Lesson{
		Topic: "split", FEN: "4k3/pp1q4/4p3/6[RN]1/8/8/5PPP/6K1 w - - 0 1",
		Right: []string{"g5/Nf6"}, Near: []string{"g5g8"}, Happens: parted,
		Explains: []rules.Reason{rules.CannotSplit},
	}
	whole := rules.Lesson{
		Topic: "whole", FEN: "6k1/6p1/6[bn]p/1r6/8/3B4/5PPP/6K1 w - - 0 1",
		Right: []string{"d3g6"}, Near: []string{"d3b5"}, Happens: []rules.EffectKind{rules.Captured},
	}
	lessons := []rules.Lesson{merge, square, halves, rescue, split, whole, {
		Topic: "check", FEN: "6k1/5ppp/8/8/8/6P1/5P[BN]P/4r1K1 w - - 0 1",
		Right: []string{"g2e1"}, Near: []string{"g2f1"}, Happens: []rules.EffectKind{rules.Captured},
		Explains: []rules.Reason{SplitInCheck},
	}, {
		Topic: "mate", FEN: "7k/p7/5N2/8/8/5Q2/r4PPP/6K1 w - - 0 1",
		Right: []string{"f3~f6"}, Near: []string{"f3h3", "f3h5", "f3a8"}, Happens: joined, Ends: true,
		Shows: []string{"QN"},
	}}
	if free {
		merge.Right = append(merge.Right, "d1+d4~a1")
		lessons = []rules.Lesson{merge, halves, rescue, split, {
			Topic: "third", FEN: "4k3/5ppp/8/8/2R5/8/3N1PPP/6K1 w - - 0 1",
			Right: []string{"c4+d2~e4"}, Near: []string{"c4e4"}, Happens: joined,
			Explains: []rules.Reason{NoMeeting},
		}, {
			Topic: "strike", FEN: "3r2k1/5p1p/5n2/6B1/4N3/8/5PPP/6K1 w - - 0 1",
			Right: []string{"e4+g5~f6"}, Near: []string{"e4f6", "g5f6"}, Happens: []rules.EffectKind{rules.Merged, rules.Captured},
		}, {
			Topic: "step", FEN: "6k1/5ppp/8/8/8/8/4[RN]PPP/3r2K1 w - - 0 1",
			Right: []string{"e2/Ne1", "e2/Nf1"}, Near: []string{"e2e1", "e2/Re1"}, Happens: parted,
			Explains: []rules.Reason{SplitInCheck},
		}, {
			Topic: "counter", FEN: "7k/pp6/5b2/8/4N3/5Q2/P1P5/K7 w - - 0 1",
			Right: []string{"e4+f3~f6"}, Near: []string{"f3f6"}, Happens: []rules.EffectKind{rules.Merged, rules.Captured}, Ends: true,
			Explains: []rules.Reason{MergeInCheck}, Shows: []string{"QN"},
		}}
	}
	return lessons
}
