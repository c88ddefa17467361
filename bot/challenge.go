package bot

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

func challenge(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	if opponent := strings.ToLower(r.Said["opponent"]); words.IsComputer(opponent) || r.Msg.People[opponent].Self {
		if r.Said["rated"] == "rated" || r.Said["days"] != "" {
			return r.answer(words.Say("computer.no-terms")), nil
		}
		return play(ctx, b, r)
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

// terms are what a challenge proposes, without the opponent.
func terms(b *Bot, r Request) storage.Challenge {
	terms := storage.Challenge{Variant: gameOf(b, r, usualVariant(b, r)), Color: colourOf(r), Pace: storage.Pace{Move: match.PaceMove}}
	if days := r.Server.Settings.Days; days > 0 {
		terms.Pace.Move = time.Duration(days) * match.Day
	}
	if pace, ok := readPace(strings.ToLower(r.Said["days"])); ok {
		terms.Pace = pace
	}
	rated := r.Said["rated"]
	terms.Rated = words.Either(rated == "", !terms.Pace.Unlimited(), strings.EqualFold(rated, "rated"))
	return terms
}

// Proposal is an open challenge that somebody may make.
type Proposal struct {
	Game        string     // its name
	Command     string     // that makes it, and can be read in one way only
	Text, Terms words.Text // for others, and in short
}

// Proposals are the open challenges that the author of a message may mean by its words, the last of
// which may be the beginning of a game's name. Nothing is done.
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
	only := variantNamed(b.Games.Variants(), said["game"])
	for _, v := range b.Games.Variants() {
		if only != nil && v != only || !strings.Contains(v.Key+" "+strings.ToLower(v.Name), begun) {
			continue
		}
		said["game"] = v.Key
		r.Said = said
		t := terms(b, r)
		short := words.Terms(&storage.Challenge{Color: t.Color, Rated: t.Rated, Pace: t.Pace}, v, r.Me.Name)
		text := words.Say("challenge.proposal", "player", r.Me.Name, "terms", short)
		typed := strings.Join([]string{"challenge", t.Variant, writtenPace(t.Pace), t.Color, words.Either(t.Rated, "rated", "unrated")}, " ")
		all = append(all, Proposal{v.Title().Text(r.Language()), typed, text.In(r.Language()), short.In(r.Language())})
	}
	return all
}

// Invitation is a text, in a language, with which the maker of an open challenge passes it on, and the
// code to join it; "" if it can no longer be passed on.
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
	return words.Say("challenge.invitation", "terms", words.Terms(&c, v, name)).In(l).Plain(), c.Code
}

// opponent sets the opponent of a challenge to the person a word names: somebody who can be told of
// it, or nobody if the name is not known.
func opponent(ctx context.Context, b *Bot, r Request, word string, terms *storage.Challenge) error {
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
			return &wordedRefusal{Text: words.Say("challenge.not-reached", "player", words.NameOf(to.ID, to.Name))}
		}
	}
	return nil
}

func oddChallenge(b *Bot, word string) words.Text {
	if strings.ContainsAny(word, "0123456789") || slices.Contains([]string{"blitz", "rapid", "bullet"}, strings.ToLower(word)) {
		return words.Say("challenge.days")
	}
	all := b.Games.Variants()
	near := nearestVariant(all, word)
	return words.Say(words.Either(near == "", "challenge.odd-word", "challenge.odd-word-near"), "word", words.Clip(word), "near", near, "example", all[0].Key, "games", words.Keys(all))
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

// answering makes a handler that answers an offer: that of the game or person named, or the newest.
func answering(how match.Answer) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		if len(r.Args) == 1 && r.Game == 0 && r.names(r.Args[0]) {
			who, err := b.met(ctx, r, r.Args[0])
			if err != nil {
				return nil, err
			}
			d, err := b.Match.Answer(ctx, r.by(), how, match.Meant{With: who.ID})
			if event.IsRefused(err, event.NoOffer) {
				err = &wordedRefusal{Text: words.Say(words.Either(r.Name == "cancel", "challenge.nothing-to", "challenge.nothing-from"), "player", words.NameOf(who.ID, who.Name)), Why: err}
			}
			return r.done(d, err)
		}
		if n := len(r.Args); n > 0 {
			odd := r.Args[words.Either(n > 1 && r.names(r.Args[0]), 1, 0)]
			return r.answer(words.Say("request.odd-word", "word", words.Clip(odd))), nil
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
	all, err := b.Match.Lobby(ctx, r.by(), gameOf(b, r, ""))
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(c storage.Challenge) bool { return b.Games.Variant(c.Variant) == nil })
	shown := all[:min(len(all), limit.Listed)]
	said := message.Message{To: r.Me.ID}
	list, err := b.challengesFor(ctx, r, shown)
	var lines []words.Text
	for _, c := range shown {
		lines = append(lines, list.Challenge(c))
		name := numbered(c.ID, b.Games.Variant(c.Variant).Title(), r.Language())
		said.Buttons = append(said.Buttons, message.NewButton(name, "join", c.ID, message.None).Beside(len(lines)+1))
	}
	if more := len(all) - len(shown); more > 0 {
		lines = append(lines, words.Say("games.lobby-more", "n", more))
	}
	said.Text = words.Say("games.lobby", "challenges", phrase.Lines(lines))
	if lines == nil {
		said.Text = words.Say("games.lobby-empty", "alone", r.Msg.Private)
		said.Buttons = []message.Button{plainButton(words.Label("new-game"), "new")}
	}
	return &said, err
}

