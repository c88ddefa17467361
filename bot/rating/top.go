package rating

import (
	"context"
	"errors"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/storage"
)

// Period is the time that a leaderboard covers, one of these or a month such as "2026-10"; or
// something else that it counts, over all time.
type Period string

// The periods. Weeks begin on Mondays, and all of them at midnight UTC.
const (
	Ever     Period = "ever"
	Week     Period = "week"
	Month    Period = "month"
	Games    Period = "games"     // how many were played
	Streak   Period = "streak"    // the longest row of wins
	Combiner Period = "combiner"  // merges in a won game
	Computer Period = "computer"  // the highest level of the computer that was beaten
	Puzzles  Period = "puzzles"   // puzzles of the day that were found, whatever the game
	Champion Period = "champions" // seasons of leagues that were won
)

// Asked is a leaderboard that somebody wants to see.
type Asked struct {
	Server storage.ServerID // 0 for the world
	Where  string           // what the server is called, for people; "" if that is not known
	Game   string           // key of a kind of game, or storage.Overall
	Period Period
	From   int              // the first place to show, from 1; provisional people come last
	Asker  storage.PersonID // their own rank is told too
}

// Unsure reports whether a rating of a deviation is provisional.
func Unsure(deviation float64) bool { return Rating{Deviation: deviation}.Provisional() }

// Fresh reports whether a rating is the one that people have before their first rated game.
func Fresh(value float64) bool { return value == StartValue }

// Line is one person on a leaderboard.
type Line struct {
	Rank      int
	Place     int // the line's number from 1, 0 if it is not told
	Person    storage.PersonID
	Name      string
	Value     float64 // rating; for a week or month: points, one for a win; else the count
	Deviation float64 // of the rating
	Games     int     // for Computer: kinds of games in which that level was beaten
	Wins      int     // of all time
	Row       int     // for Puzzles: how many in a row, now
	Unsure    bool    // the rating is provisional by now
}

// Leaderboard is a part of a leaderboard: a page, and the asker with their neighbours.
type Leaderboard struct {
	Lines   []Line
	Guesses []Line // people whose ratings are provisional, with ranks of their own
	All     int    // how many people are on it, without provisional ones
	Unsure  int    // how many provisional ones
	From    int    // the first place of the page
	Most    []Best // the best at other things
	Absent  Absent // why the asker is not on it
	Final   bool   // as it was when the month ended
	At      time.Time
}

// Absent is a reason why somebody is not on a leaderboard, "" if they are.
type Absent string

// The reasons.
const (
	OptedOut  Absent = "opted out"
	TakenOff  Absent = "taken off" // by a manager of the server
	NotPlayed Absent = "not played"
)

// Best is a person who is best at something, and how many others are as good.
type Best struct {
	What   Period // Games, Streak or Combiner
	Name   string
	Score  float64
	Others int
}

// PageSize is how many lines of a leaderboard are told at once, and either how many people above and
// below the asker.
const (
	PageSize = 10
	either   = 1
)

// Top is a page of a leaderboard, the last page if asked for one after it.
func (l *Service) Top(ctx context.Context, ask Asked) (*Leaderboard, error) {
	found := &Leaderboard{}
	err := l.withBoards(ctx, func(r storage.Reader, b *boards) error {
		_, err := b.home(r, ask.Server)
		seen, hidden := ask, b.hides(ask.Server, ask.Asker)
		if hidden {
			seen.Asker = 0
		}
		if err == nil {
			err = l.page(r, b, seen, found)
		}
		if all := max(found.All+found.Unsure, 1); ask.From > all && err == nil {
			seen.From = (all-1)/PageSize*PageSize + 1
			err = l.page(r, b, seen, found)
		}
		mine := func(l Line) bool { return l.Person == ask.Asker }
		switch {
		case ask.Asker == 0 || slices.ContainsFunc(slices.Concat(found.Lines, found.Guesses), mine):
		case b.unlisted[ask.Asker]:
			found.Absent = OptedOut
		case hidden:
			found.Absent = TakenOff
		default:
			found.Absent = NotPlayed
		}
		return err
	})
	return found, err
}

func (l *Service) page(r storage.Reader, b *boards, ask Asked, found *Leaderboard) (err error) {
	*found = Leaderboard{From: ask.From, At: l.now()}
	var all *board
	switch ask.Period {
	case Ever:
		return l.topEver(r, b, ask, found)
	case Games, Streak, Combiner:
		all, err = b.board(r, about{server: ask.Server, game: ask.Game, by: ask.Period})
	case Computer:
		all, err = l.beaters(r, b, ask)
	case Puzzles:
		all, err = solvers(r, b, ask.Server)
	case Champion:
		all, err = champions(r, b, ask)
	default:
		all, err = final(r, ask)
		if found.Final = err == nil; errors.Is(err, storage.ErrNotFound) {
			all, err = b.board(r, about{ask.Server, ask.Game, byPoints, span(ask.Period, l.now())})
		}
	}
	if err != nil {
		return err
	}
	found.All = len(all.order)
	found.Lines, err = l.lines(r, b, ask, all.page(ask.From, PageSize, ask.Asker))
	return err
}

