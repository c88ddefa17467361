package storage_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// numbersOf are those of some entries.
func numbersOf(entries []storage.Entry) (all []uint64) {
	for _, e := range entries {
		all = append(all, e.ID)
	}
	return all
}

// listed are the numbers of the entries that wait and of those that can never be delivered.
func listed(t testing.TB, s *storage.Store) (waiting, dead []uint64) {
	t.Helper()
	return numbersOf(read(t, s, storage.Reader.Outbox)), numbersOf(read(t, s, storage.Reader.Undelivered))
}

// forgotten has what is old by then forgotten, and is what that was.
func forgotten(t testing.TB, s *storage.Store, what string, before time.Time) (old []string) {
	t.Helper()
	update(t, s, func(w storage.Writer) (err error) {
		old, _, err = w.Old(what, "", before, 100)
		return errors.Join(err, w.Forget(what, old))
	})
	return old
}

func TestAnEntryKeepsItsPlaceUntilItIsDeliveredOrUndeliverable(t *testing.T) {
	s := open(t)
	for range 5 {
		update(t, s, func(w storage.Writer) error { return w.Post(storage.Entry{Kind: "moved"}) })
	}
	all, _ := listed(t, s)
	tried := storage.Entry{ID: all[3], Kind: "moved", Tries: 3, Fault: "502", Next: noon.Add(time.Minute)}
	update(t, s, func(w storage.Writer) error {
		return errors.Join(
			w.Delivered(storage.Queue{}, all[1]),
			w.Undeliverable(storage.Entry{ID: all[2], Kind: "moved", Tries: 1, Fault: "forbidden"}),
			w.Retry(tried),
			w.Undeliverable(storage.Entry{ID: all[4], Kind: "moved"}),
		)
	})
	update(t, s, func(w storage.Writer) error { return w.Post(storage.Entry{Kind: "ended"}) })
	waiting, dead := listed(t, s)
	if !slices.IsSorted(all) || len(waiting) != 3 || !slices.Equal(waiting[:2], []uint64{all[0], all[3]}) || !slices.Equal(dead, []uint64{all[2], all[4]}) {
		t.Errorf("of %v, %v wait, and %v can never be delivered", all, waiting, dead)
	}
	if kept := read(t, s, storage.Reader.Undelivered); kept[0].Fault != "forbidden" || kept[0].Tries != 1 {
		t.Errorf("kept is %+v", kept)
	}
	if entries := read(t, s, storage.Reader.Outbox); !reflect.DeepEqual(entries[1], tried) {
		t.Errorf("there waits %+v, and not %+v", entries[1], tried)
	}
}

// TestNumbersRiseWithinAQueueWhateverTheClockDoes posts to games and places by clocks that
// jump, and delivers some of it meanwhile.
func TestNumbersRiseWithinAQueueWhateverTheClockDoes(t *testing.T) {
	rnd := kvtest.Random(t)
	s := open(t)
	last, seen := map[storage.Queue]uint64{}, map[uint64]bool{}
	for range 300 {
		e := storage.Entry{Place: storage.PlaceID(1 + rnd.IntN(2)), Game: storage.GameID(rnd.IntN(3)), Kind: "moved"}
		if rnd.IntN(4) > 0 {
			e.At = noon.Add(time.Duration(rnd.IntN(10)-5) * time.Hour)
		}
		update(t, s, func(w storage.Writer) error { return w.Post(e) })
		view(t, s, func(r storage.Reader) error {
			for waits, err := range r.Waiting(e.Queue()) {
				if err != nil {
					return err
				}
				e.ID = waits.ID
			}
			return nil
		})
		if e.ID <= last[e.Queue()] || seen[e.ID] {
			t.Fatalf("after %d came %d at %v", last[e.Queue()], e.ID, e.At)
		}
		last[e.Queue()], seen[e.ID] = e.ID, true
		update(t, s, func(w storage.Writer) error {
			switch rnd.IntN(3) {
			case 0:
				return w.Delivered(e.Queue(), e.ID)
			case 1:
				return w.Undeliverable(e)
			}
			return nil
		})
	}
	soundly(t, s)
}

