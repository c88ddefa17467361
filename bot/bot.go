// Package bot answers what people write and press, and tells others what has happened. It uses no
// network: adapters (bot/discord, bot/telegram, bot/web, bot/console) bring it messages and deliver
// its replies.
//
// # Design
//
// An adapter makes a [message.Incoming] of what it hears, asks [Bot.IsMeant] whether that is for the
// bot, and hands it to [Bot.Handle], which resolves it once into a [Request] and returns the replies to
// its author. Everyone else is told from the outbox: [NewOutbox] makes a message of each entry, and an
// [Outlet] delivers it. What people read stands in bot/words, but for what an adapter says of its own
// platform.
//
// Everything about commands and buttons is in two tables, [Commands] and allPresses: names, arguments,
// examples, who may use them, which only read, and the handler. Parsing (read.go says what words can
// mean), help, suggestions and the platforms' menus are derived from them.
package bot

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/bot/archive"
	"chimera/bot/computer"
	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/maintenance"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/metrics"
	"chimera/bot/rating"
	"chimera/bot/season"
	"chimera/bot/training"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Bot answers messages. It is safe for concurrent use.
type Bot struct {
	Services
	Platforms
	Log      *slog.Logger
	About    string // name and version
	Commands Table
	Pictures *message.Cache
	talked   *lru.Cache[storage.PersonID, time.Time]        // when people last said something
	turns    *lru.Cache[storage.PersonID, []message.Button] // what leads on from the last page that each was shown
}

// talkers is how many people's last words, and last pages, are remembered.
const talkers = 4096

// New makes a Bot. about is its name and version, as people see it.
func New(s Services, log *slog.Logger, about string) *Bot {
	talked := message.Recent[storage.PersonID, time.Time](talkers)
	turns := message.Recent[storage.PersonID, []message.Button](talkers)
	return &Bot{Services: s, Log: log, About: about, Commands: commands, Pictures: message.NewCache(s.Metrics), talked: talked, turns: turns}
}

// maxText is how long a message may be, in bytes; move text and commands are far
// shorter.
const maxText = 1000

// Handle carries out a message, and returns the replies to its author. What others are told is in the
// outbox. An error is an internal one: it was logged, and a reply says so.
func (b *Bot) Handle(ctx context.Context, m message.Incoming) ([]message.Message, error) {
	ctx = storage.AsOfNow(ctx)
	saved := b.Maintenance.Saving(ctx, b.Log)
	replies, err := b.receive(ctx, m)
	if err != nil {
		b.Metrics.Failure(m.Place.Platform)
	}
	if errors.Is(err, storage.ErrNotSaved) {
		saved(err)
		replies = []message.Message{{Text: words.Say("help.cannot-save")}}
	} else if err != nil {
		b.Log.ErrorContext(ctx, "message failed", "platform", m.Place.Platform, "err", err)
		replies = []message.Message{{Text: words.Say("help.went-wrong")}}
		if who, err := b.Users.Meet(ctx, m.From.Address, m.From.Name); err == nil {
			replies[0].To = who.ID
		}
	}
	spoken, _ := phrase.Match(m.From.Locale)
	for i := range replies {
		replies[i].Speak(spoken) // without a language yet if nothing is known of the author
	}
	return replies, err
}

