package bot

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/command"
	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

func challenge(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if opponent := strings.ToLower(r.Said["opponent"]); opponent == Computer || r.Msg.People[opponent].Self {
		return challengeComputer(ctx, b, r)
	}
	if r.Msg.Picks && len(r.Args) == 0 && r.Server.Settings.Game == "" {
		return newGame(ctx, b, r)
	}
	terms := terms(b, r)
	if err := opponent(ctx, b, r, r.Said["opponent"], &terms); err != nil {
		return nil, err
	}
	return r.done(b.Match.Challenge(ctx, r.by(), terms))
}

// terms are what a challenge proposes, but to whom.
func terms(b *Bot, r Request) match.Terms {
	terms := match.Terms{Variant: usualVariant(b, r), Color: "random", Rated: true, Pace: storage.Pace{Move: match.PaceMove}, Within: r.Msg.Within.ID, Posted: r.Msg.Posted}
	if days := r.Server.Settings.Days; days > 0 {
		terms.Pace.Move = time.Duration(days) * match.Day
	}
	if v := command.Variant(b.Games.Variants(), r.Said["game"]); v != nil {
		terms.Variant = v.Key
	}
	if pace, ok := command.Pace(strings.ToLower(r.Said["days"])); ok {
		terms.Pace = pace
	}
	terms.Color = strings.ToLower(cmp.Or(r.Said["colour"], terms.Color))
	if rated := r.Said["rated"]; rated != "" {
		terms.Rated = strings.EqualFold(rated, "rated")
	} else {
		terms.Rated = terms.Pace.Move != 0
	}
	return terms
}

// Proposal is an open challenge that somebody may make.
type Proposal struct {
	Game        string     // its name
	Command     string     // makes it, in one way only
	Text, Terms words.Text // for others, and in short
}

// Proposals are what the author of a message may mean by words of an open challenge in it, of
// which the last may be the beginning of a game's name. Nothing is done.
func (b *Bot) Proposals(ctx context.Context, m message.Incoming) (all []Proposal) {
	r, known := b.Asker(ctx, m)
	if !known {
		return nil
	}
	r.Reading = b.Commands.Read("challenge " + m.Text)
	var begun string
	said, fault := b.arguments(r)
	if last := len(r.Args) - 1; fault != nil && last >= 0 {
		begun, r.Args = strings.ToLower(r.Args[last]), r.Args[:last]
		said, fault = b.arguments(r)
	}
	if fault != nil || said["opponent"] != "" {
		return nil
	}
	only := command.Variant(b.Games.Variants(), said["game"])
	for _, v := range b.Games.Variants() {
		if only != nil && v != only || !strings.Contains(v.Key+" "+strings.ToLower(v.Name), begun) {
			continue
		}
		said["game"] = v.Key
		r.Said = said
		t := terms(b, r)
		text, short := words.Proposal(storage.Challenge{Color: t.Color, Rated: t.Rated, Pace: t.Pace}, v, r.Me)
		all = append(all, Proposal{v.Name, "challenge " + spelled(t), text.In(r.Language()), short.In(r.Language())})
	}
	return all
}

// Invitation is what its maker says, in a language, to somebody to whom they hand on an open
// challenge, and the code with which that is joined; "" if it cannot be handed on any more.
func (b *Bot) Invitation(ctx context.Context, challenge storage.GameID, l phrase.Language) (text, code string) {
	c, err := b.Match.ChallengeOf(ctx, challenge)
	if err != nil || c.To != 0 {
		return "", ""
	}
	name, err := b.Users.Name(ctx, c.From)
	v := b.Games.Variant(c.Variant)
	if err != nil || v == nil {
		return "", ""
	}
	return words.Invitation(c, v, storage.Person{Name: name}).In(l).Plain(), c.Code
}