// TestWhereSomethingIsPostedIsHeardOnceItIsStored posts in a transaction that is refused, too.
func TestWhereSomethingIsPostedIsHeardOnceItIsStored(t *testing.T) {
	s := open(t)
	var heard []storage.Queue
	s.OnPost(func(queues []storage.Queue) { heard = append(heard, queues...) })
	refusal := errors.New("no")
	err := s.Update(t.Context(), func(w storage.Writer) error {
		return errors.Join(w.Post(storage.Entry{Place: 1, Game: 1}), refusal)
	})
	if !errors.Is(err, refusal) {
		t.Fatal(err)
	}
	update(t, s, func(w storage.Writer) error {
		return errors.Join(w.Post(storage.Entry{Place: 2, Game: 1}), w.Post(storage.Entry{Place: 2}))
	})
	if want := []storage.Queue{{Place: 2, Game: 1}, {Place: 2}}; !slices.Equal(heard, want) {
		t.Errorf("heard was %v, want %v", heard, want)
	}
	if waiting, want := read(t, s, storage.Reader.Queues), []storage.Queue{{Place: 2}, {Place: 2, Game: 1}}; !slices.Equal(waiting, want) {
		t.Errorf("something waits in %v, want %v", waiting, want)
	}
}

func TestStateIsItsPlatformsOwnAndBounded(t *testing.T) {
	s := open(t)
	most := bytes.Repeat([]byte{7}, storage.MaxState)
	put := func(platform, name string, value []byte) error {
		return s.Update(t.Context(), func(w storage.Writer) error {
			return w.PutState(storage.State{Platform: platform, Name: name, Value: value})
		})
	}
	err := errors.Join(put("discord", "board/1", most), put("discord", "board/2", []byte{}), put("telegram", "board/1", []byte("t")), put("telegram", "board/1", nil))
	kvtest.Must(t, err)
	if err := put("discord", "board/3", append(most, 7)); !errors.Is(err, storage.ErrStateTooLong) {
		t.Errorf("too much is stored: %v", err)
	}
	for _, test := range []struct {
		platform, name string
		want           []byte
	}{
		{"discord", "board/1", most},
		{"discord", "board/2", []byte{}},
		{"discord", "board/3", nil},
		{"discord", "board/", nil},
		{"telegram", "board/1", nil},
	} {
		got := read(t, s, func(r storage.Reader) ([]byte, error) { return r.State(test.platform, test.name) })
		if !bytes.Equal(got, test.want) || (got == nil) != (test.want == nil) {
			t.Errorf("%s has %d bytes of %s, want %d", test.platform, len(got), test.name, len(test.want))
		}
	}
	names := read(t, s, func(r storage.Reader) ([]string, error) { return r.StateNames("discord", "board/") })
	if want := []string{"board/1", "board/2"}; !slices.Equal(names, want) {
		t.Errorf("the names are %v, want %v", names, want)
	}
}

func TestUndeliverableEntriesAreForgottenByTheirAge(t *testing.T) {
	s := open(t)
	for i := range 6 {
		update(t, s, func(w storage.Writer) error {
			return w.Post(storage.Entry{Place: storage.PlaceID(6 - i), At: noon.Add(time.Duration(i) * time.Hour)})
		})
	}
	all, _ := listed(t, s)
	update(t, s, func(w storage.Writer) error {
		waiting, err := w.Outbox()
		for _, e := range waiting {
			err = errors.Join(err, w.Undeliverable(e))
		}
		return err
	})
	for _, want := range []int{3, 0} {
		if old := forgotten(t, s, storage.SweptDead, noon.Add(3*time.Hour)); len(old) != want {
			t.Errorf("%q were forgotten, want %d", old, want)
		}
	}
	if _, dead := listed(t, s); !slices.Equal(dead, all[3:]) {
		t.Errorf("left are %v", dead)
	}
}

func TestUsageCountsEachKind(t *testing.T) {
	s := open(t)
	const many = 9000 // more than are read at once
	update(t, s, func(w storage.Writer) error {
		for i := range many {
			if err := w.PutState(storage.State{Platform: "discord", Name: fmt.Sprintf("message/%05d", i), Value: []byte("1234")}); err != nil {
				return err
			}
		}
		return errors.Join(w.PutState(storage.State{Platform: "telegram", Name: "message/1", Value: []byte("x")}), w.PutState(storage.State{Platform: "telegram", Name: "board/1", Value: []byte("y")}))
	})
	all, err := s.Usage(t.Context())
	kvtest.Must(t, err)
	each := int64(len(`memory/discord_message/12345`) + 1 + len(`{"Value":"MTIzNA=="}`) + storage.SealSize)
	want := []storage.Usage{
		{Kind: "memory/discord/message/", Count: many, Bytes: many * each},
		{Kind: "memory/telegram/board/", Count: 1, Bytes: int64(len(`memory/telegram_board/1`) + 1 + len(`{"Value":"eQ=="}`) + storage.SealSize)},
		{Kind: "memory/telegram/message/", Count: 1, Bytes: int64(len(`memory/telegram_message/1`) + 1 + len(`{"Value":"eA=="}`) + storage.SealSize)},
		{Kind: "meta/", Count: 1, Bytes: int64(len("meta/schema")) + 8},
	}
	if !slices.Equal(all, want) {
		t.Errorf("it is %+v; want %+v", all, want)
	}
}