// rematch offers another game like the last one; "again" may mean a lesson or puzzle that was shown since.
func rematch(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	id, err := b.ended(ctx, r)
	if study, fault := b.openStudy(ctx, r); fault == nil && study != nil && !words.Says(words.Book().Say("command-name.rematch"), r.Msg.Text) {
		if view, none := b.Games.Load(ctx, id, match.Latest); none != nil || view.Game.Changed.Before(study.Shown()) {
			return study.Show(ctx)
		}
	}
	if err != nil {
		return nil, err
	}
	return r.done(b.Match.Rematch(ctx, r.by(), id))
}

// levels are the computer's, as people write them.
func levels() (all []string) {
	for level := range match.Levels + 1 {
		all = append(all, strconv.Itoa(level))
	}
	return all
}

// play begins a game against the computer, or shows one like it that the asker has not moved in yet, with a button that
// begins another.
func play(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	game := gameOf(b, r, usualVariant(b, r))
	p := match.Practice{Variant: game, Color: colourOf(r), Face: strings.ToLower(r.Said["face"])}
	if p.Level, _ = strconv.Atoi(r.Said["level"]); r.Said["level"] == "0" { // else 0 if none is named
		p.Level = match.Nought
	}
	if step := map[string]int{"easier": -1, "harder": 1}[r.Said["level"]]; step != 0 {
		if err := b.adjust(ctx, r, &p, step); err != nil {
			return nil, err
		}
	}
	if v := b.Games.Variant(game); p.Face != "" && !slices.Contains(match.Faces(v), p.Face) {
		return nil, &wordedRefusal{Text: words.Say("computer.not-as", "kind", v.Title())}
	}
	named := p.Level != 0 || p.Face != "" || r.Said["colour"] != ""
	if !named || !r.Msg.Once && !strings.HasPrefix(r.Msg.Press, "another") {
		games, err := b.playing(ctx, r)
		begun := slices.IndexFunc(games, func(g storage.Game) bool { // perhaps begun by the same words a moment ago
			side, _ := g.SideOf(r.Me.ID)
			_, level := g.Computer()
			alike := (p.Level == 0 || level == p.Level) && g.Face == p.Face && (p.Color == "random" || p.Color == strings.ToLower(rules.Color(side).String()))
			return g.Practice() && g.Variant == game && (alike || !named) && len(g.Moves) <= side && (r.alone() != 0 || slices.Contains(g.Places(), r.Here.ID))
		})
		if err == nil && begun >= 0 {
			r.Game, r.Said = games[begun].ID, nil
			said, err := showBoard(ctx, b, r)
			if _, level := games[begun].Computer(); err == nil {
				said.Buttons = append(said.Buttons, likeButton(words.Label("new-game"), "another", &games[begun], level))
			}
			return said, err
		}
	}
	return r.done(b.Match.PlayComputer(ctx, r.by(), p))
}

// adjust sets the level of a game that shall be a little easier or harder than the asker's last one here, if that was
// against the computer and no other game is named; else than their usual level.
func (b *Bot) adjust(ctx context.Context, r Request, p *match.Practice, step int) (err error) {
	p.Level, err = b.Games.MyLevel(ctx, r.Me.ID, p.Variant)
	if id, none := b.lastPlayed(ctx, r); none == nil && r.Said["game"] == "" {
		if view, none := b.Games.Load(ctx, id, match.Latest); none == nil && view.Game.Practice() {
			_, p.Level = view.Game.Computer()
			p.Variant, p.Face = view.Game.Variant, view.Game.Face
		}
	}
	p.Level = cmp.Or(match.NextLevel(p.Level, step), p.Level)
	return err
}

