package combination_test

import (
	"errors"
	"flag"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"chimera/rules"
	"chimera/rules/combination"
)

// agree compares one position with the slow game: its moves, what each leads to,
// check, status, zones and the warning.
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
	if got, want := pos.Checked() != 0, p.inCheck(p.white); got != want {
		t.Errorf("%s: check is %v, want %v", pos.FEN(), got, want)
	}
	if got, want := pos.Status().String(), p.status(len(want)); got != want {
		t.Errorf("%s: status is %s, want %s", pos.FEN(), got, want)
	}
	if got, want := !pos.Warning().IsZero(), p.warned(); got != want {
		t.Errorf("%s: the warning is %q, want %v", pos.FEN(), pos.Warning(), want)
	}
	agreeOnZones(t, pos, p)
}

func agreeOnZones(t *testing.T, pos *rules.Position, p *slow) {
	t.Helper()
	zones := map[rules.Square]rules.Set{}
	for _, influence := range pos.Influences() {
		zones[influence.From] = influence.On
	}
	for from := range rules.Square(63) {
		var want rules.Set
		for sq := range rules.Square(63) {
			if p.pieces[from] != 0 && exists(int(sq%7), int(sq/7)) && p.lends(int(from), int(sq)) {
				want |= sq.Set()
			}
		}
		if zones[from] != want {
			t.Errorf("%s: the zone of %s is %x, want %x", pos.FEN(), slowName(int(from)), zones[from], want)
		}
	}
}

var (
	games  = flag.Int("games", 25, "random games to compare")
	boards = flag.Int("boards", 3000, "random boards to compare")
)

func TestTheSlowGameAgreesInRandomGames(t *testing.T) {
	blasts := 0
	for seed := range uint64(*games) {
		random := rand.New(rand.NewPCG(seed, 1))
		pos := position(t, "")
		for ply := 0; ply < 80 && len(pos.Moves()) > 0; ply++ {
			agree(t, pos)
			if t.Failed() {
				t.Fatalf("seed %d", seed)
			}
			m := lively(random, pos)
			if slices.ContainsFunc(pos.Effects(m), annihilates) {
				blasts++
			}
			next, err := pos.Play(m)
			if err != nil {
				t.Fatal(err)
			}
			pos = next
		}
		agree(t, pos)
	}
	if blasts < 5 {
		t.Errorf("only %d annihilations in all games", blasts)
	}
}

func annihilates(e rules.Effect) bool { return e.Kind == rules.Annihilated }

// lively is a legal move, as often as not a capture or an annihilation.
func lively(random *rand.Rand, pos *rules.Position) rules.Move {
	moves, pieces := pos.Moves(), pos.Board()
	sharp := slices.DeleteFunc(slices.Clone(moves), func(m rules.Move) bool {
		return pieces[m.To] == rules.Piece{} && !slices.ContainsFunc(pos.Effects(m), annihilates)
	})
	if len(sharp) > 0 && random.IntN(2) == 0 {
		moves = sharp
	}
	return moves[random.IntN(len(moves))]
}

// Random boards are full of pins, double checks and borrowed checks that no game
// reaches in a hurry, and many of them are to be refused.
func TestTheSlowGameAgreesOnRandomBoards(t *testing.T) {
	v := combination.Combination()
	accepted, refused, checks, mates := 0, 0, 0, 0
	for seed := range uint64(*boards) {
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

// scatter puts pieces at random, mostly with both kings.
func scatter(random *rand.Rand) *slow {
	p := &slow{white: random.IntN(2) == 0, half: random.IntN(90), full: 1 + random.IntN(60)}
	var squares []int
	for sq := range 63 {
		if exists(sq%7, sq/7) {
			squares = append(squares, sq)
		}
	}
	random.Shuffle(len(squares), func(i, j int) { squares[i], squares[j] = squares[j], squares[i] })
	pieces := []byte("Kk")
	switch random.IntN(40) {
	case 0:
		pieces = pieces[1:]
	case 1:
		pieces = []byte("KkK")
	}
	for range random.IntN(18) {
		pieces = append(pieces, "PNBRAIpnbrai"[random.IntN(12)])
	}
	for i, piece := range pieces {
		p.pieces[squares[i]] = piece
	}
	return p
}

// Whatever a piece cannot do, there is a reason for it.
func TestEveryRefusalKnowsWhy(t *testing.T) {
	seen := map[rules.Reason]int{}
	for seed := range uint64(300) {
		pos, err := combination.Combination().Position(scatter(rand.New(rand.NewPCG(seed, 3))).fen())
		if err != nil || len(pos.Moves()) == 0 {
			continue
		}
		for from := range pos.Variant().Shape.Squares.Squares() {
			for to := range pos.Variant().Shape.Squares.Squares() {
				err := pos.Check(rules.Move{From: from, To: to})
				var no *rules.Illegal
				switch {
				case err == nil:
				case !errors.As(err, &no) || no.Reason == rules.NotPossible || no.Sentence.IsZero() || len(no.Squares) == 0:
					t.Errorf("%s, %s%s: %v", pos.FEN(), slowName(int(from)), slowName(int(to)), err)
				default:
					seen[no.Reason]++
				}
			}
		}
	}
	for _, reason := range []rules.Reason{
		rules.NoSuchPiece, rules.NotYours, rules.OwnPiece, rules.CannotReach, rules.BlockedWay, rules.NothingToTake, rules.LeavesCheck,
		combination.Isolated, combination.SecondHand, combination.CrossesFire, combination.KingBlasted,
	} {
		if seen[reason] == 0 {
			t.Errorf("nothing is refused as %q", reason)
		}
	}
}
