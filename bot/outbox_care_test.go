package bot_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/event"
	"chimera/bot/outbox"
	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// disk is a database that cannot be written while it is full.
type disk struct {
	kv.DB
	full  atomic.Bool
	takes time.Duration // for a write to find it full
}

var errFull = errors.New("no space left on device")

func (d *disk) Update(ctx context.Context, fn func(kv.Writer) error) error {
	if d.full.Load() {
		pass(d.takes)
		return errFull
	}
	return d.DB.Update(ctx, fn)
}

// TestAReceiptIsStoredAsItsEntryIsClosed has the disk full after something was said, and then frees it.
func TestAReceiptIsStoredAsItsEntryIsClosed(t *testing.T) {
	var media kvtest.Disk
	d := &disk{DB: media.Open("office")}
	o := newOfficeOn(t, d)
	remembered := adapter.NewState(o.store, "test", slog.New(slog.DiscardHandler))
	o.chat.receipt = outbox.Receipt{"message/1": []byte("game 1")}
	o.says("room", "alice", "challenge chess")
	for _, full := range []bool{true, false} {
		d.full.Store(full)
		o.now = o.now.Add(time.Minute)
		o.drain()
		left := len(o.waiting(false)) > 0
		value, err := remembered.Load(t.Context(), "message/1")
		if err != nil || left != full || (value == "") != full {
			t.Errorf("with a full disk %v, there waits something %v, and the receipt says %q: %v", full, left, value, err)
		}
	}
}

// TestWhatIsPutSoonIsKnownAtOnceAndStoredLater writes it again while it is stored, too.
func TestWhatIsPutSoonIsKnownAtOnceAndStoredLater(t *testing.T) {
	var media kvtest.Disk
	d := &disk{DB: media.Open("office")}
	o := newOfficeOn(t, d)
	m, other := adapter.NewState(o.store, "test", slog.New(slog.DiscardHandler)), adapter.NewState(o.store, "test", slog.New(slog.DiscardHandler))
	reads := func(m *adapter.State, want string) {
		t.Helper()
		if value, err := m.Load(t.Context(), "seen"); value != want || err != nil {
			t.Errorf("it is %q, %v; want %q", value, err, want)
		}
	}
	m.PutSoon("seen", []byte("1"))
	reads(m, "1")
	reads(other, "")
	d.full.Store(true)
	if err := m.Flush(t.Context()); !errors.Is(err, storage.ErrNotSaved) {
		t.Errorf("on a full disk: %v", err)
	}
	reads(m, "1")
	d.full.Store(false)
	must(t, m.Flush(t.Context()))
	reads(other, "1")
	m.PutSoon("seen", []byte("2"))
	must(t, m.Put(t.Context(), "seen", []byte("3")))
	reads(m, "3")
	must(t, m.Flush(t.Context()))
	reads(other, "3")
}

func TestWhatWasSaidIsCrossedOffThoughItIsTheLast(t *testing.T) {
	o := newOffice(t)
	ctx, cancel := context.WithCancel(t.Context())
	o.chat.send = func(bot.Delivery) error {
		cancel()
		return nil
	}
	o.talks("alice challenge chess", "alice challenge chess")
	if _, err := o.Drain(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Drain returned %v", err)
	}
	o.hears("room: #1 challenged")
	if left := o.waiting(false); len(left) != 1 || left[0].Game != 2 {
		t.Errorf("left are %v", left)
	}
}

func TestOperatorsSeeNoTokenAndNoLongFault(t *testing.T) {
	for name, err := range map[string]error{
		"token": fmt.Errorf("send: %w", &url.Error{Op: "Post", URL: "https://chat.example/bot123:SECRET/send", Err: errors.New("cut")}),
		"long":  errors.New(strings.Repeat("é", 10_000)),
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.chat.send = func(bot.Delivery) error { return err }
			o.says("room", "alice", "challenge chess")
			o.drain()
			if fault := o.waiting(false)[0].Fault; fault == "" || strings.Contains(fault, "SECRET") || len(fault) > 300 {
				t.Errorf("the fault is %q", fault)
			}
		})
	}
}

