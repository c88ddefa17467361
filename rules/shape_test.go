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
	fide.Roles
	steps *[64]rules.Set
}

const royal = fide.Pawn + 1

func dancing(files, ranks int, start string) *rules.Variant {
	shape := rules.NewShape(files, ranks)
	steps := fide.Leaps(shape, [2]int{0, 1}, [2]int{1, 1})
	return rules.NewVariant(rules.Variant{
		Key: "dance", Name: "Dance", Rules: phrase.As("Kings dance."), About: phrase.As("kings dance"), Start: start, Shape: shape,
		Table: rules.Table{fide.Pawn: fide.Pieces()[fide.Pawn], royal: fide.Pieces()[fide.King]},
	}, func(s *dance, setup rules.Setup) error {
		s.steps = steps
		if err := s.Load(setup, royal, "Kings do not castle while they dance."); err != nil {
			return err
		}
		if kings := s.Pieces[royal]; kings.Len() != 2 || steps[kings.First()]&kings != 0 {
			return rules.BadFENf("Two kings dance apart.")
		}
		return nil
	})
}

func (s *dance) Moves(buf []rules.Move) []rules.Move {
	from, other := s.Of(s.Turn, royal).First(), s.Of(s.Turn.Other(), royal).First()
	return rules.AppendSteps(buf, from, s.steps[from]&^s.steps[other], 0)
}

func (s *dance) Play(m rules.Move, next *dance) {
	*next = *s
	next.Roles.Play(m, 0)
}

func (s *dance) Renew(before *dance, setup *rules.Setup) rules.Set {
	return s.Roles.Renew(&before.Roles, setup)
}
func (s *dance) Final(rules.Move) bool                  { return false }
func (s *dance) Checkers() rules.Set                    { return 0 }
func (s *dance) Guarded(rules.Move) bool                { return false }
func (s *dance) Status(int) rules.Status                { return rules.Ongoing }
func (s *dance) Refuse(r *rules.Refuser) *rules.Illegal { return r.CannotDo() }

func (s *dance) Effects(m rules.Move) []rules.Effect {
	return []rules.Effect{{Kind: rules.Moved, From: m.From, To: m.To, Piece: rules.PieceOf(s.Turn, royal)}}
}

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
		pos := rulestest.Position(t, v, "")
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
