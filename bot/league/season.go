package league

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"time"

	"chimera/bot/inbox"
	"chimera/storage"
)

// Settling is how long after its end a month's final table is made, so that no result of
// it is still on its way.
const Settling = 5 * time.Minute

// topOf is a leaderboard of a week or a month: by points, and of those with as many by
// fewer games. Of what goes on there are boards; a month that has ended was added up when
// its final table was made, or is when it is first asked for.
func (s *League) topOf(r storage.Reader, ask Asked, found *Leaderboard) error {
	now := s.now()
	if ask.Period == Week || ask.Period == Month || string(ask.Period) == storage.MonthOf(now).String() {
		return topNow(r, ask, now, found)
	}
	table, err := s.table(r, ask)
	found.Final = err == nil
	month, ok := storage.ParseMonth(string(ask.Period))
	if ok && errors.Is(err, storage.ErrNotFound) {
		table, err = r.MonthTable(ask.Server, month, ask.Game)
	}
	if errors.Is(err, storage.ErrNotFound) {
		since, until := span(ask.Period, now)
		table, err = tally(r, ask.Server, ask.Game, since, until)
		found.keep = ok && month < storage.MonthOf(now) && len(table) > 0
	}
	if err != nil {
		return err
	}
	found.All = len(table)
	var ranked, near []storage.Ranked
	mine := -1
	for i, row := range table {
		l := storage.Ranked{Rank: i + 1, Place: i + 1, Person: row.Person}
		if i > 0 && row.Points == table[i-1].Points && row.Games == table[i-1].Games {
			l.Rank = ranked[i-1].Rank
		}
		if row.Person == ask.Asker {
			mine = i
		}
		ranked = append(ranked, l)
	}
	if mine >= 0 {
		hidden, err := unranked(r, ask.Asker, ask.Server)
		if err != nil {
			return err
		}
		if !hidden {
			near = ranked[max(mine-either, 0):min(mine+either+1, len(ranked))]
		}
	}
	first := min(max(ask.From, 1)-1, len(ranked))
	page := slices.Clone(ranked[first:min(first+PageSize, len(ranked))])
	found.Lines, err = rows(r, ask.Server, table, withNear(page, near))
	return err
}

// keepMonth adds a month up that has ended, and keeps its table for the next who asks.
// storage.Nobody waits meanwhile: what is kept was read after it was begun, and nothing has changed
// it since.
func (s *League) keepMonth(ctx context.Context, ask Asked) error {
	month, _ := storage.ParseMonth(string(ask.Period))
	if err := s.CatchUp(ctx); err != nil {
		return err
	}
	word := rand.Text()
	err := s.store.Update(ctx, func(w storage.Writer) error { return w.BeginMonthTable(ask.Server, month, ask.Game, word) })
	if err != nil {
		return err
	}
	var table storage.Table
	err = s.store.View(ctx, func(r storage.Reader) (err error) {
		table, err = tally(r, ask.Server, ask.Game, month.Begins(), (month + 1).Begins())
		return err
	})
	if err != nil {
		return err
	}
	return s.store.Update(ctx, func(w storage.Writer) error { return w.PutMonthTable(ask.Server, month, ask.Game, word, table) })
}

// topNow is a leaderboard of the week or the month that goes on.
func topNow(r storage.Reader, ask Asked, now time.Time, found *Leaderboard) (err error) {
	if ask.Period != Week {
		ask.Period = Month
	}
	since, _ := span(ask.Period, now)
	b := pointsBoard(ask.Period, storage.UnixDay(since), ask.Server, ask.Game)
	found.Lines, found.All, err = lines(r, b, ask, ask.From, PageSize, func(l storage.Ranked) (Line, error) {
		called, err := r.NameOf(l.Person)
		points, games := ofPoints(l.Score)
		return Line{Rank: l.Rank, Place: l.Place, Person: l.Person, Name: called, Value: float64(points) / 2, Games: games}, err
	})
	return err
}

// table is the final one that is asked for, or storage.ErrNotFound.
func (s *League) table(r storage.Reader, ask Asked) (storage.Table, error) {
	month, ok := storage.ParseMonth(string(ask.Period))
	if !ok || ask.Server == 0 || ask.Game != storage.Overall {
		return nil, storage.ErrNotFound
	}
	return r.Table(ask.Server, month)
}