func TestNewsBeforeAnUrgentTurnOfTheSameGameIsUrgent(t *testing.T) {
	o := newOffice(t)
	o.talks("alice challenge @bob chess white 5d", "bob accept #1")
	o.settle()
	post := func(game storage.GameID, what event.Kind, due time.Duration) storage.Entry {
		return storage.Entry{Place: 1, Game: game, Kind: string(what), By: 1, At: o.now, Due: o.now.Add(due)}
	}
	must(t, o.store.Update(t.Context(), func(w storage.Writer) error {
		return errors.Join(
			w.Post(post(7, event.Challenged, 3*time.Hour)), // it is gone, and a word says so
			w.Post(post(1, event.DrawDeclined, time.Hour)),
			w.Post(post(1, event.Moved, time.Hour)),
		)
	}))
	o.delivers("room: #1 draw declined", "room: #1 moved", "room: #7 challenged")
}

func TestWhatSharesALimitIsHeldTogetherAndARefusalEverywhereHoldsAllPlaces(t *testing.T) {
	for _, limits := range [][]outbox.Limit{nil, {{Name: "all", Every: time.Millisecond, Burst: 100, Everywhere: true}, {Name: "chat", Every: time.Millisecond, Burst: 100}}} {
		o := newOffice(t)
		o.chat.limits = limits
		o.chat.send = failing(1, &outbox.Later{After: time.Minute, Everywhere: limits == nil, Err: errors.New("429")})
		o.says("one", "alice", "challenge @bob chess white")
		o.says("two", "alice", "challenge @bob chess white")
		next := o.drain()
		o.hears()
		if wait := o.Take(storage.Address{Platform: "test", ID: "three"}); wait != time.Minute {
			t.Errorf("with the limits %v, an answer elsewhere in the chat waits %v", limits, wait)
		}
		o.now = next
		o.delivers("one: #1 challenged", "two: #2 challenged")
	}
}

func TestWhatAPlatformAskedOfAnAnswerHoldsForEverything(t *testing.T) {
	o := newOffice(t)
	here, elsewhere := storage.Address{Platform: "test", ID: "room"}, storage.Address{Platform: "test", ID: "other"}
	o.Hold(here, &outbox.Later{After: 5 * time.Second, Err: errors.New("429")})
	if wait := o.Take(here); wait != 5*time.Second {
		t.Errorf("an answer there waits %v", wait)
	}
	if wait := o.Take(elsewhere); wait != 0 {
		t.Errorf("an answer elsewhere waits %v", wait)
	}
	o.says("room", "alice", "challenge chess")
	o.says("other", "alice", "challenge chess")
	next := o.drain()
	o.hears("other: #2 challenged")
	if next.Sub(o.now) != 5*time.Second {
		t.Errorf("the next is in %v", next.Sub(o.now))
	}
	o.now = next
	o.delivers("room: #1 challenged")
}

// TestManyAnswersTakeNoMoreThanTheirPart has many wait for their turn, after some have had it.
func TestManyAnswersTakeNoMoreThanTheirPart(t *testing.T) {
	const many = 600
	o := newOffice(t)
	o.chat.limits = []outbox.Limit{
		{Name: "all", Every: time.Second / 40, Burst: 40, Everywhere: true},
		{Name: "answers", Every: time.Second / 20, Burst: 10, Everywhere: true, Answers: true},
	}
	room := storage.Address{Platform: "test", ID: "other"}
	var last time.Duration
	for range many {
		if last = o.Line(room); last == 0 {
			o.Take(room)
		}
	}
	if last < 25*time.Second || last > 35*time.Second {
		t.Errorf("the last of %d has its turn after %v", many, last)
	}
	o.says("room", "alice", "challenge chess")
	o.delivers("room: #1 challenged")
}

