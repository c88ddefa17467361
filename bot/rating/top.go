package rating

import (
	"cmp"
	"context"
	"slices"
	"time"

	"chimera/storage"
)

// Period is the time that a leaderboard is about, one of these or a month such as
// "2026-10"; or what else it counts, of all time.
type Period string

// The periods. Weeks begin on Mondays, and all of them at midnight UTC.
const (
	Ever     Period = "ever"
	Week     Period = "week"
	Month    Period = "month"
	Games    Period = "games"    // how many were played
	Streak   Period = "streak"   // the longest row of wins
	Combiner Period = "combiner" // merges in a won game
	Computer Period = "computer" // the highest level of the computer that was beaten
	Puzzles  Period = "puzzles"  // puzzles of the day that were found, whatever the game
)

// Asked is a leaderboard that somebody wants to see.
type Asked struct {
	Server storage.ServerID // 0 for the world
	Where  string           // what the server is called, for people; "" if that is not known
	Game   string           // key of a kind of game, or storage.Overall
	Period Period
	From   int              // the first place to see, from 1; those of provisional people come last
	Asker  storage.PersonID // whose own rank is told too
}

// Unsure reports whether a rating of a deviation is provisional.
func Unsure(deviation float64) bool { return Rating{Deviation: deviation}.Provisional() }

// Fresh reports whether a rating is the one that people have before their first rated game.
func Fresh(value float64) bool { return value == StartValue }

// Line is one person on a leaderboard.
type Line struct {
	Rank      int
	Place     int // the line's number from 1, 0 if that is not told
	Person    storage.PersonID
	Name      string
	Value     float64 // rating; of a week or a month: points, a win being one; else what is counted
	Deviation float64 // of the rating
	Games     int     // of Computer: kinds of games in which that level was beaten
	Wins      int     // of all time
	Row       int     // of Puzzles: how many in a row, now
	Unsure    bool    // the rating is provisional by now
}

