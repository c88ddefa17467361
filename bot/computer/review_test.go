package computer

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// ends has somebody play a few moves against the computer and resign.
func (h *hall) ends(name, kind string) storage.GameID {
	h.t.Helper()
	id := h.begins(name, kind, 1, "white")
	by := h.by(name)
	for range 3 {
		g := h.game(id)
		now, err := h.games.Current(&g)
		must(h.t, err)
		if g.Over() || now.Position.Turn() != rules.White {
			break
		}
		h.playsAs(by.Person, id, now.Position.Chat(now.Position.Moves()[0]))
		h.settle()
	}
	for _, sure := range []bool{false, true} {
		if _, err := h.match.Resign(h.t.Context(), by, id, sure); err != nil && !event.IsRefused(err, event.Over) {
			h.t.Fatal(err)
		}
	}
	return id
}

func (h *hall) reviewed(by string, id storage.GameID) storage.Review {
	h.t.Helper()
	found, going, err := h.Review(h.t.Context(), h.by(by).Person, id, time.Minute)
	if err != nil || going != nil {
		h.t.Fatalf("%v, %+v", err, going)
	}
	return found
}

func TestAReviewIsMadeOnceAndKept(t *testing.T) {
	h := newHall(t, new(kvtest.Disk).Open("db"))
	id := h.ends("alice", "combine")
	found := h.reviewed("alice", id)
	if moves := len(h.game(id).Moves); len(found.Scores) != moves+1 {
		t.Errorf("%d positions are judged after %d moves", len(found.Scores), moves)
	}
	h.finds(func(rules.Game, engine.Limits) engine.Result { t.Error("it is made again"); return engine.Result{} })
	if again := h.reviewed("bob", id); !reflect.DeepEqual(found, again) {
		t.Errorf("first %+v, then %+v", found, again)
	}
}

func TestAGameThatGoesOnIsNotReviewed(t *testing.T) {
	h := newHall(t, new(kvtest.Disk).Open("db"))
	id := h.begins("alice", "chess", 1, "white")
	if found, going, err := h.Review(t.Context(), h.by("alice").Person, id, 0); err == nil {
		t.Errorf("it is %+v, %+v", found, going)
	}
}

func TestOnePersonsReviewsAreMadeOneAfterTheOtherAndBehindMoves(t *testing.T) {
	h := newHall(t, new(kvtest.Disk).Open("db"))
	first, second, third := h.ends("alice", "chess"), h.ends("alice", "stealth"), h.ends("bob", "combine")
	h.workers = 1
	ask := func(who string, id storage.GameID) *Going {
		t.Helper()
		found, going, err := h.Review(t.Context(), h.by(who).Person, id, 0)
		must(t, err)
		if going == nil {
			t.Fatalf("it is there: %+v", found)
		}
		return going
	}
	if g := ask("alice", first); g.Game != first || g.In != time.Second {
		t.Errorf("the first is made so: %+v", g)
	}
	if g := ask("alice", second); g.Game != first {
		t.Errorf("the second is made so: %+v", g)
	}
	if g := ask("bob", third); g.Game != third || g.In != 2*time.Second {
		t.Errorf("another's is made so: %+v", g)
	}
	usual, searches, id := h.engine, 0, storage.GameID(0)
	h.engine = func(v *rules.Variant) (searcher, error) {
		e, err := usual(v)
		return scripted(func(g rules.Game, l engine.Limits) engine.Result {
			switch searches++; {
			case searches == 1:
				id = h.begins("carol", "chess", 1, "black")
			case searches == 2 && l.Seed != uint64(id):
				t.Error("a move waits for a review")
			}
			found, err := e.Search(t.Context(), g, l)
			if err != nil {
				t.Error(err)
			}
			return found
		}), err
	}
	w := &worker{Thinker: h.Thinker, log: h.logger}
	for w.once(t.Context()).IsZero() {
	}
	if len(h.game(id).Moves) != 1 {
		t.Error("the move was not played")
	}
	if len(h.reviews) != 0 || h.log.Len() > 0 {
		t.Errorf("%d reviews are left: %s", len(h.reviews), h.log.String())
	}
	h.reviewed("alice", first)
	if g := ask("alice", second); g.Game != second {
		t.Errorf("after the first, the second is made so: %+v", g)
	}
}

// dies is an engine that stops a program after a number of searches.
type dies struct {
	*engine.Engine
	left int
	kill context.CancelFunc
}

func (d *dies) Search(ctx context.Context, g rules.Game, l engine.Limits) (engine.Result, error) {
	if d.left--; d.left == 0 {
		d.kill()
	}
	return d.Engine.Search(ctx, g, l)
}

func TestAReviewThatWasInterruptedIsMadeWhenItIsAskedForAgain(t *testing.T) {
	disk := new(kvtest.Disk)
	db := disk.Open("db")
	h := newHall(t, db)
	id := h.ends("alice", "knightmare")
	before := h.game(id)
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	h.engine = func(v *rules.Variant) (searcher, error) {
		e, err := engine.New(v)
		return &dies{e, 4, kill}, err
	}
	ended := make(chan error)
	go func() { ended <- h.Run(ctx, slog.New(slog.DiscardHandler), 1) }()
	if found, _, err := h.Review(ctx, h.by("alice").Person, id, time.Hour); err == nil {
		t.Errorf("it was made: %+v", found)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended so: %v", err)
	}
	must(t, db.Close())
	next := newHall(t, disk.Open("db"))
	if _, err := storage.Read(t.Context(), next.store, func(r storage.Reader) (storage.Review, error) { return r.Reviews().Get(id) }); !storage.Missing(err) {
		t.Errorf("half of it was kept: %v", err)
	}
	found := next.reviewed("alice", id)
	if g := next.game(id); !reflect.DeepEqual(g, before) || len(found.Scores) != len(g.Moves)+1 {
		t.Errorf("after it, the game is %+v, and was %+v", g, before)
	}
}