// receive finds out who has sent a message, and answers them in their language.
func (b *Bot) receive(ctx context.Context, m message.Incoming) ([]message.Message, error) {
	met := true
	if m.Arrived {
		met, _ = b.Users.Met(ctx, m.From.Address) // an error shows up in Receive
	}
	visit := user.Visit{Person: m.From.Address, Name: m.From.Name, Place: m.Place, Server: m.Server, Private: m.Private, Locale: m.From.Locale, Spoken: m.Spoken}
	seen, err := b.Users.Receive(ctx, visit, m.Key(), m.Author)
	switch {
	case err != nil:
		return nil, err
	case seen.Again != nil && seen.Again.Kind == event.Forgot:
		return []message.Message{{Text: words.Say("person.forgotten")}}, nil // this does not store them again
	}
	r := Request{Msg: m, Me: seen.Person, Here: seen.Place, Server: seen.Server, Stranger: !met}
	said, err := b.answer(ctx, r, seen.Again)
	all := replies(said)
	if err == nil && r.Stranger && said != nil && said.Ack {
		if view, err := b.Games.Load(ctx, said.About, match.Latest); err == nil { // else the board tells it
			all = append(all, *r.answer(words.Say("hello.joined", "key", view.Variant.Key, "kind", view.Variant.Title())))
		}
	}
	for i := range all {
		if r.alone() != 0 && !m.Outside && b.Pages() != "" {
			all[i].AddPage()
		}
		all[i].For(b.audience(r))
		if turns := slices.DeleteFunc(slices.Clone(all[i].Buttons), func(one message.Button) bool { return !one.Turns }); len(turns) > 0 && r.Me.ID != 0 {
			b.turns.Add(r.Me.ID, turns)
		}
	}
	return all, err
}

// answer carries out a request and tells the result, or tells it again if the request was carried out before.
func (b *Bot) answer(ctx context.Context, r Request, again *event.Done) (*message.Message, error) {
	m := r.Msg
	switch {
	case again == nil:
	case again.Kind == event.Refused:
		return b.refusedAgain(ctx, r, again.Words)
	case again.Told():
		return r.done(*again, nil)
	}
	b.Metrics.Message(m.Place.Platform, m.Press != "")
	if m.Press == "" {
		return b.answerText(ctx, r)
	}
	said, reads, refused := b.press(ctx, r)
	said, err := b.finish(ctx, r, reads, said, refused)
	if said != nil {
		said.Settles = b.settled(ctx, m, refused == nil)
	}
	return said, err
}

// read reads a text, if it is one that can be read.
func (b *Bot) read(text string) Reading {
	switch {
	case len(text) > maxText:
		return Reading{Fault: words.Say("request.too-long")}
	case !utf8.ValidString(text), strings.ContainsFunc(text, func(c rune) bool { return unicode.IsControl(c) && !unicode.IsSpace(c) }):
		return Reading{Fault: words.Say("request.unreadable")}
	}
	return b.Commands.Read(text)
}

// intend settles which command is meant by words that people use for several.
func (b *Bot) intend(r *Request) {
	if r.Name == "play" { // which people also say of moves, and of each other
		r.Name = words.Either(slices.ContainsFunc(r.Args, r.names), "challenge", words.Either(b.LooksLikeMove(r.Text), "move", r.Name))
		r.Command = b.Commands.Find(r.Name)
	}
	if played := *r; r.Name == "challenge" && slices.ContainsFunc(r.Args, words.IsComputer) { // perhaps at a level
		played.Name, played.Command = "play", b.Commands.Find("play")
		if _, fault := b.arguments(played); fault == nil {
			*r = played
		}
	}
	if r.Command == nil && len(r.Args) == 2 && strings.EqualFold(r.Args[0], "join") && (r.names(r.Args[1]) || match.IsCode(r.Args[1])) {
		r.Command, r.Name, r.Args = b.Commands.Find("accept"), "accept", r.Args[1:]
	}
}

