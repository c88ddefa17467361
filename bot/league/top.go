package league

import (
	"cmp"
	"context"
	"slices"
	"time"

	"chimera/bot/inbox"
	"chimera/bot/rating"
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
	Games    Period = byGames    // how many were played
	Streak   Period = byStreak   // the longest row of wins
	Combiner Period = byCombiner // merges in a won game
)

// Asked is a leaderboard that somebody wants to see.
type Asked struct {
	Server storage.ServerID // 0 for the world
	Game   string           // key of a kind of game, or storage.Overall
	Period Period
	From   int              // the first place to see, from 1; those of provisional people come last
	Asker  storage.PersonID // whose own rank is told too
}

// Line is one person on a leaderboard.
type Line struct {
	Rank      int
	Place     int // the line's number from 1, 0 if that is not known
	Person    storage.PersonID
	Name      string
	Value     float64 // rating; of a week or a month: points, a win being one; else what is counted
	Deviation float64 // of the rating
	Games     int
	Wins      int  // of all time
	Unsure    bool // the rating is provisional by now
}

// Leaderboard is a part of one: a page, and the asker with his neighbours.
type Leaderboard struct {
	Lines   []Line
	Guesses []Line // people whose ratings are provisional, with ranks of their own
	All     int    // how many people are on it, but for those
	Unsure  int    // how many of those
	From    int    // the first place of the page
	Most    []Best // what else people are best at
	Absent  Absent // why the asker is not on it
	Final   bool   // as it was when the month ended

	keep bool // it was added up, and need not be again
}

// Absent is a reason why somebody is not on a leaderboard, "" if he is.
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

// Top is a leaderboard. Behind its end, that is its last page.
func (s *League) Top(ctx context.Context, ask Asked) (*Leaderboard, error) {
	found := &Leaderboard{}
	err := s.ViewBoards(ctx, func(r storage.Reader) error {
		if err := s.page(r, ask, found); err != nil {
			return err
		}
		if all := max(found.All+found.Unsure, 1); ask.From > all {
			last := ask
			last.From = (all-1)/PageSize*PageSize + 1
			if err := s.page(r, last, found); err != nil {
				return err
			}
		}
		return absent(r, ask, found)
	})
	if err == nil && found.keep {
		err = s.keepMonth(ctx, ask)
	}
	return found, err
}

func (s *League) page(r storage.Reader, ask Asked, found *Leaderboard) error {
	*found = Leaderboard{From: ask.From}
	switch ask.Period {
	case Ever:
		return s.topEver(r, ask, found)
	case Games, Streak, Combiner:
		return s.topMost(r, ask, found)
	default:
		return s.topOf(r, ask, found)
	}
}

