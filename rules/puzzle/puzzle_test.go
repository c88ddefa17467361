package puzzle_test

import (
	"slices"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/puzzle"
	"chimera/rules/variants"
)

func TestPuzzlesAreReadAsTheyAreWritten(t *testing.T) {
	v := *rules.Find(variants.All(), "chess")
	const line = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 ; d1d8 ; mate ; 2"
	v.Puzzles = "# a remark\n\n" + line + "\n"
	read, err := puzzle.Read(&v)
	if err != nil || len(read) != 1 || read[0].String() != line || !slices.Equal(read[0].Themes, []puzzle.Theme{puzzle.Mate}) {
		t.Errorf("read %v, %v", read, err)
	}
	for _, bad := range []string{"x ; y", line + "0", strings.Replace(line, "mate", "mates", 1), strings.Replace(line, "d1d8", "d1d8 g8h8", 1)} {
		v.Puzzles = bad
		if _, err := puzzle.Read(&v); err == nil || !strings.Contains(err.Error(), "puzzle 1") {
			t.Errorf("%q is read with %v", bad, err)
		}
	}
}