// answerText carries out what is typed: a command, what people say for one, talk or a move.
func (b *Bot) answerText(ctx context.Context, r Request) (*message.Message, error) {
	m := r.Msg
	if r.Reading = b.read(m.Text); r.Fault != nil {
		b.Metrics.Refusal("not understood")
		return r.answer(r.Fault), nil
	}
	if m.Heard != nil {
		r.Game = m.Heard.ID
	}
	if err := b.addNamed(ctx, &r); err != nil {
		return nil, err
	}
	b.intend(&r)
	heard := words.Either(r.Command == nil, r.Text, m.Text) // r.Text lacks a game's number
	plain, l := words.Heard(heard)
	about := words.Either(plain.Command() == "", nil, r.Args)
	if !m.Filled {
		if game, wanted, in := b.wishFor(heard); game != nil {
			plain, l, about = wanted, in, game
			r.Command = b.Commands.Find(wanted.Command())
		}
	}
	if plain.IsTalk() || plain == "" && r.Command != nil && !m.Filled && !b.isWhole(m.Text, r.Reading) {
		if said, err := b.talk(ctx, r); said != nil || err != nil {
			return b.finish(ctx, r, false, said, err)
		}
	}
	switch {
	case plain != "":
		r.Args = about
		said, err := answerPlainly(ctx, b, &r, plain, l)
		return b.finish(ctx, r, plain.Command() == "" || r.reads(), said, err)
	case r.Command != nil:
		said, err := obey(ctx, b, r)
		no := err
		if said, err = b.finish(ctx, r, r.reads(), said, err); m.Arrived && no != nil && err == nil {
			greeting := hello(r)
			greeting.Speak(r.Language())
			greeting.Text = slices.Concat(said.Text, words.Of("\n\n"), greeting.Text)
			said = greeting
		}
		return said, err
	case r.Text == "" && r.Game != 0:
		said, err := showBoard(ctx, b, r)
		return b.finish(ctx, r, true, said, err)
	case r.Text == "":
		return hello(r), nil
	}
	said, err := bareText(ctx, b, r)
	return b.finish(ctx, r, false, said, err)
}

// wishFor are the words that name a game in a question about it, such as "how does stealth work", or in a wish to learn
// it, with what is wanted and in which language; nil if a text is neither.
func (b *Bot) wishFor(text string) (game []string, wanted words.Saying, l phrase.Language) {
	const shortest, longest = 2, 12 // words of a question
	typed := strings.Fields(strings.TrimRight(text, " ?!."))
	if len(typed) < shortest || len(typed) > longest {
		return nil, "", l
	}
	for n := range typed {
		for name := min(longestName, len(typed)-n); name > 0; name-- {
			said, in := words.Heard(strings.Join(slices.Concat(typed[:n], typed[n+name:]), " "))
			if game := typed[n : n+name]; (said.IsQuestion() || said == "learn") && variantNamed(b.Games.Variants(), game...) != nil {
				return game, words.Either(said.IsQuestion(), words.TheRules, said), in
			}
		}
	}
	return nil, "", l
}

// obey carries out the command of a request.
func obey(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	c := r.Command
	switch {
	case c.Managers && r.Server.ID == 0:
		return nil, &event.Refusal{Why: event.NoServer}
	case c.Managers && !r.Msg.Manager && (r.Msg.Press != "" || !r.reads()):
		return nil, &wordedRefusal{Text: words.Say("settings.managers-only")}
	case len(r.Args) > c.Words:
		return r.answer(words.Say("request.odd-word", "word", words.Clip(r.Args[c.Words]))), nil
	case c.Odd != nil:
		var fault words.Text
		if r.Said, fault = b.arguments(r); fault != nil {
			return r.answer(fault), nil
		}
	}
	return c.Run(ctx, b, r)
}

// Services are the services that the bot uses, over one store.
type Services struct {
	Store       *storage.Store
	Events      *event.Log
	Match       *match.Service
	Games       *match.Games
	Ratings     *rating.Service
	Users       *user.Users
	Archive     *archive.Archive
	Maintenance *maintenance.Keeper
	Thinker     *computer.Thinker
	Training    *training.Service
	Seasons     *season.Service
	Metrics     *metrics.Metrics // nil where nothing is counted
}

// Roles are the roles of the store.
func (s *Services) Roles() storage.Roles { return s.Store.Roles() }

// Count makes what happens from now on be counted in m. It is called before anything happens.
func (s *Services) Count(m *metrics.Metrics) { s.Metrics, s.Match.Metrics = m, m }

