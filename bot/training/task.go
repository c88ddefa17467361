package training

import (
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	given "chimera/rules/puzzle"
)

// A Task is a move to find: a turn of a puzzle.
type Task struct {
	variant      *rules.Variant
	number, turn int // from 0
	puzzle       *given.Puzzle
	steps        []given.Step
}

// Variant is the game.
func (t *Task) Variant() *rules.Variant { return t.variant }

// Number is the puzzle's among those of the game, from 0.
func (t *Task) Number() int { return t.number }

// Turn is how many moves have been found.
func (t *Task) Turn() int { return t.turn }

// Turns is how many there are to find.
func (t *Task) Turns() int { return t.puzzle.Turns() }

// Themes are what the puzzle is about, which tells much of its solution.
func (t *Task) Themes() []given.Theme { return t.puzzle.Themes }

// Position is the one in which the move is to be found.
func (t *Task) Position() *rules.Position { return t.step().Before }

func (t *Task) step() *given.Step { return &t.steps[2*t.turn] }

// Solver is the side that wins.
func (t *Task) Solver() rules.Color { return t.Position().Turn() }

// Board shows the position as the solver sees it, with the answer that has led to it.
func (t *Task) Board() *diagram.Diagram {
	var last []rules.Effect
	if t.turn > 0 {
		before := t.steps[2*t.turn-1]
		last = before.Before.Effects(before.Move)
	}
	d := diagram.Of(t.Position(), last, t.Solver()).ShowZones(t.Position().Influences())
	return &d
}

// End shows what the puzzle's last move leads to.
func (t *Task) End() *diagram.Diagram {
	last := t.steps[len(t.steps)-1]
	d := diagram.Of(last.After(), last.Before.Effects(last.Move), t.Solver())
	return &d
}

// Asks says what is to be done, and nothing of how.
func (t *Task) Asks() words.Text { return words.Say("puzzle.task", "side", t.Solver()) }

// Solution is the whole of it in move text, the answers included.
func (t *Task) Solution() words.Text {
	var line []string
	for _, s := range t.steps {
		line = append(line, s.Before.Chat(s.Move))
	}
	return words.PuzzleLine(t.steps[0].Before, line)
}

// Verdict is how good a move is for a task.
type Verdict uint8

// The verdicts.
const (
	Wrong Verdict = iota // it does not win
	Near                 // nor does it, but another move of that piece does
	Right
)

// Judged is what a task makes of a move.
type Judged struct {
	Verdict Verdict
	Chat    string // the move as people write it
	Reply   string // what answers it, likewise; "" if it is not right, or the last
	Next    *Task  // the next turn; nil likewise
}

// Solved reports whether the move was the last that there is to find.
func (j *Judged) Solved() bool { return j.Verdict == Right && j.Next == nil }

// Try reads a move and judges it. The error of one that is not legal is a [*rules.Illegal].
func (t *Task) Try(text string) (Judged, error) {
	pos, right := t.Position(), t.step().Move
	m, err := pos.Parse(text)
	if err != nil {
		return Judged{}, err
	}
	j := Judged{Chat: pos.Chat(m)}
	next, err := pos.Play(m)
	if err != nil {
		return j, err
	}
	switch {
	case m == right && t.turn+1 < t.Turns():
		j.Verdict = Right
		reply := t.steps[2*t.turn+1]
		j.Reply = reply.Before.Chat(reply.Move)
		j.Next = &Task{t.variant, t.number, t.turn + 1, t.puzzle, t.steps}
	case m == right, given.Mates(next):
		j.Verdict = Right
	case m.From == right.From:
		j.Verdict = Near
	}
	return j, nil
}

// Legal reports whether a text is a legal move.
func (t *Task) Legal(text string) bool {
	_, err := t.Position().Parse(text)
	return err == nil
}
