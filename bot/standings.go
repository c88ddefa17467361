package bot

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"

	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/season"
	"chimera/bot/words"
	"chimera/render/chart"
	"chimera/storage"
)

// League is a league, or a ladder, in a language.
type League struct {
	ID         storage.LeagueID // 0 for a ladder
	Server     storage.Server
	Game, Name string // its key, and its name
	State      words.Text
	Mine       bool     // the asker is in it
	Rungs      []string // the people on a ladder, the top first
	Rung       int      // the asker's rung on it; -1 for none

	seen season.Seen
}

// Leagues are the leagues that the author of a message may see, as on leaderboards: those of servers
// in which they have played, and those they are in.
func (b *Bot) Leagues(ctx context.Context, m message.Incoming) (all []League, err error) {
	r, _ := b.Asker(ctx, m)
	homes, err := b.HomeServers(ctx, m)
	seen, err2 := b.Seasons.Leagues(ctx, 0, r.Me.ID)
	err = cmp.Or(err, err2)
	for _, home := range homes {
		more, err2 := b.Seasons.Leagues(ctx, home.ID, r.Me.ID)
		seen, err = append(seen, more...), cmp.Or(err, err2)
	}
	for _, l := range seen {
		v := b.Games.Variant(l.Variant)
		if v == nil || l.Weeks == 0 || slices.ContainsFunc(all, func(known League) bool { return known.ID == l.ID }) {
			continue
		}
		server, err2 := storage.Read(ctx, b.Store, func(s storage.Reader) (storage.Server, error) { return s.Servers().Find(l.Server) })
		err = cmp.Or(err, err2)
		state := b.toldTo(r, words.LeagueState(&l.League, &l.Season, l.Members))
		all = append(all, League{ID: l.ID, Server: server, Game: v.Key, Name: v.Title().Text(r.Language()), State: state, Mine: l.Member != nil, seen: l})
	}
	return all, err
}

// Division is a division of a season of a league, in a language.
type Division struct {
	League
	Season, Number, Divisions int // the first two from 1
	*chart.Crosstable
	People  []storage.PersonID // of its rows; 0 for people without a page that everyone may see
	Games   [][]storage.GameID // the asker's, by rows; 0 for other rows
	Stake   words.Text         // what is at stake
	Going   []AgendaLine       // the asker's games in progress
	Seasons []words.Text       // the newest first
	Numbers []int              // of those
}

// Mark changes with what is shown.
func (d *Division) Mark() string {
	mark := sha256.New()
	_, _ = fmt.Fprint(mark, d.State, d.Stake, d.Seasons)
	if d.Crosstable != nil {
		_, _ = fmt.Fprint(mark, d.Rows)
	}
	for _, line := range d.Going {
		_, _ = fmt.Fprint(mark, " ", line.Game, ".", line.Revision)
	}
	return fmt.Sprintf("%x", mark.Sum(nil))[:16]
}

// Division is a division of a server's league in a game, if the author of a message may see it; nil if
// there is none. Number 0 is the current or last season; division 0 is the asker's own, or the first.
// Before the first season there is no Crosstable.
func (b *Bot) Division(ctx context.Context, m message.Incoming, server storage.ServerID, game string, number, division int) (t *Division, err error) {
	r, _ := b.Asker(ctx, m)
	all, err := b.Leagues(ctx, m)
	i := slices.IndexFunc(all, func(l League) bool { return l.Server.ID == server && l.Game == game })
	if i < 0 || err != nil {
		return nil, err
	}
	t = &Division{League: all[i]}
	id, seen := t.ID, &all[i].seen
	if division == 0 {
		division = words.Either(number == 0, seen.Division(), 1)
	}
	if seen.Season.ID == 0 {
		return words.Either(number == 0 && division == 1, t, nil), nil
	}
	d, err := b.Seasons.Division(ctx, id, number, division)
	if storage.Missing(err) {
		return nil, nil
	}
	seasons, err2 := b.Seasons.Seasons(ctx, id, listedSeasons)
	agenda, err3 := b.Agenda(ctx, m)
	if err := cmp.Or(err, err2, err3); err != nil {
		return nil, err
	}
	t.Season, t.Number, t.Divisions = d.Season.Number, d.Number, d.Season.Divisions
	t.Crosstable, t.Stake = words.Crosstable(d, r.Me.ID), b.toldTo(r, words.Of(words.LeagueStake(d)))
	for _, line := range slices.Concat(agenda.Mine, agenda.Theirs) {
		if g := line.Item; g != nil && g.Game.Season == d.Season.ID {
			t.Going = append(t.Going, line)
		}
	}
	for _, first := range seasons {
		t.Seasons, t.Numbers = append(t.Seasons, b.toldTo(r, words.LeagueSeason(first))), append(t.Numbers, first.Season.Number)
	}
	return t, b.linkDivision(ctx, t, d)
}

// linkDivision finds out which people in a division and which of the asker's games have pages.
func (b *Bot) linkDivision(ctx context.Context, t *Division, d *season.Division) error {
	for _, s := range d.Standings {
		person, err := b.public(ctx, s.Person)
		if err != nil {
			return err
		}
		t.People, t.Games = append(t.People, person), append(t.Games, make([]storage.GameID, len(t.Rows)))
	}
	for _, game := range d.Results {
		white, black := d.Line(game.Seats[storage.White]), d.Line(game.Seats[storage.Black])
		if t.Rows[white].Mine || t.Rows[black].Mine {
			t.Games[white][black], t.Games[black][white] = game.Game, game.Game
		}
	}
	return nil
}

// toldTo is a text as the asker is told it.
func (b *Bot) toldTo(r Request, text words.Text) words.Text {
	return b.line(r, 0, text, nil).Text
}

// DivisionOf is the division, season and league in which a game counts; the zero League if it counts
// in none.
func (b *Bot) DivisionOf(ctx context.Context, m message.Incoming, game storage.GameID) (l storage.League, number, division int, err error) {
	r, _ := b.Asker(ctx, m)
	err = b.Store.View(ctx, func(read storage.Reader) error {
		g, err := match.ShownTo(read, r.by(), game)
		if err != nil || g.Season == 0 {
			return err
		}
		season, err := read.Seasons().Find(g.Season)
		number, division = season.Number, g.Part
		if err == nil {
			l, err = read.Leagues().Find(season.League)
		}
		return err
	})
	return l, number, division, err
}