// NewServices makes the Services for some games. now is the wall clock; coin is tossed for colours.
func NewServices(store *storage.Store, variants []*rules.Variant, now func() time.Time, coin func() bool) Services {
	s := Services{Store: store, Events: event.New(store, now)}
	s.Ratings = rating.New(store, s.Events, variants, now)
	s.Match = match.New(store, s.Events, s.Ratings, variants, now, coin)
	s.Games = s.Match.Games
	s.Users = user.New(store, s.Events, s.Ratings, s.Match, now)
	s.Archive = archive.New(store, s.Games)
	s.Training = training.New(store, variants, now)
	s.Thinker = computer.New(store, s.Games, s.Match, now)
	s.Seasons = season.New(store, s.Events, s.Match, s.Ratings, now)
	s.Users.Withdraw = s.Seasons.LeaveAll
	s.Maintenance = maintenance.New(store, s.Events, s.Ratings, s.Match, s.Users, now, s.Training.TellDue, s.Seasons.Work)
	return s
}

// LinkCode stands in a web address before a code that links accounts; other codes are for challenges.
const LinkCode = "link-"

// Platforms are the ways to reach the bot, as adapters report them. It is safe for concurrent use.
type Platforms struct {
	webLinks sync.Map     // by platform, the web address that leads there when a code is added to it
	away     sync.Map     // by platform, whether the bot is not there at the moment
	only     atomic.Value // the only platform; nil if there are several
	pages    atomic.Value // the web address of the pages; nil if there are none
}

// WebLink sets the web address that leads people to the bot on a platform; a code added to it is
// passed on to the bot.
func (p *Platforms) WebLink(platform, address string) { p.webLinks.Store(platform, address) }

// Away tells the bot that it is not on a platform at the moment, or is there again.
func (p *Platforms) Away(platform string, away bool) { p.away.Store(platform, away) }

// Missing are the platforms where the bot should be but is not.
func (p *Platforms) Missing() (platforms []string) {
	for platform, away := range p.away.Range {
		if away.(bool) {
			platforms = append(platforms, platform.(string))
		}
	}
	slices.Sort(platforms)
	return platforms
}

// IsOnly reports whether the bot can only be reached on this platform.
func (p *Platforms) IsOnly(platform string) bool { return p.only.Load() == platform }

// Only notes that the bot can be reached on one platform only.
func (p *Platforms) Only(platform string) { p.only.Store(platform) }

// ServePages sets the web address of the pages, without a slash at its end.
func (p *Platforms) ServePages(address string) { p.pages.Store(address) }

// Pages is the web address of the pages, "" if there are none.
func (p *Platforms) Pages() string {
	address, _ := p.pages.Load().(string)
	return address
}

// Address is a web address that brings a code to the bot on a platform other than one, "" if there is
// none.
func (p *Platforms) Address(code, other string) string {
	for platform, before := range p.webLinks.Range {
		if platform != other {
			return before.(string) + code
		}
	}
	return ""
}

// Request is what somebody asks for by a text or a button.
type Request struct {
	Reading
	Msg      message.Incoming
	Me       storage.Person
	Here     storage.Place
	Server   storage.Server    // that it is in; zero for a private chat
	Said     map[string]string // the arguments given to a command that takes them in any order
	Stranger bool              // the author comes with a code, and was never met before
	View     *match.GameView   // the game that it is about, if loaded already; else nil
}

// Language is the language of the answer: the author's, unless others see it or theirs is not known.
func (r Request) Language() phrase.Language {
	alone := r.Command != nil && r.Command.Whose == AskerAlone
	unsaid := r.Me.Settings.Language == "" && r.Me.Locale == "" // as of people who have only written on Discord
	return words.Either(r.Server.ID != 0 && (r.Msg.Public && !alone || unsaid), words.LanguageAt(r.Server), words.LanguageOf(r.Me))
}

