package bot_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chimera/bot"
	"chimera/bot/event"
	"chimera/bot/fake"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/user"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// chat is a platform that remembers what was said.
type chat struct {
	send    func(bot.Delivery) error // nil: all goes well
	limits  []outbox.Limit
	said    []bot.Delivery
	receipt outbox.Receipt
}

func (c *chat) Send(_ context.Context, p bot.Delivery) (outbox.Receipt, error) {
	if c.send != nil {
		if err := c.send(p); err != nil {
			return nil, err
		}
	}
	c.said = append(c.said, p)
	return c.receipt, nil
}

func (c *chat) Limits(place storage.Address) []outbox.Limit {
	var limits []outbox.Limit
	for _, l := range c.limits {
		l.Name = strings.ReplaceAll(l.Name, "ROOM", place.ID)
		limits = append(limits, l)
	}
	return limits
}

// office is an outbox whose clock the test moves, and people who play in rooms.
type office struct {
	*outbox.Outbox
	t       testing.TB
	chat    *chat
	bot     *bot.Bot
	store   *storage.Store
	service bot.Services
	now     time.Time
}

func newOffice(t testing.TB) *office {
	var disk kvtest.Disk
	return newOfficeOn(t, disk.Open("office"))
}

func newOfficeOn(t testing.TB, db kv.DB) *office {
	store, err := storage.Open(t.Context(), db)
	must(t, err)
	o := &office{t: t, chat: &chat{}, store: store, now: noon}
	clock := func() time.Time { return o.now }
	log := slog.New(slog.DiscardHandler)
	o.service = bot.NewServices(store, variants.All(), clock, func() bool { return true })
	o.bot = bot.New(o.service, log, "Chimera")
	o.Outbox = bot.NewOutbox(o.bot, clock, log, map[string]bot.Outlet{"test": o.chat, "other": o.chat})
	return o
}

func someone(name string) message.Account {
	return message.Account{Address: storage.Address{Platform: "test", ID: name}, Name: name}
}

// hear has somebody write or press something in a room, and returns the answers.
func (o *office) hear(room, who string, m message.Incoming) []message.Message {
	o.t.Helper()
	m.Place, m.From, m.Private = storage.Address{Platform: "test", ID: room}, someone(who), room == who
	m.People = map[string]message.Account{"@alice": someone("alice"), "@bob": someone("bob"), "@carol": someone("carol")}
	notes, err := o.bot.Handle(o.t.Context(), m)
	must(o.t, err)
	return notes
}

// says has somebody write in a room.
func (o *office) says(room, who, text string) {
	o.t.Helper()
	for _, n := range o.hear(room, who, message.Incoming{Text: text}) {
		if !n.Ack && n.To != 0 {
			o.t.Logf("%s: %s: %s", who, text, n.Text.Plain())
		}
	}
}

// talks has people write in the room; each line begins with its author's name.
func (o *office) talks(lines ...string) {
	o.t.Helper()
	for _, line := range lines {
		who, text, _ := strings.Cut(line, " ")
		o.says("room", who, text)
	}
}

func (o *office) drain() time.Time {
	o.t.Helper()
	next, err := o.Drain(o.t.Context())
	must(o.t, err)
	return next
}

// sayAll moves the clock on until nothing waits.
func (o *office) sayAll() {
	o.t.Helper()
	for next := o.drain(); !next.IsZero(); next = o.drain() {
		o.now = next
	}
}

// saysAll fails if any entries still wait.
func (o *office) saysAll() {
	o.t.Helper()
	if left := o.waiting(false); len(left) != 0 {
		o.t.Errorf("%d entries wait still: %v", len(left), left)
	}
}

// failing makes a chat fail a number of times.
func failing(times int, err error) func(bot.Delivery) error {
	return func(bot.Delivery) error {
		if times--; times >= 0 {
			return err
		}
		return nil
	}
}

// heard is what was said since the last call, as "room: #game kind", in order
// within a room.
func (o *office) heard() []string {
	var heard []string
	for _, p := range o.chat.said {
		heard = append(heard, fmt.Sprintf("%s: #%d %s", p.Place.Address.ID, p.Entry.Game, p.Entry.Kind))
	}
	o.chat.said = nil
	slices.SortStableFunc(heard, func(a, b string) int {
		roomA, _, _ := strings.Cut(a, ":")
		roomB, _, _ := strings.Cut(b, ":")
		return strings.Compare(roomA, roomB)
	})
	return heard
}

