package match_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chimera/bot/archive"
	"chimera/bot/event"
	"chimera/bot/maintenance"
	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/bot/user"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
	"chimera/storage/migrate"
)

// Ratings are embedded beside the Service of match.
type Ratings = rating.Service

// services are all that works on one store.
type services struct {
	*event.Log
	*match.Service
	*Ratings
	*user.Users
	*archive.Archive
	*maintenance.Keeper
}

func serve(store *storage.Store, now func() time.Time, coin func() bool) services {
	s := services{Log: event.New(store, now)}
	s.Ratings = rating.New(store, s.Log, variants.All(), now)
	s.Service = match.New(store, s.Log, s.Ratings, variants.All(), now, coin)
	s.Users = user.New(store, s.Log, s.Ratings, s.Service, now)
	s.Archive = archive.New(store, s.Games)
	s.Keeper = maintenance.New(store, s.Log, s.Ratings, s.Service, s.Users, now)
	return s
}

// Accept takes up an offer, or the newest if id is 0.
func (s services) Accept(ctx context.Context, by event.By, id storage.GameID) (event.Done, error) {
	return s.Answer(ctx, by, match.Accept, match.Meant{Game: id})
}

func (s services) Draw(ctx context.Context, by event.By, id storage.GameID) (event.Done, error) {
	return s.Service.Offer(ctx, by, id, match.ADraw)
}

// Move is by somebody who has not looked at the game before.
func (s services) Move(ctx context.Context, by event.By, id storage.GameID, text string) (event.Done, error) {
	return s.Service.Move(ctx, by, id, text, nil)
}

// club is two people, a place and a service whose clock the test sets.
type club struct {
	services
	t          testing.TB
	store      *storage.Store
	now        time.Time
	alice, bob event.By
}

func newClub(t testing.TB) *club {
	t.Helper()
	db, err := bolt.Open(filepath.Join(t.TempDir(), "test.db"))
	must(t, err)
	return newClubOn(t, kvtest.Bounded{DB: db})
}

// newClubOn opens a database, which an earlier version may have written, and looks through it in
// the end.
func newClubOn(t testing.TB, db kv.DB) *club {
	t.Helper()
	c := clubOn(t, db)
	t.Cleanup(c.close)
	return c
}

// clubOn opens a database.
func clubOn(t testing.TB, db kv.DB) *club {
	t.Helper()
	past := func(g *storage.Game) ([]uint64, error) { return match.Keys(variants.All(), g) }
	must(t, migrate.Run(t.Context(), db, past))
	store, err := storage.Open(t.Context(), db)
	must(t, err)
	return clubIn(t, store)
}

