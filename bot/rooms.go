package bot

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/render/chart"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Choosable is a setting of somebody's that they may choose, in their language.
type Choosable struct {
	Name, Value string
	Title       string   // what it is called
	Takes       string   // which values there are
	Values      []string // to choose among; nil where only a text can tell
	Usual       []string // otherwise, values that many choose
	OfBoards    bool     // it is about how boards are shown
}

// Settings are those of the author of a message, but for links, which are not chosen.
func (b *Bot) Settings(ctx context.Context, m message.Incoming) (all []Choosable) {
	r, _ := b.Asker(ctx, m)
	games, l := b.Games.Variants(), r.Language()
	for _, s := range user.Settings(r.Me.Settings) {
		if s.Name == user.SetLinks || s.Name == user.SetWords && m.Fills {
			continue
		}
		c := Choosable{Name: s.Name, Value: s.Value, Title: words.SettingName(s.Name).Text(l), Takes: words.Of(words.SettingTakes(s.Name, games)).In(l).Plain(), OfBoards: user.OfBoards(s.Name)}
		values := words.SettingValues(s.Name, games)
		switch s.Name {
		case user.SetReminders, user.SetQuiet, user.SetTimezone: // which take others too
			c.Usual = values
		default:
			c.Values = values
		}
		all = append(all, c)
	}
	return all
}

// Choose gives settings of the author of a message the values that differ from theirs, as they would write it,
// and returns what was answered that is no success.
func (b *Bot) Choose(ctx context.Context, m message.Incoming, wanted func(name string) string) (notes []message.Message, done bool) {
	for _, s := range b.Settings(ctx, m) {
		value := strings.Join(strings.Fields(wanted(s.Name)), "")
		if value == "" || strings.EqualFold(value, s.Value) {
			continue
		}
		m := m
		m.Text = "settings " + s.Name + " " + value
		told, err := b.Handle(ctx, m)
		now := b.Settings(ctx, m)
		i := slices.IndexFunc(now, func(other Choosable) bool { return other.Name == s.Name })
		if err != nil || now[i].Value == s.Value {
			notes = append(notes, told...)
			continue
		}
		done = true
	}
	return notes, done
}

// GameLine is a game in short, in a language.
type GameLine struct {
	ID       storage.GameID
	Revision uint64
	Kind     string
	Names    [2]string // of White and Black
	Result   string    // "*" while it is running
	Side     int       // that whoever sees it plays, -1 for none
	Moves    int       // full ones
	Day      string    // of the last change
}

// Outcome is how it has ended for whoever sees it: "won", "lost" or "drawn"; "" if it has not, or not for them.
func (g GameLine) Outcome() string {
	if g.Side < 0 {
		return ""
	}
	side := rules.Color(g.Side)
	return map[string]string{rules.WinFor(side).String(): "won", rules.WinFor(side.Other()).String(): "lost", rules.Drawn.String(): "drawn"}[g.Result]
}

func (b *Bot) lineOf(read storage.Reader, r Request, g *storage.Game) (line GameLine, err error) {
	v := b.Games.Variant(g.Variant)
	line = GameLine{ID: g.ID, Revision: g.Revision, Kind: g.Variant, Result: g.Result, Side: -1, Moves: (len(g.Moves) + 1) / 2, Day: chart.Date(g.Changed.In(r.location())).Text(r.Language())}
	if v != nil {
		line.Kind = v.Name
	}
	if side, plays := g.SideOf(r.Me.ID); plays {
		line.Side = side
	}
	for side, p := range g.Players {
		name, err2 := read.NameOf(p)
		line.Names[side], err = words.Of(words.NameOf(0, name)).In(r.Language()).Plain(), cmp.Or(err, err2)
	}
	return line, err
}

// ArchiveAsked says which games are looked for; zero parts take all.
type ArchiveAsked struct {
	Mine       bool // of whoever asks
	Game, Who  string
	Result     string // as in records, or "won", "lost" and "drawn"
	Least      int    // full moves
	Most       int
	From, To   time.Time      // of the last change
	Before     storage.GameID // games with lower numbers alone
	HowMany    int
	LookedThru int // the most games that are looked at
}

// Archive are some games, the newest first.
type Archive struct {
	Lines []GameLine
	Next  storage.GameID // what Before is for those that follow, 0 if there are none
}

