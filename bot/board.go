package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/rating"
	"chimera/bot/training"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/analysis"
	"chimera/rules/phrase"
	"chimera/storage"
)

// showBoard shows a position of a game, from either side, with the squares to which pieces lend their
// powers if that is asked for.
func showBoard(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	ply := match.Latest
	if n, err := strconv.Atoi(r.Said["ply"]); err == nil {
		ply = n
	}
	view, err := b.shown(ctx, r, ply)
	switch {
	case errors.Is(err, match.ErrNoPly):
		return r.answer(words.Say("show.no-such-ply", "ply", ply)), nil
	case err != nil:
		return nil, err
	}
	said := boardOf(view, viewer(r))
	said.Text = append(said.Text, words.Waits(b.Thinker.Backlog(view.Game.ID))...)
	if r.Said["flip"] != "" {
		said.Board.Bottom = said.Board.Bottom.Other()
		said.FlipBack()
	}
	if r.Said["zones"] != "" && !showZones(&said, view) {
		return r.answer(words.Say("show.no-zones", "kind", view.Variant.Name)), nil
	}
	return &said, nil
}

// viewer is who sees the answer to a request.
func viewer(r Request) onlooker {
	return onlooker{Alone: r.alone(), Turns: r.Server.Settings.Turning}
}

// showZones marks on a message's board the squares to which pieces lend their powers; false
// if there are none.
func showZones(said *message.Message, s *match.GameView) bool {
	zones := s.Now.Position.Influences()
	if len(zones) == 0 {
		return false
	}
	d := said.Board.ShowZones(zones)
	said.Board, said.Legend = &d, append(said.Legend, words.ZoneLegend(d)...)
	return true
}

// pickAny lets any move be picked in a lesson or puzzle.
func pickAny(study training.Exercise, _ context.Context) (*message.Message, error) {
	return study.Pick(message.None, message.None, "0"), nil
}

// listMoves lists legal moves by the pieces that have them.
func listMoves(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	view, err := goingOn(ctx, b, r)
	if err != nil {
		return nil, err
	}
	pos := view.Now.Position
	from := rules.NoSquare
	if len(r.Args) == 1 {
		if from = view.Variant.Shape.Parse(strings.ToLower(r.Args[0])); from == rules.NoSquare {
			return r.answer(words.Say("show.no-square", "word", words.Clip(r.Args[0]))), nil
		}
	}
	return r.answer(words.Moves(view, from, legalByPiece(pos, from))), nil
}

// goingOn is the game meant by a request to see something of one that is not over.
func goingOn(ctx context.Context, b *Bot, r Request) (*match.GameView, error) {
	view, err := b.shown(ctx, r, match.Latest)
	if err == nil && view.Game.Over() {
		err = &event.Refusal{Why: event.Over, Game: view.Game.ID}
	}
	return view, err
}

// legalByPiece are the legal moves of the piece on a square, or of all for rules.NoSquare, by
// the kind of piece that moves.
func legalByPiece(pos *rules.Position, from rules.Square) (all []words.MovesOf) {
	board, moves := pos.Board(), pos.Moves()
	for i, text := range pos.ChatTexts() {
		m := moves[i]
		if from != rules.NoSquare && m.From != from && (m.Act != rules.Rally || m.With != from) {
			continue
		}
		n := slices.IndexFunc(all, func(of words.MovesOf) bool { return of.Piece == board[m.From] })
		if n < 0 {
			n, all = len(all), append(all, words.MovesOf{Piece: board[m.From]})
		}
		all[n].Texts = append(all[n].Texts, text)
	}
	return all
}

// legal are the chat texts of the legal moves of the piece on a square.
func legal(pos *rules.Position, from rules.Square) (texts []string) {
	for _, of := range legalByPiece(pos, from) {
		texts = append(texts, of.Texts...)
	}
	return texts
}

