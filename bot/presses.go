package bot

import (
	"context"
	"strconv"
	"strings"

	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage"
)

// press is what a button does, written "verb game ply": in which game, and how many moves had
// been played when the button was drawn, or "-" where that does not matter. More words may
// follow.
type press struct {
	verb    string
	example string   // of its words
	words   int      // how many follow the ply
	who     pressers // alone may press it
	nowhere bool     // it is about no game
	more    bool     // it stands under More
	reads   bool     // it changes nothing
	alone   bool     // nobody but whoever presses it shall see what it shows
	command string   // that it stands for, with these words
	args    []string
	run     handler // where it stands for none
}

// allPresses are those there are; those of More in its order.
func allPresses() []press {
	all := pressesInGames()
	for _, p := range pressesElsewhere() {
		p.nowhere = true
		all = append(all, p)
	}
	return all
}

func pressesInGames() []press {
	yes, no := true, false
	return []press{
		{verb: "pick", example: "- - 0", words: 3, who: mover, reads: true, run: pick},
		{verb: "sure", example: "e2e4", words: 1, who: mover, reads: true, run: preview},
		{verb: "play", example: "e2e4", words: 1, command: "move"},
		{verb: "hint-on", example: "1", words: 1, who: mover, reads: true, run: hintMore},
		{verb: "more", reads: true, run: seeing(more)},
		{verb: "back", who: players, reads: true, run: back},
		{verb: "draw", who: players, run: inMatch((*match.Service).Draw, no)},
		{verb: "draw-yes", run: inMatch((*match.Service).Draw, yes)},
		{verb: "draw-no", run: saying(words.Say("offer.goes-on"), playOn)},
		{verb: "resign", run: askResign},
		{verb: "resign-yes", run: inMatch((*match.Service).Resign, yes)},
		{verb: "resign-no", run: saying(words.Say("offer.goes-on"), playOn)},
		{verb: "abort-yes", run: inMatch((*match.Service).Abort, yes)},
		{verb: "abort-no", run: saying(words.Say("offer.goes-on"), playOn)},
		{verb: "hint", command: "hint", more: true},
		{verb: "takeback", command: "takeback", more: true},
		{verb: "claim", command: "claim", more: true},
		{verb: "moves", command: "moves", more: true},
		{verb: "score", command: "score", more: true},
		{verb: "fen", command: "fen", more: true},
		{verb: "addtime", command: "addtime", more: true},
		{verb: "zones", command: "board", args: []string{"zones"}, more: true},
		{verb: "threats", command: "threats", more: true},
		{verb: "flip", command: "board", args: []string{"flip"}},
		{verb: "unflip", command: "board"},
		{verb: "board", command: "board"},
		{verb: message.OpenPage, reads: true, alone: true, run: openPage},
		{verb: "replay", command: "replay"},
		{verb: "rematch", command: "rematch"},
		{verb: "review", command: "review"},
		{verb: "share", command: "share"},
		{verb: "reviewed", reads: true, alone: true, run: reviewing(showReview)},
		{verb: "moment", example: "0", words: 1, reads: true, alone: true, run: reviewing(showTurningPoint)},
		{verb: "join", run: toChallenge(match.Accept)},
		{verb: "turn-down", run: toChallenge(match.Decline)},
		{verb: "call-off", run: toChallenge(match.Cancel)},
		{verb: "instead", run: playInstead},
		{verb: "agree-draw", run: inMatch((*match.Service).Agree, match.ADraw)},
		{verb: "refuse-draw", run: inMatch((*match.Service).Refuse, match.ADraw)},
		{verb: "agree-takeback", run: inMatch((*match.Service).Agree, match.ATakeback)},
		{verb: "refuse-takeback", run: inMatch((*match.Service).Refuse, match.ATakeback)},
		{verb: "annul-yes", run: annulling(yes)},
		{verb: "annul-no", run: letCount},
	}
}

