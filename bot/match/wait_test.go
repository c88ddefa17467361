package match_test

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// counting is a database that counts what is read and written in each transaction.
type counting struct {
	kv.DB
	most struct{ read, written int } // in one
}

func (c *counting) Update(ctx context.Context, fn func(kv.Writer) error) error {
	return c.DB.Update(ctx, func(w kv.Writer) error {
		counts := &countingWriter{Writer: w}
		err := fn(counts)
		c.most.read, c.most.written = max(c.most.read, counts.read), max(c.most.written, counts.written)
		return err
	})
}

type countingWriter struct {
	kv.Writer
	read, written int
}

func (c *countingWriter) Get(key []byte) ([]byte, error) {
	c.read++
	return c.Writer.Get(key)
}

func (c *countingWriter) Scan(start, end []byte) iter.Seq2[kv.Item, error] {
	return func(yield func(kv.Item, error) bool) {
		for item, err := range c.Writer.Scan(start, end) {
			c.read++
			if !yield(item, err) {
				return
			}
		}
	}
}

func (c *countingWriter) Put(key, value []byte) error {
	c.written++
	return c.Writer.Put(key, value)
}

func (c *countingWriter) Delete(key []byte) error {
	c.written++
	return c.Writer.Delete(key)
}

// TestNoStepOfALinkGrowsWithPeopleOrGames links and unlinks accounts with many games where
// there are many people: nothing that others have to wait for grows with either.
func TestNoStepOfALinkGrowsWithPeopleOrGames(t *testing.T) {
	const people, games, most = 500, 100, 250
	var disk kvtest.Disk
	db := &counting{DB: disk.Open("club")}
	store, err := storage.Open(t.Context(), db)
	must(t, err)
	c := clubIn(t, store)
	t.Cleanup(c.close)
	carol := c.on("other", "carol")
	for i := range people {
		c.meet(fmt.Sprint("p", i))
	}
	for range games {
		c.duel(carol, c.bob, 10)
		c.duel(c.bob, c.alice, 10)
		c.now = c.now.Add(day / 2)
	}
	c.serve()
	c.must(c.Block(t.Context(), c.bob, carol.Person, true))
	c.settle()
	db.most.read, db.most.written = 0, 0
	c.must(c.UseLink(t.Context(), carol, c.code(c.alice)))
	c.settle()
	c.must(c.Unlink(t.Context(), c.alice, storage.Address{Platform: "other", ID: "carol"}))
	c.settle()
	if db.most.read > most || db.most.written > most {
		t.Errorf("a transaction has read %d keys and written %d; want %d at most", db.most.read, db.most.written, most)
	}
	c.ratingsHold()
}
