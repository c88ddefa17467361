package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// handler carries a request out.
type handler func(context.Context, *Bot, Request) (*message.Message, error)

// Command is something that people can ask for, with everything about it: what it takes and how it is
// carried out. Its texts are in bot/words, by its name.
type Command struct {
	Name     string
	Also     string   // another name that people use for it, if any
	Usage    string   // what can follow the name, as help shows it
	Examples []string // what follows the name, or is written alone
	Args     []Arg    // what platforms let people fill in, in that order
	Whose    Whose
	Managers bool // it is about a server, and only managers may change something by it

	ManagerKey string // the key of the text about it for managers of a server; its name if ""

	Odd   func(b *Bot, word string) words.Text       // answers a word that it does not take
	Twice func(a *Arg, one, other string) words.Text // answers two values of an argument; nil if the last one counts
	Fits  func(*Bot, Request, *storage.Game) bool    // if only one of several games fits, that one is meant
	Subs  Table                                      // subcommands, whose names follow its own
	Words int                                        // how many may follow, without the number of a game
	Reads int                                        // with fewer words than this, it changes nothing
	Plain bool                                       // a text that begins with its name is always meant for the bot
	Run   handler
}

// many is more words than anybody writes.
const many = math.MaxInt

// Whose says whom the answer to a command depends on.
type Whose uint8

// Whose the answer is.
const (
	Asker      Whose = iota // it depends on who asks
	AskerAlone              // likewise, and nobody else may see it
	WhoIsNamed              // it depends on who is named, or on who asks if nobody is
	Everybody               // it is the same for everybody
)

// Arg is something that people can fill in for a command.
type Arg struct {
	Name   string
	Kind   ArgKind
	Needed bool
	Code   bool     // a code can stand in place of a game's number
	Words  []string // those that can be chosen
	Least  int      // the least value of a number
	No     string   // what to write for 0 or no, if anything
	Says   string   // what to write for a form before its value, if anything
	Args   []Arg    // of a form

	Key string // the key of the text about it; its name if ""
}

// About tells what an argument is.
func (a *Arg) About() phrase.Phrase { return words.Book().Say("option." + cmp.Or(a.Key, a.Name)) }

// ArgKind is what an argument can be.
type ArgKind uint8

// The kinds of arguments.
const (
	ArgText ArgKind = iota
	ArgWord         // one of some words
	ArgFlag         // its name, if wanted
	ArgNumber
	ArgDays
	ArgPace  // days for each move, and a bank of more
	ArgMonth // such as 2026-10
	ArgPerson
	ArgGame       // a game's number
	ArgOffer      // likewise, of one with an offer to the asker
	ArgOwnOffer   // likewise, of one with an offer by the asker
	ArgEnded      // likewise, of one that has ended
	ArgVariant    // a kind of game
	ArgGameOrKind // a game's number or a kind of game
	ArgMove
	ArgPiece // a piece, or the square on which it stands
	ArgCommand
	ArgForm // arguments that are filled in together
)

// Spoken is what a command is called in a language, where platforms let people choose it.
func (c *Command) Spoken(l phrase.Language) string {
	return words.Book().Say("command-name." + c.Name).Text(l)
}

// Title is what an argument is called: a kind of game otherwise than one game, where a language
// has two words.
func (a *Arg) Title() phrase.Phrase {
	return words.Book().Say("option-name." + words.Either(a.Kind == ArgVariant, "kind", a.Name))
}

// Choice is what platforms show for a word that can be chosen for an argument.
func (a *Arg) Choice(word string) phrase.Phrase {
	switch level, err := strconv.Atoi(word); {
	case a.Name == "level" && err == nil:
		return words.Level(level)
	case words.Book().Has("settings.about." + word):
		return words.Book().Say("settings.in-list", "setting", word, "about", words.AboutSetting(word))
	}
	return words.Called(word)
}

// Typed is how an argument is written in the Usage of its command.
func (a *Arg) Typed() string {
	switch a.Kind {
	case ArgWord:
		return words.Either(a.Name == "level", fmt.Sprint("level 0-", match.Levels), strings.Join(a.Words, "|"))
	case ArgFlag:
		return strings.TrimSuffix(a.Name+"|"+a.No, "|")
	case ArgPace:
		return "Nd|" + totalPace + " Nd"
	case ArgDays:
		return strings.TrimSuffix("Nd|"+a.No, "|")
	case ArgPerson:
		return "@name"
	case ArgGame, ArgOffer, ArgOwnOffer, ArgEnded:
		return words.Either(a.Code, "#game|code", "#game")
	case ArgVariant:
		return "game"
	case ArgGameOrKind:
		return "#game|game"
	case ArgForm:
		return strings.TrimSpace(a.Says + " name value")
	default:
		return a.Name
	}
}

