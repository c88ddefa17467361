package storage_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// busy is a database in which something is changed before each View, whose function runs twice, as
// an engine may do that begins a long read anew.
type busy struct {
	kv.DB
	views  int
	change func(n int)
}

func (b *busy) View(ctx context.Context, fn func(kv.Reader) error) error {
	if b.change == nil {
		return b.DB.View(ctx, fn)
	}
	b.views++
	b.change(2 * b.views)
	if err := b.DB.View(ctx, fn); err != nil {
		return err
	}
	b.change(2*b.views + 1)
	return b.DB.View(ctx, fn)
}

// stored writes games, of which every third has ended.
func stored(t *testing.T, s *storage.Store, games int) {
	t.Helper()
	for from := 1; from <= games; from += 200 {
		update(t, s, func(w storage.Writer) error {
			for id := from; id < min(from+200, games+1); id++ {
				g := storage.Game{ID: storage.GameID(id), Players: [2]storage.PersonID{1, 2}, Place: 1, Changed: noon.Add(time.Duration(id)), Result: "*"}
				if id%3 == 0 {
					g.Ending, g.Result, g.Counted = "draw", "1/2-1/2", true
				}
				if err := w.Games().Put(g); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// TestGamesThatGoOnMeanwhileAreNoFaults ends and begins games while a database of several pages is
// checked.
func TestGamesThatGoOnMeanwhileAreNoFaults(t *testing.T) {
	const games = 4500
	db, s := raw(t)
	stored(t, s, games)
	b := &busy{DB: db}
	looked, err := storage.Open(t.Context(), b)
	kvtest.Must(t, err)
	b.change = func(n int) {
		update(t, s, func(w storage.Writer) error {
			g, err := w.Games().Get(storage.GameID(n * 31 % games))
			if err != nil {
				return err
			}
			g.Ending, g.Result, g.Counted = "draw", "1/2-1/2", true
			g.Changed = noon.Add(time.Hour + time.Duration(n))
			return errors.Join(w.Games().Put(g), w.Games().Put(storage.Game{ID: storage.GameID(games + n), Players: g.Players, Place: 1, Result: "*"}))
		})
	}
	soundly(t, looked)
	if b.views < 15 {
		t.Errorf("all was read in %d pages", b.views)
	}
	if ids, err := looked.Games(t.Context()); err != nil || len(ids) < games || !slices.IsSorted(ids) {
		t.Errorf("there are %d games: %v", len(ids), err)
	}
}

// TestAFaultOnALaterPageIsFoundOnce breaks an index of a database of several pages, which is read
// twice.
func TestAFaultOnALaterPageIsFoundOnce(t *testing.T) {
	db, s := raw(t)
	stored(t, s, 4500)
	missing, strange := storage.Key("here/", storage.PlaceID(1), storage.GameID(1234)), storage.Key("here/", storage.PlaceID(7), storage.GameID(1234))
	other := storage.Key("result/", uint64(noon.UnixNano()+1233), storage.GameID(1233))
	kvtest.Must(t, db.Update(t.Context(), func(w kv.Writer) error {
		sealed := storage.SealTo(w)
		return errors.Join(sealed.Delete(missing), sealed.Put(strange, nil), sealed.Put(other, []byte("\x01{}")))
	}))
	looked, err := storage.Open(t.Context(), &busy{DB: db, change: func(int) {}})
	kvtest.Must(t, err)
	var faults []string
	kvtest.Must(t, looked.Check(t.Context(), func(fault string) { faults = append(faults, fault) }))
	want := []string{fmt.Sprintf("the key %q has", other), fmt.Sprintf("the key %q is missing", missing), fmt.Sprintf("the key %q stands for no record", strange)}
	if !slices.EqualFunc(faults, want, strings.HasPrefix) {
		t.Errorf("the faults are %q", faults)
	}
}