// spelled are terms as they are typed.
func spelled(t match.Terms) string {
	pace := fmt.Sprintf("%dd", t.Pace.Move/match.Day)
	if t.Pace.Bank > 0 {
		pace += fmt.Sprintf("+%dd", t.Pace.Bank/match.Day)
	}
	return t.Variant + " " + pace + " " + t.Color + map[bool]string{true: " rated", false: " unrated"}[t.Rated]
}

// opponent lets a challenge be to whom a word names: somebody who can be told of it, or
// nobody if that name is not known.
func opponent(ctx context.Context, b *Bot, r Request, word string, terms *match.Terms) error {
	person, known := r.Msg.People[strings.ToLower(word)]
	switch {
	case !known:
		terms.Named = words.Clip(word)
		return nil
	case person.Bot:
		return &wordedRefusal{Text: words.Say("challenge.no-player", "name", person.Name)}
	case person.Unmet:
		terms.Named, terms.Waits = words.Clip(person.Mention), true
		return nil
	}
	to, err := b.Users.Meet(ctx, person.Address, person.Name)
	if err != nil {
		return err
	}
	if terms.To = to.ID; r.Msg.Private {
		if terms.Seat = to.Home; to.Home == 0 && to.ID != r.Me.ID {
			return &wordedRefusal{Text: words.NotReached(to)}
		}
	}
	return nil
}

func oddChallenge(b *Bot, word string) words.Text {
	all := b.Games.Variants()
	return words.OddChallenge(word, command.NearestVariant(all, word), all)
}

func twiceInChallenge(a *Arg, one, other string) words.Text {
	if a.Kind == ArgPerson {
		return words.Say("challenge.one-opponent")
	}
	return words.Say("challenge.clash", "one", words.Clip(one), "other", words.Clip(other))
}

func accept(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if len(r.Args) == 1 && r.Game == 0 && !r.names(r.Args[0]) {
		if !match.IsCode(r.Args[0]) {
			return r.answer(words.Say("challenge.no-code", "word", words.Clip(r.Args[0]), "length", match.CodeLength, "command", r.Name)), nil
		}
		return r.done(b.Match.Join(ctx, r.by(), r.Args[0]))
	}
	return answering(match.Accept)(ctx, b, r)
}

// answering answers an offer: about a game, with a person, or the newest.
func answering(how match.Answer) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		if len(r.Args) == 1 && r.Game == 0 && r.names(r.Args[0]) {
			who, err := b.met(ctx, r, r.Args[0])
			if err != nil {
				return nil, err
			}
			d, err := b.Match.Answer(ctx, r.by(), how, match.Meant{With: who.ID})
			if event.IsRefused(err, event.NoOffer) {
				err = &wordedRefusal{Text: words.NoOfferWith(r.Name, who), Why: err}
			}
			return r.done(d, err)
		}
		switch {
		case len(r.Args) > 1 && r.names(r.Args[0]):
			return r.answer(words.Say("request.odd-word", "word", words.Clip(r.Args[1]))), nil
		case len(r.Args) > 0:
			return r.answer(words.Say("request.odd-word", "word", words.Clip(r.Args[0]))), nil
		}
		if game := r.Msg.ReplyTo; game != 0 && r.Game == 0 {
			d, err := b.Match.Answer(ctx, r.by(), how, match.Meant{Game: game})
			if !event.IsRefused(err, event.NoOffer) {
				return r.done(d, err)
			}
		}
		return r.done(b.Match.Answer(ctx, r.by(), how, match.Meant{Game: r.Game}))
	}
}

// lobby lists the challenges that the asker could join here, with a button for each.
func lobby(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	kind := ""
	if v := command.Variant(b.Games.Variants(), r.Said["game"]); v != nil {
		kind = v.Key
	}
	all, err := b.Match.Lobby(ctx, r.by(), kind)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(c storage.Challenge) bool { return b.Games.Variant(c.Variant) == nil })
	shown := all[:min(len(all), limit.Listed)]
	said := message.Message{To: r.Me.ID}
	var lines []words.Text
	for _, c := range shown {
		name, err := b.Users.Name(ctx, c.From)
		if err != nil {
			return nil, err
		}
		v := b.Games.Variant(c.Variant)
		lines = append(lines, words.LobbyLine(c, v, name))
		said.Buttons = append(said.Buttons, message.NewButton(phrase.As(words.Hash(c.ID)+" "+v.Name), "join", c.ID, message.None))
	}
	if said.Text = words.Lobby(lines, len(all)-len(shown), r.Msg.Private); lines == nil {
		said.Buttons = []message.Button{message.NewButton(words.Label("new-game"), "new", 0, message.None)}
	}
	return &said, nil
}