// About tells what a command is for.
func (c *Command) About() phrase.Phrase { return words.Book().Say("command." + c.Name) }

// ToManage tells what a command is for those who manage a server.
func (c *Command) ToManage() phrase.Phrase {
	return words.Book().Say("command." + cmp.Or(c.ManagerKey, c.Name))
}

// Table are commands, in the order in which help shows them.
type Table []Command

// Find is the command of a name, nil if there is none.
func (all Table) Find(name string) *Command {
	return first(all, func(c *Command) bool { return strings.EqualFold(c.Name, name) })
}

// first is the first element that satisfies a condition, or nil.
func first[T any](all []T, is func(*T) bool) *T {
	for i := range all {
		if is(&all[i]) {
			return &all[i]
		}
	}
	return nil
}

// marks can follow any word of a command, and mean nothing there.
const marks = "?!.:,;…"

// Called is the command with a name in any language, or with another name for it, as in "/draw" and
// "draw?"; nil if there is none.
func (all Table) Called(name string) *Command {
	name = strings.TrimRight(strings.TrimPrefix(name, "/"), marks)
	also := first(all, func(c *Command) bool { return c.Also != "" && strings.EqualFold(c.Also, name) })
	return cmp.Or(all.Find(name), also, all.Find(words.CommandCalled(name)))
}

// Arg is an argument of a command, also in a form, by its name; nil if there is none.
func (c *Command) Arg(name string) *Arg {
	return first(c.Args, func(a *Arg) bool { return a.Name == name })
}

// Nearest is the name of the command that a word looks like, "" if none.
func (all Table) Nearest(word string) string {
	for _, l := range phrase.Languages() {
		names := phrase.Each(all, func(c Command) string { return c.Spoken(l) })
		if i := slices.Index(names, nearest(word, names)); i >= 0 {
			return all[i].Name
		}
	}
	return ""
}

// Reading is what a text says.
type Reading struct {
	Command *Command       // nil if the text names none
	Name    string         // of the command, after the names of those above it
	Game    storage.GameID // named by "#12", or 0
	Args    []string       // the words after the command, without the game; "3 days" is "3d"
	Text    string         // the same as they were written
	Fault   words.Text     // what is wrong with the number of the game
}

var gameNumber = regexp.MustCompile(`^#([0-9]{1,18})[:,.;]?$`)

// Read reads the command of a text, if it names one of these or says plainly what one does, and the rest.
func (all Table) Read(text string) (said Reading) {
	for w := range strings.FieldsSeq(text) {
		found := gameNumber.FindStringSubmatch(w)
		if found == nil {
			said.Args = append(said.Args, w)
			continue
		}
		n, _ := strconv.ParseUint(found[1], 10, 64) // 18 digits fit
		switch {
		case n == 0:
			said.Fault = words.Say("request.no-game-zero")
			return said
		case said.Game != 0:
			said.Fault = words.Say("request.one-game", "word", w)
			return said
		}
		said.Game = storage.GameID(n)
	}
	if blunt := words.Blunt(said.Args); len(blunt) > 0 {
		said.Args = blunt
	}
	_, answers := words.YesOrNo(strings.Join(said.Args, " ")) // "sí" is no "si", which is French for "if"
	for i, w := range said.Args {
		rest := said.Args[i:]
		if wish, _ := words.Heard(strings.Join(rest, " ")); wish.Command() != "" {
			rest = strings.Fields(words.Either(wish == "lobby" && said.Game != 0, "accept", wish.Command())) // "join #2"
		}
		c := words.Either(answers, nil, all.Called(rest[0]))
		if c != nil {
			said.Args = rest
			said.enter(c)
		}
		if c != nil || !words.IsFiller(w) {
			break
		}
	}
	if c := all.Find("play"); c != nil && said.Command == nil && len(said.Args) == 2 && words.Says(c.Arg("level").Title(), said.Args[0]) && c.Arg("level").Value(said.Args[1]) != "" {
		said.enter(c) // as in "level 2"
	}
	if i := slices.IndexFunc(said.Args, func(w string) bool { return words.CommandCalled(w) == "ladder" }); i >= 0 && said.Name == "challenge" {
		said.Name, said.Args = "", append([]string{"ladder", "challenge"}, slices.Delete(said.Args, i, i+1)...)
		said.enter(all.Find("ladder")) // as in "challenge @bob, ladder"
	}
	said.Text = strings.Join(said.Args, " ")
	if c := said.Command; c != nil && slices.ContainsFunc(c.Args, func(a Arg) bool { return a.Kind == ArgDays || a.Kind == ArgPace }) {
		said.Args = strings.Fields(words.ShortDays(said.Text))
	}
	return said
}

