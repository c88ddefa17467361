package computer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

func TestThereAreAsManyLevelsAsTheEngineHas(t *testing.T) {
	if match.Levels != engine.Levels {
		t.Errorf("%d levels can be played against, and the engine has %d", match.Levels, engine.Levels)
	}
}

// hall is a Thinker with all that people need to play it.
type hall struct {
	*Thinker
	t      testing.TB
	store  *storage.Store
	match  *match.Service
	games  *match.Games
	place  storage.PlaceID
	log    bytes.Buffer
	logger *slog.Logger
	now    time.Time
}

var must = kvtest.Must

func newHall(t testing.TB, db kv.DB) *hall {
	t.Helper()
	h := &hall{t: t, now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
	h.logger = slog.New(slog.NewTextHandler(&h.log, nil))
	var err error
	h.store, err = storage.Open(t.Context(), db)
	must(t, err)
	clock := func() time.Time { return h.now }
	in := event.New(h.store, clock)
	l := rating.New(h.store, in, variants.All(), clock)
	h.match = match.New(h.store, in, l, variants.All(), clock, func() bool { return false })
	h.games = h.match.Games
	h.Thinker = New(h.store, h.games, h.match, clock)
	must(t, h.store.Update(t.Context(), func(w storage.Writer) error {
		p, err := w.Visit(storage.Address{Platform: "test", ID: "room"}, storage.Address{})
		h.place = p.ID
		return err
	}))
	return h
}

// by is a request of somebody in the room.
func (h *hall) by(name string) event.By {
	h.t.Helper()
	by := event.By{Place: h.place}
	must(h.t, h.store.Update(h.t.Context(), func(w storage.Writer) error {
		p, err := w.Meet(storage.Address{Platform: "test", ID: name}, name)
		by.Person = p.ID
		return err
	}))
	return by
}

// begins has somebody begin a game.
func (h *hall) begins(name, game string, level int, colour string) storage.GameID {
	h.t.Helper()
	done, err := h.match.PlayComputer(h.t.Context(), h.by(name), match.Practice{Variant: game, Level: level, Color: colour})
	must(h.t, err)
	return done.Game
}

func (h *hall) game(id storage.GameID) storage.Game {
	h.t.Helper()
	g, err := storage.Read(h.t.Context(), h.store, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(id) })
	must(h.t, err)
	return g
}

// plays has alice play a legal move.
func (h *hall) plays(id storage.GameID, text string) {
	h.t.Helper()
	h.playsAs(h.by("alice").Person, id, text)
}

func (h *hall) playsAs(p storage.PersonID, id storage.GameID, text string) {
	h.t.Helper()
	if _, err := h.match.Move(h.t.Context(), event.By{Person: p, Place: h.place}, id, text, nil); err != nil {
		h.t.Error(err)
	}
}

// scripted is an engine that finds what a test says.
type scripted func(rules.Game, engine.Limits) engine.Result

func (s scripted) Search(_ context.Context, g rules.Game, l engine.Limits) (engine.Result, error) {
	return s(g, l), nil
}

func (h *hall) finds(s scripted) {
	h.engine = func(*rules.Variant) (searcher, error) { return s, nil }
}

// only is a result with a single move, and its score in centipawns.
func only(m rules.Move, centipawns int) engine.Result {
	line := engine.Line{Moves: []rules.Move{m}, Score: engine.Score{Centipawns: centipawns}}
	return engine.Result{Line: line, Lines: []engine.Line{line}}
}

// first is the first legal move.
func first(g rules.Game, centipawns int) engine.Result {
	return only(g.Position.Moves()[0], centipawns)
}

func (h *hall) settle() {
	h.t.Helper()
	h.Settle(h.t.Context(), h.logger)
	waiting, err := storage.Read(h.t.Context(), h.store, storage.Reader.Thinking)
	if err != nil || len(waiting) > 0 {
		h.t.Fatalf("%v wait still: %v %s", waiting, err, h.log.String())
	}
}

