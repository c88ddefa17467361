package bot

import (
	"context"
	"math"
	"strconv"
	"strings"

	"chimera/bot/computer"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Reviewed is what a review has found in a game that has ended.
type Reviewed struct {
	Accuracy [2]int   // of White and Black, in per cent
	Chances  []int    // White's at each ply, in per cent
	Moments  []Moment // that decided it
	Better   *Moment  // the one before which the game is seen, nil for none
}

// Moment is a move that was worse than another.
type Moment struct {
	Ply  int // how many moves had been played before
	Move string
	Tell words.Text // what it cost, and what was better
}

// review tells what is known of a game that has ended, and where it is seen before a move that decided it, shows
// on the board what was better there.
func (b *Bot) review(ctx context.Context, s *BoardView, view *match.GameView, r Request) error {
	line, err := b.Games.Replay(&view.Game)
	if err != nil {
		return err
	}
	told, err := storyOf(ctx, b, view.Game.ID, line)
	if told == nil || err != nil {
		return err
	}
	s.Review = &Reviewed{}
	for side := range s.Review.Accuracy {
		s.Review.Accuracy[side] = int(math.Round(told.Accuracy[side]))
	}
	for ply, score := range told.Scores {
		s.Review.Chances = append(s.Review.Chances, int(math.Round(100*computer.Chances(score))))
		if ply > 0 {
			s.Score[ply-1].Mark = told.Marks[ply-1]
		}
	}
	for i, m := range told.TurningPoints {
		s.Review.Moments = append(s.Review.Moments, Moment{m.Ply, words.Ply(m.Before, m.Played), words.Moment(view.Variant, &told.TurningPoints[i]).In(r.Language())})
		if m.Ply == s.Ply {
			s.Review.Better = &s.Review.Moments[i]
			d := diagram.Of(m.Before, nil, s.Note.Board.Bottom).ShowMoves(m.Better[0].From, m.Better[:1])
			setPicture(&s.Note, view, d)
		}
	}
	return nil
}

// ended says how a game has ended: "white" or "black" has won, or it is "drawn"; "" where it is neither.
func ended(s *match.GameView) string {
	switch winner, won := words.Winner(s); {
	case won:
		return strings.ToLower(winner.String())
	case s.Game.Result == rules.Drawn.String():
		return "drawn"
	}
	return ""
}

// levelButtons begin another game like one against the computer, with colours swapped, a little easier or a
// little harder; none of a game between people.
func levelButtons(g *storage.Game) (all []message.Button) {
	side, level := g.Computer()
	add := func(label phrase.Phrase, other int) {
		if level != 0 && other != 0 {
			verb, next := "level", []string{g.Variant, strconv.Itoa(max(other, 0)), strings.ToLower(rules.Color(side).String())}
			if g.Face != "" {
				verb, next = "level-as", append(next, g.Face)
			}
			all = append(all, message.NewButton(label, verb, 0, message.None, next...))
		}
	}
	add(words.Label("easier"), match.Easier(level))
	add(words.Label("harder"), match.Harder(level))
	return all
}

// reach are the moves of the piece on a square if it were its side's turn; nil where that cannot be.
func reach(pos *rules.Position, on rules.Square) []rules.Move {
	if p := pos.Board()[on]; p.Shared() || p.Half(pos.Turn()) != rules.NoRole {
		return pos.Moves()
	}
	fields := strings.Fields(pos.FEN())
	fields[1], fields[3] = map[string]string{"w": "b", "b": "w"}[fields[1]], "-" // nobody can take in passing then
	other, err := pos.Variant().Position(strings.Join(fields, " "))
	if err != nil {
		return nil
	}
	return other.Moves()
}

// Show draws what answers to somebody show of the game on its board, so that there is no second one.
func (s *BoardView) Show(answers []message.Message) {
	for i := range answers {
		n := &answers[i]
		if n.Board == nil || n.Board.Shape != s.Note.Board.Shape || n.Board.Board != s.Note.Board.Board && !n.Step {
			continue
		}
		n.Board.Bottom = s.Note.Board.Bottom
		s.Note.Board, n.Board = n.Board, nil
	}
	s.Plan = render.PlanOf(*s.Note.Board)
}

// around is what stands beside the board: what else can be done, and what is known of a game that has ended.
func (b *Bot) around(ctx context.Context, s *BoardView, view *match.GameView, r Request) (err error) {
	if side, plays := view.Game.SideOf(r.Me.ID); plays {
		s.Side = strings.ToLower(rules.Color(side).String())
	}
	if !s.Over {
		if s.Plays && s.Ply == s.Last {
			s.Useful = spoken(b.moreButtons(view, true, strconv.Itoa(s.Ply)), r.Language())
		}
		return nil
	}
	s.Ended = ended(view)
	if err := b.review(ctx, s, view, r); err != nil {
		return err
	}
	if s.Plays {
		s.Again = append([]message.Button{message.NewButton(words.Label("rematch"), "rematch", view.Game.ID, message.None)}, levelButtons(&view.Game)...)
	}
	if s.Review == nil && s.Last >= reviewable && r.Me.ID != 0 {
		s.Again = append(s.Again, message.NewButton(words.Label("review"), "review", view.Game.ID, message.None))
	}
	s.Again = spoken(s.Again, r.Language())
	return err
}

// spoken are buttons in a language.
func spoken(buttons []message.Button, l phrase.Language) []message.Button {
	said := message.Message{Buttons: buttons}
	said.Speak(l)
	return said.Buttons
}
