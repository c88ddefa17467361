package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"chimera/bot"
	"chimera/bot/event"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv"
)

// An operation is what an operator can ask of a database. It is carried out by a holder, in
// the process that has the database open, and says items until saying returns an error.
type operation[T any] struct {
	name string
	does access
	run  func(h holder, ctx context.Context, what string, say func(T) error) error
}

// access is what an operation does with a file that no process holds.
type access int

const (
	reads  access = iota
	checks        // reads, and looks for damage in the file before
	changes
)

// The operations. A new one is a line here and in routes, and a subcommand.
//
//nolint:gochecknoglobals // a table that is never written
var (
	// statusing sums the database up, in one item.
	statusing = operation[situation]{"status", reads, holder.status}

	// outboxing says what waits to be delivered, then what never can be, the oldest first.
	outboxing = operation[waiting]{"outbox", reads, holder.outbox}

	// verifying replays every game and says what it finds and from time to time how far it
	// has come, at last with all games.
	verifying = operation[finding]{"verify", checks, holder.verify}

	// rerating computes all ratings again and says what it finds, at last how many there are.
	rerating = operation[finding]{"ratings", reads, holder.ratings}

	// repairing sets aside for good what cannot be read or handled, and says every such record.
	repairing = operation[mended]{"repair", changes, holder.repair}

	// forgetting removes a person, named by a number or as platform:id, and says the number.
	forgetting = operation[storage.PersonID]{"forget", changes, holder.forget}

	// annulling lets a rated game, named by its number, count no more, and says the number.
	annulling = operation[storage.GameID]{"annul", changes, holder.annul}

	// importing stores a game that was exported, and says its number.
	importing = operation[storage.GameID]{"import", changes, holder.importGame}
)

// situation is how things stand in a database.
type situation struct {
	Version string // of the program that has it open
	Process int    // that program's number
	Schema  uint64
	In      string `json:",omitempty"` // inFiles or inClusters
	Size    int64  // of the file, or in a cluster of all keys and values, in bytes
	Counts  storage.Counts
	Taught  storage.Teaching
	Usage   []storage.Usage // of each kind of record
	Waiting int             // entries in the outbox
	Oldest  time.Duration   // age of the first of them
	Dead    int             // entries that can never be delivered
	Parked  []storage.Ref   `json:",omitempty"` // what was set aside since it cannot be read or handled
	Chats   []chatState     `json:",omitempty"` // that the program is in, or would be
	Web     string          `json:",omitempty"` // what is to be said of its pages
	Cluster kv.Cluster      `json:",omitzero"`  // who is at it
	Doubt   string          `json:",omitempty"` // why what was stored last may be missing
}

// Where databases are, as people see it.
const (
	inFiles    = "file"
	inClusters = "cluster"
)

// chatState is how things stand with a chat platform.
type chatState struct{ Platform, State string }

// waiting is an entry of the outbox.
type waiting struct {
	ID    uint64
	Age   time.Duration
	Place string
	Game  storage.GameID
	Kind  string
	Tries int    // how often it could not be delivered
	Fault string // why not, the last time
	Dead  bool   // it can never be
}

// mended is a record that could not be read or handled, and what became of it.
type mended struct {
	Kind  string
	ID    uint64
	Fault string `json:",omitempty"` // why nothing could be done
}

// finding is a fault of a game or, where that is 0, of something else, or how far a verification has come.
type finding struct {
	Game  storage.GameID `json:",omitempty"`
	Fault string         `json:",omitempty"`
	Done  int            `json:",omitempty"` // games replayed
	Of    int            `json:",omitempty"`
}

// String is a fault as people see it.
func (f finding) String() string {
	if f.Game == 0 {
		return legible(f.Fault)
	}
	return fmt.Sprintf("game %d: %s", f.Game, legible(f.Fault))
}

// holder carries operations out on a store that is open here.
type holder struct {
	store *storage.Store
	data  string // the file
	now   func() time.Time
	chats []*station // that the process is in
	sites []*site    // likewise, one or none
	lent  uint64     // if not 0, nobody holds the file, and this is the version of its records
}

// lessons are how many the course of each kind of game has.
func lessons() map[string]int {
	all := map[string]int{}
	for _, v := range variants.All() {
		all[v.Key] = len(v.Course)
	}
	return all
}

func (h holder) status(ctx context.Context, _ string, say func(situation) error) error {
	s := situation{Version: about(), Schema: h.lent}
	if doubt := h.store.Doubt(); doubt != nil {
		s.Doubt = doubt.Error()
	}
	var err error
	if s.Size, err = h.size(); err != nil {
		return err
	}
	if h.lent == 0 {
		s.Process = os.Getpid()
		if s.Schema, err = h.store.Schema(ctx); err != nil {
			return err
		}
	}
	if s.Usage, err = h.store.Usage(ctx); err != nil {
		return err
	}
	if clustered(h.data) {
		s.In = inClusters
		for _, u := range s.Usage {
			s.Size += u.Bytes
		}
		if s.Cluster, err = h.store.Cluster(ctx); err != nil {
			return err
		}
	}
	for _, st := range h.chats {
		s.Chats = append(s.Chats, chatState{st.platform, st.String()})
	}
	for _, site := range h.sites {
		s.Web = site.Unnamed()
	}
	if s.Counts, err = h.store.Counts(ctx); err != nil {
		return err
	}
	if s.Taught, err = h.store.Teaching(ctx, lessons()); err != nil {
		return err
	}
	err = h.store.View(ctx, func(r storage.Reader) error {
		s.Parked, s.Waiting, s.Oldest = nil, 0, 0
		dead, err := r.Undelivered()
		if err != nil {
			return err
		}
		s.Dead = len(dead)
		parked, err := r.Quarantined()
		if err != nil {
			return err
		}
		for _, p := range parked {
			s.Parked = append(s.Parked, p.Ref)
		}
		entries, err := r.Outbox()
		if err != nil || len(entries) == 0 {
			return err
		}
		s.Waiting, s.Oldest = len(entries), h.age(entries[0])
		return nil
	})
	if err != nil {
		return err
	}
	return say(s)
}

