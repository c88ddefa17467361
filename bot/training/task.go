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

// Position is the one in which the move is to be found.
func (t *Task) Position() *rules.Position { return t.step().Before }

func (t *Task) step() *given.Step { return &t.steps[2*t.turn] }

// last is what the answer did that has led to the task.
func (t *Task) last() []rules.Effect {
	if t.turn == 0 {
		return nil
	}
	before := t.steps[2*t.turn-1]
	return before.Before.Effects(before.Move)
}

// end shows what the puzzle's last move leads to.
func (t *Task) end() *diagram.Diagram {
	last := t.steps[len(t.steps)-1]
	d := diagram.Of(last.After(), last.Before.Effects(last.Move), t.Position().Turn())
	return &d
}

// Asks says what is to be done, and nothing of how.
func (t *Task) Asks() words.Text { return words.Say("puzzle.task", "side", t.Position().Turn()) }

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

// Judge judges a legal move.
func (t *Task) Judge(m rules.Move) Judged {
	pos, right := t.Position(), t.step().Move
	j := Judged{Chat: pos.Chat(m)}
	next, err := pos.Play(m)
	switch {
	case m == right && t.turn+1 < t.puzzle.Turns():
		reply := t.steps[2*t.turn+1]
		j.Verdict, j.Reply = Right, reply.Before.Chat(reply.Move)
		j.Next = &Task{t.variant, t.number, t.turn + 1, t.puzzle, t.steps}
	case m == right, err == nil && given.Mates(next):
		j.Verdict = Right
	case m.From == right.From:
		j.Verdict = Near
	}
	return j
}
