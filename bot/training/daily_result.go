package training

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/storage"
)

// Tell is what is told of an entry about a puzzle of the day in a server; it has no words if the
// puzzle is known no more.
func (p *Daily) Tell(ctx context.Context, server storage.ServerID, e storage.Entry) (said message.Message, err error) {
	var lines []words.Text
	if before := e.Facts[factBefore]; before != "" {
		solution, err := p.solution(ctx, strings.Fields(before))
		if err != nil {
			return said, err
		}
		lines = append(lines, solution)
	}
	named := strings.Fields(e.Facts[factPuzzle])
	t := p.named(named)
	if t == nil {
		return message.Message{Text: words.Lines(lines)}, nil
	}
	said.Buttons = []message.Button{message.NewButton(words.Label("move"), "daily", 0, message.None, fmt.Sprint(server), named[2])}
	if event.Kind(e.Kind) == event.PuzzlesRest {
		said.Text = words.Say("daily.rest")
		return said, nil
	}
	said.Board = boardOf(t.Position(), t.last())
	said.Text = words.Lines(append(lines, words.Daily(t.variant, asks(t)), words.Say("daily.how", "move", words.Label("move"))))
	return said, nil
}

// named is a puzzle at its first turn, by its game and number as facts begin with them, and have more
// behind them; nil if it is not known any more.
func (p *Daily) named(facts []string) *Task {
	if len(facts) < 3 {
		return nil
	}
	n, err := strconv.Atoi(facts[1])
	if err != nil {
		return nil
	}
	return p.puzzles.Task(rules.Find(p.variants, facts[0]), n, 0)
}

// solution tells that of a puzzle, and who has found it: facts are its game and number, how many have,
// and the first of them.
func (p *Daily) solution(ctx context.Context, facts []string) (words.Text, error) {
	t := p.named(facts)
	if t == nil {
		return nil, nil
	}
	all, _ := strconv.Atoi(facts[2])
	finders, err := storage.Read(ctx, p.store, func(r storage.Reader) (finders []words.Finder, err error) {
		for _, fact := range facts[3:] {
			id, streak, _ := strings.Cut(fact, ":")
			n, _ := strconv.ParseUint(id, 10, 64)
			name, err := r.NameOf(storage.PersonID(n))
			if err != nil {
				return nil, err
			}
			row, _ := strconv.Atoi(streak)
			finders = append(finders, words.Finder{Name: name, Streak: row})
		}
		return finders, nil
	})
	return words.DailySolution(t.variant, t.Solution(), finders, all), err
}
