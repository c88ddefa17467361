package stealth_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"chimera/rules"
	"chimera/rules/stealth"
)

// agree compares one position with the reference: its moves, its check, and what
// each move leads to.
func agree(t *testing.T, pos *rules.Position, ref *reference) {
	t.Helper()
	v := pos.Variant()
	legal := ref.legal()
	want := slices.Sorted(maps.Keys(legal))
	byText := map[string]rules.Move{}
	for _, m := range pos.Moves() {
		byText[v.Coordinate(m)] = m
	}
	if got := slices.Sorted(maps.Keys(byText)); len(pos.Moves()) != len(byText) || !slices.Equal(got, want) {
		t.Fatalf("%s\n got %v\nwant %v", ref.fen(), got, want)
	}
	if got := pos.Checked() != 0; got != ref.checked(ref.white) {
		t.Fatalf("%s: check is %v", ref.fen(), got)
	}
	for text, m := range byText {
		next, err := pos.Play(m)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := next.FEN(), ref.play(legal[text]).fen(); got != want {
			t.Fatalf("%s, %s:\n got %s\nwant %s", ref.fen(), text, got, want)
		}
	}
}

// follow plays on from a position, captures as often as other moves, and compares.
func follow(t *testing.T, random *rand.Rand, pos *rules.Position, plies int) {
	t.Helper()
	ref := readReference(pos.FEN())
	for range plies {
		agree(t, pos, ref)
		moves := pos.Moves()
		if len(moves) == 0 {
			return
		}
		captures := slices.DeleteFunc(slices.Clone(moves), func(m rules.Move) bool {
			return pos.Board()[m.To] == rules.Piece{} && m.Kills == 0
		})
		if len(captures) > 0 && random.IntN(2) == 0 {
			moves = captures
		}
		m := moves[random.IntN(len(moves))]
		ref = ref.play(ref.legal()[pos.Variant().Coordinate(m)])
		next, err := pos.Play(m)
		if err != nil {
			t.Fatal(err)
		}
		pos = next
	}
}

func TestRandomGamesAgreeWithTheReference(t *testing.T) {
	for seed := range uint64(5) {
		t.Logf("seed %d", seed)
		follow(t, rand.New(rand.NewPCG(seed, 1)), position(t, ""), 60)
	}
}

// scatter is a position of random pieces, kings at home and with castling rights as
// often as not; nil where it would not be legal.
func scatter(random *rand.Rand) *rules.Position {
	v := stealth.Stealth()
	setup := rules.Setup{EnPassant: rules.NoSquare, FullMove: 1, Turn: rules.Color(random.IntN(2))}
	put := func(c rules.Color, sq rules.Square, code string) {
		if setup.Board[sq] == (rules.Piece{}) {
			setup.Board[sq] = rules.PieceOf(c, v.Table.Role(code))
		}
	}
	home := random.IntN(2) == 0
	for _, c := range []rules.Color{rules.White, rules.Black} {
		king := rules.Square(4 + 56*int(c))
		if !home {
			king = rules.Square(random.IntN(64))
		} else {
			put(c, king-4, "R")
			put(c, king+3, "R")
			setup.Castling |= (king - 4).Set() | (king + 3).Set()
		}
		setup.Board[king] = rules.PieceOf(c, v.Table.Role("K"))
	}
	for range 2 + random.IntN(16) {
		role := rules.Role(1 + random.IntN(len(v.Table)-1))
		if random.IntN(2) == 0 {
			role = v.Table.Role([]string{"P", "P", "C", "RR", "BB", "RRR", "BBB", "QQ", "N"}[random.IntN(9)])
		}
		sq := random.IntN(64)
		if code := v.Table[role].Code; code != "K" && (code != "P" || sq >= 8 && sq < 56) {
			put(rules.Color(random.IntN(2)), rules.Square(sq), code)
		}
	}
	pos, err := v.FromSetup(setup)
	if err != nil {
		return nil
	}
	return pos
}

func TestScatteredPiecesAgreeWithTheReference(t *testing.T) {
	for seed := range uint64(250) {
		random := rand.New(rand.NewPCG(seed, 2))
		if pos := scatter(random); pos != nil {
			t.Logf("seed %d", seed)
			follow(t, random, pos, 4)
		}
	}
}
