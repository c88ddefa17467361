package brigade_test

import (
	"slices"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/brigade"
	"chimera/rules/internal/rulestest"
)

// can reports whether the move of a coordinate text is legal.
func can(pos *rules.Position, text string) bool {
	return slices.ContainsFunc(pos.Moves(), func(m rules.Move) bool { return pos.Variant().Coordinate(m) == text })
}

// allowed checks coordinate texts, those after a "!" for being illegal.
func allowed(t *testing.T, fen, texts string) {
	t.Helper()
	pos := position(t, fen)
	for text := range strings.FieldsSeq(texts) {
		text, not := strings.CutPrefix(text, "!")
		if can(pos, text) == not {
			t.Errorf("%s: %s: want it legal: %v", fen, text, !not)
		}
	}
}

func TestInfantry(t *testing.T) {
	rulestest.Goes(t, brigade.Brigade(), []rulestest.Case{
		{"one step in any of the 8 directions", "k7/8/8/3P4/8/8/8/7K w - - 0 1", "d5", "c4 c5 c6 d4 d6 e4 e5 e6"},
		{"it kills what stands there, straight ahead too", "k7/8/2p1p3/2pPp3/2ppp3/8/8/7K w - - 0 1", "d5", "c4 c5 c6 d4 d6 e4 e5 e6"},
		{"friends are in its way", "k7/8/2PPP3/2PPP3/2PP4/8/8/7K w - - 0 1", "d5", "e4"},
		{"two steps straight ahead from its second rank", "k7/8/8/8/8/8/3P4/7K w - - 0 1", "d2", "c1 c2 c3 d1 d3 d4 e1 e2 e3"},
		{"the black one too", "k7/3p4/8/8/8/8/8/7K b - - 0 1", "d7", "c6 c7 c8 d5 d6 d8 e6 e7 e8"},
		{"both squares are empty", "k7/8/8/8/8/3p4/3P4/7K w - - 0 1", "d2", "c1 c2 c3 d1 d3 e1 e2 e3"},
		{"the second step does not kill", "k7/8/8/8/3p4/8/3P4/7K w - - 0 1", "d2", "c1 c2 c3 d1 d3 e1 e2 e3"},
		{"it may stand on its first rank, and has single steps there", "k7/8/8/8/8/8/8/3P3K w - - 0 1", "d1", "c1 c2 d2 e1 e2"},
		{"on the last rank it becomes a queen, rook, bishop or knight", "8/P7/8/8/8/8/k7/7K w - - 0 1", "a7", "a6 a8b a8n a8q a8r b6 b7 b8b b8n b8q b8r"},
	})
}

func TestInfantryThatCameBackGoesTwoStepsAgain(t *testing.T) {
	pos := rulestest.After(t, position(t, ""), "e2e4", "a7a6", "e4e3", "a6a7", "e3e2", "a7a6")
	if !can(pos, "e2e4") {
		t.Error("e2e4 is illegal")
	}
}

func TestThereIsNoEnPassant(t *testing.T) {
	rulestest.LeadsTo(t, brigade.Brigade(), []rulestest.Case{
		{"no square is passed", "k7/8/8/8/3p4/8/4P3/7K w - - 0 1", "e2e4", "k7/8/8/8/3pP3/8/8/7K b - - 0 1"},
		{"a pawn goes there, as anywhere near, and kills nothing by it", "k7/8/8/8/3pP3/8/8/7K b - - 0 1", "d4e3", "k7/8/8/8/4P3/4p3/8/7K w - - 0 2"},
	})
}

func TestArmor(t *testing.T) {
	rulestest.Goes(t, brigade.Brigade(), []rulestest.Case{
		{"exactly three orthogonal steps", "k7/8/8/8/3N4/8/8/7K w - - 0 1", "d4", "a4 b3 b5 c2 c4 c6 d1 d3 d5 d7 e2 e4 e6 f3 f5 g4"},
		{"it kills every enemy that it enters, on the way and at the end", "k7/8/8/8/8/p7/p7/NP5K w - - 0 1", "a1", "a2 a2xa3 a4xa2xa3 b3xa2 b3xa2xa3 c2xa2"},
		{"it cannot enter a friend's square", "k7/8/8/8/8/8/P7/NP5K w - - 0 1", "a1", ""},
		{"squares may be visited again, its own start too", "k7/8/8/8/8/8/PP6/N1P4K w - - 0 1", "a1", "b1"},
		{"an enemy may be killed, left and visited again", "k7/8/8/8/8/8/PPP5/Nn1P3K w - - 0 1", "a1", "b1"},
		{"the enemy king blocks it except on the third step", "8/8/8/8/8/8/kP6/N1P4K w - - 0 1", "a1", "a2 b1"},
	})
}

