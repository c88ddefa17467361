package training

import (
	"context"
	"fmt"

	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage"
)

// Tell is what is told of an entry about a puzzle of the day in a server; it has no words if the
// puzzle is known no more.
func (p *Service) Tell(ctx context.Context, server storage.ServerID, e storage.Entry) (said message.Message, err error) {
	var lines []words.Text
	payload := event.PayloadOf[event.Puzzle](&e)
	if payload.Before.Game != "" {
		solution, err := p.solution(ctx, payload.Before)
		if err != nil {
			return said, err
		}
		lines = append(lines, solution)
	}
	t := p.Task(p.game(payload.Puzzle.Game), payload.Puzzle.Number, 0)
	if t == nil {
		return message.Message{Text: words.Lines(lines)}, nil
	}
	said.Buttons = []message.Button{message.NewButton(words.Label("move"), "daily", 0, message.None, fmt.Sprint(server), payload.Puzzle.Code)}
	if event.Kind(e.Kind) == event.PuzzlesRest {
		said.Text = words.Say("daily.rest")
		return said, nil
	}
	said.Board = boardOf(t.Position(), t.last(), t.Position().Turn())
	said.Text = words.Lines(append(lines, words.Daily(t.variant, asks(t)), words.Say("daily.how", "move", words.Label("move"))))
	return said, nil
}

// solution tells the solution of a puzzle, and who has found it.
func (p *Service) solution(ctx context.Context, solved event.Solved) (words.Text, error) {
	t := p.Task(p.game(solved.Game), solved.Number, 0)
	if t == nil {
		return nil, nil
	}
	finders, err := storage.Read(ctx, p.store, func(r storage.Reader) (finders []words.Finder, err error) {
		for _, f := range solved.Finders {
			name, err := r.NameOf(f.Person)
			if err != nil {
				return nil, err
			}
			finders = append(finders, words.Finder{Name: name, Streak: f.Streak})
		}
		return finders, nil
	})
	return words.DailySolution(t.variant, t.Solution(), finders, solved.Found), err
}
