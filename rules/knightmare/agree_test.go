package knightmare_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/knightmare"
)

// agree compares one position with the slow game: its moves, what each leads to,
// check and status.
func agree(t *testing.T, pos *rules.Position) {
	t.Helper()
	v, p := pos.Variant(), readSlow(pos.FEN())
	want := p.moves()
	var texts []string
	for _, m := range pos.Moves() {
		text := v.Coordinate(m)
		texts = append(texts, text)
		next, err := pos.Play(m)
		switch {
		case err != nil:
			t.Errorf("%s, %s: %v", pos.FEN(), text, err)
		case want[text] != nil && next.FEN() != want[text].fen():
			t.Errorf("%s, after %s:\n got %s\nwant %s", pos.FEN(), text, next.FEN(), want[text].fen())
		}
	}
	slices.Sort(texts)
	if sorted := slices.Sorted(maps.Keys(want)); !slices.Equal(texts, sorted) {
		t.Errorf("%s:\n got %v\nwant %v", pos.FEN(), texts, sorted)
	}
	if got, want := pos.Checked() != 0, p.inCheck(p.turn); got != want {
		t.Errorf("%s: check is %v, want %v", pos.FEN(), got, want)
	}
	if got, want := pos.Status().String(), p.status(len(want)); got != want {
		t.Errorf("%s: status is %s, want %s", pos.FEN(), got, want)
	}
}

func TestTheSlowGameAgreesInRandomGames(t *testing.T) {
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 1))
		pos := position(t, "")
		for ply := 0; ply < 120 && len(pos.Moves()) > 0; ply++ {
			agree(t, pos)
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
			next, err := pos.Play(lively(random, pos))
			if err != nil {
				t.Fatal(err)
			}
			pos = next
		}
	}
}

// lively is a legal move, more often than not a capture or a knightmare's.
func lively(random *rand.Rand, pos *rules.Position) rules.Move {
	moves, pieces := pos.Moves(), pos.Board()
	sharp := slices.DeleteFunc(slices.Clone(moves), func(m rules.Move) bool {
		return pieces[m.To] == rules.Piece{} && !pieces[m.From].Shared()
	})
	if len(sharp) > 0 && random.IntN(2) == 0 {
		moves = sharp
	}
	return moves[random.IntN(len(moves))]
}

// Random boards are full of pins, double checks and knightmares that no game
// reaches in a hurry, and many of them are to be refused.
func TestTheSlowGameAgreesOnRandomBoards(t *testing.T) {
	v := knightmare.Knightmare()
	accepted, refused, checks, mates := 0, 0, 0, 0
	for seed := range uint64(6000) {
		p := scatter(rand.New(rand.NewPCG(seed, 2)))
		pos, err := v.Position(p.fen())
		if valid := p.valid(); (err == nil) != valid {
			t.Fatalf("seed %d, %s: valid is %v, but the error is %v", seed, p.fen(), valid, err)
		}
		if err != nil {
			refused++
			continue
		}
		accepted++
		p.settle()
		if pos.FEN() != p.fen() {
			t.Errorf("seed %d: %s is read as %s", seed, p.fen(), pos.FEN())
		}
		agree(t, pos)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
		if pos.Checked() != 0 {
			checks++
		}
		if pos.Status() == rules.Checkmate {
			mates++
		}
	}
	t.Logf("%d boards agree, %d of them in check, %d mated; %d were refused", accepted, checks, mates, refused)
	if accepted < 1000 || checks < 200 || mates < 5 || refused < 1000 {
		t.Error("the boards are too much alike to prove anything")
	}
}

// scatter puts pieces at random, kings included, and now and then rights.
func scatter(random *rand.Rand) *slow {
	p := &slow{castling: "-", enPassant: -1, frozen: -1, turn: random.IntN(2), half: random.IntN(90), full: 1 + random.IntN(60)}
	squares := random.Perm(64)
	next := func() int {
		sq := squares[0]
		squares = squares[1:]
		return sq
	}
	rights := random.IntN(3) == 0
	for side := range 2 {
		king := 4 + 56*side
		if i := slices.Index(squares, king); rights && i >= 0 {
			squares = slices.Delete(squares, i, i+1)
		} else {
			king = next()
		}
		p.pieces[king][side] = 'K'
	}
	if rights {
		for i, sq := range []int{7, 0, 63, 56} {
			if j := slices.Index(squares, sq); random.IntN(2) == 0 && j >= 0 {
				squares = slices.Delete(squares, j, j+1)
				p.pieces[sq][i/2] = 'R'
				if random.IntN(12) == 0 {
					p.pieces[sq][1-i/2] = 'N'
				}
				p.castling += "KQkq"[i : i+1]
			}
		}
		if len(p.castling) > 1 {
			p.castling = strings.TrimPrefix(p.castling, "-")
		}
	}
	for range random.IntN(8) {
		sq := next()
		p.pieces[sq] = [2]byte{"NBRQ"[random.IntN(4)], "NBRQ"[random.IntN(4)]}
		if random.IntN(4) == 0 {
			p.frozen = sq
		}
	}
	for range random.IntN(14) {
		if sq := next(); sq > 7 && sq < 56 || random.IntN(20) == 0 {
			p.pieces[sq][random.IntN(2)] = "PPPNBRQ"[random.IntN(7)]
		} else {
			p.pieces[sq][random.IntN(2)] = "NBRQ"[random.IntN(4)]
		}
	}
	if random.IntN(4) == 0 {
		p.enPassant = 16 + 24*(1-p.turn) + random.IntN(8)
		if ahead := p.enPassant + 8 - 16*(1-p.turn); p.empty(ahead) {
			p.pieces[ahead][1-p.turn] = 'P'
		}
	}
	return p
}