func rematch(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	id, err := b.ended(ctx, r)
	if err != nil {
		return nil, err
	}
	return r.done(b.Match.Rematch(ctx, r.by(), id))
}

// levels are the computer's, as people write them.
func levels() (all []string) {
	for level := range match.Levels {
		all = append(all, strconv.Itoa(level+1))
	}
	return all
}

// play begins a game against the computer.
func play(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	p := match.Practice{Variant: usualVariant(b, r), Color: strings.ToLower(cmp.Or(r.Said["colour"], "random")), Within: r.Msg.Within.ID}
	if v := command.Variant(b.Games.Variants(), r.Said["game"]); v != nil {
		p.Variant = v.Key
	}
	p.Level, _ = strconv.Atoi(r.Said["level"]) // 0 if none is named
	return r.done(b.Match.PlayComputer(ctx, r.by(), p))
}

// playInstead lets the computer take up a challenge that nobody has joined.
func playInstead(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	done, err := b.Match.PlayInstead(ctx, r.by(), r.Game)
	if event.IsRefused(err, event.NotYourChallenge) {
		err = &wordedRefusal{Text: words.Say("computer.not-instead", "game", r.Game)}
	}
	return r.done(done, err)
}

// usualVariant is the game that is played where none is named.
func usualVariant(b *Bot, r Request) string {
	if usual := r.Server.Settings.Game; b.Games.Variant(usual) != nil {
		return usual
	}
	return b.Games.Variants()[0].Key
}

// challengeComputer is what a challenge to the bot itself means.
func challengeComputer(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	unfit := r.Said["days"]
	if strings.EqualFold(r.Said["rated"], "rated") {
		unfit = r.Said["rated"]
	}
	if unfit != "" {
		return r.answer(words.Say("computer.no-terms", "word", words.Clip(unfit))), nil
	}
	return play(ctx, b, r)
}

func oddPlay(b *Bot, word string) words.Text {
	all := b.Games.Variants()
	near := command.NearestVariant(all, word)
	if near == "" && b.LooksLikeMove(word) {
		near = "move " + words.Clip(word)
	} else if near != "" {
		near = "play " + near
	}
	return words.OddPlay(word, near, all)
}

// clash answers two words of which a command takes but one.
func clash(_ *Arg, one, other string) words.Text {
	return words.Say("top.clash", "one", words.Clip(one), "other", words.Clip(other))
}

// Levels are those of the computer in words, from the lowest.
func Levels() []phrase.Phrase { return words.Levels() }

// inMatch does something in the game in progress that is meant.
func inMatch[T any](do func(*match.Service, context.Context, event.By, storage.GameID, T) (event.Done, error), how T) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		id, err := b.meant(ctx, r, anyGame)
		if err != nil {
			return nil, b.orOver(ctx, r, err)
		}
		return r.done(do(b.Match, ctx, r.by(), id, how))
	}
}

// askResign asks whether a player gives up: that the button is pressed twice doesn't say so.
func askResign(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	return r.done(b.Match.AskResign(ctx, r.by(), r.Game))
}

// toChallenge answers the challenge below which a button was pressed.
func toChallenge(how match.Answer) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		return r.done(b.Match.AnswerChallenge(ctx, r.by(), r.Game, how))
	}
}

// following lets each move of a game be told where the request is made, or not any more.
func following(wanted bool) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		id := cmp.Or(r.Game, r.Msg.ReplyTo)
		if id == 0 {
			return r.answer(words.Say("games.follow-what", "command", r.Name)), nil
		}
		_, err := b.Match.Follow(ctx, r.by(), id, wanted)
		return r.answer(words.Followed(id, wanted)), err
	}
}