// enter takes the next word as the command c, or as none if c is nil, and goes on below it.
func (said *Reading) enter(c *Command) {
	if c == nil {
		return
	}
	said.Command, said.Name, said.Args = c, strings.TrimSpace(said.Name+" "+c.Name), said.Args[1:]
	if len(c.Subs) > 0 && len(said.Args) > 0 {
		said.enter(c.Subs.Called(said.Args[0]))
	}
}

// arguments reads the words of a request, in any order, as values of the command's arguments, by their
// names; fault answers a word that fits none, or repeats one.
func (b *Bot) arguments(r Request) (said map[string]string, fault words.Text) {
	said = map[string]string{}
	for rest := r.Args; len(rest) > 0; {
		a, n, value := b.argument(r, rest)
		switch word := strings.TrimRight(rest[0], marks); {
		case a == nil && (words.IsFiller(word) || words.IsComputer(word)): // a challenge or a game is with them anyway
			rest = rest[1:]
			continue
		case a == nil:
			return nil, r.Command.Odd(b, word)
		case said[a.Name] != "" && r.Command.Twice != nil:
			return nil, r.Command.Twice(a, said[a.Name], value)
		}
		said[a.Name] = value
		rest = rest[n:]
	}
	return said, nil
}

// argument is the argument that the next words are a value of, as many as possible, how many words that takes, and the
// value; nil if none. The kind of game is tried last, as its name may be anything.
func (b *Bot) argument(r Request, rest []string) (a *Arg, n int, value string) {
	const longest = 10 // words of a level, as it is described
	for n = min(len(rest), longest); n > 0; n-- {
		text := strings.TrimRight(strings.Join(rest[:n], " "), marks)
		for i := range r.Command.Args {
			a = &r.Command.Args[i]
			_, known := r.Msg.People[strings.ToLower(text)]
			person := a.Kind == ArgPerson && (known || a.Name == "opponent" && words.IsComputer(text))
			if value = words.Either(person, text, a.Value(text)); value != "" {
				return a, n, value
			}
		}
	}
	a = first(r.Command.Args, func(a *Arg) bool { return a.Kind == ArgVariant })
	if n = leadingVariant(b.Games.Variants(), rest); a == nil || n == 0 {
		return nil, 0, ""
	}
	return a, n, strings.TrimRight(strings.Join(rest[:n], " "), marks)
}

// Value is what a text alone says for an argument in any request, as it is typed in English; "" if nothing.
func (a *Arg) Value(text string) string {
	low := strings.TrimPrefix(strings.ToLower(text), a.Name+" ")
	for _, w := range slices.Concat(a.Words, words.If(a.Kind == ArgFlag, a.Name), words.If(a.No != "", a.No), words.If(a.Kind == ArgPace, "0d")) {
		if words.Means(w, low) {
			return w
		}
	}
	n, days := readDays(text)
	ok := a.Kind == ArgDays && days && n >= a.Least
	switch a.Kind {
	case ArgNumber:
		n, err := strconv.Atoi(text)
		ok = err == nil && n >= a.Least
	case ArgPace:
		if _, ok = readPace(low); !ok {
			return paceCalled(text)
		}
	case ArgMonth:
		_, ok = storage.ParseMonth(text)
	case ArgPerson:
		ok = strings.HasPrefix(text, "@") && len(text) > 1 && !strings.Contains(text, " ")
	default: // written
	}
	return words.Either(ok, text, "")
}

// Suggestion is something that can be written next.
type Suggestion struct{ Label, Value string }

// maxSuggestions is how many suggestions are of use.
const maxSuggestions = 25