// zone is the time zone of the answer: the author's, unless others see it.
func (r Request) zone() string {
	return words.Either(r.Msg.Public && r.Server.ID != 0, r.Server.Settings.Zone, r.Me.Settings.Zone)
}

// audience is who sees the answer to a request.
func (b *Bot) audience(r Request) message.Audience {
	return message.Audience{Language: r.Language(), Zone: r.zone(), Look: r.Me.Settings.Else(r.Server.Settings.Look), Pictures: b.Pictures}
}

// Location is the time zone of the answer, UTC if none is chosen.
func (r Request) Location() *time.Location { return storage.ZoneOf(r.zone()) }

// alone is the asker if nobody else sees the answer, else 0.
func (r Request) alone() storage.PersonID {
	return words.Either(r.Msg.Private || r.Msg.Alone, r.Me.ID, 0)
}

// playing are the games in progress of the author, in order of number.
func (b *Bot) playing(ctx context.Context, r Request) ([]storage.Game, error) {
	if r.Msg.Author != nil {
		return slices.Clone(r.Msg.Author.Playing), nil
	}
	return b.Games.Playing(ctx, r.Me.ID)
}

// reads reports whether a request changes nothing, so that there is no harm in carrying it
// out again.
func (r *Request) reads() bool { return len(r.Args) < r.Command.Reads }

// answer is a message to the person who asked.
func (r Request) answer(t words.Text) *message.Message { return &message.Message{To: r.Me.ID, Text: t} }

// answerAtOnce is an answer in the language that the request knows now: the command may just have
// changed it.
func (r Request) answerAtOnce(t words.Text) *message.Message { return r.answer(t.In(r.Language())) }

// by says who makes a request, where and with which message.
func (r Request) by() event.By {
	return event.By{
		Person: r.Me.ID, Place: r.Here.ID, Message: r.Msg.Key(), Called: r.Msg.From.Mention, Within: r.Msg.Within.ID,
		Posted: r.Msg.Posted, Outside: r.Msg.Outside,
	}
}

// names reports whether a word names a person, or looks like that.
func (r Request) names(word string) bool {
	_, ok := r.Msg.People[strings.ToLower(word)]
	return ok || strings.HasPrefix(word, "@")
}

// retyped is the request with one word replaced.
func (r Request) retyped(word, other string) string {
	args := phrase.Each(r.Args, func(arg string) string { return words.Clip(words.Either(arg == word, other, arg)) })
	return strings.Join(append([]string{r.Name}, args...), " ")
}

// done answers a successful request: with a question if a second word is wanted, else with what
// everyone will hear anyway.
func (r Request) done(d event.Done, err error) (*message.Message, error) {
	if err != nil {
		return nil, err
	}
	asks := func(text words.Text, verb string) (*message.Message, error) {
		return &message.Message{To: r.Me.ID, Text: text, Buttons: message.YesNo(verb, d.Game)}, nil
	}
	switch d.Kind {
	case event.ResignAsked:
		return asks(words.Say("offer.resign-sure", "game", d.Game, "pressed", r.Msg.Press != ""), "resign")
	case event.AbortAsked:
		return asks(words.Say("offer.abort-sure", "game", d.Game, "pressed", r.Msg.Press != ""), "abort")
	case event.DrawAsked:
		return asks(words.Say("offer.draw-sure", "game", d.Game), "draw")
	case event.AnnulAsked:
		return asks(words.Say("settings.annul-sure", "game", d.Game), "annul")
	case event.ForgetAsked:
		return asks(words.Say("person.forget-sure"), "forget")
	case event.Forgot:
		return r.answer(words.Say("person.forgotten")), nil
	default:
	}
	text := words.Say("request.done")
	press, _, _ := strings.Cut(r.Msg.Press, " ")
	if what, sure := strings.CutSuffix(press, "-yes"); sure {
		if d.Kind == event.Ended && what == "draw" {
			what = "agreed"
		}
		text = words.Say("offer.settled", "game", d.Game, "what", what)
	}
	moved := d.Kind == event.Moved || d.Kind == event.Ended
	return &message.Message{To: r.Me.ID, Text: text, Ack: true, Moved: moved, About: d.Game}, nil
}