func TestTheComputerAnswersAndNothingElseIsThoughtAbout(t *testing.T) {
	h := newHall(t, new(kvtest.Disk).Open("db"))
	white, black := h.begins("alice", "chess", 1, "white"), h.begins("alice", "combine", 8, "black")
	h.settle()
	if n, m := len(h.game(white).Moves), len(h.game(black).Moves); n != 0 || m != 1 {
		t.Fatalf("%d and %d moves were played", n, m)
	}
	h.plays(white, "e4")
	h.settle()
	if n := len(h.game(white).Moves); n != 2 {
		t.Errorf("%d moves were played", n)
	}
}

func TestWeakLevelsComeFirstAndEverybodyBeforeTheNextOfOne(t *testing.T) {
	type asked struct {
		name   string
		level  int
		colour string
	}
	for _, c := range []struct {
		games []asked
		order []uint64
	}{
		{[]asked{{"alice", 8, "black"}, {"alice", 5, "black"}, {"alice", 5, "black"}, {"bob", 8, "black"}, {"bob", 1, "white"}, {"carol", 1, "black"}}, []uint64{6, 1, 2, 4, 3}},
		{[]asked{{"alice", 4, "black"}, {"alice", 4, "black"}, {"alice", 4, "black"}, {"bob", 4, "black"}}, []uint64{1, 4, 2, 3}},
	} {
		h := newHall(t, new(kvtest.Disk).Open("db"))
		var order []uint64
		h.finds(func(g rules.Game, l engine.Limits) engine.Result {
			order = append(order, l.Seed)
			return first(g, 0)
		})
		for _, g := range c.games {
			h.begins(g.name, "chess", g.level, g.colour)
		}
		h.settle()
		if !slices.Equal(order, c.order) {
			t.Errorf("the games are searched in the order %v, not %v", order, c.order)
		}
		var err error
		for begun := 0; err == nil && begun <= limit.Practices; begun++ {
			_, err = h.match.PlayComputer(t.Context(), h.by("alice"), match.Practice{Variant: "chess"})
		}
		if !event.IsRefused(err, event.TooManyPractices) {
			t.Errorf("a game more than %d: %v", limit.Practices, err)
		}
	}
}

func TestTheComputerTakesUpAChallengeThatNobodyJoinedOnce(t *testing.T) {
	h := newHall(t, new(kvtest.Disk).Open("db"))
	alice, bob := h.by("alice"), h.by("bob")
	made, err := h.match.Challenge(t.Context(), alice, storage.Challenge{Variant: "stealth", Color: "black", Rated: true, Pace: storage.Pace{Move: match.Day}})
	must(t, err)
	if _, err := h.match.PlayInstead(t.Context(), bob, made.Game); !event.IsRefused(err, event.NotYourChallenge) {
		t.Errorf("another takes it up: %v", err)
	}
	for range 2 {
		done, err := h.match.PlayInstead(t.Context(), alice, made.Game)
		if err != nil || done.Kind != event.Began || done.Game != made.Game {
			t.Fatalf("%v: %v", done, err)
		}
	}
	h.settle()
	g := h.game(made.Game)
	if side, level := g.Computer(); side != storage.White || level != match.UsualLevel || g.Rated || g.Pace.Move != 0 || len(g.Moves) != 1 || g.Variant != "stealth" {
		t.Errorf("the game is %+v", g)
	}
	if _, err := h.match.AnswerChallenge(t.Context(), bob, made.Game, match.Accept); !event.IsRefused(err, event.NoSuchChallenge) {
		t.Errorf("it is joined still: %v", err)
	}
	must(t, h.store.Check(t.Context(), func(fault string) { t.Error(fault) }))
}

