package match

import (
	"context"
	"slices"

	"chimera/bot/rating"
	"chimera/storage"
)

// Period is the time that a leaderboard is about: one of these, or a month such as
// "2026-10".
type Period string

// The periods. Weeks begin on Mondays, and all of them at midnight UTC.
const (
	Ever  Period = "ever"
	Week  Period = "week"
	Month Period = "month"
)

// Asked is a leaderboard that somebody wants to see.
type Asked struct {
	Server storage.ServerID // 0 for the world
	Game   string           // key of a kind of game, or storage.Overall
	Period Period
	From   int              // the first rank to see, from 1
	Asker  storage.PersonID // whose own rank is told too
}

// Line is one person on a leaderboard.
type Line struct {
	Rank      int
	Person    storage.PersonID
	Name      string
	Value     float64 // rating; of a week or a month: points, a win being one
	Deviation float64 // of the rating
	Games     int
	Unsure    bool // the rating is provisional by now
}

// Leaderboard is a part of one.
type Leaderboard struct {
	Lines   []Line
	All     int    // how many people are on it
	Mine    []Line // the asker and his neighbours, where he is not among Lines
	Guesses []Line // people whose ratings are provisional, the best of them
	Most    []Best // what else people are best at
	Final   bool   // as it was when the month ended

	keep bool // it was added up, and need not be again
}

// Best is somebody who is best at something.
type Best struct {
	What  string // "games", "streak" or "combiner"
	Name  string
	Score int64
}

// PageSize is how many lines of a leaderboard are told at once.
const PageSize = 10

// Top is a leaderboard.
func (s *Service) Top(ctx context.Context, ask Asked) (*Leaderboard, error) {
	found := &Leaderboard{}
	err := s.viewBoards(ctx, func(r storage.Reader) error {
		*found = Leaderboard{}
		if ask.Period != Ever {
			return s.topOf(r, ask, found)
		}
		return s.topEver(r, ask, found)
	})
	if err == nil && found.keep {
		err = s.keepMonth(ctx, ask)
	}
	return found, err
}

func (s *Service) topEver(r storage.Reader, ask Asked, found *Leaderboard) error {
	main := board(ask.Server, ask.Game, byRating)
	lines, all, err := r.Top(main, ask.From, PageSize)
	if err != nil {
		return err
	}
	found.All = all
	if found.Lines, err = s.lines(r, ask.Game, lines); err != nil {
		return err
	}
	if found.Mine, err = s.around(r, main, ask, found.Lines); err != nil {
		return err
	}
	guesses, _, err := r.Top(board(ask.Server, ask.Game, byGuess), 1, PageSize/2)
	if err != nil {
		return err
	}
	if found.Guesses, err = s.lines(r, ask.Game, guesses); err != nil || ask.Game != storage.Overall {
		return err
	}
	for _, by := range []string{byGames, byStreak, byCombiner} {
		best, _, err := r.Top(board(ask.Server, ask.Game, by), 1, 1)
		if err != nil {
			return err
		}
		for _, line := range best {
			called, err := name(r, line.Person)
			if err != nil {
				return err
			}
			found.Most = append(found.Most, Best{by, called, line.Score})
		}
	}
	return nil
}

// around are the asker and those next to him, unless he has been told among others.
func (s *Service) around(r storage.Reader, b storage.Board, ask Asked, told []Line) ([]Line, error) {
	rank, err := r.Rank(b, ask.Asker)
	if err != nil || rank == 0 || slices.ContainsFunc(told, func(l Line) bool { return l.Person == ask.Asker }) {
		return nil, err
	}
	const either = 1 // neighbours on either side
	first := max(rank-either, 1)
	lines, _, err := r.Top(b, first, rank-first+1+either)
	if err != nil {
		return nil, err
	}
	return s.lines(r, ask.Game, lines)
}

func (s *Service) lines(r storage.Reader, game string, ranked []storage.Ranked) ([]Line, error) {
	var lines []Line
	for _, l := range ranked {
		called, err := name(r, l.Person)
		if err != nil {
			return nil, err
		}
		career, err := r.Career(l.Person)
		if err != nil {
			return nil, err
		}
		now := standing(&career, game)
		grown := s.grown(&now)
		lines = append(lines, Line{l.Rank, l.Person, called, now.Value, grown.Deviation, now.Games(), grown.Provisional()})
	}
	return lines, nil
}

// grown is a rating as it is today.
func (s *Service) grown(now *storage.Standing) rating.Rating {
	if now.At.IsZero() {
		return ratingOf(now)
	}
	return rating.Usual().Grown(ratingOf(now), s.now().Sub(now.At))
}

// Profile is what there is to know about a person's play.
type Profile struct {
	Person storage.Person
	Kinds  []Kind // overall first, then by name
	Now    int    // games in progress
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

// Profile is a person's, as a server sees him; 0 for the world.
func (s *Service) Profile(ctx context.Context, id storage.PersonID, server storage.ServerID) (*Profile, error) {
	found := &Profile{}
	err := s.viewBoards(ctx, func(r storage.Reader) (err error) {
		*found = Profile{}
		if found.Person, err = r.Person(id); err != nil {
			return err
		}
		playing, err := r.Playing(id)
		if err != nil {
			return err
		}
		found.Now = len(playing)
		if found.Games, err = s.current(r, id, playing[:min(len(playing), mostCurrent)]); err != nil {
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
			found.Kinds = append(found.Kinds, Kind{s.called(key), now, grown.Deviation, grown.Provisional(), rank})
		}
		return nil
	})
	return found, err
}

// mostCurrent is how many games in progress a profile tells.
const mostCurrent = 5

func (s *Service) current(r storage.Reader, id storage.PersonID, playing []storage.GameID) ([]Current, error) {
	var all []Current
	for _, game := range playing {
		g, err := r.Game(game)
		if err != nil {
			return nil, err
		}
		side, _ := g.SideOf(id)
		opponent, err := name(r, g.Players[1-side])
		if err != nil {
			return nil, err
		}
		all = append(all, Current{game, s.called(g.Variant), opponent})
	}
	return all, nil
}

// called is the name of a kind of game, its key if there is none.
func (s *Service) called(kind string) string {
	if v := s.Variant(kind); v != nil {
		return v.Name
	}
	return kind
}

// Between are the results of ended games between two people: won by the first, drawn,
// won by the second.
func (s *Service) Between(ctx context.Context, a, b storage.PersonID) (won, drawn, lost int, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		won, drawn, lost = 0, 0, 0
		ids, err := r.Played(a)
		if err != nil {
			return err
		}
		for _, id := range ids {
			g, err := r.Game(id)
			if err != nil {
				return err
			}
			side, _ := g.SideOf(a)
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