// Leaderboard is a part of one: a page, and the asker with their neighbours.
type Leaderboard struct {
	Lines   []Line
	Guesses []Line // people whose ratings are provisional, with ranks of their own
	All     int    // how many people are on it, but for those
	Unsure  int    // how many of those
	From    int    // the first place of the page
	Most    []Best // what else people are best at
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

// Best is somebody who is best at something, and how many others are as good.
type Best struct {
	What   Period // Games, Streak or Combiner
	Name   string
	Score  float64
	Others int
}

// PageSize is how many lines of a leaderboard are told at once, and either how many
// people on either side of the asker.
const (
	PageSize = 10
	either   = 1
)

// merged is how many of the scores of a board of Combiner are one merge in a won game.
const merged = 100

// Top is a leaderboard. Behind its end, that is its last page.
func (l *Service) Top(ctx context.Context, ask Asked) (*Leaderboard, error) {
	found := &Leaderboard{}
	err := l.withBoards(ctx, func(r storage.Reader, b *boards) error {
		if err := l.page(r, b, ask, found); err != nil {
			return err
		}
		if all := max(found.All+found.Unsure, 1); ask.From > all {
			last := ask
			last.From = (all-1)/PageSize*PageSize + 1
			if err := l.page(r, b, last, found); err != nil {
				return err
			}
		}
		return absent(r, ask, found)
	})
	return found, err
}

func (l *Service) page(r storage.Reader, b *boards, ask Asked, found *Leaderboard) error {
	*found = Leaderboard{From: ask.From, At: l.now()}
	switch ask.Period {
	case Ever:
		return l.topEver(r, b, ask, found)
	case Games, Streak, Combiner:
		return l.topMost(r, b, ask, found)
	case Computer:
		return l.topComputer(r, ask, found)
	case Puzzles:
		return l.topPuzzles(r, ask, found)
	default:
		return l.topOf(r, b, ask, found)
	}
}

// absent says why the asker is on no line, if they are on none.
func absent(r storage.Reader, ask Asked, found *Leaderboard) error {
	mine := func(l Line) bool { return l.Person == ask.Asker }
	if ask.Asker == 0 || slices.ContainsFunc(found.Lines, mine) || slices.ContainsFunc(found.Guesses, mine) {
		return nil
	}
	p, err := r.People().Get(ask.Asker)
	if err != nil {
		return err
	}
	hidden, err := unranked(r, ask.Asker, ask.Server)
	switch {
	case p.Settings.Unranked:
		found.Absent = OptedOut
	case hidden:
		found.Absent = TakenOff
	default:
		found.Absent = NotPlayed
	}
	return err
}

// unranked reports whether a person stands on no leaderboard of a server.
func unranked(r storage.Reader, id storage.PersonID, server storage.ServerID) (bool, error) {
	p, err := r.People().Get(id)
	if storage.Missing(err) {
		return true, nil
	}
	if err != nil || server == 0 {
		return p.Settings.Unranked, err
	}
	in, err := r.Servers().Get(server)
	return p.Settings.Unranked || in.Hides(id), err
}

func (l *Service) topEver(r storage.Reader, b *boards, ask Asked, found *Leaderboard) error {
	sure, err := b.board(r, about{server: ask.Server, game: ask.Game, by: byRating})
	if err != nil {
		return err
	}
	guess, err := b.board(r, about{server: ask.Server, game: ask.Game, by: byGuess})
	if err != nil {
		return err
	}
	found.All, found.Unsure = len(sure.order), len(guess.order)
	room := max(0, min(PageSize, ask.From+PageSize-1-found.All))
	found.Lines, err = l.standings(r, b, ask, sure.page(ask.From, PageSize, ask.Asker))
	if err == nil {
		found.Guesses, err = l.standings(r, b, ask, guess.page(ask.From-found.All, room, ask.Asker))
	}
	if err != nil {
		return err
	}
	for _, by := range []Period{Games, Streak, Combiner} {
		most, err := b.board(r, about{server: ask.Server, game: ask.Game, by: by})
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
		found.Most = append(found.Most, Best{by, called, ofMost(by, first.score), most.find(entry{first.score - 1, 0}) - 1})
	}
	return nil
}

// topMost is a leaderboard of something else than ratings and points.
func (l *Service) topMost(r storage.Reader, b *boards, ask Asked, found *Leaderboard) error {
	most, err := b.board(r, about{server: ask.Server, game: ask.Game, by: ask.Period})
	if err != nil {
		return err
	}
	found.All = len(most.order)
	spots := most.page(ask.From, PageSize, ask.Asker)
	found.Lines, err = l.standings(r, b, ask, spots)
	for i := range found.Lines {
		line := &found.Lines[i]
		line.Value, line.Deviation, line.Unsure = ofMost(ask.Period, spots[i].score), 0, false
	}
	return err
}

// ofMost is what a score of topMost counts.
func ofMost(p Period, score int64) float64 {
	if p == Combiner {
		return float64(score) / merged
	}
	return float64(score)
}

// standings are lines with what is told of people's standings in a kind of game.
func (l *Service) standings(r storage.Reader, b *boards, ask Asked, spots []spot) ([]Line, error) {
	var failed error
	lines, err := linesOf(r, spots, func(line *Line, _ int64) {
		career, err := b.career(r, ask.Server, line.Person)
		failed = cmp.Or(failed, err)
		now := standing(&career, ask.Game)
		grown := l.grown(&now)
		line.Value, line.Deviation, line.Unsure = now.Value, grown.Deviation, grown.Provisional()
		line.Games, line.Wins = now.Games(), now.Wins
	})
	return lines, cmp.Or(err, failed)
}

// linesOf are lines with the names of people; tell says in each what a score means.
func linesOf(r storage.Reader, spots []spot, tell func(*Line, int64)) (lines []Line, err error) {
	for _, s := range spots {
		called, err := r.NameOf(s.person)
		if err != nil {
			return nil, err
		}
		line := Line{Rank: s.rank, Place: s.place, Person: s.person, Name: called}
		tell(&line, s.score)
		lines = append(lines, line)
	}
	return lines, nil
}