func TestItKnowsInWhatTimeItHasAnAnswer(t *testing.T) {
	h := newHall(t, new(kvtest.Disk).Open("db"))
	var last storage.GameID
	for n := range 40 {
		last = h.begins(fmt.Sprint("somebody", n), "chess", 8, "black")
	}
	must(t, h.read(t.Context()))
	if games, in := h.Backlog(last); games != 40 || in < 4*time.Second || in > 8*time.Second {
		t.Errorf("in %d games, and %v until the last", games, in)
	}
	if _, in := h.Backlog(1); in > time.Second {
		t.Errorf("%v until the first", in)
	}
	h.finds(func(g rules.Game, _ engine.Limits) engine.Result { return first(g, 0) })
	h.settle()
	if games, in := h.Backlog(last); games != 0 || in != 0 {
		t.Errorf("in %d games, and %v until the last, though all are answered", games, in)
	}
}

func TestWhereTheSearchPanicsTheWeakestLevelPlaysElseAnyMove(t *testing.T) {
	for _, worst := range []bool{false, true} {
		h := newHall(t, new(kvtest.Disk).Open("db"))
		h.finds(func(g rules.Game, l engine.Limits) engine.Result {
			if l.Level != engine.AtLevel(0) || worst {
				panic("lost")
			}
			return first(g, 0)
		})
		id := h.begins("alice", "stealth", 6, "black")
		h.settle()
		if n := len(h.game(id).Moves); n != 1 || !strings.Contains(h.log.String(), "panic: lost") {
			t.Errorf("%d moves were played, and the log is %s", n, h.log.String())
		}
	}
}

func TestItAgreesToADrawLateAndWhenNotBetter(t *testing.T) {
	for _, c := range []struct {
		plies, score int
		drawn        bool
	}{{4, 500, false}, {42, 500, true}, {42, -500, false}} {
		h := newHall(t, new(kvtest.Disk).Open("db"))
		h.finds(func(g rules.Game, _ engine.Limits) engine.Result { return second(g, 0) })
		id := h.begins("alice", "chess", 4, "white")
		rnd := rand.New(rand.NewPCG(uint64(c.plies), 8))
		for len(h.game(id).Moves) < c.plies {
			h.plays(id, h.any(rnd, id))
			h.settle()
		}
		// White is to move, so a good score is bad for the computer.
		h.finds(func(g rules.Game, _ engine.Limits) engine.Result { return first(g, c.score) })
		_, err := h.match.Offer(t.Context(), h.by("alice"), id, match.ADraw)
		must(t, err)
		(&worker{Thinker: h.Thinker, log: h.logger}).once(t.Context())
		if g := h.game(id); g.Draw != nil || (g.Result == "1/2-1/2") != c.drawn {
			t.Errorf("after %d plies, at %d: %s %s", c.plies, c.score, g.Result, g.Ending)
		}
	}
}

func TestItOffersADrawOnceInAnEndgameThatIsLevelForLong(t *testing.T) {
	h := newHall(t, new(kvtest.Disk).Open("db"))
	rnd := rand.New(rand.NewPCG(3, 11))
	h.finds(func(g rules.Game, _ engine.Limits) engine.Result { return trade(rnd, g) })
	id := h.begins("alice", "chess", 4, "white")
	var offered []int
	for len(h.game(id).Moves) < 160 && !h.over(id) {
		g := h.game(id)
		if g.Draw != nil {
			offered = append(offered, len(g.Moves))
			if _, err := h.match.Offer(t.Context(), event.By{Person: g.Draw.By, Place: h.place}, id, match.ADraw); err == nil {
				t.Error("it offers what it has offered")
			}
		}
		h.trades(rnd, &g)
	}
	if len(offered) == 0 || offered[0] < offerFrom || len(offered) > 1 && offered[1] < offered[0]+offerAgain || len(offered) > 2 {
		t.Fatalf("a draw was offered after %v of %d plies", offered, len(h.game(id).Moves))
	}
	told := 0
	err := h.store.View(t.Context(), func(r storage.Reader) error {
		entries, err := r.Outbox()
		for _, e := range entries {
			if e.Kind == string(event.DrawOffered) || e.Facts["draw"] != "" && e.Ply != offered[min(told, len(offered)-1)] {
				t.Errorf("after %d plies: %s", e.Ply, e.Kind)
			}
			if e.Facts["draw"] != "" {
				told++
			}
		}
		return err
	})
	if err != nil || told != len(offered) {
		t.Errorf("%d draws were offered, and %d moves tell of one: %v", len(offered), told, err)
	}
}