func TestLightArtillery(t *testing.T) {
	rulestest.Goes(t, brigade.Brigade(), []rulestest.Case{
		{"moves as a bishop to empty squares only", "k7/8/7p/8/8/4B3/3P4/7K w - - 0 1", "e3", "a7 b6 c5 d4 f2 f4 f4xh6 g1 g5 g5xh6"},
		{"fires at distance 1 or 2 in the queen's lines, over anything", "k7/8/4p3/2p1P1p1/3PPP2/1npPBPpp/3PPP2/7K w - - 0 1", "e3", "e3xc3 e3xc5 e3xg3 e3xg5"},
		{"does neither behind its own pawn, out of range", "k7/8/8/8/p7/8/1P6/B6K w - - 0 1", "a1", ""},
		{"the shot may open the way, also to the killed piece's own square", "7k/8/8/8/8/2n5/1p6/B6K w - - 0 1", "a1", "a1xb2 a1xc3 b2"},
		{"on from the killed piece's square", "7k/8/8/8/8/8/1p6/B5K1 w - - 0 1", "a1", "a1xb2 b2 c3xb2 d4xb2 e5xb2 f6xb2 g7xb2"},
		{"one shot, from the start or from the end", "7k/8/8/p7/3P4/p7/1B6/P1P4K w - - 0 1", "b2", "a3 b2xa3 c3 c3xa3 c3xa5"},
		{"artillery never shoots a king", "8/8/8/8/8/1P6/Pk5P/B6K w - - 0 1", "a1", ""},
	})
}

func TestHeavyArtillery(t *testing.T) {
	rulestest.Goes(t, brigade.Brigade(), []rulestest.Case{
		{"moves as a rook to empty squares only", "k7/8/8/8/8/8/p7/R1P4K w - - 0 1", "a1", "b1"},
		{"fires at distance 3 or 4 in the queen's lines, over anything", "k5p1/p2ppp2/p2p4/pp2p3/pppp4/pppp4/PPPP4/RP1nnn1K w - - 0 1", "a1", "a1xa4 a1xa5 a1xd1 a1xd4 a1xe1 a1xe5"},
		{"does not move and fire in one turn", "k7/8/8/p7/8/8/8/R6K w - - 0 1", "a1", "a1xa5 a2 a3 a4 b1 c1 d1 e1 f1 g1"},
		{"never shoots a king", "8/8/8/8/k7/8/P7/RP5K w - - 0 1", "a1", ""},
	})
}