// readerOf is who sees a game: the person who alone does, or several for 0.
func readerOf(s *match.GameView, alone storage.PersonID) message.Reader {
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

// onlooker is who sees a board.
type onlooker struct {
	Alone storage.PersonID // who alone does, 0 for several
	Turns bool             // what several see turns to the player to move
}

// bottom is the side from which a game is drawn: of who sees it alone and plays it their own, else
// White's; and where boards turn, that of the player to move, or of the winner.
func (v onlooker) bottom(s *match.GameView) rules.Color {
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
const reviewable = 2

// setPicture shows a position of a game on a message: d, with what is said of the players, what they have
// captured so far, and where d is how the game has ended, who has won.
func setPicture(n *message.Message, s *match.GameView, d diagram.Diagram) {
	if s.Start != nil {
		d = d.ShowTaken(s.Start.Board())
	}
	if winner, won := words.Winner(s); won && d.Over {
		d = d.ShowWinner(winner)
	}
	n.Board, n.Players = &d, words.PlayersOf(s)
}

// boardOf is what is seen of a game at a ply.
func boardOf(s *match.GameView, by onlooker) message.Message {
	said := message.Message{Text: words.Board(s), Legend: words.NewPieces(s)}
	d := diagram.Of(s.Now.Position, s.Effects, by.bottom(s))
	d.Over = isOver(s)
	setPicture(&said, s, d)
	switch {
	case s.Ply != len(s.Game.Moves):
	case s.Game.Over():
		said.Buttons = []message.Button{
			message.NewButton(words.Label("rematch"), "rematch", s.Game.ID, message.None),
			message.NewButton(words.Label("board"), "board", s.Game.ID, message.None), message.NewButton(words.Label("replay"), "replay", s.Game.ID, message.None),
		}
		if len(s.Game.Moves) >= reviewable {
			said.Buttons = append(said.Buttons, message.NewButton(words.Label("review"), "review", s.Game.ID, message.None),
				message.NewButton(words.Label("share"), "share", s.Game.ID, message.None))
		}
	default:
		said.Buttons = gameButtons(s, by.Alone)
	}
	return said
}

// levelButton begins another game like one against the computer, at another level and with colours
// swapped.
func levelButton(g *storage.Game, level int) message.Button {
	side, _ := g.Computer()
	return message.NewButton(words.LevelButton(level), "level", 0, message.None, g.Variant, strconv.Itoa(level), strings.ToLower(rules.Color(side).String()))
}

// gameButtons are those below the board of a game in progress: those of the newest offer, of two,
// and those of the board.
func gameButtons(s *match.GameView, alone storage.PersonID) []message.Button {
	return append(offerButtons(s, alone), message.BoardButtons(s.Game.ID, s.Ply, readerOf(s, alone), mayDraw(&s.Game))...)
}

// offerButtons are those that answer the newest offer in a game, of two; none where nothing is offered.
func offerButtons(s *match.GameView, alone storage.PersonID) []message.Button {
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

// topOf is a page of a leaderboard, with buttons to those before and after it; of one game, nil
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

// showThreats shows what the side to move's opponent threatens.
func showThreats(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	view, err := goingOn(ctx, b, r)
	if err != nil {
		return nil, err
	}
	found := analysis.Find(view.Now.Position)
	said := boardOf(view, viewer(r))
	d := said.Board.ShowThreats(found)
	said.To, said.Board, said.Buttons, said.About = r.Me.ID, &d, nil, view.Game.ID
	said.Text, said.Legend = words.Threats(view, found), words.ThreatLegend(view.Now.Position.Board(), found)
	return &said, nil
}

// more shows what else can be done in a game, to those who do not play it beside the board.
func more(_ context.Context, b *Bot, r Request) (*message.Message, error) {
	view := r.View
	_, plays := view.Game.SideOf(r.Me.ID)
	drawn := strings.Fields(r.Msg.Press)[2]
	said := message.Message{To: r.Me.ID, Text: words.Say("offer.more", "game", r.Game), Step: plays}
	if b.Pages() != "" && !r.Msg.Outside {
		said.Buttons = append(said.Buttons, message.NewButton(words.Label("open-board"), message.OpenPage, r.Game, message.None))
	}
	for _, p := range allPresses() {
		if p.more && (plays || b.Commands.Find(p.command).Reads == many) && hasUse(p.verb, view) {
			said.Buttons = append(said.Buttons, message.NewButton(moreLabel(p.verb, view), p.verb, r.Game, drawn))
		}
	}
	if plays {
		said.Buttons = append(said.Buttons, message.NewButton(words.Label("back"), "back", r.Game, drawn))
		_, level := view.Game.Computer()
		said.Plans = level == 0 // the computer answers at once
	}
	return &said, nil
}

// hasUse reports whether a game has what a button of More is for.
func hasUse(verb string, s *match.GameView) bool {
	switch verb {
	case "hint":
		side, level := s.Game.Computer()
		return level != 0 && s.Game.Turn != side
	case "takeback":
		return len(s.Game.Moves) > 0
	case "claim":
		_, drawn := s.Now.Claim()
		return drawn || s.Game.Clock.Up
	case "addtime":
		return s.Game.Pace.Move > 0
	case "zones":
		return len(s.Now.Position.Influences()) > 0
	default:
		return true
	}
}

// moreLabel is what a button of More is called: a claim by what it would be of.
func moreLabel(verb string, s *match.GameView) phrase.Phrase {
	switch {
	case verb != "claim":
		return words.Label("more-" + verb)
	case s.Game.Clock.Up:
		return words.Label("more-claim-win")
	}
	return words.Label("more-claim-draw")
}

// back shows the buttons of a board again.
func back(_ context.Context, _ *Bot, r Request) (*message.Message, error) {
	return &message.Message{To: r.Me.ID, Text: words.Say("offer.back", "game", r.Game), Buttons: gameButtons(r.View, r.alone()), Step: true, Back: true}, nil
}