func TestADrawThatItOffersCanBeAgreedTo(t *testing.T) {
	h := newHall(t, new(kvtest.Disk).Open("db"))
	rnd := rand.New(rand.NewPCG(3, 11))
	alice, id := h.by("alice"), h.begins("alice", "chess", 4, "white")
	h.finds(func(g rules.Game, _ engine.Limits) engine.Result { return trade(rnd, g) })
	for g := h.game(id); g.Draw == nil && len(g.Moves) < 160; g = h.game(id) {
		h.trades(rnd, &g)
	}
	_, err := h.match.Agree(t.Context(), alice, id, match.ADraw)
	must(t, err)
	if g := h.game(id); g.Result != "1/2-1/2" || g.Ending != string(rules.ByAgreement) {
		t.Errorf("it ended %s by %s", g.Result, g.Ending)
	}
}

// trades has alice play a move of trade, and the computer answer.
func (h *hall) trades(rnd *rand.Rand, g *storage.Game) {
	h.t.Helper()
	now, err := h.games.Current(g)
	must(h.t, err)
	h.plays(g.ID, now.Position.Variant().Coordinate(trade(rnd, now).Moves[0]))
	h.settle()
}

func (h *hall) over(id storage.GameID) bool {
	g := h.game(id)
	return g.Over()
}

// trade is a capture if there is one, else a random move, with a score of 0.
func trade(rnd *rand.Rand, g rules.Game) engine.Result {
	var quiet []rules.Move
	for _, m := range g.Position.Moves() {
		next, err := g.Play(m)
		if _, drawn := next.Claim(); err != nil || next.Outcome().Over() || drawn {
			continue
		}
		if men(next.Position) < men(g.Position) {
			return only(m, 0)
		}
		quiet = append(quiet, m)
	}
	if len(quiet) == 0 {
		return first(g, 0)
	}
	return only(quiet[rnd.IntN(len(quiet))], 0)
}

// second is a quiet move if there is one.
func second(g rules.Game, centipawns int) engine.Result {
	found := first(g, centipawns)
	for _, m := range g.Position.Moves() {
		next, err := g.Play(m)
		if err == nil && !next.Outcome().Over() && len(next.Past) > 0 {
			found = only(m, centipawns)
		}
	}
	return found
}

// any is a random legal move that does not end the game.
func (h *hall) any(rnd *rand.Rand, id storage.GameID) string {
	h.t.Helper()
	g := h.game(id)
	now, err := h.games.Current(&g)
	must(h.t, err)
	moves := now.Position.Moves()
	for {
		m := moves[rnd.IntN(len(moves))]
		if next, err := now.Play(m); err == nil && !next.Outcome().Over() {
			return now.Position.Variant().Coordinate(m)
		}
	}
}

func TestALostGameIsGivenUpAfterAWhileButNotByBeginners(t *testing.T) {
	for level, gives := range map[int]bool{1: false, 2: false, 3: true, 8: true} {
		h := newHall(t, new(kvtest.Disk).Open("db"))
		lost := 0 // plies after which the game is lost
		h.finds(func(g rules.Game, _ engine.Limits) engine.Result {
			if plies := 2*(g.Position.FullMove()-1) + storage.Side(g.Position.Turn()); plies >= lost {
				return second(g, -2000)
			}
			return second(g, 0)
		})
		id := h.begins("alice", "chess", level, "white")
		lost = 24
		rnd := rand.New(rand.NewPCG(uint64(level), 9))
		for len(h.game(id).Moves) < 40 && h.game(id).Ending == "" {
			h.plays(id, h.any(rnd, id))
			h.settle()
		}
		g := h.game(id)
		if (g.Ending == string(rules.ByResignation)) != gives {
			t.Errorf("level %d after %d plies: %q", level, len(g.Moves), g.Ending)
		}
		if gives && (len(g.Moves) < lost+3 || len(g.Moves) > lost+8) {
			t.Errorf("level %d resigned after %d plies", level, len(g.Moves))
		}
		if gives && g.Beaten != level {
			t.Errorf("level %d was beaten, and noted is %d", level, g.Beaten)
		}
	}
}