func TestAHeldRoomWaitsThoughItsTurnHadCome(t *testing.T) {
	o := newOffice(t)
	o.chat.limits = []outbox.Limit{{Name: "all", Every: time.Second, Burst: 1, Everywhere: true}}
	o.Take(storage.Address{Platform: "test", ID: "other"})
	o.says("room", "alice", "challenge chess")
	next := o.drain()
	o.Hold(storage.Address{Platform: "test", ID: "room"}, &outbox.Later{After: time.Minute, Err: errors.New("429")})
	o.now = next
	if next = o.drain(); next.Sub(o.now) < 50*time.Second {
		t.Errorf("the next is in %v", next.Sub(o.now))
	}
	o.hears()
}

func TestARoomThatFailsAgainAndAgainIsAskedLessAndLess(t *testing.T) {
	o := newOffice(t)
	asked := 0
	o.chat.send = func(p bot.Delivery) error {
		if p.Place.Address.ID == "bad" {
			asked++
			return errors.New("502")
		}
		return nil
	}
	for range 15 {
		o.says("bad", "alice", "challenge chess")
	}
	o.says("good", "bob", "challenge chess")
	start := o.now
	for next := o.drain(); next.Sub(start) < time.Hour; next = o.drain() {
		if next.Sub(o.now) > 10*time.Minute {
			t.Fatalf("the next try is in %v", next.Sub(o.now))
		}
		o.now = next
	}
	o.hears("good: #16 challenged")
	if asked < 8 || asked > 30 {
		t.Errorf("15 games were tried %d times in an hour", asked)
	}
	o.chat.send = nil
	o.sayAll()
	if n := len(o.heard()); n != 15 {
		t.Errorf("%d games were heard of in the end", n)
	}
}

func TestARoomInWhichNotAllFailsIsNotLeftAlone(t *testing.T) {
	o := newOffice(t)
	tries := 0
	o.chat.send = func(bot.Delivery) error {
		if tries++; tries%3 != 0 {
			return errors.New("502")
		}
		return nil
	}
	const games = 12
	for range games {
		o.says("room", "alice", "challenge chess")
	}
	o.drain()
	if tries != games {
		t.Errorf("%d of %d games were tried", tries, games)
	}
}

func TestANextTryFarOffIsNotBelieved(t *testing.T) {
	o := newOffice(t)
	o.says("room", "alice", "challenge chess")
	must(t, o.store.Update(t.Context(), func(w storage.Writer) error {
		waiting, err := w.Outbox()
		e := waiting[0]
		e.Tries, e.Next = 1, o.now.AddDate(1, 0, 0)
		return errors.Join(err, w.Retry(e))
	}))
	if next := o.drain(); next.Sub(o.now) != 10*time.Minute {
		t.Errorf("the next try is in %v", next.Sub(o.now))
	}
}

func TestAPlaceThatIsNotKnownHoldsNobodyUp(t *testing.T) {
	o := newOffice(t)
	if err := o.store.Update(t.Context(), func(w storage.Writer) error {
		return w.Post(storage.Entry{Place: 99, Kind: string(event.CameBack)})
	}); err != nil {
		t.Fatal(err)
	}
	o.says("room", "alice", "challenge chess")
	if next := o.drain(); !next.IsZero() {
		t.Errorf("the next is at %v", next)
	}
	o.hears("room: #1 challenged")
	if left := o.waiting(false); len(left) != 1 {
		t.Errorf("%d entries wait still", len(left))
	}
}

