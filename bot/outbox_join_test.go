package bot_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/event"
	"chimera/bot/outbox"
	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// told is what a chat was told: each move that was played, and what else became of games.
type told map[string]bool

// add takes in an entry that was heard, with the moves that it tells beside its own.
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

// TestNewsWaitsOnlySoLongBehindWhatIsUrgent lets more moves be played than a platform
// takes, and a challenge and an answer to one between them.
func TestNewsWaitsOnlySoLongBehindWhatIsUrgent(t *testing.T) {
	o := newOffice(t)
	const games = 60
	for id := range games {
		room := fmt.Sprint("room", id)
		o.says(room, "alice", "challenge @bob chess white 1d")
		o.says(room, "bob", fmt.Sprintf("accept #%d", id+1))
	}
	o.says("open", "carol", "challenge chess")
	o.drain()
	o.heard()
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
	for next := o.drain(); !next.IsZero(); next = o.drain() {
		o.now = next
	}
	t.Logf("all was said after %v: %v", o.now.Sub(start), waited)
	if wait := waited[string(event.Challenged)]; wait == 0 || wait > 15*time.Second {
		t.Errorf("the challenge waited %v", wait)
	}
	if wait := waited[string(event.Cancelled)]; wait == 0 || wait > 50*time.Second {
		t.Errorf("the news waited %v", wait)
	}
}

func TestMovesThatWereOvertakenAreToldWithTheBoardOfTheNext(t *testing.T) {
	o := newOffice(t)
	o.says("room", "alice", "challenge @bob chess white")
	o.says("room", "bob", "accept")
	o.drain()
	o.heard()
	o.chat.send = func(bot.Delivery) error { return errors.New("down") }
	for i, move := range []string{"e4", "e5", "Nf3"} {
		o.says("room", []string{"alice", "bob"}[i%2], move)
		o.drain()
	}
	o.chat.send = nil
	o.now = o.now.Add(time.Hour)
	o.drain()
	if len(o.chat.said) != 1 {
		t.Fatalf("%d things were said", len(o.chat.said))
	}
	if said := o.chat.said[0].Note.Text.Plain(); !strings.Contains(said, "\nEarlier: 1. e4, 1… e5.\n2. Nf3. ") || o.chat.said[0].Note.Board == nil {
		t.Errorf("said was %s", said)
	}
	o.heard()
	o.chat.send = func(bot.Delivery) error { return errors.New("down") }
	o.says("room", "bob", "Nc6")
	o.drain()
	o.says("room", "alice", "Bc4")
	o.says("room", "alice", "resign")
	o.says("room", "alice", "resign")
	o.chat.send = nil
	o.now = o.now.Add(time.Hour)
	o.drain()
	o.hears("room: #1 ended")
	if left := o.waiting(false); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
}

func TestAMoveThatWasOvertakenTakesNothingFromWhatMayBeSaid(t *testing.T) {
	o := newOffice(t)
	o.says("room", "alice", "challenge @bob chess white")
	o.says("room", "bob", "accept")
	o.drain()
	o.heard()
	o.chat.limits = []outbox.Limit{{Name: "room ROOM", Every: time.Hour, Burst: 1}}
	o.says("room", "alice", "e4")
	o.says("room", "bob", "e5")
	o.says("room", "alice", "Nf3")
	o.drain()
	o.hears("room: #1 moved")
	if left := o.waiting(false); len(left) > 0 {
		t.Errorf("left are %v", left)
	}
}

// interrupted is a database in which something else happens before one of the reads of a
// drain.
type interrupted struct {
	kv.DB
	left int // reads until then; none where it is negative
	act  func()
}

func (i *interrupted) View(ctx context.Context, fn func(kv.Reader) error) error {
	if i.left--; i.left == 0 {
		i.act()
	}
	return i.DB.View(ctx, fn)
}

// TestAMoveThatComesWhileTheOneBeforeItIsToldIsOnItsBoard lets it come before each of the reads
// that telling takes, behind a move and behind the beginning of a game.
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
			if db.left > 0 { // there were not so many
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
