package combine

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// The hybrids, in the order of the piece table.
const (
	RookBishop rules.Role = fide.King + 1 + iota
	RookKnight
	BishopKnight
	QueenKnight
)

func pieces() rules.Table {
	table := fide.Pieces()
	for _, parts := range [...][]rules.Role{
		{fide.Rook, fide.Bishop}, {fide.Rook, fide.Knight}, {fide.Bishop, fide.Knight}, {fide.Queen, fide.Knight},
	} {
		one, other := table[parts[0]], table[parts[1]]
		table = append(table, rules.RoleInfo{
			Code: one.Code + other.Code, Name: one.Name + "-" + other.Name, Parts: parts,
			Does: "moves and captures as a " + one.Name + " or as a " + other.Name + ", and splits: one of the two steps to an empty neighbouring square",
		})
	}
	return table
}

// Strict is Combine Chess.
func Strict() *rules.Variant {
	return variant("combine", "Combine Chess", strictRules, false)
}

// Free is Free Combine Chess.
func Free() *rules.Variant {
	return variant("combine-free", "Free Combine Chess", freeRules, true)
}

func variant(key, name, text string, free bool) *rules.Variant {
	v := rules.Variant{Key: key, Name: name, Rules: text, Start: fide.Start, Shape: fide.Shape(), Table: pieces()}
	return rules.NewVariant(v, func(s *State, setup rules.Setup) error {
		s.free = free
		return s.Load(setup, s.put)
	})
}

const commonRules = `Orthodox chess, and your own pieces can become one.

Merge: two single pieces of yours, rook + bishop, rook + knight, bishop + knight or queen + knight, become a hybrid (RB, RN, BN, QN) if one of them could capture on the other's square. The hybrid stands on either one's square, as you choose: R~Bd4 takes the rook to the bishop on d4.
Hybrids never merge further; pawns and kings never merge. A rook that merged has lost castling for good.

Hybrids move and capture as either part, cannot castle, and are captured whole. A rook-bishop moves like a queen but is none.

Split: one part of a hybrid steps to an empty neighbouring square, the other stays: RNd4/Ne5 sends the knight from d4 to e5.

A merge or a split is your whole turn, and may not leave your king in check. `

const strictRules = commonRules + `You may do neither while in check. (The author's text says so twice, and once the opposite: the prohibition counts here; try combine-free for the other.)

"Within each other's range" is read as: one reaches the other, since no two of these pieces ever reach each other mutually.`

const freeRules = commonRules + `You may not merge on one of the two squares while in check.

Free here: two pieces that may merge, and that can both move to one square, may merge there: R+N~e4, or R+Nx~e4 capturing what stands on it (never the king). This, and a split, may be played in check if it ends the check.`