func TestAviation(t *testing.T) {
	for _, c := range []struct{ rule, fen, texts string }{
		{"it flies to any empty square, over anything", "7k/8/8/8/8/PPP5/RPN5/QNP4K w - - 0 1", "a1h7 a1a4 a1f1 !a1a2 !a1a1"},
		{"then kills like infantry, in 8 directions", "p6k/8/8/8/8/PPP5/RPN5/QNP4K w - - 0 1", "a1a8"},
		{"so that it takes a king that nothing covers", "7k/8/8/8/8/PPP5/RPN5/QNP4K w - - 0 1", "a1h8"},
		{"or kills like armor, several pieces", "pp5k/p7/8/8/8/PPP5/RPN5/QNP4K w - - 0 1", "a1a6xa7 a1b7xa7 a1b8xa7xa8 a1a7xa8xb8 !a1a6xa7xb8 !a1c8xa7xa8xb8"},
		{"or fires like a bishop from where it has landed", "p6k/8/8/8/8/PPP5/RPN5/QNP4K w - - 0 1", "a1c6xa8 a1c8xa8 a1b7xa8 a1a6xa8 !a1h2xa8"},
		{"or from where it stood", "7k/8/8/8/8/1pp5/pp6/Q6K w - - 0 1", "a1a1xa2 a1a1xb2 a1a1xc3"},
		{"it never shoots a king", "8/8/8/8/8/8/7K/Q1k5 w - - 0 1", "!a1a1xc1 a1c1"},
		{"it enters no square that a bishop covers", "7k/8/8/3b4/8/8/8/Q6K w - - 0 1", "!a1d4 !a1d3 !a1b3 !a1f7 !a1b5 a1d2 a1b4 a1a2"},
		{"or a rook", "7k/8/8/3r4/8/8/8/Q6K w - - 0 1", "a1d4 a1d3 !a1d2 !a1d1 !a1g2 !a1a2 !a1h5 a1a6 !a1a5 a1b2"},
		{"enemy queens do not count", "7k/8/8/3q4/8/8/8/Q3R2K w - - 0 1", "a1d4 a1c5 a1d5"},
		{"its own artillery does not count", "7k/8/8/3R4/8/8/8/Q6K w - - 0 1", "a1d2 a1a5"},
		{"what its shot kills, it does not fear: but it must have landed before", "7k/8/8/3b4/8/8/8/Q6K w - - 0 1", "!a1d4xd5 !a1d3xd5"},
		{"it may shoot from where it stands even under fire", "7k/8/8/8/8/8/1b6/Q6K w - - 0 1", "a1a1xb2"},
		{"and kill an uncovered piece beside it, coming from under fire", "7k/8/8/8/8/8/1b6/Q6K w - - 0 1", "a1b2"},
		{"which from elsewhere it cannot, for artillery covers what is beside it", "7k/8/1b6/8/8/8/8/Q6K w - - 0 1", "!a1b6"},
		{"here they cover each other", "7k/8/8/8/1b6/8/1b6/Q6K w - - 0 1", "!a1b2 !a1b4 a1a1xb2"},
		{"a killed piece covers nothing any more on the next step", "7k/8/8/8/8/8/bp6/Q6K w - - 0 1", "a1a4xa2 a1b1xa2 a1c2xa2xb2 a1b1xa2xb2 !a1b2"},
		{"but the step that kills it must be safe itself", "7k/8/8/8/b7/8/bp6/Q6K w - - 0 1", "!a1b1xa2 a1a1xa2"},
		{"coming back to its own square is entering it", "k7/8/8/8/8/p7/p7/Q3r2K w - - 0 1", "!a1a1xa2xa3"},
		{"where that is safe, it may raid and come back", "k7/8/8/8/8/p7/p7/Q6K w - - 0 1", "a1a1xa2xa3"},
		{"a king covered by its own artillery cannot be taken by a queen", "1r3k2/8/8/8/8/8/8/Q6K w - - 0 1", "!a1f8"},
		{"in another place that artillery does not cover it", "r4k2/8/8/8/8/8/8/Q6K w - - 0 1", "a1f8"},
		{"a raid may kill that artillery first", "5k2/6bQ/8/8/8/8/8/7K w - - 0 1", "h7f8xg7 !h7f8"},
		{"but not if that is covered too", "5k2/6bQ/8/6b1/8/8/8/7K w - - 0 1", "!h7f8xg7"},
		{"a move that kills nobody must end elsewhere", "7k/8/8/8/8/8/8/Q6K w - - 0 1", "!a1a1"},
		{"a pawn's step on the last rank promotes no queen", "7k/8/8/8/8/8/8/Q6K w - - 0 1", "a1a8 !a1a8q"},
	} {
		t.Run(c.rule, func(t *testing.T) { allowed(t, c.fen, c.texts) })
	}
}

func TestKing(t *testing.T) {
	for _, c := range []struct{ rule, fen, texts string }{
		{"goes and kills as in chess", "7k/8/8/8/8/8/1r6/K7 w - - 0 1", "a1b2 a1a2 a1b1 !a1a3"},
		{"takes the enemy king beside it", "8/8/8/8/8/8/1k6/K7 w - - 0 1", "a1b2"},
		{"does not go beside the enemy king", "8/8/8/8/8/2k5/8/K7 w - - 0 1", "!a1b2 a1b1"},
		{"does not go beside a pawn, in any direction", "7k/8/8/8/8/1p6/8/K7 w - - 0 1", "!a1a2 !a1b2 a1b1"},
		{"goes under fire of artillery as it likes", "7k/8/8/8/2b5/2r5/8/K7 w - - 0 1", "a1a2 a1b1 a1b2"},
	} {
		t.Run(c.rule, func(t *testing.T) { allowed(t, c.fen, c.texts) })
	}
}

