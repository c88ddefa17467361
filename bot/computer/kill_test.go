package computer

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"chimera/rules"
	"chimera/rules/engine"
	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// crash is the panic that stands for the end of a killed program.
type crash struct{}

// frail is the database of a program that is killed during a search, in a commit or right after one.
type frail struct {
	kv.DB
	dead  bool
	after int // the commit at which it is killed; negative for never
	kept  bool
}

func (f *frail) View(ctx context.Context, fn func(kv.Reader) error) error {
	if f.dead {
		panic(crash{})
	}
	return f.DB.View(ctx, fn)
}

func (f *frail) Update(ctx context.Context, fn func(kv.Writer) error) error {
	if f.dead {
		panic(crash{})
	}
	f.after--
	f.dead = f.after == 0
	err := f.DB.Update(ctx, func(w kv.Writer) error {
		err := fn(w)
		if f.dead && !f.kept {
			panic(crash{})
		}
		return err
	})
	if f.dead {
		panic(crash{})
	}
	return err
}

// mortal is an engine during whose searches the program may be killed.
type mortal struct {
	searcher
	db    *frail
	after *int
}

func (m mortal) Search(ctx context.Context, g rules.Game, l engine.Limits) (engine.Result, error) {
	*m.after--
	m.db.dead = m.db.dead || *m.after == 0
	return m.searcher.Search(ctx, g, l)
}

func TestEachMoveIsPlayedOnceThoughTheProgramIsKilledWhileItThinks(t *testing.T) {
	const kills = 100
	rnd := kvtest.Random(t)
	disk := new(kvtest.Disk)
	k := &killing{t: t, rnd: rnd, disk: disk}
	k.begin()
	for k.died < kills {
		k.live()
	}
	k.db.after = -1 // it is not killed any more
	k.h.engine = func(v *rules.Variant) (searcher, error) { return engine.New(v) }
	k.h.settle()
	k.check()
}

type killing struct {
	t    *testing.T
	rnd  *rand.Rand
	disk *kvtest.Disk
	h    *hall
	db   *frail
	died int
}

// begin starts the program.
func (k *killing) begin() {
	k.db = &frail{DB: k.disk.Open("db")}
	k.h = newHall(k.t, k.db)
	dies := 0
	if k.rnd.IntN(2) == 0 {
		dies = 1 + k.rnd.IntN(4)
	} else {
		k.db.after, k.db.kept = 1+k.rnd.IntN(6), k.rnd.IntN(2) == 0
	}
	k.h.engine = func(v *rules.Variant) (searcher, error) {
		e, err := engine.New(v)
		return mortal{e, k.db, &dies}, err
	}
}

// live plays until the program is killed, and starts it again.
func (k *killing) live() {
	defer func() {
		if p := recover(); p != nil && p != (crash{}) {
			panic(p)
		}
		k.died++
		must(k.t, k.db.Close())
		k.begin()
	}()
	for {
		k.h.Settle(k.t.Context(), k.h.logger)
		playing, err := k.h.games.Playing(k.t.Context(), k.h.by("alice").Person)
		must(k.t, err)
		if len(playing) == 0 {
			game, level := []string{"chess", "combine", "stealth"}[k.rnd.IntN(3)], 1+k.rnd.IntN(4)
			k.h.begins("alice", game, level, []string{"white", "black"}[k.rnd.IntN(2)])
			continue
		}
		if g := playing[0]; g.Awaited() == 0 {
			k.h.plays(g.ID, k.move(&g))
		}
	}
}

// move is a random legal move.
func (k *killing) move(g *storage.Game) string {
	now, err := k.h.games.Current(g)
	must(k.t, err)
	moves := now.Position.Moves()
	return now.Position.Variant().Coordinate(moves[k.rnd.IntN(len(moves))])
}

// check checks that each move is told once and that all indexes are right.
func (k *killing) check() {
	k.t.Helper()
	plies := 0
	must(k.t, k.h.store.View(k.t.Context(), func(r storage.Reader) error {
		ids, err := r.GameIDs()
		if err != nil {
			return err
		}
		told := map[string]int{}
		entries, err := r.Outbox()
		for _, e := range entries {
			told[fmt.Sprint(e.Game, " ", e.Ply, " ", e.Facts["move"] != "")]++
		}
		for g, err := range r.Games().Each(ids, err) {
			if err != nil {
				return err
			}
			if _, err := k.h.games.Replay(&g); err != nil {
				return err
			}
			for ply := range g.Moves {
				plies++
				if n := told[fmt.Sprint(g.ID, " ", ply+1, " true")]; n != 1 {
					k.t.Errorf("game %d: ply %d was told %d times", g.ID, ply+1, n)
				}
			}
		}
		if want := slices.Max(ids); int(want) != len(ids) {
			k.t.Errorf("%d games are stored, the last is #%d", len(ids), want)
		}
		return nil
	}))
	must(k.t, k.h.store.Check(k.t.Context(), func(fault string) { k.t.Error(fault) }))
	k.t.Logf("%d moves, %d times killed", plies, k.died)
}