func (o *office) hears(want ...string) {
	o.t.Helper()
	if got := o.heard(); !slices.Equal(got, want) {
		o.t.Errorf("heard was\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// delivers checks what is said now.
func (o *office) delivers(want ...string) {
	o.t.Helper()
	o.drain()
	o.hears(want...)
}

// settle says all that can be said now, and forgets it.
func (o *office) settle() {
	o.t.Helper()
	o.drain()
	o.heard()
}

// begins begins a game between alice and bob.
func (o *office) begins() {
	o.t.Helper()
	o.talks("alice challenge @bob chess white", "bob accept")
}

var must, contains = kvtest.Must, fake.Says

func (o *office) waiting(dead bool) []storage.Entry {
	o.t.Helper()
	read := storage.Reader.Outbox
	if dead {
		read = storage.Reader.Undelivered
	}
	entries, err := storage.Read(o.t.Context(), o.store, read)
	must(o.t, err)
	return entries
}

func TestLimitsAreKeptAndAnswersTakeFromThemFirst(t *testing.T) {
	o := newOffice(t)
	o.chat.limits = []outbox.Limit{{Name: "room ROOM", Every: 3 * time.Second, Burst: 2}, {Name: "all", Every: time.Second / 30, Burst: 30, Everywhere: true}}
	for range 5 {
		o.says("room", "alice", "challenge chess")
	}
	next := o.drain()
	if heard := o.heard(); len(heard) != 2 {
		t.Fatalf("at once %v", heard)
	}
	if wait := o.Take(storage.Address{Platform: "test", ID: "room"}); wait.Round(time.Second) != 3*time.Second {
		t.Errorf("an answer waits %v", wait)
	}
	o.now = next
	next = o.drain()
	o.hears() // the answer has told that one
	for range 3 {
		o.now = next
		next = o.drain()
		if heard := o.heard(); len(heard) != 1 {
			t.Errorf("each three seconds one should be heard, not %v", heard)
		}
	}
}

// TestALinkThatLeadsBackHoldsNothingUp damages a record, so that a person seems linked to themself.
func TestALinkThatLeadsBackHoldsNothingUp(t *testing.T) {
	o := newOffice(t)
	o.says("room", "alice", "challenge @bob chess white")
	must(t, o.store.Update(t.Context(), func(w storage.Writer) error {
		p, err := w.PersonAt(storage.Address{Platform: "test", ID: "alice"})
		p.Into = p.ID
		return errors.Join(err, w.People().Put(p))
	}))
	o.delivers("room: #1 challenged")
}

// arrived checks that everything posted was told, and repeated only if the answer was lost.
func arrived(t *testing.T, heard, lost map[uint64]int, all told, posted int) {
	t.Helper()
	for id, n := range heard {
		if n > 1+lost[id] {
			t.Errorf("entry %d was heard %d times, and its answer was lost %d times", id, n, lost[id])
		}
	}
	if len(all) != posted {
		t.Errorf("%d things of %d were told", len(all), posted)
	}
}

// wire is a platform on which sending takes time. It is safe for concurrent use.
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

// afterASecond sends a message successfully after a second.
func afterASecond(context.Context, bot.Delivery) error {
	pass(time.Second)
	return nil
}

// hangs waits until it is cancelled.
func hangs(ctx context.Context, _ bot.Delivery) error {
	<-ctx.Done()
	return ctx.Err()
}

// running is an outbox that runs, on a clock that advances when all goroutines wait.
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

// pass moves on the clock of the test, which takes no real time.
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
		pass(time.Millisecond)
		heard(1, "after the answer")
		r.outbox.Answering()
		r.says("room", "bob", "challenge chess")
		heard(1, "before a slow answer")
		pass(10 * time.Millisecond)
		heard(2, "during a slow answer")
	})
}