func TestCastling(t *testing.T) {
	for _, c := range []struct{ rule, fen, texts string }{
		{"from home, moved before or not, either way", "4k3/8/8/8/8/8/3PPP2/R3K2R w - - 20 40", "e1g1 e1c1"},
		{"Black too", "r3k2r/3ppp2/8/8/8/8/8/4K3 b - - 20 40", "e8g8 e8c8"},
		{"the king must be at home", "4k3/8/8/8/8/8/3PPP2/R4K1R w - - 0 1", "!f1h1 !f1d1"},
		{"the rook too", "4k3/8/8/8/8/8/3PPP1R/1R2K3 w - - 0 1", "!e1g1 !e1c1"},
		{"and it must be one's own", "4k3/8/8/8/8/8/3PPP2/r3K2b w - - 0 1", "!e1g1 !e1c1"},
		{"the squares between are empty", "4k3/8/8/8/8/8/3PPP2/Rb2K1NR w - - 0 1", "!e1g1 !e1c1"},
		{"not out of check", "4k3/8/8/8/8/8/3Pp3/R3K2R w - - 0 1", "!e1g1 !e1c1"},
		{"not through check: a pawn beside f1 and d1", "4k3/8/8/8/8/8/2p3p1/R3K2R w - - 0 1", "!e1g1 !e1c1"},
		{"not into check: a pawn beside g1", "4k3/8/8/8/8/8/7p/R3K2R w - - 0 1", "!e1g1 e1c1"},
		{"artillery never gives check", "4kr2/8/8/4b3/8/8/8/R3K2R w - - 0 1", "e1g1 e1c1"},
		{"the rook does not fire by it", "4k3/8/8/8/5p1p/8/8/4K2R w - - 0 1", "!e1g1xf4 !e1g1xh4 h1h1xh4 e1g1"},
		{"an armor reaches the crossed square", "4k3/8/8/8/8/8/5n2/4K2R w - - 0 1", "!e1g1"},
	} {
		t.Run(c.rule, func(t *testing.T) { allowed(t, c.fen, c.texts) })
	}
	rulestest.LeadsTo(t, brigade.Brigade(), []rulestest.Case{
		{"the rook goes with the king", "4k3/8/8/8/8/8/8/4K2R w - - 3 7", "O-O", "4k3/8/8/8/8/8/8/5RK1 b - - 4 7"},
		{"to the other side too", "r3k3/8/8/8/8/8/8/4K3 b - - 3 7", "O-O-O", "2kr4/8/8/8/8/8/8/4K3 w - - 4 8"},
	})
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		rule, fen string
		want      bool
	}{
		{"a pawn beside the king gives it, in any direction", "k7/8/8/8/8/8/7p/7K w - - 0 1", true},
		{"a pawn two squares away gives none", "k7/8/8/8/8/7p/8/7K w - - 0 1", false},
		{"an armor three steps away gives it", "k7/8/8/8/7n/8/8/7K w - - 0 1", true},
		{"an armor one step away gives it, out and back", "k7/8/8/8/8/8/7n/7K w - - 0 1", true},
		{"but not if it cannot go out and back", "k7/8/8/8/7p/7p/6pn/7K b - - 0 1", false},
		{"an armor two steps away gives none", "k7/8/8/8/8/8/6n1/7K w - - 0 1", false},
		{"the king's own pieces do not stop it", "k7/8/8/8/7n/7P/6PP/6PK w - - 0 1", true},
		{"its own do", "k7/8/8/8/6bn/6bb/8/7K w - - 0 1", false},
		{"a queen anywhere gives it", "kq6/8/8/8/8/8/8/7K w - - 0 1", true},
		{"but not if the king's artillery covers its square", "kq6/8/8/8/7R/8/8/7K w - - 0 1", false},
		{"nor if it has no square to attack from", "k7/q7/8/8/7P/6PP/5PPP/4PPPK w - - 0 1", false},
		{"a raid through the king's pieces gives it", "k7/8/8/8/8/8/6Pq/5PPK w - - 0 1", true},
		{"a raid that kills the artillery gives it", "k7/8/8/8/8/6q1/6B1/7K w - - 0 1", true},
		{"if it can get there", "k7/q7/8/8/8/8/6B1/7K w - - 0 1", false},
		{"a bishop gives none", "k7/8/8/8/8/8/6b1/7K w - - 0 1", false},
		{"a rook gives none", "k7/8/8/8/8/8/8/4r2K w - - 0 1", false},
		{"a king beside the king gives it", "8/8/8/8/8/8/6k1/7K w - - 0 1", true},
	} {
		if got := position(t, c.fen).Checked() != 0; got != c.want {
			t.Errorf("%s: %s: check is %v", c.rule, c.fen, got)
		}
	}
}

