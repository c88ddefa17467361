package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Levels is the number of the highest level; the weakest, for children, is 0.
const Levels = 8

// Level is one of the computer's strengths. The zero Level is none of them: it plays as well as it can.
type Level struct{ above int }

// AtLevel is the level of a number from 0 to Levels; what is outside of these is the nearest.
func AtLevel(number int) Level { return Level{1 + max(0, min(number, Levels))} }

// Number is the level's, and false for the zero Level.
func (l Level) Number() (number int, ok bool) { return l.above - 1, l.above > 0 }

// Strength is how strong a level is: how far it looks, and what it gets wrong.
type Strength struct {
	Depth int // in plies, 0 for any
	Nodes int // in a position with no more moves than usual, 0 for any
	Blind int // per cent of the opponent's answers of some length that are overlooked, and fewer of other moves
	Noise int // centipawns by which positions are misjudged, one standard deviation
}

// Ladder has the strength of each level.
type Ladder [Levels + 1]Strength

// usual is the ladder of a game of which none has been fitted.
var usual = Ladder{ //nolint:gochecknoglobals // never written
	0: {Depth: 1, Blind: 160, Noise: 200},
	1: {Depth: 1, Blind: 95, Noise: 90},
	2: {Depth: 1, Blind: 50, Noise: 60},
	3: {Nodes: 380, Blind: 12, Noise: 40},
	4: {Nodes: 1_000, Blind: 6, Noise: 30},
	5: {Nodes: 3_200, Blind: 2, Noise: 14},
	6: {Nodes: 10_300, Noise: 4},
	7: {Nodes: 32_000},
	8: {Nodes: 100_000},
}

// fields are the numbers of a strength by the names that they have in text.
func (s *Strength) fields() []field {
	return []field{{"depth", &s.Depth}, {"nodes", &s.Nodes}, {"blind", &s.Blind}, {"noise", &s.Noise}}
}

type field struct {
	name  string
	value *int
}

// text writes the levels for people and for read, a line for each.
func (l *Ladder) text() string {
	var b strings.Builder
	for level := range l {
		fmt.Fprintf(&b, "level %d", level)
		for _, f := range l[level].fields() {
			if *f.value != 0 {
				fmt.Fprintf(&b, " %s %d", f.name, *f.value)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// read reads what follows the first word of one of the lines.
func (l *Ladder) read(words []string) error {
	if len(words)%2 == 0 {
		return fmt.Errorf("%q is no level with names and numbers", words)
	}
	level, err := strconv.Atoi(words[0])
	if err != nil || level < 0 || level > Levels {
		return fmt.Errorf("there is no level %q", words[0])
	}
	s := &l[level]
	*s = Strength{}
	for i := 1; i < len(words); i += 2 {
		at := slices.IndexFunc(s.fields(), func(f field) bool { return f.name == words[i] })
		if at < 0 {
			return fmt.Errorf("a level has no %q", words[i])
		}
		if *s.fields()[at].value, err = strconv.Atoi(words[i+1]); err != nil || *s.fields()[at].value < 0 {
			return fmt.Errorf("%q is no number of %s", words[i+1], words[i])
		}
	}
	return nil
}
