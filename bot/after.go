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
			s.Score[ply-1].Mark = markOf(told.Scores[ply-1], score, line.Games[ply-1].Position.Turn())
		}
	}
	for i, m := range told.TurningPoints {
		if at := &s.Score[m.Ply]; at.Mark == "" {
			at.Mark = "?!"
		}
		s.Review.Moments = append(s.Review.Moments, Moment{m.Ply, words.Ply(m.Before, m.Played), words.Moment(view.Variant, &told.TurningPoints[i]).In(r.Language())})
		if m.Ply == s.Ply {
			s.Review.Better = &s.Review.Moments[i]
			d := diagram.Of(m.Before, nil, s.Note.Board.Bottom).ShowMoves(m.Better[0].From, m.Better[:1])
			setPicture(&s.Note, view, d)
		}
	}
	return nil
}

// markOf is how a move is marked that changed White's score: by how much of its side's chances it lost.
func markOf(before, after int, side rules.Color) string {
	lost := computer.Chances(before) - computer.Chances(after)
	if side == rules.Black {
		lost = -lost
	}
	switch {
	case lost >= .3:
		return "??"
	case lost >= .2:
		return "?"
	case lost >= .1:
		return "?!"
	}
	return ""
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

// levelButton begins another game like one against the computer at a level, with colors swapped.
func levelButton(g *storage.Game, level int) message.Button {
	side, _ := g.Computer()
	next := []string{g.Variant, strconv.Itoa(level), strings.ToLower(rules.Color(side).String())}
	return message.NewButton(words.Book().Say("computer.level", "level", level), "level", 0, message.None, next...)
}

// again are the buttons that begin another game after one: the one that is most worth it first.
func (b *Bot) again(ctx context.Context, view *match.GameView) (all []message.Button, err error) {
	level, err := b.Games.NextLevel(ctx, &view.Game)
	if level != 0 {
		all = append(all, levelButton(&view.Game, level))
	}
	return append(all, message.NewButton(words.Label("rematch"), "rematch", view.Game.ID, message.None)), err
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
		s.Again, err = b.again(ctx, view)
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
