// Package puzzle has positions in which only one move wins, turn after turn, in any game.
//
// # Design
//
// Puzzles are mined from self-play by cmd/train, and written to one small readable file for each
// game, which the game embeds as [rules.Variant.Puzzles]; [Read] reads it. A line of it is a
// position, the solution, what it is about and how hard it is:
//
//	4r1k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1 ; e8e1 d1e1 ; mate gain ; 2
//
// The [Theme]s of a puzzle are derived from its moves' effects, so a new game has puzzles and themes at once.
//
// The number of a puzzle is its line. People's records refer to puzzles by number, so new ones go
// to the end, and a line that turns out to be wrong gets " ; withdrawn" at its end.
package puzzle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chimera/rules"
)

// MostTurns is the greatest number of moves that the solver of a puzzle has to find.
const MostTurns = 4

// Hardest is the difficulty of a puzzle that no level of the computer solves; if level n and every higher one solve it,
// the difficulty is n.
const Hardest = 9

// A Puzzle is a position in which only one move wins for the side to move, and again after each answer; if the last of
// several moves mates, others may mate, too.
type Puzzle struct {
	FEN string
	// Moves are the solution, as coordinate texts: the solver's move, the best answer, and so
	// on; the last is the solver's.
	Moves  []string
	Themes []Theme
	Level  int // how hard it is, 1 to Hardest
	// Withdrawn is set if another move has turned out to win, too. Such a puzzle keeps its number, and is no longer given
	// to anybody.
	Withdrawn bool
}

// between stands between the columns of a line.
const between = " ; "

// withdrawn stands at the end of the line of such a puzzle.
const withdrawn = between + "withdrawn"

// Read reads a game's puzzles; none if it has no file. The error names the faulty line. For speed, it does not check
// that solutions are legal.
func Read(v *rules.Variant) (all []Puzzle, _ error) {
	for line := range strings.Lines(v.Puzzles) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		p, err := parse(line)
		if err != nil {
			return nil, fmt.Errorf("%s, puzzle %d (%q): %w", v.Key, len(all)+1, line, err)
		}
		all = append(all, p)
	}
	return all, nil
}

func parse(line string) (Puzzle, error) {
	line, gone := strings.CutSuffix(line, withdrawn)
	fields := strings.Split(line, between)
	if len(fields) != 4 {
		return Puzzle{}, fmt.Errorf("%d columns instead of 4", len(fields))
	}
	p := Puzzle{FEN: fields[0], Moves: strings.Fields(fields[1]), Withdrawn: gone}
	if n := p.Turns(); len(p.Moves)%2 == 0 || n > MostTurns {
		return p, fmt.Errorf("%d moves", len(p.Moves))
	}
	for name := range strings.FieldsSeq(fields[2]) {
		theme := Named(name)
		if theme == "" {
			return p, fmt.Errorf("there is no theme %q", name)
		}
		p.Themes = append(p.Themes, theme)
	}
	var err error
	if p.Level, err = strconv.Atoi(fields[3]); err != nil || p.Level < 1 || p.Level > Hardest {
		return p, fmt.Errorf("the difficulty is 1 to %d, not %q", Hardest, fields[3])
	}
	return p, nil
}

// String writes a puzzle in the format of [Read], without a line break.
func (p *Puzzle) String() string {
	themes := make([]string, len(p.Themes))
	for i, t := range p.Themes {
		themes[i] = string(t)
	}
	line := strings.Join([]string{p.FEN, strings.Join(p.Moves, " "), strings.Join(themes, " "), strconv.Itoa(p.Level)}, between)
	if p.Withdrawn {
		line += withdrawn
	}
	return line
}

// Turns is how many moves the solver has to find.
func (p *Puzzle) Turns() int { return (len(p.Moves) + 1) / 2 }

// A Step is one move of a puzzle's solution.
type Step struct {
	Before *rules.Position
	Move   rules.Move
}

// Steps plays the solution. The first step is the solver's, the next an answer, and so on. The error names a move that
// is not legal.
func (p *Puzzle) Steps(v *rules.Variant) ([]Step, error) {
	pos, err := v.Position(p.FEN)
	if err != nil {
		return nil, err
	}
	steps := make([]Step, 0, len(p.Moves))
	for _, text := range p.Moves {
		m, err := pos.ParseCoordinate(text)
		if err != nil {
			return nil, fmt.Errorf("%s after %d moves: %w", text, len(steps), err)
		}
		steps = append(steps, Step{pos, m})
		if pos, err = pos.Play(m); err != nil {
			return nil, err
		}
	}
	return steps, nil
}

// After is the position to which the step leads.
func (s *Step) After() *rules.Position {
	next, err := s.Before.Play(s.Move)
	if err != nil {
		panic(err) // Steps has played it
	}
	return next
}

// A Theme is something that puzzles are about.
type Theme string

// The themes. All but the first two are effects of one of the solver's moves.
const (
	Mate         Theme = "mate"         // the last move mates, or the king can be taken next
	Gain         Theme = "gain"         // it does not, and wins all the same
	Fork         Theme = "fork"         // a piece attacks two, perhaps through the first, and then takes one
	Merge        Theme = "merge"        // pieces become one
	Split        Theme = "split"        // a piece comes apart
	Birth        Theme = "birth"        // a capture makes a piece of both sides
	Shot         Theme = "shot"         // a piece fires
	Run          Theme = "run"          // a piece captures on its way
	Annihilation Theme = "annihilation" // what stands around goes up
	Promotion    Theme = "promotion"    // a piece is promoted
)

// Themes are all themes.
func Themes() []Theme {
	return []Theme{Mate, Gain, Fork, Merge, Split, Birth, Shot, Run, Annihilation, Promotion}
}

// Named is the theme with a name; "" if there is none.
func Named(name string) Theme {
	name = strings.ToLower(name)
	if slices.Contains(Themes(), Theme(name)) {
		return Theme(name)
	}
	return ""
}

// Mates reports whether the side to move has lost, or cannot avoid losing its king next.
func Mates(pos *rules.Position) bool {
	s := pos.Status()
	return s == rules.Checkmate || s == rules.KingTaken || s == rules.Mated
}
