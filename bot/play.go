package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/storage"
)

// pace is days for each move, and a bank of days for the whole game.
var pace = regexp.MustCompile(`^([0-9]{1,4})d(?:\+([0-9]{1,4})d)?$`)

func readPace(found []string) storage.Pace {
	move, _ := strconv.Atoi(found[1])
	bank, _ := strconv.Atoi("0" + found[2])
	return storage.Pace{Move: time.Duration(move) * match.Day, Bank: time.Duration(bank) * match.Day}
}

func (b *Bot) challenge(ctx context.Context, r request) ([]Note, error) {
	terms := match.Terms{Variant: b.games.Variants()[0].Key, Color: "random", Rated: true, Pace: storage.Pace{Move: match.PaceMove}, Within: r.msg.Within.ID}
	usual := r.server.Settings
	if b.games.Variant(usual.Game) != nil {
		terms.Variant = usual.Game
	}
	if usual.Days > 0 {
		terms.Pace.Move = time.Duration(usual.Days) * match.Day
	}
	said := map[string]string{} // which word said what
	for rest := r.args; len(rest) > 0; {
		arg, taken := strings.TrimRight(rest[0], ",;"), 1
		word := strings.ToLower(arg)
		person, named := r.msg.People[word]
		about := ""
		switch {
		case named && person.Bot:
			return r.answer(words.NoPlayer(person.Name)), nil
		case named:
			about = "opponent"
			to, err := b.people.Meet(ctx, person.Address, person.Name)
			switch {
			case err != nil:
				return nil, err
			case r.msg.Private && to.ID != r.me.ID && to.Home == 0:
				return nil, &errWords{text: words.NotReached(to)}
			}
			if terms.To = to.ID; r.msg.Private {
				terms.Seat = to.Home
			}
		case len(word) > 1 && word[0] == '@':
			about = "opponent"
			terms.Named = words.Clip(arg)
		case word == "white", word == "black", word == "random":
			about = "colour"
			terms.Color = word
		case word == "rated", word == "unrated":
			about = "rated"
			terms.Rated = word == "rated"
		case pace.MatchString(word):
			about = "pace"
			terms.Pace = readPace(pace.FindStringSubmatch(word))
		default:
			v, n := calledFirst(b.games.Variants(), rest)
			if v == nil {
				return r.answer(words.OddChallenge(arg, nearestGame(b.games.Variants(), arg), b.games.Variants())), nil
			}
			about, terms.Variant, taken = "game", v.Key, n
			arg = strings.Join(rest[:n], " ")
		}
		rest = rest[taken:]
		switch before := said[about]; {
		case before != "" && about == "opponent":
			return r.answer(words.OneOpponent()), nil
		case before != "":
			return r.answer(words.Twice(before, arg)), nil
		}
		said[about] = arg
	}
	if terms.Pace.Move == 0 && said["rated"] == "" {
		terms.Rated = false
	}
	d, err := b.challenges.Challenge(ctx, r.by(), terms)
	return b.done(r, d, err)
}

func (b *Bot) accept(ctx context.Context, r request) ([]Note, error) {
	if len(r.args) == 1 && r.game == 0 && !r.names(r.args[0]) {
		if !match.IsCode(r.args[0]) {
			return r.answer(words.NoCode(r.name, r.args[0])), nil
		}
		d, err := b.challenges.Join(ctx, r.by(), r.args[0])
		return b.done(r, d, err)
	}
	return answering(func(b *Bot) (does, doesWith) { return b.match.Accept, b.match.AcceptFrom })(b, ctx, r)
}

