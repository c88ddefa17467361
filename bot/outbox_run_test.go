package bot_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chimera/bot"
	"chimera/bot/event"
	"chimera/bot/outbox"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// wire is a platform on which things take their time. It is used by many goroutines.
type wire struct {
	send   func(context.Context, bot.Delivery) error
	limits []outbox.Limit
	turn   outbox.Turn // nil if nobody else says anything

	mu   sync.Mutex
	said []bot.Delivery
}

func (w *wire) Send(ctx context.Context, p bot.Delivery) (outbox.Receipt, error) {
	if err := w.send(ctx, p); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said = append(w.said, p)
	return nil, nil
}

func (w *wire) Limits(storage.Address) []outbox.Limit { return w.limits }

func (w *wire) heard() []bot.Delivery {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.said
}

// running is an outbox that runs, on a clock that goes on when all wait.
type running struct {
	*office
	*wire
	disk   *disk
	outbox *outbox.Outbox
	stop   func() error
}

func run(t *testing.T, w *wire, test func(*running)) {
	synctest.Test(t, func(t *testing.T) {
		var memory kvtest.Disk
		r := &running{wire: w, disk: &disk{DB: memory.Open("office"), takes: 10 * time.Millisecond}}
		r.office = newOfficeOn(t, r.disk)
		r.now = time.Now()
		r.outbox = bot.NewOutbox(r.bot, time.Now, slog.New(slog.DiscardHandler), map[string]bot.Outlet{"test": w})
		if w.turn != nil {
			r.outbox.StandBy(w.turn)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.outbox.Run(ctx) }()
		r.stop = func() error {
			cancel()
			return <-ended
		}
		test(r)
		if err := r.stop(); !errors.Is(err, context.Canceled) {
			t.Errorf("Run returned %v", err)
		}
	})
}

// pass lets time go by on the clock of the test, on which nobody has to wait.
func pass(d time.Duration) { <-time.After(d) }

func (r *running) says(room, who, text string) {
	r.t.Helper()
	r.office.says(room, who, text)
}

func TestAnAnswerGoesBeforeWhatOthersHear(t *testing.T) {
	run(t, &wire{send: func(context.Context, bot.Delivery) error { return nil }}, func(r *running) {
		heard := func(want int, when string) {
			t.Helper()
			synctest.Wait()
			if got := len(r.wire.heard()); got != want {
				t.Errorf("%s, %d things were heard, not %d", when, got, want)
			}
		}
		synctest.Wait()
		answered := r.outbox.Answering()
		r.says("room", "alice", "challenge chess")
		heard(0, "before the answer")
		answered()
		heard(1, "after the answer")
		r.outbox.Answering()
		r.says("room", "bob", "challenge chess")
		heard(1, "before a slow answer")
		pass(10 * time.Millisecond)
		heard(2, "during a slow answer")
	})
}

// TestWhoStandsBySaysNothingBeforeItsTurn takes over with one message left of a limit, of which
// somebody else may just have used all.
func TestWhoStandsBySaysNothingBeforeItsTurn(t *testing.T) {
	const other = time.Hour
	w := &wire{
		send:   func(context.Context, bot.Delivery) error { return nil },
		limits: []outbox.Limit{{Name: "room", Every: 10 * time.Second, Burst: 5}},
		turn: func(context.Context, string) (bool, error) {
			pass(other)
			return true, nil
		},
	}
	run(t, w, func(r *running) {
		begun := time.Now()
		for _, who := range []string{"alice", "bob", "carol"} {
			r.says("room", who, "challenge chess")
		}
		for _, want := range []struct {
			after time.Duration
			heard int
		}{{other - time.Minute, 0}, {other, 1}, {other + 5*time.Second, 1}, {other + 15*time.Second, 2}, {other + 25*time.Second, 3}} {
			pass(want.after - time.Since(begun))
			synctest.Wait()
			if n := len(r.wire.heard()); n != want.heard {
				t.Errorf("after %v %d things were heard, not %d", want.after, n, want.heard)
			}
		}
	})
}

