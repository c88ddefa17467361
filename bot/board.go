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
	said.Text = words.Join("\n", said.Text, words.Waits(b.Thinker.Backlog(view.Game.ID)))
	if r.Said["flip"] != "" {
		said.Board.Bottom = said.Board.Bottom.Other()
		said.FlipBack()
	}
	if r.Said["zones"] != "" && !showZones(&said, view.Now.Position) {
		return r.answer(words.Say("show.no-zones", "kind", view.Variant.Title())), nil
	}
	return &said, nil
}

// viewer is who sees the answer to a request.
func viewer(r Request) onlooker { return onlooker{Alone: r.alone(), Turns: r.Server.Settings.Turning} }

// showZones marks on a message's board the squares to which the pieces of a position lend their powers;
// false if there are none.
func showZones(said *message.Message, pos *rules.Position) bool {
	zones := pos.Influences()
	if len(zones) == 0 {
		return false
	}
	d := said.Board.ShowZones(zones)
	d.Legend = append(d.Legend, words.ZoneLegend(d)...)
	said.Board = &d
	return true
}

// pickAny lets any move be picked in a lesson or puzzle.
func pickAny(study training.Exercise, _ context.Context) (*message.Message, error) { //nolint:revive // as methods of an Exercise
	return study.Pick(message.None, message.None, "0"), nil
}

// listMoves lists legal moves by the pieces that have them.
func listMoves(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	view, err := goingOn(ctx, b, r)
	if err != nil {
		return nil, err
	}
	from := rules.NoSquare
	if len(r.Args) == 1 {
		if from = view.Variant.Shape.Parse(strings.ToLower(r.Args[0])); from == rules.NoSquare {
			return r.answer(words.Say("show.no-square", "word", words.Clip(r.Args[0]))), nil
		}
	}
	return r.answer(words.Moves(view, from, legalByPiece(view.Now.Position, from))), nil
}

// goingOn is the game in progress of which a request wants to see something.
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

// onlooker is who sees a board.
type onlooker struct {
	Alone storage.PersonID // the only person who sees it, 0 for several
	Turns bool             // a board that several see turns to the player to move
}

// bottom is the side at the bottom of the board: the player's own if they alone see it, else White;
// where boards turn, the player to move, or the winner.
func (v onlooker) bottom(s *match.GameView) rules.Color {
	switch {
	case v.Alone != 0:
		side, _ := s.Game.SideOf(v.Alone) // White's if they do not play
		return rules.Color(side)
	case !v.Turns:
		return rules.White
	case isOver(s):
		winner, _ := words.Winner(s) // White if it is a draw
		return winner
	}
	return s.Now.Position.Turn()
}

// isOver reports whether a game has ended at the ply of a GameView.
func isOver(s *match.GameView) bool { return s.Game.Over() && s.Ply == len(s.Game.Moves) }

// reviewable is the least number of moves of a game that is worth a review.
const reviewable = 2

// setPicture shows a position of a game on a message: d, with what the players have captured so far
// and, at the end of the game, the winner.
func setPicture(n *message.Message, s *match.GameView, d diagram.Diagram) {
	if s.Start != nil {
		d = d.ShowTaken(s.Start.Board(), s.Taken)
	}
	if winner, won := words.Winner(s); won && d.Over {
		d = d.ShowWinner(winner)
	}
	n.Board, n.View = &d, s
}

// boardOf shows a game at a ply.
func boardOf(s *match.GameView, by onlooker) message.Message {
	said := message.Message{Text: words.Board(s, by.Alone)}
	d := diagram.Of(s.Now.Position, s.Effects, by.bottom(s))
	d.Legend = words.LevelLegend(s.Variant, d.Board)
	d.Over = isOver(s)
	if !d.Over {
		d.Legend = append(words.NewPieces(s), d.Legend...)
	}
	setPicture(&said, s, d)
	switch {
	case s.Ply != len(s.Game.Moves):
	case s.Game.Over():
		said.Buttons = append(rematchButton(s),
			message.NewButton(words.Label("board"), "board", s.Game.ID, message.None), message.NewButton(words.Label("replay"), "replay", s.Game.ID, message.None))
		if len(s.Game.Moves) >= reviewable {
			said.Buttons = append(said.Buttons, message.NewButton(words.Label("review"), "review", s.Game.ID, message.None),
				message.NewButton(words.Label("share"), "share", s.Game.ID, message.None))
		}
	default:
		said.Buttons, said.Pieces = gameButtons(s, by.Alone), pieceButtons(s, by.Alone)
	}
	return said
}

// rematchButton begins a game like one that has ended; there is none if a player was forgotten.
func rematchButton(s *match.GameView) []message.Button {
	gone := slices.ContainsFunc(s.People[:], func(p storage.Person) bool { return len(p.Identities) == 0 })
	return words.If(!gone, message.NewButton(words.Label("rematch"), "rematch", s.Game.ID, message.None))
}

// pieceButtons are the first page of a picker, if only the player to move sees the board; else none.
func pieceButtons(s *match.GameView, alone storage.PersonID) []message.Button {
	if alone == 0 || match.ToMove(&s.Game) != alone {
		return nil
	}
	page := message.PickerOf(s, false).Page(rules.NoSquare, rules.NoSquare, 0)
	return page[:len(page)-1] // without the way back: there is none here
}

// gameButtons are the buttons below the board of a game in progress: those of the newest offer, and
// those of the board. Offering a draw to a person is always allowed.
func gameButtons(s *match.GameView, alone storage.PersonID) []message.Button {
	return append(offerButtons(s, alone), boardButtons(s, alone, !s.Game.Practice() || len(s.Game.Moves) >= match.DrawFrom)...)
}

