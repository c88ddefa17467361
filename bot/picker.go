package bot

import (
	"context"
	"strconv"
	"strings"

	"chimera/bot/announce"
	"chimera/bot/ask"
	"chimera/bot/match"
	"chimera/bot/note"
	"chimera/bot/picker"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
)

// pick shows the next choice: a piece, a target, or one of the moves to it.
func pick(_ context.Context, _ *ask.Desk, r ask.Request) ([]Note, error) {
	shape, pos := r.Sight.Variant.Shape, r.Sight.Now.Position
	piece, target := shape.Parse(r.Args[0]), shape.Parse(r.Args[1])
	page, _ := strconv.Atoi(r.Args[2])
	said := Note{To: r.Me.ID, Text: words.Pick(r.Sight, piece, target), Step: true, Buttons: picker.Of(r.Sight).Page(piece, target, page)}
	if piece != rules.NoSquare {
		announce.Picture(&said, r.Sight, diagram.Of(pos, r.Sight.Effects, pos.Turn()).ShowMoves(piece, pos.Moves()).ShowZones(pos.Influences()))
	}
	return []Note{said}, nil
}

// preview shows the position after a move, and asks whether it is meant.
func preview(_ context.Context, _ *ask.Desk, r ask.Request) ([]Note, error) {
	sight, coordinate := r.Sight, r.Args[0]
	pos := sight.Now.Position
	m, err := pos.ParseCoordinate(coordinate)
	if err != nil {
		return nil, err
	}
	after, err := pos.Play(m)
	if err != nil {
		return nil, err
	}
	said := Note{
		To: r.Me.ID, Text: words.Preview(pos, m), Step: true,
		Buttons: []Button{
			note.NewButton(words.Label("confirm"), "play", sight.Game.ID, strconv.Itoa(sight.Ply), coordinate),
			picker.Of(sight).Before(m),
		},
	}
	announce.Picture(&said, sight, diagram.Of(after, pos.Effects(m), pos.Turn()))
	return []Note{said}, nil
}

// more shows what else can be done in a game, to those who do not play it beside the board.
func more(ctx context.Context, desk *ask.Desk, r ask.Request) ([]Note, error) {
	sight, err := desk.Shown(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	_, plays := sight.Game.SideOf(r.Me.ID)
	drawn := strings.Fields(r.Msg.Press)[2]
	said := Note{To: r.Me.ID, Text: words.Say("offer.more", "game", r.Game), Step: plays}
	if desk.Pages() != "" && !r.Msg.Outside {
		said.Buttons = append(said.Buttons, note.NewButton(words.Label("open-board"), note.OpenPage, r.Game, note.None))
	}
	for _, p := range allPresses() {
		if p.more && (plays || desk.Commands.Find(p.command).Reads == ask.Many) && hasUse(p.verb, sight) {
			said.Buttons = append(said.Buttons, note.NewButton(moreLabel(p.verb, sight), p.verb, r.Game, drawn))
		}
	}
	if plays {
		said.Buttons = append(said.Buttons, note.NewButton(words.Label("back"), "back", r.Game, drawn))
		_, level := sight.Game.Computer()
		said.Plans = level == 0 // the computer answers at once
	}
	return []Note{said}, nil
}

// hasUse reports whether a game has what a button of More is for.
func hasUse(verb string, s *match.Sight) bool {
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
func moreLabel(verb string, s *match.Sight) phrase.Phrase {
	switch {
	case verb != "claim":
		return words.Label("more-" + verb)
	case s.Game.Clock.Up:
		return words.Label("more-claim-win")
	}
	return words.Label("more-claim-draw")
}

// back shows the buttons of a board again.
func back(_ context.Context, _ *ask.Desk, r ask.Request) ([]Note, error) {
	return []Note{{To: r.Me.ID, Text: words.Say("offer.back", "game", r.Game), Buttons: announce.Buttons(r.Sight, r.Alone()), Step: true, Back: true}}, nil
}

// askDraw asks a player whether they mean to offer a draw, or to agree to one.
func askDraw(_ context.Context, _ *ask.Desk, r ask.Request) ([]Note, error) {
	drawn := strings.Fields(r.Msg.Press)[2]
	return []Note{{To: r.Me.ID, Text: words.Say("offer.draw-sure", "game", r.Game), Buttons: note.YesNo("draw", r.Game, drawn)}}, nil
}

func noDraw(_ context.Context, _ *ask.Desk, r ask.Request) ([]Note, error) {
	return r.Answer(words.Say("offer.goes-on")), nil
}