func TestASlowPlaceHoldsNoOtherUp(t *testing.T) {
	slow := func(ctx context.Context, p bot.Delivery) error {
		if p.Place.Address.ID == "slow" {
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	}
	run(t, &wire{send: slow}, func(r *running) {
		for range 20 {
			r.says("slow", "alice", "challenge chess")
		}
		synctest.Wait()
		start := time.Now()
		r.says("fast", "bob", "challenge chess")
		synctest.Wait()
		if len(r.wire.heard()) != 1 || time.Since(start) > 0 {
			t.Errorf("%d things were heard after %v", len(r.wire.heard()), time.Since(start))
		}
		pass(time.Hour)
		for _, e := range r.waiting(false) {
			if e.Tries > 0 {
				return
			}
		}
		t.Error("nothing was given up that took for ever")
	})
}

func TestWhatIsBeingSaidWhenTheProgramEndsIsCrossedOff(t *testing.T) {
	begun := make(chan bool, 1)
	second := func(context.Context, bot.Delivery) error {
		begun <- true
		pass(time.Second)
		return nil
	}
	run(t, &wire{send: second}, func(r *running) {
		begun = make(chan bool, 1) // within the test's own time
		r.says("room", "alice", "challenge chess")
		<-begun
		_ = r.stop() // as it ends below
		if n := len(r.waiting(false)); n != 0 {
			t.Errorf("%d entries wait still", n)
		}
		r.stop = func() error { return context.Canceled }
	})
}

func TestTheProgramEndsThoughAPlatformHangs(t *testing.T) {
	hang := func(ctx context.Context, _ bot.Delivery) error {
		<-ctx.Done()
		return ctx.Err()
	}
	run(t, &wire{send: hang}, func(r *running) {
		r.says("room", "alice", "challenge chess")
		synctest.Wait()
		start := time.Now()
		_ = r.stop() // as it ends below
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("it took %v to end", took)
		}
		if left := r.waiting(false); len(left) != 1 || left[0].Tries != 0 {
			t.Errorf("kept are %v", left)
		}
		r.stop = func() error { return context.Canceled }
	})
}

func TestNothingMoreIsSaidWhileTheDiskIsFull(t *testing.T) {
	second := func(context.Context, bot.Delivery) error {
		pass(time.Second)
		return nil
	}
	const games = 20
	run(t, &wire{send: second, limits: []outbox.Limit{{Name: "all", Every: 2 * time.Second, Burst: 1, Everywhere: true}}}, func(r *running) {
		for game := range games {
			r.office.says(fmt.Sprint("room", game), "alice", "challenge chess")
		}
		r.disk.full.Store(true)
		pass(8 * time.Hour)
		if n := len(r.wire.heard()); n != 1 {
			t.Errorf("%d things were said that could not be written down", n)
		}
		r.disk.full.Store(false)
		pass(time.Hour)
		said := map[uint64]int{}
		for _, p := range r.wire.heard() {
			said[p.Entry.ID]++
		}
		for id, times := range said {
			if times != 1 || len(said) != games {
				t.Errorf("entry %d of %d was said %d times", id, len(said), times)
			}
		}
	})
}

// TestEverythingArrivesWhileTheOutboxRuns lets many things be said at once to a chat
// that is slow, fails, asks to wait, and says nothing although it heard.
func TestEverythingArrivesWhileTheOutboxRuns(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	const rooms, games = 5, 20
	var mu sync.Mutex
	rnd := rand.New(rand.NewPCG(seed, 5))
	heard, lost, all := map[uint64]int{}, map[uint64]int{}, told{}
	last := map[storage.GameID]uint64{}
	talking := map[storage.PlaceID]bool{}
	send := func(ctx context.Context, p bot.Delivery) error {
		mu.Lock()
		fault, takes := rnd.IntN(15), time.Duration(rnd.IntN(400))*time.Millisecond
		if talking[p.Place.ID] {
			t.Errorf("two things are said in place %d at once", p.Place.ID)
		}
		talking[p.Place.ID] = true
		mu.Unlock()
		pass(takes)
		mu.Lock()
		defer mu.Unlock()
		talking[p.Place.ID] = false
		e := p.Entry
		switch fault {
		case 0:
			return errors.New("502")
		case 1:
			return &outbox.Later{After: takes * 10, Everywhere: takes < 40*time.Millisecond, Err: errors.New("429")}
		case 2:
			lost[e.ID]++
		}
		if heard[e.ID]++; e.ID < last[e.Game] {
			t.Errorf("game %d: entry %d came after %d", e.Game, e.ID, last[e.Game])
		}
		last[e.Game] = e.ID
		all.add(e)
		if fault == 2 {
			return context.DeadlineExceeded
		}
		return nil
	}
	run(t, &wire{send: send, limits: []outbox.Limit{{Name: "all", Every: time.Second / 50, Burst: 10, Everywhere: true}}}, func(r *running) {
		posted := 0
		say := func(game int, who, text string) {
			r.says(fmt.Sprint("room", game%rooms), who, text)
			posted++
		}
		for game := range games {
			say(game, "alice", "challenge @bob chess white")
			say(game, "bob", fmt.Sprintf("accept #%d", game+1))
		}
		for ply, move := range []string{"e4", "e5", "Nf3", "Nc6", "Bb5", "a6"} {
			for game := range games {
				say(game, []string{"alice", "bob"}[ply%2], fmt.Sprintf("#%d %s", game+1, move))
				pass(20 * time.Millisecond)
			}
		}
		for range 48 {
			if len(r.waiting(false)) == 0 {
				break
			}
			pass(time.Hour / 2)
		}
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		for id, n := range heard {
			if n > 1+lost[id] {
				t.Errorf("entry %d was heard %d times, and its answer was lost %d times", id, n, lost[id])
			}
		}
		if len(all) != posted {
			t.Errorf("%d things of %d were told", len(all), posted)
		}
		if left := r.waiting(false); len(left) > 0 {
			t.Errorf("%d entries wait still", len(left))
		}
	})
}

