package bot

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"chimera/bot/match"
	"chimera/storage"
)

// Labels of buttons; they are fixed.
const (
	labelAccept  = "Accept"
	labelDecline = "Decline"
	labelJoin    = "Join"
	labelCancel  = "Cancel"
	labelFlip    = "Flip"
	labelDraw    = "Draw"
	labelResign  = "Resign"
	labelYes     = "Yes"
	labelNo      = "No"
	labelRematch = "Rematch"
	labelClaim   = "Claim win"
)

// A press is "verb game ply": what to do, in which game, and how many moves had
// been played when the button was drawn, or "-" where that does not matter.
func button(label, verb string, game storage.GameID, ply string) Button {
	return Button{label, fmt.Sprintf("%s %d %s", verb, game, ply)}
}

func boardButtons(game storage.GameID, ply int) []Button {
	drawn := strconv.Itoa(ply)
	return []Button{
		button(labelFlip, "flip", game, drawn),
		button(labelDraw, "draw", game, drawn),
		button(labelResign, "resign", game, drawn),
	}
}

func offerButtons(game storage.GameID, ply int) []Button {
	drawn := strconv.Itoa(ply)
	return []Button{button(labelAccept, "accept", game, drawn), button(labelDecline, "decline", game, drawn)}
}

func yesNo(verb string, game storage.GameID) []Button {
	return []Button{button(labelYes, verb+"-yes", game, "-"), button(labelNo, verb+"-no", game, "-")}
}

// press does what a button says, if the game is still where it was drawn.
func (b *Bot) press(ctx context.Context, r request) ([]Note, error) {
	words := strings.Fields(r.msg.Press)
	if len(words) != 3 {
		return r.answer(oldButton()), nil
	}
	n, err := strconv.ParseUint(words[1], 10, 64)
	if err != nil {
		return r.answer(oldButton()), nil
	}
	r.game = storage.GameID(n)
	if words[2] != "-" {
		sight, err := b.match.Look(ctx, r.game, match.Latest)
		if err != nil {
			return nil, err
		}
		if strconv.Itoa(sight.Ply) != words[2] || sight.Game.Over() {
			return r.answer(stale(sight)), nil
		}
	}
	switch words[0] {
	case "accept":
		return b.accept(ctx, r)
	case "decline":
		return b.decline(ctx, r)
	case "cancel":
		return b.cancel(ctx, r)
	case "draw":
		return b.draw(ctx, r)
	case "resign":
		return b.resign(ctx, r)
	case "flip":
		r.args = []string{"flip"}
		return b.board(ctx, r)
	case "resign-yes":
		d, err := b.match.Resign(ctx, r.by(), r.game, true)
		return b.done(r, d, err)
	case "abort-yes":
		d, err := b.match.Abort(ctx, r.by(), r.game, true)
		return b.done(r, d, err)
	case "resign-no", "abort-no":
		if _, err := b.match.PlayOn(ctx, r.by(), r.game); err != nil {
			return nil, err
		}
		return r.answer(goesOn()), nil
	case "claim":
		return b.claim(ctx, r)
	case "rematch":
		return b.rematch(ctx, r)
	case "forget-yes":
		d, err := b.match.Forget(ctx, r.by(), true)
		return b.done(r, d, err)
	case "forget-no":
		if _, err := b.match.Stay(ctx, r.by()); err != nil {
			return nil, err
		}
		return r.answer(staysHere()), nil
	}
	return r.answer(oldButton()), nil
}
