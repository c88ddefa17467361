package fake

import (
	"strconv"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/puzzle"
)

// PuzzleOf are the steps of the solution of the puzzle to which a press below it belongs, and what
// stands in its presses after their verb and before the number of a turn.
func PuzzleOf(t testing.TB, variants []*rules.Variant, press string) (steps []puzzle.Step, at string) {
	t.Helper()
	said := strings.Fields(press) // verb 0 - game number turn …
	if len(said) < 6 {
		t.Fatalf("%q is no press of a puzzle", press)
	}
	v := rules.Find(variants, said[3])
	all, err := puzzle.Read(v)
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(said[4])
	if err != nil {
		t.Fatal(err)
	}
	if steps, err = all[number].Steps(v); err != nil {
		t.Fatal(err)
	}
	return steps, strings.Join(said[1:5], " ") + " "
}
