package rating

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"chimera/bot/event"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Figure is a rating as it is written beside a name; the zero Figure is none.
type Figure struct {
	Value  float64
	Unsure bool // provisional
}

// Figures are the ratings of a game's players in its kind of game: after it if it was counted, else
// today's. The computer has none.
func (l *Service) Figures(r storage.Reader, g *storage.Game) (all [2]Figure, err error) {
	for side, p := range g.Players {
		if g.Levels[side] != 0 {
			continue
		}
		if g.Counted {
			all[side] = Figure{g.Ratings[side][1], Unsure(g.Spreads[side])}
			continue
		}
		career, missing := r.Standings(p)
		err = cmp.Or(err, storage.UnlessMissing(missing))
		if now, ok := career.Standings[g.Variant]; ok {
			all[side] = Figure{now.Value, At(&now, l.now()).Provisional()}
		}
	}
	return all, err
}

// Profile is what people are told about a person's play.
type Profile struct {
	Person storage.Person
	At     time.Time // when that was reached
	Kinds  []Kind    // overall first, then by name
	Now    int       // games in progress
	Games  []Current
	Beaten []Feat // the highest level, in the order of the games
	Titles []Title
	History
}

// Feat is a level of the computer beaten in a kind of game.
type Feat struct {
	Kind  string        // the game's key
	Game  phrase.Phrase // its name
	Level int
}

// Tried is a score against a level of the computer.
type Tried struct {
	Feat
	Score
}

// Title is a season of a league that somebody has won.
type Title struct {
	Game   phrase.Phrase // its name
	Season int
}

// Current is a game in progress as its player sees it.
type Current struct {
	ID       storage.GameID
	Game     phrase.Phrase // its name
	Opponent string
}

// Kind is a person's standing in one kind of game.
type Kind struct {
	Key       string // of the kind, or storage.Overall
	Game      phrase.Phrase
	Standing  storage.Standing
	Deviation float64 // by now
	Unsure    bool
	Rank      int // in the server, 0 if in none
}

// Profile is a person's profile in a server, 0 for the world. It includes games in progress that the
// asker may see where they are.
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
		won, err3 := r.SeasonsWon(&found.Person)
		err = cmp.Or(err, err2, err3, l.current(r, by, found))
		for _, s := range won {
			league, err2 := r.Leagues().Find(s.League)
			found.Titles, err = append(found.Titles, Title{l.Called(league.Variant), s.Number}), cmp.Or(err, err2)
		}
		for _, v := range l.variants {
			f, err2 := r.BeatenLevel(id, v.Key)
			if err = cmp.Or(err, err2); f.Level > 0 {
				found.Beaten = append(found.Beaten, Feat{v.Key, v.Title(), f.Level})
			}
		}
		return err
	})
	return found, err
}

// kinds are a person's standings.
func (l *Service) kinds(r storage.Reader, b *boards, id storage.PersonID, server storage.ServerID) (kinds []Kind, err error) {
	career, err := r.Standings(id)
	keys := phrase.Each(l.variants, func(v *rules.Variant) string { return v.Key })
	for _, key := range append([]string{storage.Overall}, keys...) {
		now, ok := career.Standings[key]
		if !ok {
			continue
		}
		sure, err := b.board(r, about{server: server, game: key, by: byRating})
		if err != nil {
			return nil, err
		}
		grown := At(&now, l.now())
		kinds = append(kinds, Kind{key, l.Called(key), now, grown.Deviation, grown.Provisional(), sure.rank(id)})
	}
	return kinds, err
}

// mostCurrent is how many games in progress a profile shows.
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
		found.Games = append(found.Games, Current{g.ID, l.Called(g.Variant), g.NameOf(1-side, opponent)})
	}
	return nil
}

// Trend is the course of somebody's rating in a kind of game, or overall, over their latest games,
// starting from 0.
func (l *Service) Trend(ctx context.Context, id storage.PersonID, kind string) ([]float64, error) {
	const latest = 20
	return storage.Read(ctx, l.store, func(r storage.Reader) ([]float64, error) {
		played, err := r.Played(id)
		games, err := r.Games().All(played[max(0, len(played)-latest):], err)
		all := []float64{0}
		for _, g := range games {
			if side, _ := g.SideOf(id); g.Counted && (kind == storage.Overall || kind == g.Variant) {
				all = append(all, all[len(all)-1]+g.Ratings[side][1]-g.Ratings[side][0])
			}
		}
		return all, err
	})
}