// Suggest completes what somebody has typed for an argument of a command; game is the value that they
// have filled in for the game, "" if none.
func (b *Bot) Suggest(ctx context.Context, m message.Incoming, command, argument, game, begun string) []Suggestion {
	r, ok := b.Asker(ctx, m)
	c := b.Commands.Find(command)
	if !ok || c == nil || c.Arg(argument) == nil {
		return nil
	}
	r.Reading = b.Commands.Read(game)
	var all []Suggestion
	switch kind := c.Arg(argument).Kind; kind {
	case ArgMove:
		if r.Fault != nil {
			return onlySays(r, r.Fault, begun)
		}
		all = b.suggestMoves(ctx, r, begun)
	case ArgGame, ArgOffer, ArgOwnOffer, ArgEnded, ArgGameOrKind:
		r.Game = 0
		all = b.suggestGames(ctx, r, kind, begun)
	case ArgPiece:
		all = b.suggestPieces(ctx, r, game, begun)
	case ArgCommand:
		all = b.suggestCommands(r, strings.TrimPrefix(begun, "/"))
	case ArgPace, ArgDays:
		all = suggestDays(r, c.Arg(argument), begun)
	default: // written, or chosen among few
	}
	return all[:min(len(all), maxSuggestions)]
}

// suggestMoves are the legal moves that complete what was typed, in the game named by its number or
// otherwise meant: moves that combine pieces first, and beginnings before other matches. If no move
// can be meant, the only suggestion says why.
func (b *Bot) suggestMoves(ctx context.Context, r Request, typed string) []Suggestion {
	view, err := b.toMoveIn(ctx, r)
	if several := (*severalGames)(nil); errors.As(err, &several) {
		return onlySays(r, words.Say("request.choose-game", "n", len(several.Games), "option", words.Book().Say("option-name.game")), typed)
	}
	if err != nil {
		if no, _ := b.refusal(ctx, r, err); no != nil {
			return onlySays(r, no.Text, typed)
		}
		return nil
	}
	pos := view.Now.Position
	moves, texts := pos.Moves(), pos.ChatTexts()
	of := map[string]rules.Move{}
	for i, text := range texts {
		of[text] = moves[i]
	}
	sorted := slices.SortedStableFunc(slices.Values(texts), func(a, b string) int { return cmp.Compare(plainness(of[a]), plainness(of[b])) })
	typed = strings.ToLower(strings.Join(strings.Fields(pos.Variant().Plain(typed)), ""))
	begins := func(text string) bool { return strings.HasPrefix(strings.ToLower(text), typed) }
	sorted = fitting(sorted, begins, func(text string) bool { return strings.Contains(strings.ToLower(text), typed) })
	return phrase.Each(sorted[:min(len(sorted), maxSuggestions)], func(text string) Suggestion {
		return Suggestion{text + " – " + pos.Variant().Describe(pos.Effects(of[text])).Text(r.Language()), text}
	})
}

// onlySays is a suggestion that only says something; choosing it leaves what was typed.
func onlySays(r Request, t words.Text, typed string) []Suggestion {
	return []Suggestion{{words.PlainNames(t.In(r.Language())).Plain(), cmp.Or(strings.TrimSpace(typed), "?")}}
}

// plainness orders moves for suggestions.
func plainness(m rules.Move) int {
	switch m.Act {
	case rules.Merge, rules.Rally:
		return 0
	case rules.Split:
		return 1
	default:
		return 2
	}
}

// fitting are the elements that match what was typed: those that begin with it before those that
// contain it.
func fitting[T any](all []T, begins, has func(T) bool) []T {
	begin := slices.DeleteFunc(slices.Clone(all), func(one T) bool { return !begins(one) })
	have := slices.DeleteFunc(slices.Clone(all), func(one T) bool { return begins(one) || !has(one) })
	return append(begin, have...)
}

// suggestGames are the asker's games, the most urgent first; for some kinds of arguments, ended games,
// challenges, or kinds of games.
func (b *Bot) suggestGames(ctx context.Context, r Request, kind ArgKind, typed string) (all []Suggestion) {
	add := func(s Suggestion) {
		if fits(s, typed) {
			all = append(all, s)
		}
	}
	if kind == ArgOffer || kind == ArgOwnOffer {
		b.suggestOffers(ctx, r, kind, add)
	}
	if kind != ArgEnded {
		agenda, _, err := b.Games.Agenda(ctx, r.by(), r.Me.ID, maxSuggestions, func(it *match.Item) bool { return fits(playing(r, it), typed) })
		if err != nil {
			return nil
		}
		for i := range agenda {
			all = append(all, playing(r, &agenda[i]))
		}
	}
	if len(all) < maxSuggestions {
		ended, _ := b.lastEnded(ctx, r, r.Me.ID) // without them there are fewer
		for _, s := range ended {
			id := s.Game.ID
			add(suggested(r, id, words.Say("request.suggest-ended", "game", id, "variant", s.Variant.Title(), "white", s.Names[0], "black", s.Names[1])))
		}
	}
	if kind == ArgGameOrKind {
		for _, v := range b.Games.Variants() {
			add(Suggestion{v.Title().Text(r.Language()), v.Key})
		}
	}
	return all
}