// clubIn is a club that is kept in a store.
func clubIn(t testing.TB, store *storage.Store) *club {
	t.Helper()
	c := &club{t: t, store: store, now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
	c.services = serve(store, func() time.Time { return c.now }, func() bool { return true })
	c.alice, c.bob = c.meet("alice"), c.meet("bob")
	return c
}

// Visit is the place at an address, in the server at another.
func (c *club) Visit(ctx context.Context, a, server storage.Address) (place storage.Place, in storage.Server, err error) {
	err = c.store.Update(ctx, func(w storage.Writer) (err error) {
		if place, err = w.Visit(a, server); err == nil && place.Server != 0 {
			in, err = w.Servers().Get(place.Server)
		}
		return err
	})
	return place, in, err
}

// at is the place at an address, in the server at another.
func (c *club) at(a, server storage.Address) (storage.Place, storage.Server) {
	c.t.Helper()
	place, in, err := c.Visit(c.t.Context(), a, server)
	c.ok(err)
	return place, in
}

// read is what a function reads.
func read[T any](c *club, what func(storage.Reader) (T, error)) T {
	c.t.Helper()
	found, err := storage.Read(c.t.Context(), c.store, what)
	c.ok(err)
	return found
}

// work does all jobs.
func (c *club) work() {
	c.t.Helper()
	for more := true; more; {
		var err error
		more, err = c.WorkMore(c.t.Context())
		must(c.t, err)
	}
}

// tick does what is due.
func (c *club) tick() {
	c.t.Helper()
	c.ok(c.Tick(c.t.Context()))
}

// close checks that the whole database is sound.
func (c *club) close() {
	_, err := c.Verify(context.Background(), func(id storage.GameID, fault error) { c.t.Errorf("game %d: %v", id, fault) }, func(int, int) {})
	must(c.t, errors.Join(err, c.store.Close()))
}

func (c *club) meet(name string) event.By {
	c.t.Helper()
	person, err := c.Meet(c.t.Context(), storage.Address{Platform: "test", ID: name}, name)
	c.ok(err)
	place, _, err := c.Visit(c.t.Context(), storage.Address{Platform: "test", ID: "room"}, storage.Address{})
	c.ok(err)
	return event.By{Person: person.ID, Place: place.ID}
}

// message is the same person with a message of that id.
func message(by event.By, id string) event.By {
	by.Message = storage.MessageID{Platform: "test", ID: id}
	return by
}

// game begins one between alice, who is White, and bob.
func (c *club) game() storage.GameID {
	c.t.Helper()
	return c.begun(c.alice, c.bob, storage.Challenge{Variant: "combine"})
}

// begun begins one that White offers.
func (c *club) begun(white, black event.By, terms storage.Challenge) storage.GameID {
	c.t.Helper()
	terms.To, terms.Color = black.Person, "white"
	offered := c.must(c.Challenge(c.t.Context(), white, terms))
	return c.must(c.Accept(c.t.Context(), black, offered.Game)).Game
}

// change changes a game as it is stored, with nothing changed beside it.
func (c *club) change(id storage.GameID, do func(*storage.Game)) {
	c.t.Helper()
	c.update(func(w storage.Writer) error {
		g, err := w.Games().Get(id)
		if err != nil {
			return err
		}
		do(&g)
		return w.Games().Put(g)
	})
}

func (c *club) ok(err error) {
	c.t.Helper()
	must(c.t, err)
}

func (c *club) must(d event.Done, err error) event.Done {
	c.t.Helper()
	must(c.t, err)
	return d
}

// moves plays in turn, alice first.
func (c *club) moves(id storage.GameID, texts ...string) {
	c.t.Helper()
	for i, text := range texts {
		by := [...]event.By{c.alice, c.bob}[i%2]
		c.must(c.Move(c.t.Context(), by, id, text))
	}
}

func (c *club) outbox() []storage.Entry {
	c.t.Helper()
	return read(c, storage.Reader.Outbox)
}

// waiting are the entries of a kind that wait to be said.
func (c *club) waiting(kind event.Kind) []storage.Entry {
	c.t.Helper()
	return slices.DeleteFunc(c.outbox(), func(e storage.Entry) bool { return e.Kind != string(kind) })
}

// refused checks that a request was refused for a reason.
func (c *club) refused(why event.Why) func(event.Done, error) {
	return func(d event.Done, err error) {
		c.t.Helper()
		if !event.IsRefused(err, why) {
			c.t.Errorf("%v, %v; want a refusal: %s", d, err, why)
		}
	}
}

func TestOnlyKnownGamesAreOffered(t *testing.T) {
	c := newClub(t)
	c.refused(event.NoSuchVariant)(c.Challenge(t.Context(), c.alice, storage.Challenge{Variant: "checkers"}))
}

func TestAnAnswerThatComesAgainIsGivenAgain(t *testing.T) {
	c := newClub(t)
	offered := c.must(c.Challenge(t.Context(), c.alice, storage.Challenge{Variant: "chess"}))
	for range 2 {
		if d := c.must(c.Accept(t.Context(), message(c.bob, "1"), 0)); d.Kind != event.Began || d.Game != offered.Game {
			t.Errorf("it is %v", d)
		}
	}
}

func TestOnlyOneOfManyJoins(t *testing.T) {
	c := newClub(t)
	offered := c.must(c.Challenge(t.Context(), c.alice, storage.Challenge{Variant: "combine", Color: "random"}))
	var guests []event.By
	for i := range 16 {
		guests = append(guests, c.meet(fmt.Sprint("guest", i)))
	}
	if joined := atOnce(guests, func(by event.By) (event.Done, error) { return c.Accept(t.Context(), by, offered.Game) }); joined != 1 {
		t.Errorf("%d joined one challenge", joined)
	}
}

// atOnce asks for several things at the same time, and returns how many were done.
func atOnce[T any](all []T, ask func(T) (event.Done, error)) int64 {
	var done atomic.Int64
	var asked sync.WaitGroup
	for _, one := range all {
		asked.Go(func() {
			if _, err := ask(one); err == nil {
				done.Add(1)
			}
		})
	}
	asked.Wait()
	return done.Load()
}

func TestOneOfTwoMovesSentAtOnceIsPlayed(t *testing.T) {
	c := newClub(t)
	id := c.game()
	texts := []string{"e4", "d4", "c4", "Nf3", "R~Nb1", "a3", "h3", "g3"}
	played := atOnce(texts, func(text string) (event.Done, error) { return c.Move(t.Context(), c.alice, id, text) })
	if view := c.look(id); played != 1 || view.Ply != 1 {
		t.Errorf("%d moves were confirmed, %d are stored", played, view.Ply)
	}
}

func TestVerifyFindsWhatDoesNotHold(t *testing.T) {
	c := newClub(t)
	id := c.game()
	c.moves(id, "e4", "e5")
	faulty := func(spoil func(*storage.Game)) (faults int) {
		kept := read(c, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(id) })
		c.change(id, spoil)
		_, err := c.Verify(t.Context(), func(storage.GameID, error) { faults++ }, func(int, int) {})
		must(t, err)
		c.change(id, func(g *storage.Game) { *g = kept })
		return faults
	}
	goOn := func(g *storage.Game) { // with nothing else amiss
		g.Moves = append(slices.Repeat([]string{"g1f3", "g8f6", "f3g1", "f6g8"}, 4), "e2e4")
		line, err := c.Replay(g)
		c.ok(err)
		line.Restore(g)
	}
	for name, spoil := range map[string]func(*storage.Game){
		"another position":       func(g *storage.Game) { g.FEN = g.Before },
		"another one before":     func(g *storage.Game) { g.Before = "" },
		"an illegal move":        func(g *storage.Game) { g.Moves = []string{"e2e4", "e2e4"} },
		"another past":           func(g *storage.Game) { g.Past = []uint64{1} },
		"a move after the end":   goOn,
		"a result without end":   func(g *storage.Game) { g.Result = "1-0" },
		"a player who is no one": func(g *storage.Game) { g.Players[1] = 99 },
	} {
		if faulty(spoil) == 0 {
			t.Errorf("verify does not see %s", name)
		}
	}
}

// must ends a test that cannot go on.
var must = kvtest.Must
