package stealth_test

import (
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
	"chimera/rules/stealth"
)

func TestRefusals(t *testing.T) {
	const behindTwo = "7k/8/n7/8/b7/8/8/"
	for _, c := range []struct {
		fen, text string
		reason    rules.Reason
		sentence  string
	}{
		{behindTwo + "R5K1 w - - 0 1", "a1a8", rules.BlockedWay, "The way from a1 to a8 is blocked by the bishop on a4."},
		{behindTwo + "R5K1 w - - 0 1", "a1b2", rules.CannotReach, "The rook on a1 can't reach b2."},
		{behindTwo + "R5K1 w - - 0 1", "a1g1", rules.OwnPiece, "Your own king stands on g1."},
		{behindTwo + "R5K1 w - - 0 1", "b1b2", rules.NoSuchPiece, "There is no piece on b1."},
		{behindTwo + "R5K1 w - - 0 1", "a4b5", rules.NotYours, "The bishop on a4 is your opponent's."},
		{behindTwo + "R5K1 w - - 0 1", "g1g3", rules.CannotReach, "The king on g1 can't reach g3."},
		{behindTwo + "[RR]5K1 w - - 0 1", "a1a8", stealth.OneLeap, "The aeroplane on a1 can leap only one piece, and the bishop on a4 and the knight on a6 stand on its way to a8."},
		{behindTwo + "[RRR]5K1 w - - 0 1", "a1a8", rules.MissingCapture, "A run from a1 to a8 captures exactly the bishop on a4 and the knight on a6: write *a4*a6."},
		{behindTwo + "[RRR]5K1 w - - 0 1", "RRRa8*a6", rules.MissingCapture, "A run from a1 to a8 captures exactly the bishop on a4 and the knight on a6: write *a4*a6."},
		{"7k/8/8/8/8/8/8/[RR]4R1K w - - 0 1", "RR~Rf1", stealth.OnlyByCapture, "The aeroplane on a1 can't do that: in this game pieces join only by capturing the opponent's."},
		{"7k/4P3/8/8/8/8/8/6K1 w - - 0 1", "e8=Q", rules.NoPromotion, "On e8 a pawn becomes a prince and nothing else."},
		{"7k/3P4/8/8/8/8/8/6K1 w - - 0 1", "d8=N", rules.NoPromotion, "On d8 a pawn becomes a queen and nothing else."},
		{"7k/8/3P4/8/8/8/8/6K1 w - - 0 1", "d7=Q", rules.NoPromotion, "A pawn doesn't promote on d7."},
		{"5r1k/4P3/8/8/8/8/8/6K1 w - - 0 1", "exf8=Q", stealth.BecomesItsPrey, "A pawn that captures becomes what it captures, so on f8 there is nothing to choose."},
		{"7k/8/8/8/4P3/8/8/6K1 w - - 0 1", "exd5", rules.NothingToTake, "There is nothing for the pawn on e4 to capture on d5."},
		{"7k/8/8/4n3/4P3/8/8/6K1 w - - 0 1", "e5", rules.BlockedWay, "The way from e4 to e5 is blocked by the knight on e5."},
		{"7k/8/8/8/8/4n3/4P3/6K1 w - - 0 1", "e4", rules.BlockedWay, "The way from e2 to e4 is blocked by the knight on e3."},
		{"7k/8/8/8/4P3/8/8/6K1 w - - 0 1", "e6", rules.CannotReach, "The pawn on e4 can't reach e6."},
		{"7k/8/8/3p4/3C4/8/8/6K1 w - - 0 1", "Cd5", stealth.CaptainCaptures, "A captain captures only diagonally, so the one on d4 can't take the pawn on d5."},
		{"7k/8/8/3p4/3C4/8/8/6K1 w - - 0 1", "Ce5", rules.NothingToTake, "A captain moves diagonally only to capture, and there is nothing on e5."},
		{"7k/8/8/3p4/3C4/8/8/6K1 w - - 0 1", "Cd2", rules.CannotReach, "The captain on d4 can't reach d2."},
		{"7k/3C4/8/8/8/8/8/6K1 w - - 0 1", "Cd8=Q", stealth.CaptainStays, "A captain never promotes."},
		{"4r2k/8/8/8/4B3/8/8/4K3 w - - 0 1", "Bd5", rules.LeavesCheck, "That leaves your king in check from the rook on e8."},
		{"4[rr]2k/8/8/4p3/4B3/8/8/4K3 w - - 0 1", "Bd5", rules.LeavesCheck, "That leaves your king in check from the aeroplane on e8, which flies over what stands between."},
		{"4[rrr]2k/8/8/4p3/4B3/8/8/4K3 w - - 0 1", "Ke2", rules.LeavesCheck, "Your king would be in check on e2 from the B52 on e8, which flies over what stands between."},
		{"7k/8/8/K1pP2[rr]1/8/8/8/8 w - c6 0 1", "dxc6", rules.LeavesCheck, "That leaves your king in check from the aeroplane on g5."},
		{"1k2r3/8/8/8/[RRR]3p2n/8/8/4K3 w - - 0 1", "a4h4xe4", rules.LeavesCheck, "That leaves your king in check from the rook on e8."},
		{"4k3/8/8/8/2[bb]5/3P4/8/R3K2R w KQ - 0 1", "O-O", rules.CannotCastle, "You can't castle: the king would pass through check or into it."},
		{"4k3/8/8/[bb]7/1p6/8/8/R3K2R w KQ - 0 1", "O-O", rules.CannotCastle, "You can't castle: the king is in check."},
		{"4k3/8/8/8/8/8/8/R3K1NR w KQ - 0 1", "O-O", rules.CannotCastle, "You can't castle: something stands between king and rook."},
		{"4k3/8/8/8/8/8/8/[RR]3K2R w K - 0 1", "O-O-O", rules.CannotCastle, "You can't castle: king or rook has moved before, or the rook is gone."},
	} {
		_, err := position(t, c.fen).Parse(c.text)
		rulestest.Refused(t, err, c.reason, c.sentence)
	}
}

// What no text can say, a program may still ask for.
func TestRefusalsOfMovesThatTextsDoNotMake(t *testing.T) {
	pos := position(t, "4k3/8/n7/8/b7/8/7P/R3K2R w KQ - 0 1")
	shape, table := pos.Variant().Shape, pos.Variant().Table
	at := shape.Parse
	for _, c := range []struct {
		m      rules.Move
		reason rules.Reason
	}{
		{rules.Move{From: at("e1"), To: at("g1")}, rules.NotPossible},
		{rules.Move{Act: rules.Castle, From: at("h1"), To: at("f1")}, rules.CannotCastle},
		{rules.Move{From: at("a1"), To: at("a3"), Kills: at("a2").Set()}, stealth.NoRun},
		{rules.Move{From: at("h2"), To: at("h3"), Kills: at("a4").Set()}, stealth.NoRun},
		{rules.Move{From: at("a1"), To: at("a3"), Role: table.Role("Q")}, rules.NoPromotion},
		{rules.Move{From: at("a1"), To: at("a3"), With: at("h2")}, rules.NotPossible},
		{rules.Move{Act: rules.Split, From: at("a1"), To: at("a2"), Role: table.Role("R")}, stealth.OnlyByCapture},
		{rules.Move{From: at("a1"), To: at("a1")}, rules.CannotReach},
		{rules.Move{From: rules.NoSquare, To: at("a1")}, rules.OffBoard},
	} {
		_, err := pos.Play(c.m)
		rulestest.Refused(t, err, c.reason, "")
	}
}
