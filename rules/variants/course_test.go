package variants

import (
	"errors"
	"slices"
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
)

func TestEachLessonShowsWhatItExplains(t *testing.T) {
	for _, v := range All() {
		explained, shown := map[rules.Reason]bool{}, map[string]bool{}
		for i := range v.Course {
			l := &v.Course[i]
			here := rules.Lead{Variant: v, Number: i + 1}
			met, pieces := refusals(t, v, l), pieces(t, v, l)
			for _, why := range l.Explains {
				if !met[why] || explained[why] {
					t.Errorf("%s, %s: %q is not met there, or in a lesson before", v.Key, l.Topic, why)
				}
				explained[why] = true
				if got := v.Explaining(why); got != here {
					t.Errorf("%s: %q is explained by lesson %d", v.Key, why, got.Number)
				}
			}
			for _, code := range l.Shows {
				if !pieces[code] || shown[code] {
					t.Errorf("%s, %s: there is no %s, or in a lesson before", v.Key, l.Topic, code)
				}
				shown[code] = true
				p := v.Called(code)
				for _, p := range []rules.Piece{p, {White: p.Black, Black: p.White}} {
					if got := v.Showing(p); got != here {
						t.Errorf("%s: %s is shown by lesson %d", v.Key, code, got.Number)
					}
				}
			}
		}
		if len(v.Course) > 0 && len(explained)+len(shown) < 4 {
			t.Errorf("%s: the course explains %d refusals and %d pieces; want 4 together", v.Key, len(explained), len(shown))
		}
		if v.Explaining("no reason") != (rules.Lead{}) || v.Showing(rules.Piece{}) != (rules.Lead{}) {
			t.Errorf("%s: a lesson explains what nothing is", v.Key)
		}
	}
}

// positions are those of a lesson, before and after its right move.
func positions(t *testing.T, v *rules.Variant, l *rules.Lesson) []*rules.Position {
	t.Helper()
	pos := rulestest.Position(t, v, l.FEN)
	return []*rules.Position{pos, rulestest.After(t, pos, l.Right[0])}
}

func pieces(t *testing.T, v *rules.Variant, l *rules.Lesson) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, pos := range positions(t, v, l) {
		for _, p := range pos.Board() {
			all[v.Table.Code(p)] = true
			if p.Shared() {
				all[v.Table[p.White].Code+v.Table[p.Black].Code] = true
				all[v.Table[p.Black].Code+v.Table[p.White].Code] = true
			}
		}
	}
	return all
}

// refusals are reasons for which moves in a lesson are refused that are not just written badly: as
// many as it takes to find those that it explains.
func refusals(t *testing.T, v *rules.Variant, l *rules.Lesson) map[rules.Reason]bool {
	t.Helper()
	met := map[rules.Reason]bool{}
	for _, pos := range positions(t, v, l) {
		for _, text := range tries(v, pos) {
			if !slices.ContainsFunc(l.Explains, func(why rules.Reason) bool { return !met[why] }) {
				return met
			}
			_, err := pos.Parse(text)
			if no := (*rules.Illegal)(nil); errors.As(err, &no) && len(no.Asked()) == 0 && no.Written == "" {
				met[no.Reason] = true
			}
		}
	}
	return met
}

// tries are texts of all that pieces might be thought to do.
func tries(v *rules.Variant, pos *rules.Position) (texts []string) {
	board, all := pos.Board(), slices.Collect(v.Shape.Squares.Squares())
	own := slices.DeleteFunc(slices.Clone(all), func(sq rules.Square) bool { return board[sq].Half(pos.Turn()) == rules.NoRole })
	texts = append(texts, "O-O", "O-O-O")
	for _, from := range own {
		for _, to := range all {
			a, b := v.Shape.Name(from), v.Shape.Name(to)
			texts = append(texts, a+b, a+"~"+b, a+"/N"+b, a+"/R"+b, a+"*"+b, a+b+"q")
			for _, with := range own {
				texts = append(texts, a+"+"+v.Shape.Name(with)+"~"+b)
			}
		}
	}
	return texts
}
