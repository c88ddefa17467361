package league

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"chimera/bot/rating"
	"chimera/storage"
)

// The kinds of boards.
const (
	byRating   = "rating"   // conservative score in hundredths, of those whose rating is not provisional
	byGuess    = "guess"    // the same of the others
	byGames    = "games"    // rated games
	byStreak   = "streak"   // wins in a row, at most
	byCombiner = "combiner" // merges in a won game, in hundredths
)

// board names the leaderboard of a server, 0 for the world, for a kind of game.
func board(server storage.ServerID, game, by string) storage.Board {
	return storage.Board(by + "/" + game + "/" + strconv.FormatUint(uint64(server), 10))
}

// mostBoard names the leaderboard of what is counted, by byGames and those below it.
func mostBoard(server storage.ServerID, game, by string) storage.Board {
	return storage.Exact + board(server, game, by)
}

// merged is how many of the scores of byCombiner are one merge in a won game.
const merged = 100

// ofMost is what a score of a mostBoard counts.
func ofMost(p Period, score int64) float64 {
	if p == Combiner {
		return float64(score) / merged
	}
	return float64(score)
}

// bunch is how many people or games are dealt with in one transaction, where nobody
// waits for them.
const bunch = 64

// unlisted is how many results the leaderboards do not know of, and how many there are.
func (s *League) unlisted(ctx context.Context) (n, last uint64, err error) {
	err = s.store.View(ctx, func(r storage.Reader) (err error) {
		if last, err = r.LastRated(); err != nil {
			return err
		}
		listed, err := r.ListedUpTo()
		n = last - min(listed, last)
		return err
	})
	return n, last, err
}

// CatchUp lets the leaderboards know of all results that there are.
func (s *League) CatchUp(ctx context.Context) error {
	n, last, err := s.unlisted(ctx)
	for err == nil && n > 0 {
		err = s.store.Update(ctx, func(w storage.Writer) error {
			listed, err := s.listMore(w)
			n = last - min(listed, last)
			return err
		})
	}
	return err
}

// listMore lets the leaderboards know of some more results, and returns of how many they
// then do.
func (s *League) listMore(w storage.Writer) (uint64, error) {
	listed, err := w.ListedUpTo()
	if err != nil {
		return 0, err
	}
	ids, err := w.Rated(listed, bunch)
	if err != nil || len(ids) == 0 {
		return listed, err
	}
	listed += uint64(len(ids))
	return listed, errors.Join(s.listGames(w, ids), w.SetListed(listed))
}

// ViewBoards lets fn see leaderboards that know of all results.
func (s *League) ViewBoards(ctx context.Context, fn func(storage.Reader) error) error {
	if err := s.CatchUp(ctx); err != nil {
		return err
	}
	return s.store.View(ctx, fn)
}

// listGames lets the leaderboards know of results.
func (s *League) listGames(w storage.Writer, ids []storage.GameID) error {
	people := map[storage.PersonID][]Played{}
	for g, err := range w.Read(ids) {
		if err != nil {
			return err
		}
		for _, p := range g.Players {
			if _, known := people[p]; !known {
				people[p] = nil
			}
		}
		if !g.Counted {
			continue // by now
		}
		err = EachServerOf(w.Reader, &g, func(server storage.ServerID, result storage.Result) error {
			for _, one := range PlayedIn(&g, server, result) {
				people[one.Person] = append(people[one.Person], one)
			}
			return w.AddResult(server, g.Changed, result)
		})
		if err != nil {
			return err
		}
	}
	for _, p := range slices.Sorted(maps.Keys(people)) {
		if err := s.List(w, p, people[p]...); err != nil {
			return err
		}
	}
	return nil
}

// homes are the servers in which White and Black have played a game, 0 for none: those of
// their seats, else that of the game.
func homes(r storage.Reader, g *storage.Game) (servers [2]storage.ServerID, err error) {
	place, err := placeOf(r, g.Place)
	if err != nil {
		return servers, err
	}
	for side := range servers {
		servers[side] = place.Server
		if id := g.Seat(side); id != g.Place {
			seat, err := placeOf(r, id)
			if err != nil {
				return servers, err
			}
			servers[side] = cmp.Or(seat.Server, place.Server)
		}
	}
	return servers, nil
}

// placeOf reads a place of a game, the zero Place if it is not known any more.
func placeOf(r storage.Reader, id storage.PlaceID) (storage.Place, error) {
	place, err := r.Place(id)
	if storage.Lost(err) {
		return storage.Place{}, nil
	}
	return place, err
}

// EachServerOf calls do with 0, the world, and with the servers in which a game was
// played, and the result as it counts there: for those who have played it there.
func EachServerOf(r storage.Reader, g *storage.Game, do func(storage.ServerID, storage.Result) error) error {
	servers, err := homes(r, g)
	if err != nil {
		return err
	}
	result := resultOf(g)
	err = do(0, result)
	for side, server := range servers {
		there := result
		switch {
		case server == 0 || side == storage.Black && server == servers[storage.White]:
			continue
		case servers[storage.White] != servers[storage.Black]:
			there.Players[1-side] = 0
		}
		err = errors.Join(err, do(server, there))
	}
	return err
}

// Played is what a game adds to a player's tallies in a server, or takes off them.
type Played struct {
	Person storage.PersonID
	at     time.Time
	server storage.ServerID
	kind   string
	score  int64
	undone bool
}

// PlayedIn is what a game's result in a server is to those who have played it there.
func PlayedIn(g *storage.Game, server storage.ServerID, result storage.Result) []Played {
	var all []Played
	for side, p := range result.Players {
		if p != 0 {
			all = append(all, Played{p, g.Changed, server, g.Variant, pointsScore(result.Points[side], 1), false})
		}
	}
	return all
}

