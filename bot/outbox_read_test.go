package bot_test

import (
	"encoding/binary"
	"errors"
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

// later drains until nothing waits any more.
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

// becomes links the account of somebody who is known here to a new person on another
// platform, who they then are.
func (o *office) becomes(who, name string) {
	o.t.Helper()
	ctx := o.t.Context()
	me, err := o.service.Users.Meet(ctx, storage.Address{Platform: "test", ID: who}, who)
	other, err2 := o.service.Users.Meet(ctx, storage.Address{Platform: "other", ID: name}, name)
	code, err3 := o.service.Users.NewLink(ctx, event.By{Person: other.ID, Place: 1})
	merge, err4 := o.service.Users.LinkWith(ctx, event.By{Person: me.ID, Place: 1}, code)
	if err := errors.Join(err, err2, err3, err4); err != nil {
		o.t.Fatal(err)
	}
	_, err = o.service.Users.AgreeLink(ctx, event.By{Person: me.ID, Place: 1}, code)
	_, err2 = o.service.Users.GiveLink(ctx, event.By{Person: merge.Into.ID, Place: 1}, merge.Code)
	if err := errors.Join(err, err2, o.service.Maintenance.Tick(ctx)); err != nil {
		o.t.Fatal(err)
	}
}

func TestADrawOfferThatWaitsIsByWhoTheOffererHasBecome(t *testing.T) {
	o := newOffice(t)
	o.says("room", "alice", "challenge @bob chess white")
	o.says("room", "bob", "accept")
	o.says("room", "alice", "e4")
	o.drain()
	o.chat.send = func(bot.Delivery) error { return errors.New("the line is cut") }
	o.says("room", "bob", "draw")
	o.drain() // it is in memory now, and waits
	o.becomes("bob", "robert")
	o.chat.send, o.chat.said = nil, nil
	o.later()
	var said []string
	for _, p := range o.chat.said {
		if p.Entry.Kind == string(event.DrawOffered) {
			said = append(said, p.Note.Text.Plain())
		}
	}
	if len(said) != 1 || !strings.Contains(said[0], "robert") || !strings.Contains(said[0], "alice") || strings.Contains(said[0], storage.Nobody) {
		t.Errorf("said was %q", said)
	}
}

func TestWhatWasForgottenIsNeitherSaidNorKeptAside(t *testing.T) {
	for name, refusal := range map[string]error{
		"refused": &outbox.Never{Err: errors.New("the chat is closed")}, "gone": &outbox.Never{Gone: true, Err: errors.New("blocked")},
		"failing": errors.New("the line is cut"), "well": nil,
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.chat.send = func(bot.Delivery) error { return errors.New("the line is cut") }
			o.says("bob", "bob", "challenge chess")
			o.drain() // it is in memory now, and waits
			o.says("bob", "bob", "forgetme")
			o.says("bob", "bob", "forgetme")
			o.chat.send = func(bot.Delivery) error { return refusal }
			o.now = o.now.Add(time.Hour)
			o.drain()
			for _, p := range o.chat.said {
				if p.Entry.Kind == string(event.Challenged) {
					t.Error("it was said")
				}
			}
			for _, e := range append(o.waiting(false), o.waiting(true)...) {
				if e.Kind == string(event.Challenged) {
					t.Errorf("it came back as %+v", e)
				}
			}
		})
	}
}

// TestAnEntryThatIsForgottenWhileItIsSaidStaysForgotten forgets it between the moment at
// which it is read and that at which it is written down that it was refused.
func TestAnEntryThatIsForgottenWhileItIsSaidStaysForgotten(t *testing.T) {
	for _, refusal := range []error{&outbox.Never{Err: errors.New("400")}, errors.New("502")} {
		o := newOffice(t)
		o.chat.send = func(p bot.Delivery) error {
			if err := o.store.Update(o.t.Context(), func(w storage.Writer) error { return w.Delivered(p.Entry.Queue(), p.Entry.ID) }); err != nil {
				t.Fatal(err)
			}
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
	o.says("room", "alice", "challenge chess")
	o.says("room", "bob", "challenge chess")
	o.says("room", "carol", "challenge chess")
	waiting := o.waiting(false)
	damaged := []byte("outbox/")
	for _, n := range []uint64{uint64(waiting[0].Place), uint64(waiting[0].Game), waiting[0].ID} {
		damaged = binary.BigEndian.AppendUint64(damaged, n)
	}
	err := db.Update(t.Context(), func(w kv.Writer) error {
		return errors.Join(
			w.Put(damaged, []byte("\x01?")),
			w.Put([]byte("person/\x00\x00\x00\x00\x00\x00\x00\x02"), []byte("\x01?")),
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	o.later()
	o.hears("room: #3 challenged")
	if err := o.service.Maintenance.Tick(t.Context()); err != nil {
		t.Fatal(err)
	}
	parked, err := o.service.Maintenance.Quarantined(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var refs []storage.Ref
	for _, p := range parked {
		refs = append(refs, p.Ref)
	}
	want := []storage.Ref{{Kind: storage.OfEntry, ID: waiting[0].ID}, {Kind: storage.OfEntry, ID: waiting[1].ID}, {Kind: storage.OfPerson, ID: 2}}
	if len(refs) != 3 || refs[0] != want[0] || refs[1] != want[1] || refs[2] != want[2] {
		t.Errorf("set aside are %v, want %v", refs, want)
	}
}