// BenchmarkOutboxOfManyPlaces delivers to many rooms, with limits for each room and for all together.
func BenchmarkOutboxOfManyPlaces(b *testing.B) {
	const each = 3
	for _, rooms := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("rooms=%d", rooms), func(b *testing.B) {
			o := newOffice(b)
			o.chat.limits = []outbox.Limit{{Name: "room ROOM", Every: time.Second, Burst: 1}, {Name: "all", Every: time.Second / 1000, Burst: 1000, Everywhere: true}}
			o.begins()
			o.sayAll()
			const atOnce = 200
			begin := 0
			post := func(w storage.Writer) error {
				for i := begin; i < min(begin+atOnce, rooms*each); i++ {
					p, err := w.Visit(storage.Address{Platform: "test", ID: fmt.Sprint(i % rooms)}, storage.Address{})
					if err != nil {
						return err
					}
					if err := w.Post(storage.Entry{Place: p.ID, Game: 1, Kind: string(event.DrawDeclined), By: 1}); err != nil {
						return err
					}
				}
				return nil
			}
			for b.Loop() {
				b.StopTimer()
				o.now, o.chat.said = o.now.Add(time.Hour), nil
				for begin = 0; begin < rooms*each; begin += atOnce {
					must(b, o.store.Update(b.Context(), post))
				}
				b.StartTimer()
				o.sayAll()
				if n := len(o.chat.said); n != rooms*each {
					b.Fatalf("%d of %d entries were said", n, rooms*each)
				}
			}
			b.ReportMetric(float64(b.N*rooms*each)/b.Elapsed().Seconds(), "entries/s")
		})
	}
}

// told is what a chat was told: each move that was played, and other events in games.
type told map[string]bool

// add counts an entry that was heard, with the earlier moves that it also tells.
func (t told) add(e storage.Entry) {
	about := fmt.Sprintf("#%d", e.Game)
	position := event.PayloadOf[event.Position](&e)
	for _, m := range position.Earlier {
		t[fmt.Sprint(about, " ", m.Ply)] = true
	}
	if position.Move == "" || e.Kind == string(event.Began) {
		t[about+" "+e.Kind] = true
	}
	if position.Move == "" {
		return
	}
	t[fmt.Sprint(about, " ", e.Ply)] = true
}

// TestNewsWaitsOnlySoLongBehindWhatIsUrgent plays more moves than a platform takes, with a challenge and an answer to
// one among them.
func TestNewsWaitsOnlySoLongBehindWhatIsUrgent(t *testing.T) {
	o := newOffice(t)
	const games = 60
	for id := range games {
		room := fmt.Sprint("room", id)
		o.says(room, "alice", "challenge @bob chess white 1d")
		o.says(room, "bob", fmt.Sprintf("accept #%d", id+1))
	}
	o.says("open", "carol", "challenge chess")
	o.settle()
	o.chat.limits = []outbox.Limit{{Name: "all", Every: time.Second, Burst: 1, Everywhere: true}}
	start := o.now
	waited := map[string]time.Duration{}
	o.chat.send = func(p bot.Delivery) error {
		waited[p.Entry.Kind] = max(waited[p.Entry.Kind], o.now.Sub(p.Entry.At))
		return nil
	}
	for id := range games {
		switch o.says(fmt.Sprint("room", id), "alice", fmt.Sprintf("#%d e4", id+1)); id {
		case 2:
			o.says("news", "carol", "challenge @bob chess")
		case 3:
			o.says("open", "carol", fmt.Sprintf("cancel #%d", games+1))
		}
		for next := o.drain(); next.Sub(o.now) < 500*time.Millisecond && !next.IsZero(); next = o.drain() {
			o.now = next
		}
		o.now = o.now.Add(500 * time.Millisecond)
	}
	o.sayAll()
	t.Logf("all was said after %v: %v", o.now.Sub(start), waited)
	if wait := waited[string(event.Challenged)]; wait == 0 || wait > 15*time.Second {
		t.Errorf("the challenge waited %v", wait)
	}
	if wait := waited[string(event.Cancelled)]; wait == 0 || wait > 50*time.Second {
		t.Errorf("the news waited %v", wait)
	}
}

// interrupted is a database in which something else happens just before one of a drain's reads.
type interrupted struct {
	kv.DB
	left int // reads until then; negative for never
	act  func()
}

func (i *interrupted) View(ctx context.Context, fn func(kv.Reader) error) error {
	if i.left--; i.left == 0 {
		i.act()
	}
	return i.DB.View(ctx, fn)
}

