package bot

import (
	"fmt"
	"strconv"
	"strings"

	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/rating"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Reader is who sees a game: the person who alone does, or several for 0.
func Reader(s *match.GameView, alone storage.PersonID) message.Reader {
	_, plays := s.Game.SideOf(alone)
	switch {
	case alone == 0:
		return message.Several
	case !plays:
		return message.Follower
	case !s.Game.Over() && match.ToMove(&s.Game) == alone:
		return message.Mover
	}
	return message.Waiting
}

// Viewer is who sees a board.
type Viewer struct {
	Alone storage.PersonID // who alone does, 0 for several
	Turns bool             // what several see turns to the player to move
}

// bottom is the side from which a game is drawn: of who sees it alone and plays it their own, else
// White's; and where boards turn, that of the player to move, or of the winner.
func (v Viewer) bottom(s *match.GameView) rules.Color {
	switch {
	case v.Alone != 0:
		side, _ := s.Game.SideOf(v.Alone) // White's where they do not play
		return rules.Color(side)
	case !v.Turns:
		return rules.White
	case isOver(s):
		winner, _ := words.Winner(s) // White of a draw
		return winner
	}
	return s.Now.Position.Turn()
}

// isOver reports whether a game has ended at the ply of a GameView.
func isOver(s *match.GameView) bool { return s.Game.Over() && s.Ply == len(s.Game.Moves) }

// Reviewable is how many moves a game has at least of which there is anything to review.
const Reviewable = 2

// Picture shows a position of a game on a note: d, with what is said of the players, what they have
// captured so far, and where d is how the game has ended, who has won.
func Picture(n *message.Message, s *match.GameView, d diagram.Diagram) {
	if s.Start != nil {
		d = d.ShowTaken(s.Start.Board())
	}
	if winner, won := words.Winner(s); won && d.Over {
		d = d.ShowWinner(winner)
	}
	n.Board, n.Players = &d, words.PlayersOf(s)
}

// Board is what is seen of a game at a ply.
func boardOf(s *match.GameView, by Viewer) message.Message {
	said := message.Message{Text: words.Board(s), Legend: words.NewPieces(s)}
	d := diagram.Of(s.Now.Position, s.Effects, by.bottom(s))
	d.Over = isOver(s)
	Picture(&said, s, d)
	switch {
	case s.Ply != len(s.Game.Moves):
	case s.Game.Over():
		said.Buttons = []message.Button{
			message.NewButton(words.Label("rematch"), "rematch", s.Game.ID, message.None),
			message.NewButton(words.Label("board"), "board", s.Game.ID, message.None), message.NewButton(words.Label("replay"), "replay", s.Game.ID, message.None),
		}
		if len(s.Game.Moves) >= Reviewable {
			said.Buttons = append(said.Buttons, message.NewButton(words.Label("review"), "review", s.Game.ID, message.None),
				message.NewButton(words.Label("share"), "share", s.Game.ID, message.None))
		}
	default:
		said.Buttons = Buttons(s, by.Alone)
	}
	return said
}

// levelButton begins another game like one against the computer, at another level and with colours
// swapped.
func levelButton(g *storage.Game, level int) message.Button {
	side, _ := g.Computer()
	return message.NewButton(words.LevelButton(level), "level", 0, message.None, g.Variant, strconv.Itoa(level), strings.ToLower(rules.Color(side).String()))
}

// Buttons are those below the board of a game in progress: those of the newest offer, of two,
// and those of the board.
func Buttons(s *match.GameView, alone storage.PersonID) []message.Button {
	return append(OfferButtons(s, alone), message.BoardButtons(s.Game.ID, s.Ply, Reader(s, alone), mayDraw(&s.Game))...)
}

// OfferButtons are those that answer the newest offer in a game, of two; none where nothing is offered.
func OfferButtons(s *match.GameView, alone storage.PersonID) []message.Button {
	open := match.Open(s)
	if len(open) == 0 {
		return nil
	}
	newest := open[len(open)-1]
	return offered(s, alone, newest.By, newest.What)
}

// mayDraw reports whether it makes sense to offer a draw: to a person always.
func mayDraw(g *storage.Game) bool {
	_, level := g.Computer()
	return level == 0 || len(g.Moves) >= match.DrawFrom
}

// offered are the buttons that answer an offer.
func offered(s *match.GameView, alone, by storage.PersonID, what match.Offered) []message.Button {
	drawn := strconv.Itoa(s.Ply)
	switch _, plays := s.Game.SideOf(alone); {
	case alone != 0 && alone == by:
		return []message.Button{message.NewButton(words.Label("cancel"), "refuse-"+string(what), s.Game.ID, drawn)}
	case alone != 0 && !plays:
		return nil
	}
	return []message.Button{
		message.NewButton(words.Label("accept"), "agree-"+string(what), s.Game.ID, drawn),
		message.NewButton(words.Label("decline"), "refuse-"+string(what), s.Game.ID, drawn),
	}
}

// Top is a page of a leaderboard, with buttons to those before and after it; of one game, nil
// for all.
func topOf(ask rating.Asked, found *rating.Leaderboard, v *rules.Variant) message.Message {
	said := message.Message{Text: words.Top(ask, found, v), Chart: words.TopChart(ask, found, v)}
	page := func(label phrase.Phrase, from int) {
		said.Buttons = append(said.Buttons,
			message.NewButton(label, "top", 0, message.None, fmt.Sprint(ask.Server), ask.Game, string(ask.Period), fmt.Sprint(from)))
	}
	if found.From > 1 {
		page(words.Label("before"), max(found.From-rating.PageSize, 1))
	}
	if found.From+rating.PageSize <= found.All+found.Unsure {
		page(words.Label("after"), found.From+rating.PageSize)
	}
	return said
}