// absent says why the asker is on no line, if he is not.
func absent(r storage.Reader, ask Asked, found *Leaderboard) error {
	mine := func(l Line) bool { return l.Person == ask.Asker }
	if ask.Asker == 0 || slices.ContainsFunc(found.Lines, mine) || slices.ContainsFunc(found.Guesses, mine) {
		return nil
	}
	p, err := r.Person(ask.Asker)
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

func (s *League) topEver(r storage.Reader, ask Asked, found *Leaderboard) error {
	line := func(l storage.Ranked) (Line, error) { return s.line(r, ask.Game, l) }
	var err error
	found.Lines, found.All, err = lines(r, board(ask.Server, ask.Game, byRating), ask, ask.From, PageSize, line)
	if err != nil {
		return err
	}
	room := max(0, min(PageSize, ask.From+PageSize-1-found.All))
	found.Guesses, found.Unsure, err = lines(r, board(ask.Server, ask.Game, byGuess), ask, ask.From-found.All, room, line)
	if err != nil {
		return err
	}
	for _, by := range []Period{Games, Streak, Combiner} {
		first, n, err := r.First(mostBoard(ask.Server, ask.Game, string(by)))
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		called, err := r.NameOf(first.Person)
		if err != nil {
			return err
		}
		found.Most = append(found.Most, Best{by, called, ofMost(by, first.Score), n - 1})
	}
	return nil
}

// topMost is a leaderboard of something else than ratings and points.
func (s *League) topMost(r storage.Reader, ask Asked, found *Leaderboard) (err error) {
	found.Lines, found.All, err = lines(r, mostBoard(ask.Server, ask.Game, string(ask.Period)), ask, ask.From, PageSize, func(l storage.Ranked) (Line, error) {
		line, err := s.line(r, ask.Game, l)
		line.Value, line.Deviation, line.Unsure = ofMost(ask.Period, l.Score), 0, false
		return line, err
	})
	return err
}

// lines are those of a board from a place on, and the asker's with those next to it; and
// how many there are in all.
func lines(r storage.Reader, b storage.Board, ask Asked, from, limit int, line func(storage.Ranked) (Line, error)) ([]Line, int, error) {
	page, all, err := r.Top(b, from, limit)
	if err != nil {
		return nil, 0, err
	}
	near, err := r.Near(b, ask.Asker, either)
	if err != nil {
		return nil, 0, err
	}
	found, err := collect(withNear(page, near), line)
	return found, all, err
}

// withNear are the lines of a page, and others.
func withNear(page, near []storage.Ranked) []storage.Ranked {
	for _, l := range near {
		if !slices.ContainsFunc(page, func(other storage.Ranked) bool { return other.Person == l.Person }) {
			page = append(page, l)
		}
	}
	slices.SortFunc(page, func(a, b storage.Ranked) int { return cmp.Or(a.Rank-b.Rank, cmp.Compare(a.Person, b.Person)) })
	return page
}

// line is what is told of a person's standing in a kind of game.
func (s *League) line(r storage.Reader, game string, l storage.Ranked) (Line, error) {
	called, err := r.NameOf(l.Person)
	if err != nil {
		return Line{}, err
	}
	career, err := r.Career(l.Person)
	now := standing(&career, game)
	grown := s.grown(&now)
	return Line{
		Rank: l.Rank, Place: l.Place, Person: l.Person, Name: called, Value: now.Value, Deviation: grown.Deviation,
		Games: now.Games(), Wins: now.Wins, Unsure: grown.Provisional(),
	}, err
}

// grown is a rating as it is today.
func (s *League) grown(now *storage.Standing) rating.Rating {
	if now.At.IsZero() {
		return ratingOf(now)
	}
	return rating.Usual().Grown(ratingOf(now), s.now().Sub(now.At))
}

// Profile is what there is to know about a person's play.
type Profile struct {
	Person storage.Person
	At     time.Time // when that was so
	Kinds  []Kind    // overall first, then by name
	Now    int       // games in progress
	Games  []Current
	History
}

// Current is a game in progress as its player sees it.
type Current struct {
	ID       storage.GameID
	Game     string // its name
	Opponent string
}

// Kind is a person's standing in one kind of game.
type Kind struct {
	Game      string // its name, or storage.Overall
	Standing  storage.Standing
	Deviation float64 // by now
	Unsure    bool
	Rank      int // in the server, 0 if in none
}

// Profile is a person's, as a server sees him, 0 for the world; of the games in progress it
// tells those that the asker may see where they are.
func (s *League) Profile(ctx context.Context, by inbox.By, id storage.PersonID, server storage.ServerID) (*Profile, error) {
	found := &Profile{}
	err := s.ViewBoards(ctx, func(r storage.Reader) (err error) {
		*found = Profile{At: s.now()}
		if found.Person, err = r.Person(id); err != nil {
			return err
		}
		playing, err := r.Playing(id)
		if err != nil {
			return err
		}
		found.Now = len(playing)
		if found.Games, err = s.current(r, by, id, playing); err != nil {
			return err
		}
		if found.History, err = s.history(r, id); err != nil {
			return err
		}
		career, err := r.Career(id)
		if err != nil {
			return err
		}
		keys := []string{storage.Overall}
		for _, v := range s.variants {
			keys = append(keys, v.Key)
		}
		for _, key := range keys {
			now, ok := career.Standings[key]
			if !ok {
				continue
			}
			rank, err := r.Rank(board(server, key, byRating), id)
			if err != nil {
				return err
			}
			grown := s.grown(&now)
			found.Kinds = append(found.Kinds, Kind{s.Called(key), now, grown.Deviation, grown.Provisional(), rank})
		}
		return nil
	})
	return found, err
}

// mostCurrent is how many games in progress a profile tells.
const mostCurrent = 5

func (s *League) current(r storage.Reader, by inbox.By, id storage.PersonID, playing []storage.GameID) ([]Current, error) {
	e, err := inbox.NewEyes(r, by)
	if err != nil {
		return nil, err
	}
	var all []Current
	for g, err := range r.Read(playing) {
		if err != nil {
			return nil, err
		}
		side, ok := g.SideOf(id)
		sees, err := e.Sees(&g)
		switch {
		case err != nil:
			return nil, err
		case !ok || !sees:
			continue
		case len(all) == mostCurrent:
			return all, nil
		}
		opponent, err := r.NameOf(g.Players[1-side])
		if err != nil {
			return nil, err
		}
		all = append(all, Current{g.ID, s.Called(g.Variant), opponent})
	}
	return all, nil
}

// Called is the name of a kind of game, its key if there is none.
func (s *League) Called(kind string) string {
	if v := s.variant(kind); v != nil {
		return v.Name
	}
	return kind
}

// Between are the results of ended games between two people: won by the first, drawn,
// won by the second.
func (s *League) Between(ctx context.Context, a, b storage.PersonID) (won, drawn, lost int, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		won, drawn, lost = 0, 0, 0
		ids, err := r.Played(a)
		if err != nil {
			return err
		}
		theirs, err := r.Played(b)
		if err != nil {
			return err
		}
		ids = slices.DeleteFunc(ids, func(id storage.GameID) bool {
			_, both := slices.BinarySearch(theirs, id) // numbers come in order
			return !both
		})
		for g, err := range r.Read(ids) {
			if err != nil {
				return err
			}
			side, ok := g.SideOf(a)
			if !ok {
				continue
			}
			score, decided := scores[g.Result]
			if g.Players[1-side] != b || !decided {
				continue
			}
			if side == storage.Black {
				score = 1 - score
			}
			switch score {
			case 1:
				won++
			case 0:
				lost++
			default:
				drawn++
			}
		}
		return nil
	})
	return won, drawn, lost, err
}

func collect[K, T any](ids []K, get func(K) (T, error)) ([]T, error) {
	found := make([]T, 0, len(ids))
	for _, id := range ids {
		record, err := get(id)
		if err != nil {
			return nil, err
		}
		found = append(found, record)
	}
	return found, nil
}