// learner is the asker as a learner.
func (r Request) learner() training.Learner {
	return training.Learner{Person: r.Me, Place: r.Here.ID, Private: r.Msg.Private}
}

// pressers says who may press a button.
type pressers uint8

// Who may press a button.
const (
	anybody pressers = iota
	players          // of its game
	mover            // the player whose turn it is
)

// may refuses an asker who is not one of these in the game of the request.
func (r *Request) may(be pressers) error {
	switch _, plays := r.View.Game.SideOf(r.Me.ID); {
	case be != anybody && !plays:
		return &event.Refusal{Why: event.NotPlaying, Game: r.View.Game.ID}
	case be == mover && r.View.Game.Over():
		return &event.Refusal{Why: event.Over, Game: r.View.Game.ID}
	case be == mover && match.ToMove(&r.View.Game) != r.Me.ID:
		return &event.Refusal{Why: event.NotYourTurn, Game: r.View.Game.ID}
	}
	return nil
}

// Language is the language in which a message is answered.
func (b *Bot) Language(ctx context.Context, m message.Incoming) phrase.Language {
	r, _ := b.Asker(ctx, m)
	return r.Language()
}

// refusal answers an error that people can do something about, and returns the code of its reason for
// operators; it returns nil for any other error.
func (b *Bot) refusal(ctx context.Context, r Request, err error) (said *message.Message, code string) {
	code = "other" // a sentence of its own
	if illegal, ok := errors.AsType[*rules.Illegal](err); ok {
		said, code = r.answer(words.Of(illegal.Phrase())), string(illegal.Reason)
	} else if refused, ok := errors.AsType[*event.Refusal](err); ok {
		said, code = r.answer(b.refused(ctx, r, refused)), string(refused.Why)
	} else if several, ok := errors.AsType[*severalGames](err); ok {
		said, code = b.whichGame(ctx, r, several), "several games"
	} else if errors.Is(err, errNoGame) {
		said, code = r.answer(words.Say("request.no-game")), "no game"
	}
	if fault, ok := errors.AsType[*match.PlanFault](err); ok {
		said = r.answer(words.PlanFault(fault))
	}
	if with, ok := errors.AsType[*wordedRefusal](err); ok {
		said = r.answer(with.Text)
		said.Buttons = with.Buttons
	}
	return said, code
}

// refused words a refusal; if the reason is whose turn it is, or that the game is over, it adds the
// details, if the asker may see the game.
func (b *Bot) refused(ctx context.Context, r Request, no *event.Refusal) words.Text {
	if no.Why != event.NotYourTurn && no.Why != event.Over {
		return words.Refusal(no)
	}
	view, err := b.Games.LoadFor(ctx, r.by(), no.Game, match.Latest)
	switch {
	case err != nil:
		return words.Refusal(no)
	case no.Why == event.Over:
		return words.Say("request.over", "game", no.Game, "how", words.Ended(view, r.alone()), "practice", view.Game.Practice())
	}
	mover := words.NameOf(match.ToMove(&view.Game), view.Names[view.Now.Position.Turn()])
	return words.Say("request.not-your-turn", "game", no.Game, "player", mover)
}

// whichGame asks which of several games is meant, the most urgent first; nil if they cannot be listed.
func (b *Bot) whichGame(ctx context.Context, r Request, several *severalGames) *message.Message {
	agenda, _, err := b.Games.Agenda(ctx, event.By{Person: r.Me.ID}, r.Me.ID, limit.Games, nil)
	wanted := slices.DeleteFunc(agenda, func(it match.Item) bool {
		return !slices.ContainsFunc(several.Games, func(g storage.Game) bool { return g.ID == it.Game.ID })
	})
	if err != nil || len(wanted) == 0 {
		return nil
	}
	shown := wanted[:min(len(wanted), limit.Listed)]
	said := r.answer(words.WhichGame(shown, len(wanted)-len(shown), r.Me))
	said.Buttons = inEach(r, shown)
	return said
}

