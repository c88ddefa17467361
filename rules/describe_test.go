package rules_test

import "testing"

func TestWhatAMoveDidIsToldInWholeSentences(t *testing.T) {
	for _, c := range []struct{ game, fen, move, want string }{
		{"chess", "", "Nf3", "Knight from g1 to f3."},
		{"chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "The pawn moves from e5 to d6 and takes the pawn on d5."},
		{"chess", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", "The pawn moves from a7 to a8 and becomes a queen."},
		{"chess", "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=N", "The pawn on a7 takes the knight on b8 and becomes a knight."},
		{"chess", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O", "The king castles from e1 to c1; the rook goes from a1 to d1."},
		{"combine", "", "R~Nb1", "The rook on a1 joins the knight on b1, and they become a rook-knight."},
		{"combine", "4k3/8/8/8/3[RN]4/8/8/4K3 w - - 0 1", "RNd4/Ne5", "The knight leaves d4 for e5; the rook stays on d4."},
		{"combine-free", "4k3/8/8/8/2R5/8/3N4/4K3 w - - 0 1", "R+N~e4", "The rook on c4 and the knight on d2 meet on e4 and become a rook-knight."},
		{"combine-free", "4k3/8/8/8/2R1p3/8/3N4/4K3 w - - 0 1", "R+Nx~e4", "The rook on c4 and the knight on d2 take the pawn on e4 and become a rook-knight."},
		{"knightmare", "4k3/8/8/8/8/8/2n5/3Q3K w - - 0 1 -", "Q~Nc2", "The queen on d1 joins the knight on c2, and they become a knightmare (queen + knight)."},
		{"knightmare", "6k1/8/2[Bn]5/8/p7/8/8/4K3 w - - 0 1 -", "BNxa4", "The knightmare (bishop + knight) on c6 takes the pawn on a4."},
		{"brigade", "k7/8/8/4p3/8/2B5/8/7K w - - 0 1", "B*e5", "The infantry on e5 is shot from c3."},
		{"brigade", "k7/8/8/8/8/2p5/1p6/B6K w - - 0 1", "Bxb2", "The gun on a1 shoots the infantry on b2 and moves to b2."},
		{"brigade", "k7/8/8/8/8/8/1p6/1N5K w - - 0 1", "Nc3*b2", "The tank moves from b1 to c3 and takes the infantry on b2."},
		{"stealth", "4k3/8/8/8/3n4/8/8/3RK3 w - - 0 1", "R~Nd4", "The rook on d1 takes the knight on d4 and becomes a general."},
		{"stealth", "4k3/8/8/b7/8/p7/8/[RRR]3K3 w - - 0 1", "RRRa8*a3*a5", "The B52 moves from a1 to a8, takes the pawn on a3 and the bishop on a5 and becomes an RRRB."},
	} {
		pos := position(t, c.game, c.fen)
		m, err := pos.Parse(c.move)
		if err != nil {
			t.Errorf("%s %s: %v", c.fen, c.move, err)
			continue
		}
		if got := pos.Variant().Describe(pos.Effects(m)).String(); got != c.want {
			t.Errorf("%s %s, %s is told as\n%s, want\n%s", c.game, c.fen, c.move, got, c.want)
		}
	}
}
