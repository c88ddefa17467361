package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"chimera/bot"
	"chimera/rules/variants"
	"chimera/storage"
)

// operations are what an operator can ask of a database. Three types carry them out:
// holder in the process that has it open, remote by asking that process, and closed
// by opening it for the time of one operation. A new one is a method here, a route
// in listen.go and a subcommand.
type operations interface {
	// Status sums the database up.
	Status(ctx context.Context) (situation, error)

	// Outbox calls each for what waits to be delivered, then for what never can be,
	// the oldest first, until each returns an error.
	Outbox(ctx context.Context, each func(waiting) error) error

	// Verify replays every game and calls each for what it finds and from time to
	// time for how far it has come, at last with all games, until each returns an
	// error.
	Verify(ctx context.Context, each func(finding) error) error

	// Ratings computes all ratings again and calls each for what it finds, at last
	// for how many there are, until each returns an error.
	Ratings(ctx context.Context, each func(finding) error) error

	// Repair sets aside for good what cannot be read or handled, and calls each for
	// every such record, until each returns an error.
	Repair(ctx context.Context, each func(mended) error) error

	// Forget removes a person, named by a number or as platform:id, and returns the
	// number.
	Forget(ctx context.Context, person string) (storage.PersonID, error)

	// Import stores a game that was exported, and returns its number.
	Import(ctx context.Context, text string) (storage.GameID, error)

	// Copy is that of kv.DB.
	Copy(ctx context.Context, begin func(size int64) (io.Writer, error)) error
}

// situation is how things stand in a database.
type situation struct {
	Version string // of the program that has it open
	Process int    // that program's number
	Schema  uint64
	Size    int64 // of the file, in bytes
	Counts  storage.Counts
	Usage   []storage.Usage // of each kind of record
	Waiting int             // entries in the outbox
	Oldest  time.Duration   // age of the first of them
	Dead    int             // entries that can never be delivered
	Parked  []storage.Ref   `json:",omitempty"` // what was set aside since it cannot be read or handled
	Chats   []chatState     `json:",omitempty"` // that the program is in, or would be
}

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
}

var _ operations = holder{}

// Status implements operations.
func (h holder) Status(ctx context.Context) (situation, error) {
	s := situation{Version: about(), Process: os.Getpid()}
	file, err := os.Stat(h.data)
	if err != nil {
		return s, err
	}
	s.Size = file.Size()
	if s.Schema, err = h.store.Schema(ctx); err != nil {
		return s, err
	}
	if s.Usage, err = h.store.Usage(ctx); err != nil {
		return s, err
	}
	err = h.store.View(ctx, func(r storage.Reader) (err error) {
		if s.Counts, err = r.Counts(); err != nil {
			return err
		}
		dead, err := r.Undelivered(0, math.MaxInt)
		if err != nil {
			return err
		}
		s.Dead = len(dead)
		parked, err := r.Parked()
		if err != nil {
			return err
		}
		for _, p := range parked {
			s.Parked = append(s.Parked, p.Ref)
		}
		entries, err := r.Outbox(0, math.MaxInt)
		if err != nil || len(entries) == 0 {
			return err
		}
		s.Waiting, s.Oldest = len(entries), h.age(entries[0])
		return nil
	})
	return s, err
}

// Outbox implements operations.
func (h holder) Outbox(ctx context.Context, each func(waiting) error) error {
	var list []waiting
	dead := false
	err := h.store.View(ctx, func(r storage.Reader) error {
		list = nil
		for _, read := range []func(uint64, int) ([]storage.Entry, error){r.Outbox, r.Undelivered} {
			entries, err := read(0, math.MaxInt)
			if err != nil {
				return err
			}
			for _, e := range entries {
				list = append(list, waiting{e.ID, h.age(e), placeName(r, e.Place), e.Game, e.Kind, e.Tries, e.Fault, dead})
			}
			dead = true
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, w := range list {
		if err := each(w); err != nil {
			return err
		}
	}
	return nil
}

func (h holder) age(e storage.Entry) time.Duration { return max(0, h.now().Sub(e.At)) }

// placeName is a place's address, or its number where it has none.
func placeName(r storage.Reader, id storage.PlaceID) string {
	place, err := r.Place(id)
	if err != nil {
		return strconv.FormatUint(uint64(id), 10)
	}
	return place.Address.Platform + ":" + place.Address.ID
}

// progressEvery is how many games are replayed between two words about it.
const progressEvery = 50

// Verify implements operations.
func (h holder) Verify(ctx context.Context, each func(finding) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	say := func(f finding) {
		if err := each(f); err != nil {
			cancel(err)
		}
	}
	_, err := h.service().Upkeep.VerifyWithProgress(ctx, func(id storage.GameID, fault error) {
		say(finding{Game: id, Fault: fault.Error()})
	}, func(done, of int) {
		if done%progressEvery == 0 || done == of {
			say(finding{Done: done, Of: of})
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// Ratings implements operations.
func (h holder) Ratings(ctx context.Context, each func(finding) error) error {
	var stop error
	n, err := h.service().League.VerifyRatings(ctx, func(fault error) {
		if stop == nil {
			stop = each(finding{Fault: fault.Error()})
		}
	})
	if err == nil && stop == nil {
		stop = each(finding{Done: n, Of: n})
	}
	return errors.Join(err, stop)
}

// Repair implements operations.
func (h holder) Repair(ctx context.Context, each func(mended) error) error {
	var stop error
	err := h.service().Upkeep.Repair(ctx, func(ref storage.Ref, fault error) {
		m := mended{Kind: ref.Kind, ID: ref.ID}
		if fault != nil {
			m.Fault = fault.Error()
		}
		if stop == nil {
			stop = each(m)
		}
	})
	return errors.Join(err, stop)
}

// Forget implements operations.
func (h holder) Forget(ctx context.Context, person string) (storage.PersonID, error) {
	var id storage.PersonID
	err := h.store.View(ctx, func(r storage.Reader) error {
		p, err := findPerson(r, person)
		id = p.ID
		return err
	})
	if errors.Is(err, storage.ErrNotFound) {
		return 0, fmt.Errorf("there is no person %q: name a number, or an account as platform:id", person)
	}
	if err != nil {
		return 0, err
	}
	return id, h.service().People.ForgetPerson(ctx, id)
}

func findPerson(r storage.Reader, name string) (storage.Person, error) {
	if platform, id, ok := strings.Cut(name, ":"); ok {
		return r.PersonAt(storage.Address{Platform: platform, ID: id})
	}
	n, err := strconv.ParseUint(name, 10, 64)
	if err != nil {
		return storage.Person{}, storage.ErrNotFound
	}
	return r.Person(storage.PersonID(n))
}

// Import implements operations.
func (h holder) Import(ctx context.Context, text string) (storage.GameID, error) {
	return h.service().Archive.Import(ctx, text)
}

func (h holder) service() bot.Services { return bot.NewServices(h.store, variants.All(), h.now, coin) }

// Copy implements operations.
func (h holder) Copy(ctx context.Context, begin func(size int64) (io.Writer, error)) error {
	return h.store.Copy(ctx, begin)
}