// playInstead has the computer play in place of a challenge that nobody has joined.
func playInstead(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	done, err := b.Match.PlayInstead(ctx, r.by(), r.Game)
	if event.IsRefused(err, event.NotYourChallenge) {
		err = &wordedRefusal{Text: words.Say("computer.not-instead", "game", r.Game)}
	}
	return r.done(done, err)
}

// colourOf is the colour that a request wants to play, or "random".
func colourOf(r Request) string { return strings.ToLower(cmp.Or(r.Said["colour"], "random")) }

// gameOf is the key of the kind of game that a request names, else another one.
func gameOf(b *Bot, r Request, other string) string {
	if v := variantNamed(b.Games.Variants(), r.Said["game"]); v != nil {
		return v.Key
	}
	return other
}

// usualVariant is the key of the game to play if none is named.
func usualVariant(b *Bot, r Request) string {
	return cmp.Or(b.Games.Variant(r.Server.Settings.Game), b.Games.Variants()[0]).Key
}

func oddPlay(b *Bot, word string) words.Text {
	if c := b.Commands.Find("challenge"); cmp.Or(c.Arg("rated").Value(word), c.Arg("days").Value(word)) != "" {
		return words.Say("computer.no-terms")
	}
	all := b.Games.Variants()
	if near := nearestVariant(all, word); near != "" {
		return words.Say("request.unknown-near", "word", words.Clip(word), "command", "play "+near)
	}
	return words.Say("computer.odd-word", "word", words.Clip(word), "example", all[0].Key, "games", words.Keys(all))
}

// clash answers two words for the same argument of a command.
func clash(_ *Arg, one, other string) words.Text {
	return words.Say("top.clash", "one", words.Clip(one), "other", words.Clip(other))
}

// Lobby is where a person finds an opponent, and games to watch.
type Lobby struct {
	Open    []AgendaLine // challenges that they could take, and their own
	Running []GameLine   // public games, the last one moved in first
	Mark    string       // changes with what is shown
}

// How many running games a lobby shows, and how many of the newest are searched for them.
const (
	lobbyGames    = 12
	lobbySearched = 300
)

// Lobby is the lobby of the author of a message.
func (b *Bot) Lobby(ctx context.Context, m message.Incoming) (*Lobby, error) {
	r, known := b.Asker(ctx, m)
	found := &Lobby{}
	if known && r.Me.ID != 0 {
		all, err := b.Match.Lobby(ctx, r.by(), "")
		own, _, err2 := b.Match.Challenges(ctx, r.by(), r.Me.ID)
		if err := cmp.Or(err, err2, b.openIn(ctx, r, found, all, own)); err != nil {
			return nil, err
		}
	}
	running, err := storage.Read(ctx, b.Store, func(read storage.Reader) ([]GameLine, error) { return b.running(read, r) })
	found.Running = running
	mark := sha256.New()
	for _, line := range found.Open {
		_, _ = fmt.Fprint(mark, " c", line.Game)
	}
	for _, line := range found.Running {
		_, _ = fmt.Fprint(mark, " ", line.ID, ".", line.Revision)
	}
	found.Mark = fmt.Sprintf("%x", mark.Sum(nil))[:16]
	return found, err
}

// openIn adds challenges of others and the asker's own to a lobby.
func (b *Bot) openIn(ctx context.Context, r Request, found *Lobby, all, own []storage.Challenge) error {
	list, err := b.challengesFor(ctx, r, slices.Concat(all, own))
	for i, c := range slices.Concat(all, own) {
		if b.Games.Variant(c.Variant) == nil {
			continue
		}
		found.Open = append(found.Open, b.line(r, c.ID, list.Challenge(c), answerButtons(c.ID, i >= len(all), false)[:1]))
	}
	return err
}

// running are games in progress that the asker may see from outside of chats: public ones.
func (b *Bot) running(read storage.Reader, r Request) (lines []GameLine, err error) {
	places, err := read.LivelyPlaces()
	var ids []storage.GameID
	for _, p := range places {
		here, err2 := read.Here(p)
		ids, err = append(ids, here...), cmp.Or(err, err2)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	games, err := read.Games().All(ids[max(0, len(ids)-lobbySearched):], err)
	public, err2 := event.NewPermissions(read, event.By{Outside: true})
	if err := cmp.Or(err, err2); err != nil {
		return nil, err
	}
	slices.SortFunc(games, func(a, b storage.Game) int { return b.Changed.Compare(a.Changed) })
	for i := range games {
		if games[i].Over() || games[i].Quarantined != "" || len(lines) == lobbyGames {
			continue
		}
		line, sees, err := b.lineOf(read, public, r, &games[i])
		if err != nil {
			return nil, err
		}
		lines = append(lines, words.If(sees, line)...)
	}
	return lines, nil
}
