package bot

import (
	"context"
	"fmt"
	"strconv"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/storage"
)

// Labels of buttons; they are fixed.
const (
	labelAccept  = "Accept"
	labelDecline = "Decline"
	labelJoin    = "Join"
	labelCancel  = "Cancel"
	labelMove    = "Move"
	labelFlip    = "Flip"
	labelDraw    = "Draw"
	labelResign  = "Resign"
	labelMore    = "More"
	labelBefore  = "◀"
	labelAfter   = "▶"
	labelBack    = "Back"
	labelConfirm = "Confirm"
	labelYes     = "Yes"
	labelNo      = "No"
	labelRematch = "Rematch"
	labelBoard   = "Board"
	labelReplay  = "Replay"
	labelClaim   = "Claim win"
)

// A press is "verb game ply": what to do, in which game, and how many moves had
// been played when the button was drawn, or "-" where that does not matter. Those of
// pickers say more.
func button(label, verb string, game storage.GameID, ply string) Button {
	return Button{label, fmt.Sprintf("%s %d %s", verb, game, ply)}
}

func boardButtons(game storage.GameID, ply int) []Button {
	drawn := strconv.Itoa(ply)
	return []Button{
		{labelMove, fmt.Sprintf("pick %d %s %s %s 0", game, drawn, none, none)},
		button(labelFlip, "flip", game, drawn),
		button(labelDraw, "draw", game, drawn),
		button(labelResign, "resign", game, drawn),
		button(labelMore, "more", game, drawn),
	}
}

func offerButtons(what match.Offered, game storage.GameID, ply int) []Button {
	drawn := strconv.Itoa(ply)
	return []Button{
		button(labelAccept, "agree-"+string(what), game, drawn),
		button(labelDecline, "refuse-"+string(what), game, drawn),
	}
}

func yesNo(verb string, game storage.GameID) []Button {
	return []Button{button(labelYes, verb+"-yes", game, none), button(labelNo, verb+"-no", game, none)}
}

// press does what a button says, if the game is still where it was drawn.
func (b *Bot) press(ctx context.Context, r request) ([]Note, error) {
	verb, game, ply, rest, ok := pressed(r.msg.Press)
	if !ok {
		return r.answer(words.OldButton()), nil
	}
	r.game = game
	if ply != none {
		sight, err := b.games.See(ctx, r.by(), game, match.Latest)
		if err != nil {
			return nil, err
		}
		if strconv.Itoa(sight.Ply) != ply || sight.Game.Over() {
			return r.answer(words.Stale(sight)), nil
		}
	}
	switch {
	case verb == "pick" && len(rest) == 3:
		return b.pick(ctx, r, rest[0], rest[1], rest[2])
	case verb == "sure" && len(rest) == 1:
		return b.preview(ctx, r, rest[0])
	case verb == "play" && len(rest) == 1:
		r.line = rest[0]
		return b.move(ctx, r)
	case verb == "top" && len(rest) == 4:
		return b.turnTop(ctx, r, rest)
	case (verb == "link-yes" || verb == "link-no" || verb == "give-yes" || verb == "give-no") && len(rest) == 1:
		return b.pressLink(ctx, r, verb, rest[0])
	case verb == "more":
		return b.more(ctx, r, ply)
	case verb == "back":
		return b.back(ctx, r)
	}
	if verb == "draw" {
		return b.askDraw(ctx, r, ply)
	}
	return b.pressCommand(ctx, r, verb)
}

// askDraw asks a player whether he means to offer a draw, or to agree to one.
func (b *Bot) askDraw(ctx context.Context, r request, ply string) ([]Note, error) {
	if _, err := b.myGame(ctx, r); err != nil {
		return nil, err
	}
	return []Note{{To: r.me.ID, Text: words.SureToDraw(r.game), Buttons: []Button{
		button(labelYes, "draw-yes", r.game, ply), button(labelNo, "draw-no", r.game, ply),
	}}}, nil
}

// pressCommand does what a button says that stands for a command.
func (b *Bot) pressCommand(ctx context.Context, r request, verb string) ([]Note, error) {
	switch verb {
	case "resign":
		return b.resign(ctx, r)
	case "takeback":
		return b.takeback(ctx, r)
	case "claim":
		return b.claim(ctx, r)
	case "rematch":
		return b.rematch(ctx, r)
	case "moves":
		return b.moves(ctx, r)
	case "score":
		return b.score(ctx, r)
	case "fen":
		return b.fen(ctx, r)
	case "addtime":
		return b.addTime(ctx, r)
	case "board":
		return b.board(ctx, r)
	case "replay":
		return b.replay(ctx, r)
	case "flip", "zones":
		r.args = []string{verb}
		return b.board(ctx, r)
	}
	return b.pressAnswer(ctx, r, verb)
}

// pressAnswer answers an offer.
func (b *Bot) pressAnswer(ctx context.Context, r request, verb string) ([]Note, error) {
	var d inbox.Done
	var err error
	switch verb {
	case "join":
		d, err = b.challenges.AcceptChallenge(ctx, r.by(), r.game)
	case "turn-down":
		d, err = b.challenges.DeclineChallenge(ctx, r.by(), r.game)
	case "call-off":
		d, err = b.challenges.CancelChallenge(ctx, r.by(), r.game)
	case "agree-draw":
		d, err = b.match.Agree(ctx, r.by(), r.game, match.ADraw)
	case "refuse-draw":
		d, err = b.match.Refuse(ctx, r.by(), r.game, match.ADraw)
	case "agree-takeback":
		d, err = b.match.Agree(ctx, r.by(), r.game, match.ATakeback)
	case "refuse-takeback":
		d, err = b.match.Refuse(ctx, r.by(), r.game, match.ATakeback)
	default:
		return b.pressYesNo(ctx, r, verb)
	}
	return b.done(r, d, err)
}

// pressYesNo answers a question whether something is meant.
func (b *Bot) pressYesNo(ctx context.Context, r request, verb string) ([]Note, error) {
	switch verb {
	case "draw-yes":
		return b.draw(ctx, r)
	case "draw-no":
		return r.answer(words.GoesOn()), nil
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
		return r.answer(words.GoesOn()), nil
	case "annul-yes":
		return b.annulSurely(ctx, r, true)
	case "annul-no":
		if _, err := b.league.LetCount(ctx, r.by(), r.game); err != nil {
			return nil, err
		}
		return r.answer(words.StillCounts(r.game)), nil
	case "forget-yes":
		d, err := b.people.Forget(ctx, r.by(), true)
		return b.done(r, d, err)
	case "forget-no":
		if _, err := b.people.Stay(ctx, r.by()); err != nil {
			return nil, err
		}
		return r.answer(words.StaysHere()), nil
	}
	return r.answer(words.OldButton()), nil
}