func TestWinning(t *testing.T) {
	for _, c := range []struct {
		rule, fen, texts string
		status           rules.Status
	}{
		{"a player in check must end it if possible", "k7/8/8/8/7n/8/8/7K w - - 0 1", "h1h2 h1g1 !h1g2", rules.Ongoing},
		{"taking the enemy king ends any check", "8/8/8/8/8/8/7p/6kK w - - 0 1", "h1g1 !h1h2", rules.Ongoing},
		{"it needs no safety of one's own king", "8/8/8/8/8/6n1/7p/6kK w - - 0 1", "h1g1", rules.Ongoing},
		{"nobody is obliged to take a king", "8/8/8/8/8/8/2kK4/8 w - - 0 1", "d2c2 d2e2 !d2d1", rules.Ongoing},
		{"without an end to the check everything is allowed", "k7/8/8/8/8/7p/6p1/P6K w - - 0 1", "h1g1 h1g2 h1h2 a1a2 a1b1", rules.Mated},
		{"a player not in check may not put their own king in check", "k7/8/8/8/8/6p1/8/7K w - - 0 1", "h1g1 !h1g2 !h1h2", rules.Ongoing},
		{"without a legal move then, it is stalemate", "k7/2P5/1K6/8/8/8/8/8 b - - 0 1", "!a8b8 !a8a7", rules.Stalemate},
		{"in check without any move at all, it is lost", "7k/8/8/8/8/pn6/RRp5/KRb5 w - - 0 1", "", rules.Checkmate},
		{"no king: it was taken", "8/8/8/8/8/8/PPP5/1k6 w - - 0 1", "!a2a3", rules.KingTaken},
		{"whichever king it was", "8/8/8/8/8/8/PPP5/1K6 w - - 0 1", "!a2a3", rules.KingTaken},
		{"a draw once nobody can take a king any more", "kbr5/8/8/8/8/8/8/1BR4K w - - 0 1", "h1h2 b1d3", rules.Insufficient},
		{"bare kings too", "k7/8/8/8/8/8/8/7K w - - 0 1", "h1h2", rules.Insufficient},
		{"but not while one stands beside the other", "8/8/8/8/8/8/8/kK6 w - - 0 1", "b1a1 b1c1 b1c2", rules.Ongoing},
		{"nor with a single pawn or armor", "k7/8/8/8/8/8/8/N6K w - - 0 1", "h1h2", rules.Ongoing},
	} {
		t.Run(c.rule, func(t *testing.T) {
			allowed(t, c.fen, c.texts)
			if got := position(t, c.fen).Status(); got != c.status {
				t.Errorf("%s: status is %s, want %s", c.fen, got, c.status)
			}
		})
	}
}

func TestAMatedPlayerMayPlayOnAndTheKingMayBeTaken(t *testing.T) {
	pos := rulestest.After(t, position(t, "k7/8/8/8/8/7p/6p1/P6K w - - 0 1"), "a1a2")
	if pos.Status() != rules.Ongoing || !can(pos, "g2h1q") || !can(pos, "a8a7") {
		t.Fatalf("%s: %s", pos.FEN(), pos.Status())
	}
	pos = rulestest.After(t, position(t, pos.FEN()), "g2h1q")
	if pos.Status() != rules.KingTaken || len(pos.Moves()) != 0 || pos.Checked() != 0 {
		t.Errorf("%s: %s", pos.FEN(), pos.Status())
	}
	if got := rules.NewGame(pos).Outcome(); got != (rules.Outcome{Result: rules.BlackWins, Ending: rules.ByKingTaken}) {
		t.Errorf("outcome is %v", got)
	}
}