// TestAMoveThatComesWhileTheOneBeforeItIsToldIsOnItsBoard plays it before each read of the telling, after a move and
// after the beginning of a game.
func TestAMoveThatComesWhileTheOneBeforeItIsToldIsOnItsBoard(t *testing.T) {
	for began := range 2 {
		for reads := 1; reads < 12; reads++ {
			var disk kvtest.Disk
			db := &interrupted{DB: disk.Open("office")}
			o := newOfficeOn(t, db)
			o.says("room", "alice", "challenge @bob chess white")
			o.drain()
			o.says("room", "bob", "accept")
			if began == 0 {
				o.drain()
				o.says("room", "alice", "e4")
				db.act = func() { o.says("room", "bob", "e5") }
			} else {
				db.act = func() { o.says("room", "alice", "e4") }
			}
			o.chat.said = nil
			db.left = reads
			o.drain()
			if db.left > 0 { // there were fewer reads
				db.left = 0
				db.act()
			}
			o.drain()
			all := ""
			for _, d := range o.chat.said {
				all += d.Note.Text.Plain() + "\n"
				if d.Note.Board == nil {
					t.Errorf("%d reads: a line was said", reads)
				}
			}
			if n := strings.Count(all, "1. e4"); n == 0 || n > 2 || began == 1 && !o.chat.said[0].Begins() {
				t.Errorf("%d reads: said was %s", reads, all)
			}
			if left := o.waiting(false); len(left) > 0 {
				t.Errorf("%d reads: left are %v", reads, left)
			}
		}
	}
}

// later moves the clock on, and drains until nothing waits.
func (o *office) later() {
	o.t.Helper()
	next := o.now.Add(time.Hour)
	for tries := 0; !next.IsZero(); tries++ {
		if tries > 100 {
			o.t.Fatalf("there waits still %v", o.waiting(false))
		}
		o.now = next
		next = o.drain()
	}
}

// TestAnEntryThatIsForgottenWhileItIsSaidStaysForgotten forgets it after it is read and before its refusal is stored.
func TestAnEntryThatIsForgottenWhileItIsSaidStaysForgotten(t *testing.T) {
	for _, refusal := range []error{&outbox.Never{Err: errors.New("400")}, errors.New("502")} {
		o := newOffice(t)
		o.chat.send = func(p bot.Delivery) error {
			must(t, o.store.Update(o.t.Context(), func(w storage.Writer) error { return w.Delivered(p.Entry.Queue(), p.Entry.ID) }))
			return refusal
		}
		o.says("room", "bob", "challenge chess")
		o.later()
		if left := append(o.waiting(false), o.waiting(true)...); len(left) > 0 {
			t.Errorf("after %v there is %+v", refusal, left)
		}
	}
}

func TestADamagedEntryOrPersonHoldsNothingElseUp(t *testing.T) {
	var memory kvtest.Disk
	db := memory.Open("office")
	o := newOfficeOn(t, db)
	o.talks("alice challenge chess", "bob challenge chess", "carol challenge chess")
	waiting := o.waiting(false)
	damaged := []byte("outbox/")
	for _, n := range []uint64{uint64(waiting[0].Place), uint64(waiting[0].Game), waiting[0].ID} {
		damaged = binary.BigEndian.AppendUint64(damaged, n)
	}
	must(t, db.Update(t.Context(), func(w kv.Writer) error {
		return errors.Join(
			w.Put(damaged, []byte("\x01?")),
			w.Put([]byte("person/\x00\x00\x00\x00\x00\x00\x00\x02"), []byte("\x01?")),
		)
	}))
	o.later()
	o.hears("room: #3 challenged")
	must(t, o.service.Maintenance.Tick(t.Context()))
	parked, err := o.service.Maintenance.Quarantined(t.Context())
	must(t, err)
	var refs []storage.Ref
	for _, p := range parked {
		refs = append(refs, p.Ref)
	}
	want := []storage.Ref{{Kind: storage.OfEntry, ID: waiting[0].ID}, {Kind: storage.OfEntry, ID: waiting[1].ID}, {Kind: storage.OfPerson, ID: 2}}
	if len(refs) != 3 || refs[0] != want[0] || refs[1] != want[1] || refs[2] != want[2] {
		t.Errorf("set aside are %v, want %v", refs, want)
	}
}
