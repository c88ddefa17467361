package match

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"

	"chimera/bot/rating"
	"chimera/storage"
)

// The kinds of boards.
const (
	byRating   = "rating"   // conservative score in hundredths, of those whose rating is not provisional
	byGuess    = "guess"    // the same of the others
	byGames    = "games"    // rated games
	byStreak   = "streak"   // wins in a row, at most
	byCombiner = "combiner" // merges in a won game, in thousandths
)

// board names the leaderboard of a server, 0 for the world, for a kind of game.
func board(server storage.ServerID, game, by string) storage.Board {
	return storage.Board(by + "/" + game + "/" + strconv.FormatUint(uint64(server), 10))
}

// bunch is how many people or games are dealt with in one transaction, where nobody
// waits for them.
const bunch = 64

// catchUp lets the leaderboards know of all results that there are.
func (s *Service) catchUp(ctx context.Context) error {
	var last, listed uint64
	err := s.store.View(ctx, func(r storage.Reader) (err error) {
		if last, err = r.LastRated(); err != nil {
			return err
		}
		listed, err = r.ListedUpTo()
		return err
	})
	for err == nil && listed < last {
		err = s.store.Update(ctx, func(w storage.Writer) (err error) {
			if listed, err = w.ListedUpTo(); err != nil || listed >= last {
				return err
			}
			ids, err := w.Rated(listed, bunch)
			if err != nil {
				return err
			}
			if err := s.listGames(w, ids); err != nil {
				return err
			}
			listed += uint64(len(ids))
			return w.SetListed(listed)
		})
	}
	return err
}

// listGames lets the leaderboards know of results.
func (s *Service) listGames(w storage.Writer, ids []storage.GameID) error {
	people := map[storage.PersonID]bool{}
	for _, id := range ids {
		g, err := w.Game(id)
		if err != nil {
			return err
		}
		for _, p := range g.Players {
			people[p] = true
		}
		if !g.Counted {
			continue // by now
		}
		if err := eachBoardOf(w, &g, func(server storage.ServerID) error { return w.AddResult(server, g.Changed, resultOf(&g)) }); err != nil {
			return err
		}
	}
	for _, p := range slices.Sorted(maps.Keys(people)) {
		if err := s.list(w, p); err != nil {
			return err
		}
	}
	return nil
}

// eachBoardOf calls do with 0, the world, and with the server of a game if it has one.
func eachBoardOf(w storage.Writer, g *storage.Game, do func(storage.ServerID) error) error {
	place, err := w.Place(g.Place)
	if err != nil {
		return err
	}
	if place.Server != 0 {
		err = do(place.Server)
	}
	return errors.Join(err, do(0))
}

func resultOf(g *storage.Game) storage.Result {
	score := scores[g.Result]
	return storage.Result{Game: g.ID, Kind: g.Variant, Players: g.Players, Points: [2]int{int(2 * score), int(2 * (1 - score))}}
}

// list puts a person where he belongs, on the boards of the world and of each server in
// which he has played; nowhere if he does not want to be there.
func (s *Service) list(w storage.Writer, id storage.PersonID) error {
	p, err := w.Person(id)
	if err != nil {
		return err
	}
	career, err := w.Career(id)
	if err != nil {
		return err
	}
	listing := storage.Listing{Scores: map[storage.Board]int64{}}
	today := storage.UnixDay(s.now())
	for _, server := range slices.Concat([]storage.ServerID{0}, career.Servers) {
		hidden := p.Settings.Unranked
		if server != 0 && !hidden {
			in, err := w.Server(server)
			if err != nil {
				return err
			}
			hidden = in.Hides(id)
		}
		if hidden {
			continue
		}
		for kind, now := range career.Standings {
			enter(&listing, server, kind, &now, today)
		}
	}
	return w.List(id, listing)
}

// enter adds the scores of a standing in a kind of game, on the boards of a server.
func enter(l *storage.Listing, server storage.ServerID, kind string, now *storage.Standing, today int64) {
	r := ratingOf(now)
	by := byGuess
	if day := fades(now); today < day {
		by = byRating
		if l.Fades == 0 || day < l.Fades {
			l.Fades = day
		}
	}
	l.Scores[board(server, kind, by)] = int64(math.Round(100 * r.Conservative()))
	if kind != storage.Overall {
		return
	}
	l.Scores[board(server, kind, byGames)] = int64(now.Games())
	if now.Best > 0 {
		l.Scores[board(server, kind, byStreak)] = int64(now.Best)
	}
	if now.Merges > 0 {
		l.Scores[board(server, kind, byCombiner)] = int64(1000 * now.Merges / now.Wins)
	}
}

// fades is the first day that begins with a standing's rating being provisional, if no
// game is played; 0 if it is so already.
func fades(now *storage.Standing) int64 {
	r := ratingOf(now)
	if r.Provisional() {
		return 0
	}
	return storage.UnixDay(now.At.Add(rating.Usual().Fades(r))) + 1
}

// fade lists anew whose ratings have become provisional because the day is another.
func (s *Service) fade(ctx context.Context) error {
	today := storage.UnixDay(s.now())
	for {
		var people []storage.PersonID
		err := s.store.View(ctx, func(r storage.Reader) (err error) {
			people, err = r.Fading(today, bunch)
			return err
		})
		if err != nil || len(people) == 0 {
			return err
		}
		err = s.store.Update(ctx, func(w storage.Writer) error {
			for _, p := range people {
				if err := s.list(w, p); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// Hide takes a person off all leaderboards of the asker's server, or puts him there
// again.
func (s *Service) Hide(ctx context.Context, by By, whom storage.PersonID, hidden bool) (Done, error) {
	return s.once(ctx, by, func(w storage.Writer) (Done, error) {
		place, err := w.Place(by.Place)
		if err != nil {
			return Done{}, err
		}
		if place.Server == 0 {
			return Done{}, &Refusal{Why: NoServer}
		}
		server, err := w.Server(place.Server)
		if err != nil {
			return Done{}, err
		}
		server.Settings.Hidden = slices.DeleteFunc(slices.Clone(server.Settings.Hidden), func(id storage.PersonID) bool { return id == whom })
		if hidden {
			server.Settings.Hidden = append(server.Settings.Hidden, whom)
		}
		if err := w.PutServer(server); err != nil {
			return Done{}, err
		}
		return Done{What: Chose}, s.list(w, whom)
	})
}
