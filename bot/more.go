package bot

import (
	"context"
	"strings"

	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/phrase"
)

// more shows what else can be done in a game, to those who do not play it beside the board.
func more(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	sight, err := b.Shown(ctx, r, match.Latest)
	if err != nil {
		return nil, err
	}
	_, plays := sight.Game.SideOf(r.Me.ID)
	drawn := strings.Fields(r.Msg.Press)[2]
	said := message.Message{To: r.Me.ID, Text: words.Say("offer.more", "game", r.Game), Step: plays}
	if b.Pages() != "" && !r.Msg.Outside {
		said.Buttons = append(said.Buttons, message.NewButton(words.Label("open-board"), message.OpenPage, r.Game, message.None))
	}
	for _, p := range allPresses() {
		if p.more && (plays || b.Commands.Find(p.command).Reads == Many) && hasUse(p.verb, sight) {
			said.Buttons = append(said.Buttons, message.NewButton(moreLabel(p.verb, sight), p.verb, r.Game, drawn))
		}
	}
	if plays {
		said.Buttons = append(said.Buttons, message.NewButton(words.Label("back"), "back", r.Game, drawn))
		_, level := sight.Game.Computer()
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
	return &message.Message{To: r.Me.ID, Text: words.Say("offer.back", "game", r.Game), Buttons: Buttons(r.View, r.Alone()), Step: true, Back: true}, nil
}