func TestNewArtilleryMayShieldTheKing(t *testing.T) {
	// A queen anywhere checks the king on e4; a rook on a8 covers that square.
	const fen = "1q5k/P7/8/8/4K3/8/8/8 w - - 0 1"
	if position(t, fen).Checked() == 0 {
		t.Error("no check")
	}
	allowed(t, fen, "a7a8r !a7a8b !a7a8n !a7a8q a7b8q a7b8r")
}

func TestClocks(t *testing.T) {
	rulestest.LeadsTo(t, brigade.Brigade(), []rulestest.Case{
		{"a quiet move counts", "k7/8/8/8/8/8/p6P/B6K w - - 7 9", "h1g1", "k7/8/8/8/8/8/p6P/B5K1 b - - 8 9"},
		{"a pawn's step does not", "k7/8/8/8/8/8/p6P/B6K w - - 7 9", "h2g2", "k7/8/8/8/8/8/p5P1/B6K b - - 0 9"},
		{"a shot does not", "k7/8/8/8/8/8/p6P/B6K w - - 7 9", "a1a1xa2", "k7/8/8/8/8/8/7P/B6K b - - 0 9"},
		{"a move with a shot does not", "k7/8/8/8/8/8/p6P/B6K w - - 7 9", "a1c3xa2", "k7/8/8/8/8/2B5/7P/7K b - - 0 9"},
		{"Black's turn ends the move", "k7/8/8/8/8/8/p6P/B6K b - - 7 9", "a8b8", "1k6/8/8/8/8/8/p6P/B6K w - - 8 10"},
	})
}

// The author: "the only way to overcome the Rook's power is with armor (skips through
// the Rook's range) or with light artillery (moves through the Rook's range and then
// fires), or by a Queen that lands outside the range and then kills via armor."
func TestPlayingTips(t *testing.T) {
	for _, c := range []struct{ tip, fen, texts string }{
		{"armor skips through the rook's range, from outside it to the rook", "k7/8/8/8/3r4/8/8/2N1K3 w - - 0 1", "!c1d4"},
		{"and kills it", "k7/8/8/8/3r4/8/1N6/4K3 w - - 0 1", "!b2d4"},
		{"light artillery moves through the rook's range and then fires", "k7/8/8/8/3r4/8/7B/K7 w - - 0 1", "h2f4xd4 h2e5xd4 h2d6xd4"},
		{"a queen lands outside the range and then kills via armor", "k7/8/8/8/3r4/8/8/K6Q w - - 0 1", "h1d4 h1e5xd4 h1d6xd4 h1c4 !h1d1 !h1a4 !h1g7 !h1h8"},
	} {
		t.Run(c.tip, func(t *testing.T) { allowed(t, c.fen, c.texts) })
	}
}

func TestBadFEN(t *testing.T) {
	for _, c := range []struct{ fen, want string }{
		{"k6k/8/8/8/8/8/8/K7 w - - 0 1", "A side has one king at most; Black has 2."},
		{"k3P3/8/8/8/8/8/8/K7 w - - 0 1", "A pawn of White cannot stand on e8, its last rank."},
		{"k7/8/8/8/8/8/8/K2p4 w - - 0 1", "A pawn of Black cannot stand on d1, its last rank."},
		{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "King and rook may castle here whenever they stand at home, so the castling field of a FEN is always -."},
		{"4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "There is no en passant here, so the en-passant field of a FEN is always -."},
		{"4k3/8/8/8/8/8/8/[RN]3K3 w - - 0 1", `"[RN]" in rank 1 of the FEN board is no piece of Combined Arms Brigade Chess.`},
		{"4k3/8/8/8/8/8/8/4K3 w - -", "A FEN of Combined Arms Brigade Chess has 6 fields (board, side, castling, en passant, half-move clock, move number); this one has 4."},
	} {
		rulestest.BadFEN(t, brigade.Brigade(), c.fen, c.want)
	}
}

func TestFENAccepts(t *testing.T) {
	rulestest.SameFEN(t, brigade.Brigade(),
		"k2p4/8/8/8/8/8/8/K2P4 w - - 0 1",        // pawns on their own first rank
		"k7/8/8/8/8/8/7p/K6Q w - - 0 1",          // the side not to move in check
		"8/8/8/8/8/8/8/K7 w - - 0 1",             // a king taken
		"8/8/8/8/8/8/8/8 w - - 0 1",              // both
		"QQQQQQQk/8/8/8/8/8/8/K7 w - - 300 2000", // more queens than pawns
	)
}