func TestWhatWaitsIsCountedUntilItIsSaid(t *testing.T) {
	o := newOffice(t)
	o.chat.send = func(bot.Delivery) error { return errors.New("the line is cut") }
	o.says("room", "alice", "challenge @bob chess white")
	if n, oldest := o.Waiting(); n != 0 || oldest != 0 {
		t.Errorf("before anybody has looked there wait %d, for %v", n, oldest)
	}
	o.drain()
	o.now = o.now.Add(time.Minute)
	o.says("den", "carol", "challenge chess")
	o.drain()
	if n, oldest := o.Waiting(); n != 2 || oldest != time.Minute {
		t.Errorf("there wait %d, the oldest for %v; want 2, for a minute", n, oldest)
	}
	o.chat.send = func(d bot.Delivery) error {
		if d.Place.Address.ID == "den" {
			return &outbox.Away{Err: errors.New("nobody is there")}
		}
		return nil
	}
	o.now = o.now.Add(time.Hour)
	o.drain()
	if n, oldest := o.Waiting(); n != 0 || oldest != 0 {
		t.Errorf("when all was said that can be, there wait %d, for %v", n, oldest)
	}
}

// TestMuchThatWaitsForSomebodyToComeIsToldElsewhere lets more wait than can be written of at once.
func TestMuchThatWaitsForSomebodyToComeIsToldElsewhere(t *testing.T) {
	const many = 2500
	for name, homes := range map[string][]string{"to all": {"alice", "bob"}, "to one of two": {"alice"}} {
		o := newOfficeOn(t, new(kvtest.Disk).Open("office"))
		for _, who := range homes {
			o.says(who, who, "help")
		}
		o.says("den", "alice", "challenge @bob chess white")
		o.says("den", "bob", "accept")
		o.drain()
		den := o.chat.said[len(o.chat.said)-1].Entry.Place
		for range 5 {
			err := o.store.Update(t.Context(), func(w storage.Writer) (err error) {
				for range many / 5 {
					err = errors.Join(err, w.Post(storage.Entry{Place: den, Game: 1, At: o.now, Kind: string(event.Reminded), By: 1}))
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		told := map[string]int{}
		o.chat.send = func(d bot.Delivery) error {
			if d.Place.Address.ID == "den" {
				return &outbox.Away{Err: errors.New("nobody is there")}
			}
			told[d.Place.Address.ID]++
			return nil
		}
		o.drain()
		o.now = o.now.Add(25 * time.Hour)
		o.drain()
		for _, who := range homes {
			if told[who] != many {
				t.Errorf("%s: %s was told %d of %d", name, who, told[who], many)
			}
		}
		left := o.waiting(false)
		if want := many * (2 - len(homes)); len(left) != want {
			t.Errorf("%s: %d wait still, not %d", name, len(left), want)
		}
		if len(left) > 0 && (left[0].Tries != 2 || !left[0].Next.After(o.now)) {
			t.Errorf("%s: the first was tried %d times, the next time at %v", name, left[0].Tries, left[0].Next)
		}
	}
}