// Between is the score of somebody against another in their games that have ended.
func (l *Service) Between(ctx context.Context, a, b storage.PersonID) (Score, error) {
	return storage.Read(ctx, l.store, func(r storage.Reader) (score Score, err error) {
		ids, err := r.Played(a)
		theirs, err2 := r.Played(b)
		ids = slices.DeleteFunc(ids, func(id storage.GameID) bool {
			_, both := slices.BinarySearch(theirs, id) // numbers are in order
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

// History is a summary of a person's ended games, the last MostHistory at most.
type History struct {
	Courses []Course // the kinds with the most games first
	Colors  [2]Score // as White and as Black
	Against []Versus // the most frequent opponents, at most MostVersus
	Made    []Made   // the hybrids made most often, at most MostMade
	Kept    map[KindOfPiece]Kept
	Tried   []Tried // by kind of game and level
	All     Score   // against people, and against the computer
}

// KindOfPiece is a kind of piece of a kind of game.
type KindOfPiece struct{ Key, Sign string }

// Kept is what is known of a kind of piece that somebody has made in games that count for it.
type Kept struct {
	Times int            // how often, in the games of the History
	First storage.GameID // the first known game
	Seen  bool           // the asker may see that game
	New   bool           // that game ended recently
}

// newFor is how long a kind of piece made for the first time counts as new.
const newFor = 3 * 24 * time.Hour

// Limits of a History.
const (
	MostHistory = 1000
	MostVersus  = 4
	MostMade    = 5
)

// Course is the course of a rating in one kind of game.
type Course struct {
	Key    string // of the kind of game
	Game   phrase.Phrase
	Points []Reached
}

// Reached is the rating after a game.
type Reached struct {
	At        time.Time
	Value     float64
	Deviation float64 // 0 if no longer known
}

// Score is how many games were won, drawn and lost.
type Score struct{ Won, Drawn, Lost int }

// Games is the number of games.
func (s Score) Games() int { return s.Won + s.Drawn + s.Lost }

// Share is how many of the games were won, in percent.
func (s Score) Share() int { return 100 * s.Won / max(s.Games(), 1) }

// add counts a game that was decided, from one side's view.
func (s *Score) add(g *storage.Game, side storage.Side) {
	switch points, decided := pointsOf(g.Result, side); {
	case !decided:
	case points == 1:
		s.Won++
	case points == 0:
		s.Lost++
	default:
		s.Drawn++
	}
}

// Versus is the score against one opponent.
type Versus struct {
	Person storage.PersonID
	Name   string
	Score
}

// Made is a hybrid, and how often it was made.
type Made struct {
	Table rules.Table
	Piece rules.Piece
	Name  string        // in English
	Noun  phrase.Phrase // what it is called
	Times int
}

// history reads a person's History, for an asker.
func (l *Service) history(r storage.Reader, by event.By, id storage.PersonID) (History, error) {
	played, err := r.Played(id)
	games, err := r.Games().All(played[max(0, len(played)-MostHistory):], err)
	if err != nil {
		return History{}, err
	}
	slices.SortStableFunc(games, func(a, b storage.Game) int { return a.Changed.Compare(b.Changed) })
	h := History{Kept: map[KindOfPiece]Kept{}}
	against := map[storage.PersonID]*Versus{}
	hybrids := map[string]*Made{}
	for i := range games {
		g := &games[i]
		side, ok := g.SideOf(id)
		if !ok {
			continue
		}
		h.reach(l, g, side)
		l.countMade(hybrids, g, side)
		for sign, n := range g.Made[side] {
			if g.Gathers() {
				h.keep(KindOfPiece{g.Variant, sign}, n, g.ID)
			}
		}
		_, level := g.Computer()
		if _, decided := scores[g.Result]; !decided || g.Called != [2]string{} { // others may have used their screen
			continue
		}
		h.All.add(g, side)
		if level != 0 {
			feat := Feat{g.Variant, l.Called(g.Variant), max(level, 0)}
			i, known := slices.BinarySearchFunc(h.Tried, feat, func(t Tried, f Feat) int { return cmp.Or(cmp.Compare(t.Kind, f.Kind), t.Level-f.Level) })
			if !known {
				h.Tried = slices.Insert(h.Tried, i, Tried{Feat: feat})
			}
			h.Tried[i].add(g, side)
			continue
		}
		h.Colors[side].add(g, side)
		other := g.Players[1-side]
		if against[other] == nil {
			against[other] = &Versus{Person: other}
		}
		against[other].add(g, side)
	}
	slices.SortStableFunc(h.Courses, func(a, b Course) int { return len(b.Points) - len(a.Points) })
	h.Against = most(against, MostVersus, func(a, b *Versus) int {
		return cmp.Or(b.Games()-a.Games(), cmp.Compare(a.Person, b.Person))
	})
	for i := range h.Against {
		name, err2 := r.NameOf(h.Against[i].Person)
		h.Against[i].Name, err = name, cmp.Or(err, err2)
	}
	h.Made = most(hybrids, MostMade, func(a, b *Made) int { return cmp.Or(b.Times-a.Times, cmp.Compare(a.Name, b.Name)) })
	return h, cmp.Or(err, l.first(r, by, id, &h))
}

// keep adds that somebody has made a kind of piece in a game.
func (h *History) keep(kind KindOfPiece, times int, in storage.GameID) {
	known := h.Kept[kind]
	if known.Times += times; known.First == 0 || in < known.First {
		known.First = in
	}
	h.Kept[kind] = known
}

// first finds the game in which each kind of piece was first made, which may be older than those of
// the History.
func (l *Service) first(r storage.Reader, by event.By, id storage.PersonID, h *History) error {
	stored, err := r.FirstMade(id)
	e, err2 := event.NewPermissions(r, by)
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	for _, f := range stored {
		h.keep(KindOfPiece{f.Kind, f.Piece}, 0, f.Game)
	}
	for kind, known := range h.Kept {
		g, err := r.Games().Get(known.First)
		if storage.Missing(err) {
			continue
		}
		if err == nil {
			known.Seen, err = e.Sees(&g)
		}
		if err != nil {
			return err
		}
		known.New = l.now().Sub(g.Changed) < newFor
		h.Kept[kind] = known
	}
	return nil
}

// most are the values of a map that come first, at most bound of them.
func most[K comparable, V any](all map[K]*V, bound int, order func(a, b *V) int) (first []V) {
	sorted := slices.SortedFunc(maps.Values(all), order)
	for _, v := range sorted[:min(len(sorted), bound)] {
		first = append(first, *v)
	}
	return first
}

// reach adds the rating after a game, and before the first also the rating it began with.
func (h *History) reach(l *Service, g *storage.Game, side storage.Side) {
	if !g.Counted || g.Annul {
		return
	}
	i := slices.IndexFunc(h.Courses, func(c Course) bool { return c.Key == g.Variant })
	if i < 0 {
		i = len(h.Courses)
		h.Courses = append(h.Courses, Course{g.Variant, l.Called(g.Variant), []Reached{{At: g.Began, Value: g.Ratings[side][0]}}})
	}
	c := &h.Courses[i]
	c.Points = append(c.Points, Reached{g.Changed, g.Ratings[side][1], g.Spreads[side]})
}

// countMade counts the hybrids that one side of a game has made, by name over all kinds of games.
func (l *Service) countMade(all map[string]*Made, g *storage.Game, side storage.Side) {
	v := l.variant(g.Variant)
	if v == nil {
		return
	}
	for sign, n := range g.Made[side] {
		piece := PieceOf(v.Table, sign)
		called := v.Table[piece.White].Name
		if piece.Shared() {
			called += " and " + v.Table[piece.Black].Name
		} else if len(v.Table[piece.White].Parts) == 0 {
			continue // grown into a piece that games begin with
		}
		if all[called] == nil {
			all[called] = &Made{Table: v.Table, Piece: piece, Name: called, Noun: v.Noun(piece)}
		}
		all[called].Times += n
	}
}

// SignOf is the sign of a piece in a game's record: its code or, for a piece shared by both sides,
// White's code, a stroke and Black's.
func SignOf(t rules.Table, p rules.Piece) string {
	if p.Shared() {
		return t[p.White].Code + "/" + t[p.Black].Code
	}
	return t[p.White|p.Black].Code
}

// PieceOf is the piece with a sign of SignOf, White's if it belongs to one side; no piece if the game
// does not have it.
func PieceOf(t rules.Table, sign string) rules.Piece {
	white, black, _ := strings.Cut(sign, "/")
	return rules.Piece{White: t.Role(white), Black: t.Role(black)}
}
