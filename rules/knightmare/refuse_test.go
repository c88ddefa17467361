package knightmare_test

import (
	"testing"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/internal/rulestest"
	"chimera/rules/knightmare"
)

func TestRefusals(t *testing.T) {
	const checked = "4k3/8/8/8/[Rn]3r3/2NP4/8/4K3 w - - 0 1 -"
	for _, c := range []struct {
		rule, fen, text string
		reason          rules.Reason
		sentence        string
	}{
		{"frozen", "4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 d5", "Nb4", knightmare.Frozen, "The knightmare on d5 is frozen until you have moved something else: it was formed or moved in the last turn."},
		{"frozen", "4k3/8/8/3[Nr]4/8/8/8/4K3 b - - 0 1 d5", "RNd1", knightmare.Frozen, "The knightmare on d5 is frozen until you have moved something else: it was formed or moved in the last turn."},
		{"frozen", "4k3/8/8/3[Nr]4/8/8/8/4K3 b - - 0 1 d5", "d5d1", knightmare.Frozen, "The knightmare on d5 is frozen until you have moved something else: it was formed or moved in the last turn."},
		{"frozen, and no way to go", "4k3/8/8/3[Nr]4/8/8/8/4K3 b - - 0 1 d5", "d5b4", rules.CannotReach, "The knightmare on d5 moves as a rook for you and can't reach b4."},
		{"the other side's part", "4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 -", "d5d4", rules.CannotReach, "The knightmare on d5 moves as a knight for you and can't reach d4."},
		{"no move at all", "4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 -", "d5d5", rules.CannotReach, "The knightmare already stands on d5."},
		{"its own enemy part", "4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 -", "Ne3", knightmare.OwnCheck, "On e3 the knightmare's rook, your opponent's part, would give check to your king on e1."},
		{"a pinned knightmare", "4k3/8/8/4r3/8/8/4[Nb]3/4K3 w - - 0 1 -", "Nc3", knightmare.OwnCheck, "On c3 the knightmare's bishop, your opponent's part, would give check to your king on e1."},
		{"a pinned knightmare", "4k3/8/8/4r3/8/8/4[Nb]3/4K3 w - - 0 1 -", "Nf4", rules.LeavesCheck, "That leaves your king in check from the rook on e5."},
		{"its way is blocked", "4k3/3p4/8/3[Nr]4/8/8/8/4K3 b - - 0 1 -", "d5d8", rules.BlockedWay, "The way from d5 to d8 is blocked by the pawn on d7."},
		{"it is in the way", "4k3/8/8/R2[Nr]4/8/8/8/4K3 w - - 0 1 -", "Ra5h5", rules.BlockedWay, "The way from a5 to h5 is blocked by the knightmare on d5."},
		{"it takes no friend", "4k3/8/8/3[Nr]4/1P6/8/8/4K3 w - - 0 1 -", "d5b4", rules.OwnPiece, "Your own pawn stands on b4."},
		{"joining a checking piece", checked, "N~Re4", knightmare.KeepsCheck, "Joining the rook on e4 doesn't end its check: as part of a knightmare it would attack the king on e1."},
		{"joining a checking piece", checked, "c3e4", knightmare.KeepsCheck, "Joining the rook on e4 doesn't end its check: as part of a knightmare it would attack the king on e1."},
		{"another move in check", checked, "Nb5", rules.LeavesCheck, "That leaves your king in check from the rook on e4."},
		{"a check by a knightmare", "4k3/8/8/8/4[Nr]3/8/P7/4K3 w - - 0 1 e4", "a3", rules.LeavesCheck, "That leaves your king in check from the knightmare on e4."},
		{"a king beside a knightmare", "4k3/8/8/8/5[Nr]2/8/P7/4K3 w - - 0 1 f4", "Kf1", rules.LeavesCheck, "Your king would be in check on f1 from the knightmare on f4."},
		{"joining a pinner", "4k3/8/8/4r3/8/8/4R3/4K3 w - - 0 1 -", "R~Re5", knightmare.KeepsCheck, "Joining the rook on e5 doesn't end its check: as part of a knightmare it would attack the king on e1."},
		{"joining across a pin", "4k3/8/8/4r3/8/8/4R2n/4K3 w - - 0 1 -", "R~Nh2", rules.LeavesCheck, "That leaves your king in check from the rook on e5."},
		{"castling past the enemy part", "4k3/8/8/5[Nr]2/8/8/8/4K2R w K - 0 1 -", "O-O", rules.CannotCastle, "You can't castle: the king would pass through check or into it."},
		{"castling after a birth", "4k3/8/8/8/8/8/8/4K2[Rn] w - - 0 1 -", "O-O", rules.CannotCastle, "You can't castle: king or rook has moved before, or the rook is gone."},
		{"merging friends", "4k3/8/8/8/8/8/8/RN2K3 w - - 0 1 -", "R~Nb1", rules.CannotMerge, "The knight on b1 is your own: capture an enemy piece to make a knightmare."},
		{"splitting", "4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 -", "RNd5/Ne5", rules.CannotSplit, "Nothing splits in this game: a knightmare never comes apart."},
		{"meeting", "4k3/8/8/8/8/8/8/RN2K3 w - - 0 1 -", "R+N~a3", rules.CannotMerge, "Your own pieces don't merge in this game."},
		{"no such knightmare", "4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 -", "QNd4", rules.NoSuchPiece, "You have no knightmare (queen + knight)."},
		{"the other side's part by its letter", "4k3/8/8/3[Nr]4/8/8/8/4K3 w - - 0 1 -", "Rd4", rules.NoSuchPiece, "You have no rook."},
		{"not yours", "4k3/8/8/3r4/8/8/8/4K3 w - - 0 1 -", "d5d4", rules.NotYours, "The rook on d5 is your opponent's."},
		{"promotion", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1 -", "a7a8", rules.NoPromotion, "On a8 the pawn becomes a queen, rook, bishop or knight: say which, as in =Q."},
	} {
		t.Run(c.rule, func(t *testing.T) {
			_, err := position(t, c.fen).Parse(c.text)
			rulestest.Refused(t, err, c.reason, c.sentence)
		})
	}
}

func TestRefusalsOfMovesThatNoTextMeans(t *testing.T) {
	const a1, c3, d5 rules.Square = 0, 18, 35
	pos := position(t, "4k3/8/8/3[Nr]4/8/8/8/R3K3 w - - 0 1 -")
	for _, c := range []struct {
		m      rules.Move
		reason rules.Reason
	}{
		{rules.Move{From: d5, To: c3, Role: fide.Queen}, rules.NoPromotion},
		{rules.Move{Act: rules.Castle, From: d5, To: c3}, rules.NotPossible},
		{rules.Move{From: d5, To: c3, Kills: a1.Set()}, rules.NotPossible},
		{rules.Move{Act: rules.Merge, From: d5, To: c3}, rules.CannotMerge},
		{rules.Move{Act: rules.Merge, From: a1, To: d5}, rules.CannotReach},
		{rules.Move{Act: rules.Merge, From: c3, To: d5}, rules.NoSuchPiece},
		{rules.Move{Act: rules.Rally, From: a1, With: d5, To: c3}, rules.CannotMerge},
		{rules.Move{Act: rules.Split, Role: fide.Knight, From: d5, To: c3}, rules.CannotSplit},
	} {
		_, err := pos.Play(c.m)
		rulestest.Refused(t, err, c.reason, "")
	}
}
