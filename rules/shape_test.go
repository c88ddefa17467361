package rules_test

import (
	"testing"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/internal/rulestest"
	"chimera/rules/phrase"
)

// dance is a game of two kings that step to any square where the other does not stand
// beside them, on a board of any shape. It has no end.
type dance struct {
	kings     [2]rules.Square
	turn      rules.Color
	halfMoves int
	fullMove  int
	shape     *rules.Shape
	steps     *[64]rules.Set
}

const royal rules.Role = 1

func dancing(files, ranks int, start string) *rules.Variant {
	shape := rules.NewShape(files, ranks)
	steps := fide.Leaps(shape, [2]int{0, 1}, [2]int{1, 1}, [2]int{1, 0}, [2]int{1, -1}, [2]int{0, -1}, [2]int{-1, -1}, [2]int{-1, 0}, [2]int{-1, 1})
	return rules.NewVariant(rules.Variant{
		Key: "dance", Name: "Dance", Rules: phrase.As("Kings dance."), About: phrase.As("kings dance"), Start: start, Shape: shape,
		Table: rules.Table{royal: {Code: "K", Name: "king", Glyph: "king", Royal: true, Noun: phrase.As("king"), Does: phrase.As("A king dances.")}},
	}, func(s *dance, setup rules.Setup) error {
		*s = dance{[2]rules.Square{rules.NoSquare, rules.NoSquare}, setup.Turn, setup.HalfMoves, setup.FullMove, shape, steps}
		for sq := range shape.Squares.Squares() {
			for _, c := range []rules.Color{rules.White, rules.Black} {
				if setup.Board[sq].Half(c) == royal {
					s.kings[c] = sq
				}
			}
		}
		if s.kings[0] == rules.NoSquare || s.kings[1] == rules.NoSquare || steps[s.kings[0]].Has(s.kings[1]) || setup.EnPassant != rules.NoSquare {
			return rules.BadFENf("Two kings dance apart.")
		}
		return nil
	})
}

func (s *dance) Moves(buf []rules.Move) []rules.Move {
	from, other := s.kings[s.turn], s.kings[s.turn.Other()]
	for to := s.steps[from] &^ s.steps[other]; to != 0; to = to.Rest() {
		buf = append(buf, rules.Move{From: from, To: to.First()})
	}
	return buf
}

func (s *dance) Play(m rules.Move, next *dance) {
	*next = *s
	next.kings[s.turn] = m.To
	next.turn, next.halfMoves, next.fullMove = s.turn.Other(), s.halfMoves+1, s.fullMove+int(s.turn)
}

func (s *dance) Pass() { s.turn = s.turn.Other() }

func (s *dance) Renew(_ *dance, setup *rules.Setup) rules.Set {
	*setup = s.Setup()
	return s.shape.Squares
}

func (s *dance) Final(rules.Move) bool { return false }

func (s *dance) Setup() rules.Setup {
	setup := rules.Setup{Turn: s.turn, EnPassant: rules.NoSquare, HalfMoves: s.halfMoves, FullMove: s.fullMove}
	for c, sq := range s.kings {
		setup.Board[sq] = rules.PieceOf(rules.Color(c), royal)
	}
	return setup
}

func (s *dance) Checkers() rules.Set     { return 0 }
func (s *dance) Status(int) rules.Status { return rules.Ongoing }

func (s *dance) Effects(m rules.Move) []rules.Effect {
	return []rules.Effect{{Kind: rules.Moved, From: m.From, To: m.To, Piece: rules.PieceOf(s.turn, royal)}}
}

func (s *dance) Refuse(r *rules.Refuser) *rules.Illegal { return r.CannotDo() }

func TestBoardsOfTenFilesOrRanks(t *testing.T) {
	for _, c := range []struct {
		files, ranks            int
		start, text, move, talk string
	}{
		{6, 10, "5k/6/6/6/6/6/6/6/6/K5 w - - 0 1", "Kb2", "a1b2", "Kb12"},
		{6, 10, "K5/6/6/6/6/6/6/6/6/5k w - - 0 1", "a10 - b10", "a10b10", "a13"},
		{6, 10, "K5/6/6/6/6/6/6/6/6/5k w - - 0 1", "Ka10b9", "a10b9", "section 10"},
		{10, 6, "9k/10/10/10/10/K9 w - - 0 1", "kb2", "a1b2", "l1"},
		{10, 6, "K9/10/10/10/10/9k b - - 0 1", "Ki2!", "j1i2", "see you at 8"},
		{16, 4, "K15/16/16/15k b - - 0 1", "Ko2", "p1o2", "e7"},
	} {
		v := dancing(c.files, c.ranks, c.start)
		rulestest.Run(t, v, 3)
		pos, err := v.Position("")
		if err != nil {
			t.Fatal(err)
		}
		if m, err := pos.Parse(c.text); err != nil || v.Coordinate(m) != c.move {
			t.Errorf("%s in %s is read as %s (%v), want %s", c.text, c.start, v.Coordinate(m), err, c.move)
		}
		if !v.MoveLike(c.text) || !v.MoveLike(c.move) {
			t.Errorf("%s or %s is not taken for a move on %d ranks", c.text, c.move, c.ranks)
		}
		if v.MoveLike(c.talk) {
			t.Errorf("%s is taken for a move on %d ranks", c.talk, c.ranks)
		}
	}
}
