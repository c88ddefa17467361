package puzzle

import (
	"fmt"
	"strconv"
	"strings"

	"chimera/rules"
)

// MostTurns is how many moves the solver of a puzzle has to find at most.
const MostTurns = 4

// Hardest is the difficulty of a puzzle that no level of the computer solves; those that
// level n solves, and every higher one, have difficulty n.
const Hardest = 9

// A Puzzle is a position in which the side to move wins by one move alone, and after each answer
// by one move again.
type Puzzle struct {
	FEN string
	// Moves are the solution, as coordinate texts: the solver's move, the best answer, and so
	// on; the last is the solver's.
	Moves  []string
	Themes []Theme
	Level  int // how hard it is, 1 to Hardest
	// Withdrawn is set where another move has turned out to win, too. Such a puzzle keeps its
	// number, and is given to nobody any more.
	Withdrawn bool
}

// between stands between the columns of a line.
const between = " ; "

// withdrawn stands at the end of the line of such a puzzle.
const withdrawn = between + "withdrawn"

// Read reads a game's puzzles; there are none in a game without any. The error names the line that
// is no puzzle. Whether a solution is legal is not looked at: that takes time.
func Read(v *rules.Variant) ([]Puzzle, error) {
	var all []Puzzle
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

// String writes a puzzle as [Read] reads it, without the end of the line.
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

// Steps plays the solution. The first step is the solver's, the next an answer, and so on. The
// error says what cannot be played.
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

// Key is the same for positions that are mirror images, of wings or colors, regardless of counters and
// rights. Other positions have other keys.
func Key(pos *rules.Position) string {
	shape, board := pos.Variant().Shape, pos.Board()
	flip := pos.Turn() == rules.Black
	one := image(shape, &board, flip, false)
	other := image(shape, &board, flip, true)
	if one == "" {
		one = pos.FEN() // the board looks different from Black's side
	}
	if other != "" && other < one {
		return other
	}
	return one
}

// image is a board with its ranks and colors flipped, its files mirrored, or both; "" if the
// shape is another then.
func image(shape *rules.Shape, board *rules.Board, flip, mirror bool) string {
	var text [2 * len(rules.Board{})]byte
	for sq := range shape.Squares.Squares() {
		file, rank, piece := shape.File(sq), shape.Rank(sq), board[sq]
		if mirror {
			file = shape.Files - 1 - file
		}
		if flip {
			rank = shape.Ranks - 1 - rank
			piece.White, piece.Black = piece.Black, piece.White
		}
		to := shape.At(file, rank)
		if to == rules.NoSquare {
			return ""
		}
		text[2*to], text[2*to+1] = byte(piece.White), byte(piece.Black)
	}
	return string(text[:])
}
