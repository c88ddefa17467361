package kvtest

import (
	"context"
	"strconv"
	"sync"
	"testing"

	"chimera/storage/kv"
)

// holdsAt fails the test unless want is everything that a handle holds under a context.
func holdsAt(ctx context.Context, t *testing.T, db kv.DB, want string) {
	t.Helper()
	err := db.View(ctx, func(r kv.Reader) error {
		has(t, r, nil, nil, want)
		return nil
	})
	if err != nil {
		t.Errorf("View: %v", err)
	}
}

// numberAt is the number that a handle holds under a key at a context's moment.
func numberAt(ctx context.Context, t *testing.T, db kv.DB, key string) (n int) {
	t.Helper()
	err := db.View(ctx, func(r kv.Reader) error {
		value, err := r.Get([]byte(key))
		if err == nil {
			n, err = strconv.Atoi(string(value))
		}
		return err
	})
	if err != nil {
		t.Errorf("View: %v", err)
	}
	return n
}

func momentIsOwn(t *testing.T, open Opener) {
	db := fresh(t, open)
	ctx := kv.AsOfNow(t.Context())
	holdsAt(ctx, t, db, "")
	for round := range rounds(40) {
		value := strconv.Itoa(round)
		if err := db.Update(ctx, func(w kv.Writer) error { return putAll(w, "a", value) }); err != nil {
			t.Fatal(err)
		}
		holdsAt(ctx, t, db, "a="+value)
		put(t, db, "a", value+"later")
		holdsAt(kv.AsOfNow(ctx), t, db, "a="+value+"later")
	}
}

// momentContains has moments begin, one while another lasts, each after something was stored.
func momentContains(t *testing.T, dbs several) {
	outer := kv.AsOfNow(t.Context())
	for round := range rounds(40) {
		writer, reader := dbs[round%3], dbs[(round+1+round%2)%3]
		numbers := "a=" + strconv.Itoa(round)
		put(t, writer, "a", strconv.Itoa(round))
		ctx := kv.AsOfNow(t.Context())
		holdsAt(ctx, t, reader, numbers)
		holdsAt(ctx, t, reader, numbers)
		err := reader.Update(ctx, func(w kv.Writer) error {
			has(t, w, nil, nil, numbers)
			return nil
		})
		if err != nil {
			t.Errorf("Update: %v", err)
		}
		_ = numberAt(outer, t, writer, "a") // whatever that is
	}
}

// momentRefuses refuses at one moment while the handle finds out for others what is new.
func momentRefuses(t *testing.T, dbs several) {
	for round := range rounds(40) {
		reader := dbs[(round+1)%3]
		put(t, dbs[round%3], "a", strconv.Itoa(round))
		ctx := kv.AsOfNow(t.Context())
		var others sync.WaitGroup
		others.Go(func() { _ = numberAt(t.Context(), t, reader, "a") })
		for range 4 {
			refuses(ctx, t, reader, strconv.Itoa(round))
		}
		others.Wait()
	}
}

// momentGoesOn reads a number at one moment while the others, and the handle itself, add to it.
func momentGoesOn(t *testing.T, dbs several) {
	put(t, dbs[0], "n", "0")
	ctx := kv.AsOfNow(t.Context())
	var others sync.WaitGroup
	for _, db := range dbs {
		others.Go(func() {
			for range rounds(24) {
				update(t, db, func(w kv.Writer) error { return increment(w, "n") })
			}
		})
	}
	over := make(chan struct{})
	go func() {
		others.Wait()
		close(over)
	}()
	for last, ended := 0, false; !ended; {
		select {
		case <-over:
			ended = true
		default:
		}
		n := numberAt(ctx, t, dbs[1], "n")
		if n < last {
			t.Errorf("it was %d, and is %d", last, n)
		}
		last = n
	}
	if n := numberAt(kv.AsOfNow(t.Context()), t, dbs[1], "n"); n != rounds(24)*len(dbs) {
		t.Errorf("in the end it is %d", n)
	}
}

// momentConflicts adds to numbers of moments at which others have added to them since.
func momentConflicts(t *testing.T, dbs several) {
	put(t, dbs[0], "n", "0")
	n := 0
	for round := range rounds(40) {
		ctx := kv.AsOfNow(t.Context())
		_ = numberAt(ctx, t, dbs[0], "n")
		update(t, dbs[1+round%2], func(w kv.Writer) error { return increment(w, "n") })
		if err := dbs[0].Update(ctx, func(w kv.Writer) error { return increment(w, "n") }); err != nil {
			t.Errorf("Update: %v", err)
		}
		if n += 2; numberAt(ctx, t, dbs[0], "n") != n {
			t.Errorf("in round %d it is not %d", round, n)
		}
	}
}