// Undo is the opposite.
func (p Played) Undo() Played {
	p.score, p.undone = -p.score, true
	return p
}

// perPoint is more than anybody's games in a month.
const perPoint = 1 << 20

// pointsScore orders people of a week or a month: by points, and of those with as many by
// fewer games. Those of several games add up.
func pointsScore(points, games int) int64 { return int64(points)*perPoint - int64(games) }

// ofPoints is the opposite of pointsScore.
func ofPoints(score int64) (points, games int) {
	n := (score + perPoint - 1) / perPoint
	return int(n), int(n*perPoint - score)
}

// pointsBoard names the leaderboard of a week or a month that began on a day.
func pointsBoard(p Period, since int64, server storage.ServerID, kind string) storage.Board {
	return storage.Board(storage.Exact) + board(server, kind, string(p)+strconv.FormatInt(since, 10))
}

// count adds games to the tally of a week or a month, of which the newest is kept, and
// lets go of an earlier one than the one that goes on. It returns on which day that ends,
// 0 if there is none.
func count(t *storage.Tally, p Period, now time.Time, games []Played) int64 {
	since, until := span(p, now)
	for _, g := range games {
		begun, _ := span(p, g.at)
		switch day := storage.UnixDay(begun); {
		case day < t.Since || day > t.Since && g.undone:
			continue
		case day > t.Since:
			*t = storage.Tally{Since: day}
		}
		for _, kind := range []string{g.kind, storage.Overall} {
			Add(t, g.server, kind, g.score)
		}
	}
	if t.Since < storage.UnixDay(since) || len(t.Scores) == 0 {
		*t = storage.Tally{}
		return 0
	}
	return storage.UnixDay(until)
}

// Add changes a score of a tally, which holds none that are 0.
func Add(t *storage.Tally, server storage.ServerID, kind string, score int64) {
	if t.Scores == nil {
		t.Scores = map[storage.ServerID]map[string]int64{}
	}
	kinds := t.Scores[server]
	if kinds == nil {
		kinds = map[string]int64{}
		t.Scores[server] = kinds
	}
	if kinds[kind] += score; kinds[kind] == 0 {
		delete(kinds, kind)
	}
	if len(kinds) == 0 {
		delete(t.Scores, server)
	}
}

func resultOf(g *storage.Game) storage.Result {
	score := scores[g.Result]
	return storage.Result{Game: g.ID, Kind: g.Variant, Players: g.Players, Points: [2]int{int(2 * score), int(2 * (1 - score))}}
}

// List puts a person where he belongs, on the boards of the world and of each server in
// which he has played; nowhere if he does not want to be there. games are those that his
// tallies do not know yet.
func (s *League) List(w storage.Writer, id storage.PersonID, games ...Played) error {
	was, err := w.Listing(id)
	if err != nil {
		return err
	}
	now, err := listing(w.Reader, id, was, s.now(), games)
	if err != nil {
		return err
	}
	return w.List(id, was, now)
}

// listing is where a person belongs who is listed in a way, after more games.
func listing(r storage.Reader, id storage.PersonID, was storage.Listing, now time.Time, games []Played) (storage.Listing, error) {
	l := storage.Listing{Scores: map[storage.Board]int64{}, Week: was.Week, Month: was.Month}
	relist(&l, count(&l.Week, Week, now, games))
	relist(&l, count(&l.Month, Month, now, games))
	p, err := r.Person(id)
	if storage.Lost(err) {
		return storage.Listing{}, nil
	}
	if err != nil {
		return l, err
	}
	career, err := r.Career(id)
	if err != nil {
		return l, err
	}
	for _, server := range slices.Concat([]storage.ServerID{0}, career.Servers) {
		hidden := p.Settings.Unranked || p.Into != 0
		if server != 0 && !hidden {
			in, err := r.Server(server)
			if err != nil {
				return l, err
			}
			hidden = in.Hides(id)
		}
		if hidden {
			continue
		}
		for kind, standing := range career.Standings {
			enter(&l, server, kind, &standing, storage.UnixDay(now))
		}
		for p, tally := range map[Period]storage.Tally{Week: l.Week, Month: l.Month} {
			for kind, score := range tally.Scores[server] {
				l.Scores[pointsBoard(p, tally.Since, server, kind)] = score
			}
		}
	}
	return l, nil
}

// relist lets a person be listed anew on a day, 0 for none, if not earlier.
func relist(l *storage.Listing, day int64) {
	if day != 0 && (l.Fades == 0 || day < l.Fades) {
		l.Fades = day
	}
}

// enter adds the scores of a standing in a kind of game, on the boards of a server.
func enter(l *storage.Listing, server storage.ServerID, kind string, now *storage.Standing, today int64) {
	r := ratingOf(now)
	by := byGuess
	if day := fades(now); today < day {
		by = byRating
		relist(l, day)
	}
	l.Scores[board(server, kind, by)] = int64(math.Round(100 * r.Conservative()))
	l.Scores[mostBoard(server, kind, byGames)] = int64(now.Games())
	if now.Best > 0 {
		l.Scores[mostBoard(server, kind, byStreak)] = int64(now.Best)
	}
	if now.Merges > 0 {
		l.Scores[mostBoard(server, kind, byCombiner)] = int64(merged * now.Merges / now.Wins)
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

// Fade lists anew whose ratings have become provisional, or whose week or month has ended,
// because the day is another.
func (s *League) Fade(ctx context.Context) error {
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
				if err := s.List(w, p); err != nil {
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