// playing suggests a game in progress.
func playing(r Request, it *match.Item) Suggestion {
	return suggested(r, it.Game.ID, words.Say("request.suggest-playing",
		"game", it.Game.ID, "variant", it.Variant, "opponent", it.Opponent, "mine", it.Mine))
}

// suggested suggests a game, or a challenge.
func suggested(r Request, id storage.GameID, about words.Text) Suggestion {
	return Suggestion{about.In(r.Language()).Plain(), words.Hash(id)}
}

// fits reports whether what was typed may become a suggestion.
func fits(s Suggestion, typed string) bool {
	return strings.Contains(strings.ToLower(s.Label), strings.ToLower(strings.TrimSpace(typed)))
}

// suggestOffers adds the challenges to the asker, or by them.
func (b *Bot) suggestOffers(ctx context.Context, r Request, kind ArgKind, add func(Suggestion)) {
	made, pending, err := b.Match.Challenges(ctx, r.by(), r.Me.ID)
	if err != nil {
		return
	}
	own := kind == ArgOwnOffer
	for _, c := range words.Either(own, made, pending) {
		switch v, who := b.Games.Variant(c.Variant), words.Either(own, c.To, c.From); {
		case v == nil:
		case who == 0:
			add(suggested(r, c.ID, words.Say("request.suggest-open", "game", c.ID, "variant", v.Title())))
		default:
			name, err := b.Users.Name(ctx, who)
			if err != nil {
				return
			}
			add(suggested(r, c.ID, words.Say(words.Either(own, "request.suggest-offered-to", "request.suggest-offered-by"), "game", c.ID, "variant", v.Title(), "player", name)))
		}
	}
}

// suggestCommands are the commands that complete what was typed, by their names or what they are
// called in the asker's language.
func (b *Bot) suggestCommands(r Request, typed string) (all []Suggestion) {
	all = phrase.Each(b.Commands, func(c Command) Suggestion {
		return Suggestion{c.Spoken(r.Language()) + " – " + c.About().Text(r.Language()), c.Name}
	})
	low := strings.ToLower(strings.TrimSpace(typed))
	begins := func(s Suggestion) bool { return strings.HasPrefix(s.Label, low) || strings.HasPrefix(s.Value, low) }
	return fitting(all, begins, func(s Suggestion) bool { return fits(s, typed) })
}

// suggestDays are what was typed for an argument, and usual days that it may become, with what
// they mean.
func suggestDays(r Request, a *Arg, begun string) (all []Suggestion) {
	begun = strings.ToLower(strings.Join(strings.Fields(begun), ""))
	usual := []string{begun, begun + "d", "1d", "2d", "3d", "5d", "7d", "14d", a.No}
	if a.Kind == ArgPace {
		usual = []string{begun, begun + "d", "1d", "3d", "7d", "14d", "1d+10d", totalPace + "10d", "0d"}
	}
	for _, text := range usual {
		label := words.Called(text)
		n, days := readDays(text)
		switch pace, paced := readPace(text); {
		case text == "", a.Value(text) == "", !strings.HasPrefix(text, begun), !strings.HasSuffix(text, "d") && text != a.No:
			continue
		case a.Kind == ArgPace && paced:
			label, text = words.Pace(pace), writtenPace(pace)
		case days:
			label = words.Book().Say("clock.days", "days", n)
		}
		if s := (Suggestion{label.Text(r.Language()), text}); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// suggestPieces are the names of pieces: of the game named or meant, else of all.
func (b *Bot) suggestPieces(ctx context.Context, r Request, game, typed string) (found []Suggestion) {
	all := b.Games.Variants()
	if v := b.Games.Variant(strings.ToLower(game)); v != nil {
		all = []*rules.Variant{v}
	} else if view, err := b.shown(ctx, r, match.Latest); err == nil && r.Fault == nil {
		all = []*rules.Variant{view.Variant}
	}
	seen := map[string]bool{}
	for _, v := range all {
		for role, info := range v.Table {
			if rules.Role(role) == rules.NoRole || info.Name == "" || seen[info.Name] {
				continue
			}
			seen[info.Name] = true
			name := info.Noun.Text(r.Language())
			if s := (Suggestion{name + " (" + info.Code + ")", name}); fits(s, typed) {
				found = append(found, s)
			}
		}
	}
	return found
}