// rows are some lines of a table, without those who do not want to be there by now.
func rows(r storage.Reader, server storage.ServerID, table storage.Table, some []storage.Ranked) ([]Line, error) {
	var lines []Line
	for _, l := range some {
		hidden, err := unranked(r, l.Person, server)
		if err != nil {
			return nil, err
		}
		if hidden {
			continue
		}
		called, err := r.NameOf(l.Person)
		if err != nil {
			return nil, err
		}
		row := table[l.Place-1]
		lines = append(lines, Line{Rank: l.Rank, Place: l.Place, Person: l.Person, Name: called, Value: float64(row.Points) / 2, Games: row.Games})
	}
	return lines, nil
}

// tally is the table of a server, 0 for the world, for a kind of game, as the results of
// a time make it.
func tally(r storage.Reader, server storage.ServerID, game string, since, until time.Time) (storage.Table, error) {
	results, err := r.Results(server, since, until)
	if err != nil {
		return nil, err
	}
	people := map[storage.PersonID]storage.Row{}
	for _, result := range results {
		if game != storage.Overall && result.Kind != game {
			continue
		}
		for side, p := range result.Players {
			if p == 0 {
				continue // he has played elsewhere
			}
			row := people[p]
			people[p] = storage.Row{Person: p, Points: row.Points + result.Points[side], Games: row.Games + 1}
		}
	}
	table := make(storage.Table, 0, len(people))
	for p, row := range people {
		hidden, err := unranked(r, p, server)
		if err != nil {
			return nil, err
		}
		if !hidden {
			table = append(table, row)
		}
	}
	slices.SortFunc(table, func(a, b storage.Row) int {
		return cmp.Or(b.Points-a.Points, a.Games-b.Games, cmp.Compare(a.Person, b.Person))
	})
	return table, nil
}

func unranked(r storage.Reader, id storage.PersonID, server storage.ServerID) (bool, error) {
	p, err := r.Person(id)
	if storage.Lost(err) {
		return true, nil
	}
	if err != nil || server == 0 {
		return p.Settings.Unranked, err
	}
	in, err := r.Server(server)
	return p.Settings.Unranked || in.Hides(id), err
}

// span is a week or a month, from its beginning to before its end.
func span(p Period, now time.Time) (since, until time.Time) {
	if p == Week {
		const monday, week = 6, 7 // days after the last Monday, on a Sunday, and in a week
		year, month, day := now.UTC().Date()
		since = time.Date(year, month, day-(int(now.UTC().Weekday())+monday)%week, 0, 0, 0, 0, time.UTC)
		return since, since.AddDate(0, 0, week)
	}
	month, ok := storage.ParseMonth(string(p))
	if !ok {
		month = storage.MonthOf(now)
	}
	return month.Begins(), (month + 1).Begins()
}

// CloseMonths makes, keeps and tells the final tables of months that have ended, in the
// servers that want them; of each month one, though the program was not there at its end.
// A month without games has none.
func (s *League) CloseMonths(ctx context.Context) error {
	now := storage.MonthOf(s.now().Add(-Settling))
	for {
		var server storage.Server
		var table storage.Table
		err := s.store.View(ctx, func(r storage.Reader) (err error) {
			if server, err = r.Closing(now); err != nil || server.ID == 0 {
				return err
			}
			month := server.Settings.Season.Month
			table, err = tally(r, server.ID, storage.Overall, month.Begins(), (month + 1).Begins())
			return err
		})
		if err != nil || server.ID == 0 {
			return err
		}
		err = s.store.Update(ctx, func(w storage.Writer) error {
			return s.closeMonth(w, server.ID, server.Settings.Season, table)
		})
		if err != nil {
			return err
		}
	}
}

// closeMonth keeps and tells the table of a month, unless the server's season is another
// by now. Its results do not change any more, but for games that are annulled.
func (s *League) closeMonth(w storage.Writer, id storage.ServerID, season storage.Season, table storage.Table) error {
	server, err := w.Server(id)
	if err != nil || server.Settings.Season != season {
		return err
	}
	server.Settings.Season.Month++
	if err := w.PutServer(server); err != nil || len(table) == 0 {
		return err
	}
	return errors.Join(w.PutTable(id, season.Month, table), w.Post(storage.Entry{
		Place: season.Place, At: s.now(), Kind: string(inbox.MonthEnded), Facts: map[string]string{inbox.FactMonth: season.Month.String()},
	}))
}