// wordedRefusal refuses a request in its own words, with what can be done instead.
type wordedRefusal struct {
	Text    words.Text
	Buttons []message.Button
	Why     error // the refusal behind it, or nil
}

func (e *wordedRefusal) Error() string { return "bot: refused: " + e.Text.Plain() }

// Unwrap is the reason.
func (e *wordedRefusal) Unwrap() error { return e.Why }

// finish ends a request. A refusal that might not be repeated is remembered first, so that the request
// is not done when its message comes again; so is the answer to a button, which may be stale only now.
func (b *Bot) finish(ctx context.Context, r Request, reads bool, said *message.Message, err error) (*message.Message, error) {
	if told, code := b.refusal(ctx, r, err); told != nil {
		b.Metrics.Refusal(code)
		said = told
	} else if err != nil || r.Msg.Press == "" {
		return said, err
	}
	said.Speak(r.Language())
	if r.Msg.ID != "" && !reads {
		text, err := json.Marshal(kept{words.Nameless(said.Text), said.Buttons})
		if err != nil {
			return nil, err
		}
		if err := b.Events.Refused(ctx, r.by(), string(text)); err != nil {
			return nil, err
		}
	}
	said.Text = words.PlainNames(said.Text)
	return said, nil
}

// ErrNothing means that something does not exist, or not for the person who asks.
var ErrNothing = errors.New("bot: there is nothing")

// kept is the stored answer to a refused request.
type kept struct {
	Text    words.Text
	Buttons []message.Button `json:",omitempty"`
}

// refusedAgain repeats the refusal of a request in the same words; a message that was only overheard
// has none.
func (b *Bot) refusedAgain(ctx context.Context, r Request, told string) (*message.Message, error) {
	if told == "" {
		return nil, nil
	}
	var before kept
	if err := json.Unmarshal([]byte(told), &before); err != nil {
		return nil, err
	}
	t := before.Text
	for i := range t {
		if s := &t[i]; s.Person != 0 {
			name, err := b.Users.Name(ctx, s.Person)
			if err != nil {
				return nil, err
			}
			s.Words = name
		} else if s.Style == words.Named {
			s.Words = storage.Nobody
		}
	}
	return &message.Message{To: r.Me.ID, Text: words.PlainNames(t), Buttons: before.Buttons}, nil
}

// inEach are buttons that do what is requested in each of some games.
func inEach(r Request, games []match.Item) []message.Button {
	text := strings.Join(append(words.If(r.Name != "", r.Name), r.Args...), "_")
	return phrase.Each(games, func(it match.Item) message.Button {
		return message.NewButton(numbered(it.Game.ID, it.Variant, r.Language()), "in", it.Game.ID, message.None, text)
	})
}

// numbered names one of several games or challenges on a button, as "#12 Chess".
func numbered(id storage.GameID, kind phrase.Phrase, l phrase.Language) phrase.Phrase {
	return phrase.As(words.Hash(id) + " " + kind.Text(l))
}

// obeyIn carries out what a button of inEach says.
func obeyIn(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	r.Args = strings.Split(r.Args[0], "_")
	wanted, acts := actWanted(r.Args[0])
	r.enter(b.Commands.Find(r.Args[0]))
	r.Text = strings.Join(r.Args, " ")
	switch {
	case r.Command == nil && acts:
		return wordMove(ctx, b, r, wanted)
	case r.Command == nil:
		return move(ctx, b, r)
	}
	said, err := obey(ctx, b, r)
	if said != nil {
		said.Alone = r.Command.Whose == AskerAlone
	}
	return said, err
}