// TestWhoStandsBySaysNothingBeforeItsTurn takes over with one message left of a limit that another process may just
// have used up.
func TestWhoStandsBySaysNothingBeforeItsTurn(t *testing.T) {
	const other = time.Hour
	w := &wire{
		send:   func(context.Context, bot.Delivery) error { return nil },
		limits: []outbox.Limit{{Name: "room", Every: 10 * time.Second, Burst: 5}},
		turn: func(_ context.Context, platform string) (bool, error) {
			if platform == "test" { // when another's turn comes, all is read again, which may cost one of the messages that are left
				pass(other)
			}
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
			return hangs(ctx, p)
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
	second := func(ctx context.Context, d bot.Delivery) error {
		begun <- true
		return afterASecond(ctx, d)
	}
	run(t, &wire{send: second}, func(r *running) {
		begun = make(chan bool, 1) // within the test's own time
		r.says("room", "alice", "challenge chess")
		<-begun
		_ = r.stop() // as it ends below
		r.saysAll()
		r.stop = func() error { return context.Canceled }
	})
}

func TestTheProgramEndsThoughAPlatformHangs(t *testing.T) {
	run(t, &wire{send: hangs}, func(r *running) {
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

// eachOnce checks that some number of entries was said, and none twice.
func eachOnce(t *testing.T, all []bot.Delivery, want int) {
	t.Helper()
	said := map[uint64]bool{}
	for _, p := range all {
		said[p.Entry.ID] = true
	}
	if len(all) != want || len(said) != want {
		t.Errorf("%d entries of %d were said %d times", len(said), want, len(all))
	}
}

func TestNothingMoreIsSaidWhileTheDiskIsFull(t *testing.T) {
	const games = 20
	run(t, &wire{send: afterASecond, limits: []outbox.Limit{{Name: "all", Every: 2 * time.Second, Burst: 1, Everywhere: true}}}, func(r *running) {
		for game := range games {
			r.office.says(fmt.Sprint("room", game), "alice", "challenge chess")
		}
		r.disk.full.Store(true)
		pass(8 * time.Hour)
		if n := len(r.wire.heard()); n != 1 {
			t.Errorf("%d things were said that could not be written down", n)
		}
		r.disk.full.Store(false)
		pass(2 * time.Minute)
		eachOnce(t, r.wire.heard(), games)
	})
}

// TestEverythingArrivesWhileTheOutboxRuns sends much at once to a chat that is slow, fails, asks to wait, or takes a
// message without an answer.
func TestEverythingArrivesWhileTheOutboxRuns(t *testing.T) {
	const rooms, games = 5, 20
	var mu sync.Mutex
	rnd := kvtest.Random(t)
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
		arrived(t, heard, lost, all, posted)
		r.saysAll()
	})
}

// TestMuchThatWaitsForSomebodyToComeIsToldElsewhere has more entries wait than one transaction can write.
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
			must(t, o.store.Update(t.Context(), func(w storage.Writer) (err error) {
				for range many / 5 {
					err = errors.Join(err, w.Post(storage.Entry{Place: den, Game: 1, At: o.now, Kind: string(event.Reminded), By: 1}))
				}
				return err
			}))
		}
		told := map[string]int{}
		o.chat.send = func(d bot.Delivery) error {
			if d.Place.Address.ID == "den" {
				return fmt.Errorf("%w: nobody is there", outbox.ErrAway)
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

// TestATurnOnPagesRunsOutThoughNobodyIsRemindedElsewhere plays on the pages of somebody without a private chat there.
func TestATurnOnPagesRunsOutThoughNobodyIsRemindedElsewhere(t *testing.T) {
	o := newOffice(t)
	o.says("alice", "alice", "settings vacation ask")
	o.says("bob", "bob", "help")
	var g storage.Game
	must(t, o.store.Update(t.Context(), func(w storage.Writer) (err error) {
		alice, err := w.PersonAt(someone("alice").Address)
		bob, err2 := w.PersonAt(someone("bob").Address)
		pages, err3 := w.Visit(user.OnPages(alice.ID), storage.Address{})
		must(t, errors.Join(err, err2, err3))
		g, err = o.service.Match.Pair(w, storage.Challenge{
			From: alice.ID, To: bob.ID, Variant: "chess", Rated: true, Pace: storage.Pace{Move: 3 * 24 * time.Hour}, Place: pages.ID, Seat: bob.Home,
		}, 0, 0)
		return err
	}))
	o.settle()
	for range 4 * 24 {
		o.now = o.now.Add(time.Hour)
		must(t, o.service.Maintenance.Tick(t.Context()))
		o.drain()
	}
	if g = o.game(g.ID); !g.Over() {
		t.Error("the game goes on")
	}
	for _, d := range o.chat.said {
		if d.Reminds() && d.Place.Address.ID != "alice" {
			t.Errorf("%s is told: %s", d.Place.Address.ID, d.Note.Text.Plain())
		}
	}
}