// boardButtons are the buttons below a board that only one person sees, or several if alone is 0, without those that
// they could never press. draw means that a draw can be offered.
func boardButtons(s *match.GameView, alone storage.PersonID, draw bool) (all []message.Button) {
	game, drawn := s.Game.ID, strconv.Itoa(s.Ply)
	_, plays := s.Game.SideOf(alone)
	plays = plays || alone == 0
	all = append(all, words.If(alone == 0 || match.ToMove(&s.Game) == alone, message.MoveButton(words.Label("move"), game, s.Ply))...)
	all = append(all, message.NewButton(words.Label("flip"), "flip", game, drawn))
	all = append(all, words.If(plays && draw, message.NewButton(words.Label("draw"), "draw", game, drawn))...)
	all = append(all, words.If(plays, message.NewButton(words.Label("resign"), "resign", game, drawn))...)
	return append(all, message.NewButton(words.Label("more"), "more", game, drawn))
}

// offerButtons answer the newest offer in a game; none if nothing is offered.
func offerButtons(s *match.GameView, alone storage.PersonID) []message.Button {
	open := match.Open(s)
	if len(open) == 0 {
		return nil
	}
	newest := open[len(open)-1]
	return offered(s, alone, newest.By, newest.What)
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

// topOf is a page of a leaderboard, with buttons to the pages around it; v is its game, nil for all.
func topOf(ask rating.Asked, found *rating.Leaderboard, v *rules.Variant) message.Message {
	said := message.Message{Chart: words.TopChart(ask, found, v)}
	said.Text, said.Brief = words.Top(ask, found, v)
	before, after := pagesAround(found)
	page := func(label phrase.Phrase, from int) []message.Button {
		return words.If(from > 0, plainButton(label, "top", fmt.Sprint(ask.Server), ask.Game, string(ask.Period), fmt.Sprint(from)))
	}
	said.Buttons = append(page(words.Label("before"), before), page(words.Label("after"), after)...)
	return said
}

// pagesAround are the first places of the pages before and after this one, 0 for none.
func pagesAround(found *rating.Leaderboard) (before, after int) {
	next := found.From + rating.PageSize
	return words.Either(found.From > 1, max(found.From-rating.PageSize, 1), 0), words.Either(next <= found.All+found.Unsure, next, 0)
}

// showThreats shows what the opponent of the side to move threatens.
func showThreats(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	view, err := goingOn(ctx, b, r)
	if err != nil {
		return nil, err
	}
	found := words.FindThreats(view.Now.Position)
	said := boardOf(view, viewer(r))
	d := said.Board.ShowThreats(found)
	said.To, said.Board, said.Buttons, said.About = r.Me.ID, &d, nil, view.Game.ID
	said.Text, d.Legend = words.Threats(view, found), words.ThreatLegend(d.Board, found)
	return &said, nil
}

// more shows what else can be done in a game; people who do not play it do not get it beside the board.
func more(_ context.Context, b *Bot, r Request) (*message.Message, error) {
	view := r.View
	_, plays := view.Game.SideOf(r.Me.ID)
	drawn := strings.Fields(r.Msg.Press)[2]
	said := message.Message{To: r.Me.ID, Text: words.Say("offer.more", "game", r.Game), Step: plays}
	page := message.NewButton(words.Label("open-board"), message.OpenPage, r.Game, message.None)
	said.Buttons = append(said.Buttons, words.If(b.Pages() != "" && !r.Msg.Outside, page)...)
	said.Buttons = append(said.Buttons, b.moreButtons(view, plays, drawn)...)
	if plays {
		said.Buttons = append(said.Buttons, message.NewButton(words.Label("back"), "back", r.Game, drawn))
		said.Plans = !view.Game.Practice() // the computer answers at once
	}
	return &said, nil
}

// moreButtons are the buttons under More that are useful in a game, to its players or to others.
func (b *Bot) moreButtons(s *match.GameView, plays bool, drawn string) (all []message.Button) {
	for _, p := range allPresses() {
		if p.more && (plays || b.Commands.Read(p.command).Command.Reads == many) && hasUse(p.verb, s) {
			claim := words.Either(s.Game.Clock.Up, "claim-win", "claim-draw") // the button says what it would claim
			label := words.Label("more-" + words.Either(p.verb == "claim", claim, p.verb))
			all = append(all, message.NewButton(label, p.verb, s.Game.ID, drawn))
		}
	}
	return all
}

// hasUse reports whether a button of More makes sense in a game.
func hasUse(verb string, s *match.GameView) bool {
	side, level := s.Game.Computer()
	switch verb {
	case "hint":
		return level != 0 && s.Game.Turn != side
	case "takeback":
		return len(s.Game.Moves) > 0 && (level == 0 || match.HasMoved(&s.Game, 1-side))
	case "claim":
		_, drawn := s.Now.Claim()
		return drawn || s.Game.Clock.Up
	case "addtime":
		return !s.Game.Pace.Unlimited() && !s.Game.Contested()
	case "zones":
		return len(s.Now.Position.Influences()) > 0
	default:
		return true
	}
}

// back shows the buttons of a board again.
func back(_ context.Context, _ *Bot, r Request) (*message.Message, error) {
	return &message.Message{To: r.Me.ID, Text: words.Say("offer.back", "game", r.Game), Buttons: gameButtons(r.View, r.alone()), Pieces: pieceButtons(r.View, r.alone()), Step: true, Back: true}, nil
}
