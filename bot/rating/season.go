package rating

import (
	"context"
	"errors"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/storage"
)

// Settling is how long after its end a month's final table is made, so that no result of
// it is still on its way.
const Settling = 5 * time.Minute

// final is the final table that is asked for, or storage.ErrNotFound.
func final(r storage.Reader, ask Asked) (*board, error) {
	month, ok := storage.ParseMonth(string(ask.Period))
	if !ok || ask.Server == 0 || ask.Game != storage.Overall {
		return nil, storage.ErrNotFound
	}
	table, err := r.FinalTable(ask.Server, month)
	scores := map[storage.PersonID]int64{}
	for _, row := range table {
		scores[row.Person] = pointsScore(row.Points, row.Games)
	}
	return newBoard(scores, true), err
}

// span is a week or a month, from its beginning to before its end.
func span(p Period, now time.Time) stretch {
	if p == Week {
		const monday, week = 6, 7 // days after the last Monday, on a Sunday, and in a week
		year, month, day := now.UTC().Date()
		since := time.Date(year, month, day-(int(now.UTC().Weekday())+monday)%week, 0, 0, 0, 0, time.UTC)
		return stretch{since.Unix(), since.AddDate(0, 0, week).Unix()}
	}
	month, ok := storage.ParseMonth(string(p))
	if !ok {
		month = storage.MonthOf(now)
	}
	return monthly(month)
}

func monthly(m storage.Month) stretch { return stretch{m.Begins().Unix(), (m + 1).Begins().Unix()} }

// CloseMonths makes, keeps and tells the final tables of months that have ended, in the
// servers that want them; of each month one, though the program was not there at its end.
// A month without games has none.
func (l *Service) CloseMonths(ctx context.Context) error {
	for {
		server, err := storage.Read(ctx, l.store, func(r storage.Reader) (storage.Server, error) {
			return r.Closing(storage.MonthOf(l.now().Add(-Settling)))
		})
		if err != nil || server.ID == 0 {
			return err
		}
		var table storage.FinalTable
		season := server.Settings.Season
		err = l.withBoards(ctx, func(r storage.Reader, b *boards) error {
			points, err := b.board(r, about{server.ID, storage.Overall, byPoints, monthly(season.Month)})
			if err != nil {
				return err
			}
			table = nil
			for _, e := range points.order {
				halves, games := ofPoints(e.score)
				table = append(table, storage.Row{Person: e.person, Points: halves, Games: games})
			}
			return nil
		})
		parts := slices.Collect(slices.Chunk(table, storage.TableRows))
		for n := max(len(parts)-1, 0); n >= 0 && err == nil; n-- {
			err = l.store.Update(ctx, func(w storage.Writer) error { return l.closeMonth(w, server.ID, season, n, parts) })
		}
		if err != nil {
			return err
		}
	}
}

// closeMonth keeps a part of the table of a month and, with the first, tells of it, unless the
// server's season is another by now. Its results do not change any more, but for games that are
// annulled or left out.
func (l *Service) closeMonth(w storage.Writer, id storage.ServerID, season storage.Season, n int, parts []storage.FinalTable) error {
	server, err := w.Servers().Get(id)
	if err != nil || server.Settings.Season != season {
		return err
	}
	if n > 0 {
		return w.PutFinalTable(id, season.Month, n, len(parts), parts[n])
	}
	server.Settings.Season.Month++
	if err := w.Servers().Put(server); err != nil || len(parts) == 0 {
		return err
	}
	ended := event.Event{Kind: event.MonthEnded, Payload: event.Season{Month: season.Month.String()}}
	return errors.Join(w.PutFinalTable(id, season.Month, 0, len(parts), parts[0]), w.Post(ended.Entry(season.Place, l.now())))
}
