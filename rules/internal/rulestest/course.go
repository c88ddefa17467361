package rulestest

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"unicode/utf8"

	"chimera/rules"
	"chimera/rules/phrase"
)

// course checks that each lesson can be done, that what it says happens does, and that it says all that it must,
// briefly enough for a phone.
func course(t *testing.T, v *rules.Variant) {
	const least, most = 6, 10
	if n := len(v.Course); n != 0 && (n < least || n > most) {
		t.Errorf("the course has %d lessons, want %d to %d", n, least, most)
	}
	var results []result
	if len(v.Course) > 0 {
		text, err := v.Files("course.json")
		if err := errors.Join(err, json.Unmarshal(text, &results)); err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for i := range v.Course {
		s := &v.Course[i]
		t.Run("course/"+s.Topic, func(t *testing.T) { lesson(t, v, s, results[i]) })
		if seen[s.Topic] {
			t.Errorf("two lessons of the course are about %s", s.Topic)
		}
		seen[s.Topic] = true
	}
}

// result is what each right move of a lesson does.
type result struct {
	Happens []string
	Ends    bool
}

func lesson(t *testing.T, v *rules.Variant, s *rules.Lesson, want result) {
	pos, err := v.Position(s.FEN)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Right) == 0 || len(s.Right) == len(pos.Moves()) {
		t.Errorf("%d of %d moves are right", len(s.Right), len(pos.Moves()))
	}
	for _, text := range s.Right {
		m, err := pos.ParseCoordinate(text)
		if err != nil {
			t.Errorf("%s is right, and refused: %v", text, err)
			continue
		}
		for _, kind := range want.Happens {
			if !slices.ContainsFunc(pos.Effects(m), func(e rules.Effect) bool { return e.Kind.String() == kind }) {
				t.Errorf("%s does not make happen what it should: %v", text, pos.Effects(m))
			}
		}
		after, err := rules.NewGame(pos).Play(m)
		if err != nil {
			t.Errorf("%s is refused: %v", text, err)
		} else if after.Outcome().Over() != want.Ends {
			t.Errorf("%s leads to %v, want an end: %v", text, after.Outcome(), want.Ends)
		}
	}
	for _, text := range s.Near {
		if _, err := pos.ParseCoordinate(text); err != nil || slices.Contains(s.Right, text) {
			t.Errorf("%s is nearly right, and right or refused: %v", text, err)
		}
	}
	says := map[string]phrase.Phrase{"task": s.Task(), "hint": s.Hint(), "well": s.Well()}
	if len(s.Near) > 0 {
		says["near"] = s.Nearly()
	}
	for name, said := range says {
		for _, l := range phrase.Languages() {
			const room = 260 // characters: five lines on a phone, together with what stands above them
			text := said.Text(l)
			if n := utf8.RuneCountInString(text); n == 0 || n > room || text == said.Key() {
				t.Errorf("%s has %d characters in %s, want 1 to %d: %s", name, n, l, room, text)
			}
		}
	}
}