func addTime(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	days, ok := command.Days(r.Said["days"])
	if !ok {
		days = usualDays
	}
	id, err := b.meant(ctx, r, anyGame)
	if err != nil {
		return nil, err
	}
	return r.done(b.Match.AddTime(ctx, r.by(), id, days))
}

func claim(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	id, err := b.meant(ctx, r, anyGame)
	if err != nil {
		return nil, err
	}
	return r.done(b.Match.Claim(ctx, r.by(), id))
}

// usualDays is how much time addtime gives where no number is named.
const usualDays = 1

// plan stores, shows or clears conditional moves. They are private.
func plan(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	id, err := b.meant(ctx, r, func(g *storage.Game) bool { return match.ToMove(g) != r.Me.ID })
	if err != nil {
		return nil, err
	}
	switch {
	case r.Text == "":
	case strings.EqualFold(r.Text, "clear"):
		_, err := b.Match.ClearPlan(ctx, r.by(), id)
		return r.answer(words.Say("clock.plan-cleared", "game", words.Hash(id))), err
	default:
		if _, err := b.Match.Plan(ctx, r.by(), id, r.Text); err != nil {
			return nil, err
		}
	}
	lines, err := b.Games.PlanOf(ctx, r.Me.ID, id)
	return r.answer(words.Plan(id, lines, r.Msg.Public && r.Text != "")), err
}

// vacation begins or ends one, and tells how it is now: with hardly a word where everybody hears what has
// changed, and sees the answer.
func vacation(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	var err error
	if days, ok := command.Days(r.Said["days"]); ok && days > 0 {
		_, err = b.Match.GoAway(ctx, r.by(), days)
	} else if r.Said["days"] != "" {
		_, err = b.Match.ComeBack(ctx, r.by())
	}
	if err != nil {
		return nil, err
	}
	left, p, err := b.Match.VacationLeft(ctx, r.Me.ID)
	said := r.answer(words.Vacation(left, p))
	if err != nil || r.Said["days"] == "" || !r.Msg.Public {
		return said, err
	}
	games, err := b.playing(ctx, r)
	said.Ack = slices.ContainsFunc(games, func(g storage.Game) bool {
		return g.Pace.Move > 0 && slices.Contains(g.Places(), r.Here.ID)
	})
	return said, err
}

// canMove fits a move to the games in which it is legal.
func canMove(b *Bot, r Request, g *storage.Game) bool {
	now, err := b.Games.Current(g)
	if err != nil {
		return false
	}
	_, err = now.Position.Parse(r.Text)
	return err == nil
}

// canClaim fits a claim to the games in which there is something to claim.
func canClaim(b *Bot, r Request, g *storage.Game) bool {
	now, err := b.Games.Current(g)
	if err != nil {
		return false
	}
	_, ok := match.Claimable(g, now, r.Me.ID)
	return ok
}

// canHint fits a hint to the games against the computer in which it is the asker's turn.
func canHint(_ *Bot, r Request, g *storage.Game) bool {
	_, level := g.Computer()
	return level != 0 && match.ToMove(g) == r.Me.ID
}

func canAbort(_ *Bot, _ Request, g *storage.Game) bool { return match.CanAbort(g) }

func canAddTime(_ *Bot, _ Request, g *storage.Game) bool { return g.Pace.Move != 0 }

func canSeeMoves(_ *Bot, r Request, g *storage.Game) bool { return match.ToMove(g) == r.Me.ID }

// canAgree fits an offer to the games in which the other player has made the same.
func canAgree(what match.Offered) func(*Bot, Request, *storage.Game) bool {
	return func(_ *Bot, r Request, g *storage.Game) bool {
		open := g.Draw
		if what == match.ATakeback {
			open = g.Takeback
		}
		return open != nil && open.By != r.Me.ID
	}
}
