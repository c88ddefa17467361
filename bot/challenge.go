package bot

import (
	"context"
	"errors"
	"strings"
	"time"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/bot/typed"
	"chimera/bot/words"
	"chimera/storage"
)

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
		pace, timed := typed.Pace(word)
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
		case timed:
			about = "pace"
			terms.Pace = pace
		default:
			v, n := typed.FirstVariant(b.games.Variants(), rest)
			if v == nil {
				return r.answer(words.OddChallenge(arg, typed.NearestVariant(b.games.Variants(), arg), b.games.Variants())), nil
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

func (b *Bot) rematch(ctx context.Context, r request) ([]Note, error) {
	id, err := b.ended(ctx, r)
	if err != nil {
		return nil, err
	}
	d, err := b.challenges.Rematch(ctx, r.by(), id)
	return b.done(r, d, err)
}