// size is how long the file is; 0 in a cluster.
func (h holder) size() (int64, error) {
	if clustered(h.data) {
		return 0, nil
	}
	file, err := os.Stat(h.data)
	if err != nil {
		return 0, err
	}
	return file.Size(), nil
}

func (h holder) outbox(ctx context.Context, _ string, say func(waiting) error) error {
	list, err := storage.Read(ctx, h.store, func(r storage.Reader) (list []waiting, err error) {
		dead := false
		for _, read := range []func() ([]storage.Entry, error){r.Outbox, r.Undelivered} {
			entries, err := read()
			if err != nil {
				return nil, err
			}
			for _, e := range entries {
				list = append(list, waiting{e.ID, h.age(e), placeName(r, e.Place), e.Game, e.Kind, e.Tries, e.Fault, dead})
			}
			dead = true
		}
		return list, nil
	})
	if err != nil {
		return err
	}
	for _, w := range list {
		if err := say(w); err != nil {
			return err
		}
	}
	return nil
}

func (h holder) age(e storage.Entry) time.Duration { return max(0, h.now().Sub(e.At)) }

// placeName is a place's address, or its number where it has none.
func placeName(r storage.Reader, id storage.PlaceID) string {
	place, err := r.Places().Get(id)
	if err != nil {
		return strconv.FormatUint(uint64(id), 10)
	}
	return place.Address.Platform + ":" + place.Address.ID
}

// progressEvery is how many games are replayed between two words about it.
const progressEvery = 50

// searching says what a search finds. It ends when nobody listens any more.
func searching(ctx context.Context, say func(finding) error, search func(context.Context, func(finding)) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := search(ctx, func(f finding) {
		if err := say(f); err != nil {
			cancel(err)
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// telling finds how far a search has come.
func telling(found func(finding)) func(done, of int) {
	next := 0
	return func(done, of int) {
		if done >= next || done == of {
			found(finding{Done: done, Of: of})
			next = done + progressEvery
		}
	}
}

func (h holder) verify(ctx context.Context, _ string, say func(finding) error) error {
	return searching(ctx, say, func(ctx context.Context, found func(finding)) error {
		_, err := h.service().Upkeep.Verify(ctx, func(id storage.GameID, fault error) {
			found(finding{Game: id, Fault: fault.Error()})
		}, telling(found))
		return err
	})
}

func (h holder) ratings(ctx context.Context, _ string, say func(finding) error) error {
	return searching(ctx, say, func(ctx context.Context, found func(finding)) error {
		n, err := h.service().Ratings.VerifyRatings(ctx, func(fault error) { found(finding{Fault: fault.Error()}) }, telling(found))
		if err == nil {
			found(finding{Done: n, Of: n})
		}
		return err
	})
}

func (h holder) repair(ctx context.Context, _ string, say func(mended) error) error {
	var stop error
	err := h.service().Upkeep.Repair(ctx, func(ref storage.Ref, fault error) {
		m := mended{Kind: ref.Kind, ID: ref.ID}
		if fault != nil {
			m.Fault = fault.Error()
		}
		if stop == nil {
			stop = say(m)
		}
	})
	return errors.Join(err, stop)
}

func (h holder) forget(ctx context.Context, person string, say func(storage.PersonID) error) error {
	p, err := storage.Read(ctx, h.store, func(r storage.Reader) (storage.Person, error) { return findPerson(r, person) })
	if errors.Is(err, storage.ErrNotFound) {
		return fmt.Errorf("there is no person %q: name a number, or an account as platform:id", person)
	}
	if err == nil {
		err = h.service().People.ForgetPerson(ctx, p.ID)
	}
	if err != nil {
		return err
	}
	return say(p.ID)
}

func (h holder) annul(ctx context.Context, game string, say func(storage.GameID) error) error {
	n, err := strconv.ParseUint(strings.TrimPrefix(game, "#"), 10, 63)
	if err != nil {
		return fmt.Errorf("%q is no game: name its number, such as 12", game)
	}
	id := storage.GameID(n)
	switch err := h.service().Ratings.Annul(ctx, id); {
	case event.IsRefused(err, event.NoSuchGame):
		return fmt.Errorf("there is no game %d", id)
	case event.IsRefused(err, event.NotRated):
		return fmt.Errorf("game %d counts for no ratings", id)
	case err != nil:
		return err
	}
	return say(id)
}

func findPerson(r storage.Reader, name string) (storage.Person, error) {
	if platform, id, ok := strings.Cut(name, ":"); ok {
		return r.PersonAt(storage.Address{Platform: platform, ID: id})
	}
	n, err := strconv.ParseUint(name, 10, 64)
	if err != nil {
		return storage.Person{}, storage.ErrNotFound
	}
	return r.People().Get(storage.PersonID(n))
}

func (h holder) importGame(ctx context.Context, text string, say func(storage.GameID) error) error {
	id, err := h.service().Archive.Import(ctx, text)
	if err != nil {
		return err
	}
	return say(id)
}

func (h holder) service() bot.Services { return bot.NewServices(h.store, variants.All(), h.now, coin) }