func TestItStopsAtOnceAndThinksAgainWhenItBeginsAgain(t *testing.T) {
	disk := new(kvtest.Disk)
	h := newHall(t, disk.Open("db"))
	searching := make(chan struct{})
	h.engine = func(*rules.Variant) (searcher, error) { return endless{searching}, nil }
	id := h.begins("alice", "chess", 8, "black")
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if err := h.Run(ctx, h.logger, 2); !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	})
	<-searching
	stop()
	running.Wait()
	if n := len(h.game(id).Moves); n != 0 {
		t.Errorf("%d moves were played that were not thought out", n)
	}
	must(t, h.store.Close())
	h = newHall(t, disk.Open("db"))
	h.settle()
	if n := len(h.game(id).Moves); n != 1 {
		t.Errorf("%d moves were played after it had begun again", n)
	}
}

func TestWhoStandsByPlaysFromItsTurnOn(t *testing.T) {
	h := newHall(t, new(kvtest.Disk).Open("db"))
	id := h.begins("alice", "chess", 1, "black")
	turns := 0
	h.StandBy(func(context.Context) error {
		turns++
		return nil
	})
	w := &worker{Thinker: h.Thinker, log: h.logger}
	w.once(t.Context())
	if n := len(h.game(id).Moves); n != 0 || turns != 0 {
		t.Errorf("%d moves were played before its turn", n)
	}
	h.await(t.Context())
	w.once(t.Context())
	if n := len(h.game(id).Moves); n != 1 || turns != 1 {
		t.Errorf("%d moves were played in %d turns", n, turns)
	}
}

// TestNobodyWaitsForEverToBeAdvised checks that somebody who asks while others are advised waits for patience, or until
// their own context is done.
func TestNobodyWaitsForEverToBeAdvised(t *testing.T) {
	pos, err := variants.All()[0].Position("")
	must(t, err)
	game := rules.NewGame(pos)
	synctest.Test(t, func(t *testing.T) {
		begun := make(chan struct{})
		h := New(nil, nil, nil, time.Now)
		h.engine = func(*rules.Variant) (searcher, error) { return endless{begun}, nil }
		ctx, stop := context.WithCancel(t.Context())
		var first sync.WaitGroup
		first.Go(func() {
			if _, err := h.Advise(ctx, game); !errors.Is(err, context.Canceled) {
				t.Errorf("advice that was broken off: %v", err)
			}
		})
		<-begun
		before := time.Now()
		if _, err := h.Advise(ctx, game); !errors.Is(err, ErrBusy) || time.Since(before) != patience {
			t.Errorf("%v after %v", err, time.Since(before))
		}
		impatient, leave := context.WithCancel(ctx)
		leave()
		if _, err := h.Advise(impatient, game); !errors.Is(err, context.Canceled) {
			t.Errorf("who has left is told %v", err)
		}
		stop()
		first.Wait()
	})
}

// endless is an engine that searches until its context is done.
type endless struct{ begun chan<- struct{} }

func (e endless) Search(ctx context.Context, g rules.Game, _ engine.Limits) (engine.Result, error) {
	e.begun <- struct{}{}
	<-ctx.Done()
	return first(g, 0), nil
}

func TestAGameIsPlayedTheSameAgainAndEachGameInItsOwnWay(t *testing.T) {
	openings := func() (all []string) {
		h := newHall(t, new(kvtest.Disk).Open("db"))
		for n := range 12 {
			id := h.begins(fmt.Sprint("somebody", n), "chess", 7, "black")
			h.settle()
			all = append(all, h.game(id).Moves[0])
		}
		return all
	}
	one := openings()
	if other := openings(); !slices.Equal(one, other) {
		t.Errorf("the first time %v, then %v", one, other)
	}
	if slices.Sort(one); len(slices.Compact(one)) < 2 {
		t.Errorf("all games begin with %s", one[0])
	}
}