func pressesElsewhere() []press {
	yes, no := true, false
	return []press{
		{verb: "top", example: "0 overall ever 1", words: 4, reads: true, run: turnLeaders},
		{verb: "new", reads: true, run: newGame},
		{verb: "at", example: "combine", words: 1, reads: true, run: newPace},
		{verb: "open", example: "combine 3d", words: 2, command: "challenge"},
		{verb: "level", example: "combine 4 white", words: 3, command: "play"},
		{verb: "play-me", command: "play"},
		{verb: "play-game", example: "combine", words: 1, command: "play"},
		{verb: "hello", reads: true, run: greet},
		{verb: "learn", example: "combine", words: 1, command: "learn"},
		{verb: "lesson", example: "combine 0", words: 2, reads: true, alone: true, run: study},
		{verb: "lesson-hint", example: "combine 0", words: 2, reads: true, run: study},
		{verb: "lesson-move", example: "combine 0", words: 2, reads: true, run: study},
		{verb: "lesson-pick", example: "combine 0 - - 0", words: 5, reads: true, run: study},
		{verb: "lesson-try", example: "combine 0 e2e4", words: 3, reads: true, run: study},
		{verb: "daily", example: "1 abcdefghij", words: 2, reads: true, run: study},
		{verb: "daily-pick", example: "1 abcdefghij 0 - - 0", words: 6, reads: true, run: study},
		{verb: "daily-try", example: "1 abcdefghij 0 e2e4", words: 4, reads: true, run: study},
		{verb: "puzzle", example: "combine -", words: 2, reads: true, alone: true, run: study},
		{verb: "puzzle-at", example: "combine 0 0", words: 3, reads: true, run: study},
		{verb: "puzzle-hint", example: "combine 0 0", words: 3, reads: true, run: study},
		{verb: "puzzle-piece", example: "combine 0 0", words: 3, reads: true, run: study},
		{verb: "puzzle-move", example: "combine 0 0", words: 3, reads: true, run: study},
		{verb: "puzzle-pick", example: "combine 0 0 - - 0", words: 6, reads: true, run: study},
		{verb: "puzzle-try", example: "combine 0 0 e2e4", words: 4, reads: true, run: study},
		{verb: "rules", command: "rules"},
		{verb: "rules-of", example: "combine", words: 1, command: "rules"},
		{verb: "games", command: "games"},
		{verb: "settings", command: "settings"},
		{verb: "setting", example: "theme", words: 1, reads: true, run: pickSetting("")},
		{verb: "set", example: "theme night", words: 2, command: "settings"},
		{verb: "settings-here", reads: true, run: setHere},
		{verb: "setting-here", example: "days", words: 1, reads: true, run: pickSetting("-here")},
		{verb: "set-here", example: "days 5", words: 2, run: setHere},
		{verb: "forget-yes", run: inChat(forgetting(yes))},
		{verb: "forget-no", run: saying(words.Say("person.stays"), stay)},
		{verb: "link-yes", example: "ABCDEFGHJKLM", words: 1, run: inChat(linking(yes, false))},
		{verb: "link-no", example: "ABCDEFGHJKLM", words: 1, run: linking(no, false)},
		{verb: "give-yes", example: "ABCDEFGHJKLM", words: 1, run: inChat(linking(yes, true))},
		{verb: "give-no", example: "ABCDEFGHJKLM", words: 1, run: linking(no, true)},
	}
}

var presses = pressesByVerb() //nolint:gochecknoglobals // never written

func pressesByVerb() map[string]press {
	all := map[string]press{}
	for _, p := range allPresses() {
		all[p.verb] = p
	}
	return all
}

// pressed reads a press: what it does, in which game, when its button was drawn, and the
// words that follow; false if it is none.
func pressed(text string) (p press, game storage.GameID, ply string, rest []string, ok bool) {
	said := strings.Fields(text)
	if len(said) < 3 {
		return p, 0, "", nil, false
	}
	p, ok = presses[said[0]]
	n, err := strconv.ParseUint(said[1], 10, 64)
	ok = ok && err == nil && len(said) == 3+p.words && p.nowhere == (n == 0)
	return p, storage.GameID(n), said[2], said[3:], ok
}

// press does what a button says, if the game is still where it was drawn.
func (b *Bot) press(ctx context.Context, r Request) (said *message.Message, reads bool, err error) {
	p, game, ply, rest, ok := pressed(r.Msg.Press)
	if !ok {
		return r.answer(words.Say("request.old-button")), false, nil
	}
	run, reads := p.run, p.reads
	r.Game, r.Args = game, rest
	if p.command != "" {
		r.Command = b.Commands.Find(p.command)
		r.Name, r.Args = p.command, append(rest, p.args...)
		run, reads = obey, r.Command.Reads == many
	}
	r.Text = strings.Join(r.Args, " ")
	defer func() {
		if said != nil {
			said.Alone = p.alone || r.Command != nil && r.Command.Whose == AskerAlone
		}
	}()
	if ply == message.None && p.who == anybody {
		said, err = run(ctx, b, r)
		return said, reads, err
	}
	if r.View, err = b.Games.LoadFor(ctx, r.by(), game, match.Latest); err != nil {
		return nil, reads, err
	}
	if s := r.View; ply != message.None && (strconv.Itoa(s.Ply) != ply || s.Game.Over()) {
		return r.answer(words.Stale(s)), reads, nil
	}
	if err = r.may(p.who); err != nil {
		return nil, reads, err
	}
	said, err = run(ctx, b, r)
	return said, reads, err
}