func (l *Service) topEver(r storage.Reader, b *boards, ask Asked, found *Leaderboard) error {
	by := func(p Period) (*board, error) { return b.board(r, about{server: ask.Server, game: ask.Game, by: p}) }
	sure, err := by(byRating)
	guess, err2 := by(byGuess)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	found.All, found.Unsure = len(sure.order), len(guess.order)
	room := max(0, min(PageSize, ask.From+PageSize-1-found.All))
	found.Lines, err = l.lines(r, b, ask, sure.page(ask.From, PageSize, ask.Asker))
	found.Guesses, err2 = l.lines(r, b, ask, guess.page(ask.From-found.All, room, ask.Asker))
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	for _, p := range []Period{Games, Streak, Combiner} {
		most, err := by(p)
		if err != nil {
			return err
		}
		if len(most.order) == 0 {
			continue
		}
		first := most.order[0]
		called, err := r.NameOf(first.person)
		if err != nil {
			return err
		}
		best := Line{}
		best.count(p, first.score)
		found.Most = append(found.Most, Best{p, called, best.Value, most.find(entry{first.score - 1, 0}) - 1})
	}
	return nil
}

// lines are the lines of a page, without people who are hidden by now.
func (l *Service) lines(r storage.Reader, b *boards, ask Asked, spots []spot) (lines []Line, err error) {
	for _, s := range spots {
		if b.hides(ask.Server, s.person) {
			continue
		}
		called, err := r.NameOf(s.person)
		if err != nil {
			return nil, err
		}
		line := Line{Rank: s.rank, Place: s.place, Person: s.person, Name: called}
		if slices.Contains([]Period{Ever, Games, Streak, Combiner}, ask.Period) {
			career, err := b.career(r, ask.Server, s.person)
			if err != nil {
				return nil, err
			}
			now := standing(&career, ask.Game)
			line.Games, line.Wins = now.Games(), now.Wins
			if ask.Period == Ever {
				grown := At(&now, l.now())
				line.Value, line.Deviation, line.Unsure = now.Value, grown.Deviation, grown.Provisional()
			}
		}
		line.count(ask.Period, s.score)
		lines = append(lines, line)
	}
	return lines, nil
}

// merged is the score for one merge per won game on a board of Combiner.
const merged = 100

// count fills in the values of a line from its score, unless the board ranks ratings.
func (l *Line) count(p Period, score int64) {
	switch p {
	case Ever:
	case Games, Streak, Champion:
		l.Value = float64(score)
	case Combiner:
		l.Value = float64(score) / merged
	case Computer:
		l.Value, l.Games = float64(score/aLevel), int(score%aLevel)
	case Puzzles:
		all, row := ofPuzzles(score)
		l.Value, l.Row = float64(all), row
	default:
		halves, games := ofPoints(score)
		l.Value, l.Games = float64(halves)/2, games
	}
}

// aLevel is more than there are kinds of games: of two people who have beaten the same level, the one
// who has done so in more kinds comes first.
const aLevel = 1000

// beaters is the board of people who have beaten the computer, by the highest level. It is made anew
// each time.
func (l *Service) beaters(r storage.Reader, b *boards, ask Asked) (_ *board, err error) {
	scores := map[storage.PersonID]int64{}
	for _, v := range l.variants {
		if ask.Game != storage.Overall && ask.Game != v.Key {
			continue
		}
		feats, err2 := r.BeatenLevels(ask.Server, v.Key)
		err = errors.Join(err, err2)
		for _, f := range feats {
			if best := scores[f.Person] / aLevel; int64(f.Level) > best {
				scores[f.Person] = int64(f.Level)*aLevel + 1
			} else if int64(f.Level) == best {
				scores[f.Person]++
			}
		}
	}
	return b.listed(ask.Server, scores), err
}

// mostRow is more puzzles of the day than anybody finds in a row: of two people who have found as
// many, the one with the longer current row comes first.
const mostRow = 1 << 20

// ofPuzzles is what a score of Puzzles counts: puzzles in all, and in a row.
func ofPuzzles(score int64) (all, row int) { return int(score / mostRow), int(score % mostRow) }

// solvers is the board of people who have found puzzles of the day in a server, 0 for the world. It is
// made anew each time.
func solvers(r storage.Reader, b *boards, server storage.ServerID) (*board, error) {
	found, err := r.Solvers().List()
	if server != 0 {
		found, err = r.SolversIn(server)
	}
	scores, newest := map[storage.PersonID]int64{}, map[storage.ServerID]int{storage.World: int(b.day)}
	for _, s := range found {
		if _, known := newest[s.Server]; !known {
			d, err2 := r.Dailies().Find(s.Server)
			newest[s.Server], err = d.Number, errors.Join(err, err2)
		}
		if s.Found > 0 {
			all, row := ofPuzzles(scores[s.Person])
			scores[s.Person] = int64(all+s.Found)*mostRow + int64(max(row, s.Row(newest[s.Server])))
		}
	}
	return b.listed(server, scores), err
}

// champions is the board of people who have won seasons of leagues. It is made anew each time.
func champions(r storage.Reader, b *boards, ask Asked) (*board, error) {
	seasons, err := r.SeasonsIn(ask.Server)
	scores := map[storage.PersonID]int64{}
	for _, s := range seasons {
		l, err2 := r.Leagues().Find(s.League)
		err = errors.Join(err, err2)
		for _, p := range s.Champions {
			if ask.Game == storage.Overall || ask.Game == l.Variant {
				now, err2 := r.PersonNow(p)
				if storage.Missing(err2) { // their record is damaged
					continue
				}
				scores[now.ID]++
				err = errors.Join(err, err2)
			}
		}
	}
	return b.listed(ask.Server, scores), err
}

// Settling is how long after the end of a month its final table is made, so that all results have
// arrived.
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

// span is the stretch of a week or a month.
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

// CloseMonths makes, stores and announces the final tables of months that have ended, in the servers
// that want them; one for each month, even if the program was down at its end. A month without games
// has none.
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

// closeMonth stores a part of a month's table and, with the first part, announces it, unless the
// server's season has changed. The month's results are final, but for games that are annulled or left
// out.
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
