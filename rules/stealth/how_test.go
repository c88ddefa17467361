package stealth_test

import (
	"testing"

	"chimera/rules/internal/rulestest"
)

func TestHowAPieceGoes(t *testing.T) {
	for _, c := range []struct{ fen, square, want string }{
		{"6k1/8/8/8/8/8/8/K7 w - - 0 1", "b1", ""},
		{"6k1/8/8/8/8/8/8/K7 w - - 0 1", "a1", "The king on a1 moves and castles as in chess, and absorbs nothing."},
		{"6k1/8/8/8/8/8/8/K1[BW]5 w - - 0 1", "c1", "The frigate on c1 can slide along diagonals and step one square straight."},
		{"6k1/8/8/8/8/5n2/3R4/K1[QQ]5 w - - 0 1", "c1", "The empress on c1 can slide in all eight directions (leaping over one piece if it likes)."},
		{"6k1/8/8/8/8/3n4/3R4/K7 w - - 0 1", "d2", "The rook on d2 can slide along ranks and files. By capturing the knight on d3 it becomes a general."},
		{ // not the opponent's prospects
			"6k1/8/8/8/8/3n4/3R4/K7 w - - 0 1", "d3", "The knight on d3 can leap two squares straight and one sideways.",
		},
		{
			"6k1/K3P2r/8/8/8/8/8/8 w - - 0 1", "e7",
			"The pawn on e7 moves and captures as in chess, and becomes what it captures: a captain if that's a pawn or a captain. Moving to e8 makes it a prince. It can't move now: else its king would be in check.",
		},
		{
			"6k1/8/8/8/8/8/3p4/K7 w - - 0 1", "d2",
			"The pawn on d2 moves and captures as in chess, and becomes what it captures: a captain if that's a pawn or a captain. Moving to d1 makes it a queen.",
		},
		{
			"6k1/8/8/8/n7/1n1p4/4C3/K7 w - - 0 1", "e2",
			"The captain on e2 moves one square straight to an empty square, and captures one square diagonally, in any direction. It becomes what it captures, but stays a captain by capturing a pawn or a captain. It never promotes. It can't move now: the check must be answered.",
		},
		{
			"6k1/8/8/3q4/8/3b4/8/K2[RRR]4 w - - 0 1", "d1",
			"The B52 on d1 can slide along ranks and files (leaping over one piece if it likes, or running over friends and capturing every enemy on the way)." +
				" By capturing the bishop on d3 it becomes an RRRB. By capturing the queen on d5 it becomes an RRRB." +
				" By capturing the bishop on d3 and the queen on d5 it becomes an RRRB.",
		},
	} {
		rulestest.Tells(t, position(t, c.fen), c.square, c.want)
	}
}