// FindGames finds games that the author of a message may see.
func (b *Bot) FindGames(ctx context.Context, m message.Incoming, asked ArchiveAsked) (*Archive, error) {
	r, _ := b.Asker(ctx, m)
	return storage.Read(ctx, b.Store, func(read storage.Reader) (*Archive, error) {
		found := &Archive{}
		list := read.GameIDs
		if asked.Mine {
			list = func() ([]storage.GameID, error) { return read.GamesOf(r.Me.ID) }
		}
		ids, err := list()
		slices.Sort(ids)
		if n, _ := slices.BinarySearch(ids, asked.Before); asked.Before != 0 {
			ids = ids[:n]
		}
		allowed, err2 := event.NewPermissions(read, r.by())
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		for looked, id := range slices.Backward(ids) {
			if len(found.Lines) == asked.HowMany || len(ids)-looked > asked.LookedThru {
				found.Next = id + 1
				break
			}
			g, err := event.Named(read, id)
			if event.IsRefused(err, event.NoSuchGame) || event.IsRefused(err, event.Damaged) || event.IsRefused(err, event.Aborted) {
				continue
			}
			if err != nil {
				return nil, err
			}
			sees, err := allowed.Sees(&g)
			if err != nil {
				return nil, err
			}
			if !sees {
				continue
			}
			line, err := b.lineOf(read, r, &g)
			if err != nil {
				return nil, err
			}
			found.Lines = append(found.Lines, words.If(asked.takes(&g, &line), line)...)
		}
		return found, nil
	})
}

// takes reports whether a game is one of those that are looked for.
func (a *ArchiveAsked) takes(g *storage.Game, line *GameLine) bool {
	named := func(name string) bool { return strings.Contains(phrase.Fold(name), phrase.Fold(a.Who)) }
	return (a.Game == "" || g.Variant == a.Game) && (a.Who == "" || slices.ContainsFunc(line.Names[:], named)) &&
		(a.Result == "" || a.Result == line.Result || a.Result == line.Outcome()) &&
		line.Moves >= a.Least && (a.Most == 0 || line.Moves <= a.Most) &&
		(a.From.IsZero() || !g.Changed.Before(a.From)) && (a.To.IsZero() || g.Changed.Before(a.To))
}

// Lobby is where somebody finds an opponent, and games to watch.
type Lobby struct {
	Open    []AgendaLine // challenges that they could take, and their own
	Running []GameLine   // public games, that were played in last first
	Mark    string       // changes with what is shown
}

// How many running games a lobby shows, and among how many of the newest it looks for them.
const (
	lobbyGames    = 12
	lobbySearched = 300
)

// Lobby is that of the author of a message.
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
	mark := &strings.Builder{}
	for _, line := range found.Open {
		_, _ = fmt.Fprint(mark, " c", line.Game)
	}
	for _, line := range found.Running {
		_, _ = fmt.Fprint(mark, " ", line.ID, ".", line.Revision)
	}
	found.Mark = fmt.Sprintf("%x", sha256.Sum256([]byte(mark.String())))[:16]
	return found, err
}

// openIn adds challenges of others and the asker's own to a lobby.
func (b *Bot) openIn(ctx context.Context, r Request, found *Lobby, all, own []storage.Challenge) error {
	list, err := b.challengesFor(ctx, r, slices.Concat(all, own))
	for i, c := range slices.Concat(all, own) {
		if b.Games.Variant(c.Variant) == nil {
			continue
		}
		said := message.Message{Text: list.Challenge(c), Buttons: answerButtons(c.ID, i >= len(all), false)[:1]}
		said.For(b.audience(r))
		found.Open = append(found.Open, AgendaLine{Game: c.ID, Text: said.Text, Buttons: said.Buttons})
	}
	return err
}

// running are games that are being played and that the asker may see from outside: public ones.
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
		sees, err := public.Sees(&games[i])
		if err != nil {
			return nil, err
		}
		if !sees || games[i].Over() || games[i].Quarantined != "" || len(lines) == lobbyGames {
			continue
		}
		line, err := b.lineOf(read, r, &games[i])
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// Zone is in which time zone the author of a message is told times.
func (b *Bot) Zone(ctx context.Context, m message.Incoming) *time.Location {
	r, _ := b.Asker(ctx, m)
	return r.location()
}
