package rating

import (
	"cmp"
	"context"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/storage"
)

// Figure is a rating as it is written beside a name; the zero Figure is none.
type Figure struct {
	Value  float64
	Unsure bool // provisional
}

// Figures are the ratings of a game's players in its kind of game: what it has made of them if it
// was counted, else those of today. The computer has none.
func (l *Service) Figures(r storage.Reader, g *storage.Game) (all [2]Figure, err error) {
	for side, p := range g.Players {
		if g.Levels[side] != 0 {
			continue
		}
		if g.Counted {
			all[side] = Figure{g.Ratings[side][1], Unsure(g.Spreads[side])}
			continue
		}
		career, err := r.Standings(p)
		if err != nil && !storage.Missing(err) {
			return all, err
		}
		if now, ok := career.Standings[g.Variant]; ok {
			all[side] = Figure{now.Value, At(&now, l.now()).Provisional()}
		}
	}
	return all, nil
}

// Profile is what there is to know about a person's play.
type Profile struct {
	Person storage.Person
	At     time.Time // when that was so
	Kinds  []Kind    // overall first, then by name
	Now    int       // games in progress
	Games  []Current
	Beaten []Feat // in the order of the games
	History
}

// Feat is the highest level of the computer that somebody has beaten in a kind of game.
type Feat struct {
	Game  string // its name
	Level int
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

// Profile is a person's, as a server sees them, 0 for the world; of the games in progress it
// tells those that the asker may see where they are.
func (l *Service) Profile(ctx context.Context, by event.By, id storage.PersonID, server storage.ServerID) (*Profile, error) {
	found := &Profile{}
	var kinds []Kind
	err := l.withBoards(ctx, func(r storage.Reader, b *boards) (err error) {
		kinds, err = l.kinds(r, b, id, server)
		return err
	})
	if err != nil {
		return found, err
	}
	err = l.store.View(ctx, func(r storage.Reader) error {
		*found = Profile{At: l.now(), Kinds: kinds}
		var err, err2 error
		found.Person, err = r.People().Get(id)
		found.History, err2 = l.history(r, by, id)
		err = cmp.Or(err, err2, l.current(r, by, found))
		for _, v := range l.variants {
			f, err2 := r.BeatenLevel(id, v.Key)
			if err = cmp.Or(err, err2); f.Level > 0 {
				found.Beaten = append(found.Beaten, Feat{v.Name, f.Level})
			}
		}
		return err
	})
	return found, err
}

// kinds are a person's standings.
func (l *Service) kinds(r storage.Reader, b *boards, id storage.PersonID, server storage.ServerID) (kinds []Kind, err error) {
	career, err := r.Standings(id)
	keys := []string{storage.Overall}
	for _, v := range l.variants {
		keys = append(keys, v.Key)
	}
	for _, key := range keys {
		now, ok := career.Standings[key]
		if !ok {
			continue
		}
		sure, err := b.board(r, about{server: server, game: key, by: byRating})
		if err != nil {
			return nil, err
		}
		grown := At(&now, l.now())
		kinds = append(kinds, Kind{l.Called(key), now, grown.Deviation, grown.Provisional(), sure.rank(id)})
	}
	return kinds, err
}

// mostCurrent is how many games in progress a profile tells.
const mostCurrent = 5

// current reads the games in progress.
func (l *Service) current(r storage.Reader, by event.By, found *Profile) error {
	e, err := event.NewPermissions(r, by)
	playing, err2 := r.Playing(found.Person.ID)
	found.Now = len(playing)
	for g, err := range r.Games().Each(playing, err, err2) {
		if err != nil {
			return err
		}
		side, ok := g.SideOf(found.Person.ID)
		sees, err := e.Sees(&g)
		opponent, err2 := r.NameOf(g.Players[1-side])
		switch err := cmp.Or(err, err2); {
		case err != nil:
			return err
		case !ok || !sees:
			continue
		case len(found.Games) == mostCurrent:
			return nil
		}
		found.Games = append(found.Games, Current{g.ID, l.Called(g.Variant), opponent})
	}
	return nil
}

// Trend is how somebody's rating in a kind of game, or those in all of them, went in their latest games, from 0.
func (l *Service) Trend(ctx context.Context, id storage.PersonID, kind string) ([]float64, error) {
	const latest = 20
	return storage.Read(ctx, l.store, func(r storage.Reader) ([]float64, error) {
		played, err := r.Played(id)
		all := []float64{0}
		for g, err := range r.Games().Each(played[max(0, len(played)-latest):], err) {
			if err != nil {
				return nil, err
			}
			if side, _ := g.SideOf(id); g.Counted && (kind == storage.Overall || kind == g.Variant) {
				all = append(all, all[len(all)-1]+g.Ratings[side][1]-g.Ratings[side][0])
			}
		}
		return all, nil
	})
}

// Between is the score of somebody against another in their games that have ended.
func (l *Service) Between(ctx context.Context, a, b storage.PersonID) (Score, error) {
	return storage.Read(ctx, l.store, func(r storage.Reader) (score Score, err error) {
		ids, err := r.Played(a)
		theirs, err2 := r.Played(b)
		ids = slices.DeleteFunc(ids, func(id storage.GameID) bool {
			_, both := slices.BinarySearch(theirs, id) // numbers come in order
			return !both
		})
		for g, err := range r.Games().Each(ids, err, err2) {
			if err != nil {
				return score, err
			}
			if side, plays := g.SideOf(a); plays && g.Players[1-side] == b {
				score.add(&g, side)
			}
		}
		return score, nil
	})
}