// answering answers an offer: about a game, with a person, or the newest.
func answering(what func(*Bot) (does, doesWith)) handler {
	return func(b *Bot, ctx context.Context, r request) ([]Note, error) {
		inGame, withWhom := what(b)
		if len(r.args) == 1 && r.game == 0 && r.names(r.args[0]) {
			who, err := b.met(ctx, r, r.args[0])
			if err != nil {
				return nil, err
			}
			d, err := withWhom(ctx, r.by(), who.ID)
			if no := (*inbox.Refusal)(nil); errors.As(err, &no) && no.Why == inbox.NoOffer {
				err = &errWords{text: words.NoOfferWith(r.name, who)}
			}
			return b.done(r, d, err)
		}
		switch {
		case len(r.args) > 1 && r.names(r.args[0]):
			return r.answer(words.TooMany(r.args[1])), nil
		case len(r.args) > 0:
			return r.answer(words.TooMany(r.args[0])), nil
		}
		if game := r.msg.ReplyTo; game != 0 && r.game == 0 {
			d, err := inGame(ctx, r.by(), game)
			if no := (*inbox.Refusal)(nil); !errors.As(err, &no) || no.Why != inbox.NoOffer {
				return b.done(r, d, err)
			}
		}
		d, err := inGame(ctx, r.by(), r.game)
		return b.done(r, d, err)
	}
}

func (b *Bot) move(ctx context.Context, r request) ([]Note, error) {
	if r.text == "" {
		return []Note{{To: r.me.ID, Text: words.WhichMove(), Asks: true, About: cmp.Or(r.game, r.msg.ReplyTo)}}, nil
	}
	id, err := b.meant(ctx, r, myTurn(r))
	if err != nil {
		return nil, err
	}
	d, err := b.match.Move(ctx, r.by(), id, r.text)
	if no := (*rules.Illegal)(nil); errors.As(err, &no) && len(no.Asked()) > 0 {
		return nil, b.askMeant(ctx, r, id, err)
	}
	return b.done(r, d, err)
}

// askMeant is the refusal of a move with buttons for the moves that may have been meant,
// or as it was where the game has gone on since.
func (b *Bot) askMeant(ctx context.Context, r request, id storage.GameID, refused error) error {
	sight, err := b.games.Look(ctx, id, match.Latest)
	if err != nil {
		return refused
	}
	var no *rules.Illegal
	if _, err := sight.Now.Position.Parse(r.text); !errors.As(err, &no) {
		return refused
	}
	ask := &errWords{text: words.Say(no.Error())}
	for _, text := range no.Asked() {
		ask.buttons = append(ask.buttons, Button{text, fmt.Sprintf("play %d %d %s", id, sight.Ply, text)})
	}
	return ask
}

// playOn takes back that somebody wanted to end a game.
func (b *Bot) playOn(ctx context.Context, r request) ([]Note, error) {
	_, err := b.match.PlayOn(ctx, r.by(), r.game)
	return r.answer(words.GoesOn()), err
}

func (b *Bot) rematch(ctx context.Context, r request) ([]Note, error) {
	id, err := b.ended(ctx, r)
	if err != nil {
		return nil, err
	}
	d, err := b.challenges.Rematch(ctx, r.by(), id)
	return b.done(r, d, err)
}

// refuse is the sentence for an error that people can do something about, nil
// for any other.
func (b *Bot) refuse(ctx context.Context, err error) words.Text {
	var illegal *rules.Illegal
	var refused *inbox.Refusal
	var ask *errAsk
	var fault *match.PlanFault
	var with *errWords
	switch {
	case errors.As(err, &with):
		return with.text
	case errors.As(err, &fault):
		return words.PlanFault(fault)
	case errors.As(err, &illegal):
		return words.Say(illegal.Error())
	case errors.As(err, &refused):
		return b.refused(ctx, refused)
	case errors.As(err, &ask):
		return b.whichGame(ctx, ask)
	case errors.Is(err, errNoGame):
		return words.NoGameHere()
	case errors.Is(err, errNoneWaits):
		return words.NoneWaits()
	case errors.Is(err, errNoneEnded):
		return words.NoneEnded()
	}
	return nil
}

// refused adds who is to move, where that is the reason.
func (b *Bot) refused(ctx context.Context, no *inbox.Refusal) words.Text {
	if no.Why != inbox.NotYourTurn {
		return words.Refusal(no)
	}
	sight, err := b.games.Look(ctx, no.Game, match.Latest)
	if err != nil {
		return words.Refusal(no)
	}
	return words.NotYourTurn(sight)
}
