package kvtest

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"maps"
	"testing"

	"chimera/storage/kv"
)

func newIsEmpty(t *testing.T, open Opener) {
	db := fresh(t, open)
	holds(t, db, "")
	view(t, db, func(r kv.Reader) error {
		value, err := r.Get([]byte("a"))
		if value != nil {
			t.Errorf("a is %q", value)
		}
		return err
	})
}

func absentIsNil(t *testing.T, open Opener) {
	db := fresh(t, open)
	check := func(r kv.Reader) error {
		for key, present := range map[string]bool{"absent": false, "deleted": false, "empty": true, "nil": true} {
			value, err := r.Get([]byte(key))
			if err != nil {
				return err
			}
			if (value != nil) != present || len(value) > 0 {
				t.Errorf("%s is %#v", key, value)
			}
		}
		for item, err := range r.Scan(nil, nil) {
			if err != nil {
				return err
			}
			if item.Value == nil {
				t.Errorf("the value of %s is nil in a scan", item.Key)
			}
		}
		return nil
	}
	update(t, db, func(w kv.Writer) error {
		if err := putAll(w, "empty", "", "deleted", "x"); err != nil {
			return err
		}
		if err := w.Put([]byte("nil"), nil); err != nil {
			return err
		}
		if err := w.Delete([]byte("deleted")); err != nil {
			return err
		}
		return check(w)
	})
	update(t, db, func(w kv.Writer) error { return check(w) })
	view(t, db, check)
}

func putReplaces(t *testing.T, open Opener) {
	db := fresh(t, open)
	put(t, db, "a", "1", "b", "2", "a", "3")
	holds(t, db, "a=3 b=2")
	put(t, db, "b", "4", "c", "5")
	holds(t, db, "a=3 b=4 c=5")
	update(t, db, func(w kv.Writer) error { return w.Delete([]byte("b")) })
	holds(t, db, "a=3 c=5")
	update(t, db, func(w kv.Writer) error { return w.Delete([]byte("b")) })
	holds(t, db, "a=3 c=5")
	update(t, db, func(w kv.Writer) error {
		if err := w.Delete([]byte("a")); err != nil {
			return err
		}
		return w.Put([]byte("a"), []byte("6"))
	})
	holds(t, db, "a=6 c=5")
}

func limits(t *testing.T, open Opener) {
	db := fresh(t, open)
	longKey, longValue := bytes.Repeat([]byte("k"), kv.MaxKeySize), bytes.Repeat([]byte("v"), kv.MaxValueSize)
	update(t, db, func(w kv.Writer) error {
		for _, key := range [][]byte{nil, {}, append(longKey, 'k')} {
			_, err := w.Get(key)
			wantErr(t, "Get", err, kv.ErrKeySize)
			wantErr(t, "Put", w.Put(key, []byte("x")), kv.ErrKeySize)
			wantErr(t, "Delete", w.Delete(key), kv.ErrKeySize)
		}
		wantErr(t, "Put", w.Put([]byte("a"), append(longValue, 'v')), kv.ErrValueSize)
		return w.Put(longKey, longValue)
	})
	view(t, db, func(r kv.Reader) error {
		_, err := r.Get(nil)
		wantErr(t, "Get", err, kv.ErrKeySize)
		value, err := r.Get(longKey)
		if !bytes.Equal(value, longValue) {
			t.Errorf("the longest value came back with %d bytes", len(value))
		}
		return err
	})
}

// updatesHaveLimits wants all of the largest Update, and all or nothing of a larger one.
func updatesHaveLimits(t *testing.T, open Opener) {
	db := fresh(t, open)
	const room = kv.MaxUpdateSize / kv.MaxUpdateWrites
	want := make(map[string]string)
	fill := func(round string, writes, size int) error {
		value := bytes.Repeat([]byte(round), size)
		return db.Update(t.Context(), func(w kv.Writer) error {
			for i := range writes {
				key := fmt.Appendf(nil, "%s%0*d", round, 15, i)
				if err := w.Put(key, value); err != nil { // of which but the last counts
					return err
				}
				if err := w.Put(key, value[:size-len(key)]); err != nil {
					return err
				}
				want[string(key)] = string(value[:size-len(key)])
			}
			return nil
		})
	}
	if err := fill("a", kv.MaxUpdateWrites, room); err != nil {
		t.Errorf("the largest Update: %v", err)
	}
	equals(t, db, want)
	for round, larger := range map[string]struct{ writes, size int }{
		"b": {kv.MaxUpdateWrites + 1, 20}, "c": {4, kv.MaxUpdateSize / 3},
	} {
		before := maps.Clone(want)
		if err := fill(round, larger.writes, larger.size); err != nil {
			wantErr(t, "Update", err, kv.ErrUpdateSize)
			want = before
		}
		equals(t, db, want)
	}
}

func getAllIsInOrder(t *testing.T, open Opener) {
	db := fresh(t, open)
	put(t, db, "a", "1", "b", "", "c", "3")
	check := func(r kv.Reader, want ...string) error {
		keys := [][]byte{[]byte("c"), []byte("x"), []byte("a"), []byte("b"), []byte("c")}
		values, err := r.GetAll(keys...)
		if len(values) != len(want) {
			t.Errorf("%d values (%v)", len(values), err)
			return err
		}
		for i, value := range values {
			if (value == nil) != (want[i] == "absent") || value != nil && string(value) != want[i] {
				t.Errorf("%s is %q; want %s", keys[i], value, want[i])
			}
			clear(value) // it is the caller's own
		}
		none, err := r.GetAll()
		if len(none) != 0 || err != nil {
			t.Errorf("of no keys: %q, %v", none, err)
		}
		_, err = r.GetAll([]byte("a"), nil)
		wantErr(t, "GetAll", err, kv.ErrKeySize)
		return nil
	}
	update(t, db, func(w kv.Writer) error {
		if err := check(w, "3", "absent", "1", "", "3"); err != nil {
			return err
		}
		if err := errors.Join(putAll(w, "x", "4", "a", "5"), w.Delete([]byte("c"))); err != nil {
			return err
		}
		return check(w, "absent", "4", "5", "", "absent")
	})
	view(t, db, func(r kv.Reader) error { return check(r, "absent", "4", "5", "", "absent") })
	many := make([][]byte, 1000)
	update(t, db, func(w kv.Writer) error {
		for i := range many {
			many[i] = fmt.Appendf(nil, "many/%d", i)
			if err := w.Put(many[i], many[i]); err != nil {
				return err
			}
		}
		return nil
	})
	view(t, db, func(r kv.Reader) error {
		values, err := r.GetAll(many...)
		for i, value := range values {
			if !bytes.Equal(value, many[i]) {
				t.Errorf("%s is %s", many[i], value)
			}
		}
		return err
	})
}

func scanIsHalfOpen(t *testing.T, open Opener) {
	db := fresh(t, open)
	put(t, db, "b", "2", "a", "1", "d", "4", "\xff", "6", "c", "3", "\x00", "0", "d\x00", "5")
	check := func(r kv.Reader) {
		for _, test := range []struct {
			start, end []byte
			want       string
		}{
			{nil, nil, "\x00=0 a=1 b=2 c=3 d=4 d\x00=5 \xff=6"},
			{[]byte{}, nil, "\x00=0 a=1 b=2 c=3 d=4 d\x00=5 \xff=6"},
			{[]byte("b"), []byte("d"), "b=2 c=3"},
			{[]byte("aa"), []byte("cc"), "b=2 c=3"},
			{[]byte("d"), []byte("d\x00"), "d=4"},
			{[]byte("d"), nil, "d=4 d\x00=5 \xff=6"},
			{nil, []byte("a"), "\x00=0"},
			{nil, []byte{}, ""},
			{[]byte("b"), []byte("b"), ""},
			{[]byte("d"), []byte("b"), ""},
			{[]byte("\xff\xff"), nil, ""},
		} {
			has(t, r, test.start, test.end, test.want)
		}
	}
	view(t, db, func(r kv.Reader) error { check(r); return nil })
	update(t, db, func(w kv.Writer) error { check(w); return nil })
}

func scanPrefix(t *testing.T, open Opener) {
	db := fresh(t, open)
	put(t, db, "game", "0", "game/", "1", "game/\xff\xff", "2", "game/a", "3", "game0", "4", "\xff\xff", "5", "\xff\xff\xff", "6", "\xff", "7")
	view(t, db, func(r kv.Reader) error {
		start, end := kv.Prefix([]byte("game/"))
		has(t, r, start, end, "game/=1 game/a=3 game/\xff\xff=2")
		start, end = kv.Prefix([]byte("\xff\xff"))
		has(t, r, start, end, "\xff\xff=5 \xff\xff\xff=6")
		return nil
	})
}

func scanAgain(t *testing.T, open Opener) {
	db := fresh(t, open)
	put(t, db, "a", "1", "b", "2", "c", "3")
	check := func(r kv.Reader) error {
		start := []byte("a")
		scan := r.Scan(start, nil)
		start[0] = 'c' // the range is the one that was asked for
		for range 2 {
			for item, err := range scan {
				if err != nil {
					return err
				}
				if string(item.Key) != "a" {
					t.Errorf("the scan began at %q", item.Key)
				}
				break
			}
		}
		has(t, r, nil, nil, "a=1 b=2 c=3")
		return nil
	}
	view(t, db, check)
	update(t, db, func(w kv.Writer) error { return check(w) })
}

func scanIsStable(t *testing.T, open Opener) {
	db := fresh(t, open)
	put(t, db, "b", "1", "d", "1", "f", "1")
	update(t, db, func(w kv.Writer) error {
		if err := putAll(w, "c", "1", "e", "1"); err != nil {
			return err
		}
		seen := ""
		for item, err := range w.Scan(nil, nil) {
			if err != nil {
				return err
			}
			seen += string(item.Key) + string(item.Value)
			if err := putAll(w, "a", "2", "c", "2", "d", "2", "e", "2", "z", "2"); err != nil {
				return err
			}
			if err := w.Delete([]byte("f")); err != nil {
				return err
			}
		}
		if seen != "b1c1d1e1f1" {
			t.Errorf("the scan saw %s", seen)
		}
		has(t, w, nil, nil, "a=2 b=1 c=2 d=2 e=2 z=2")
		return nil
	})
	holds(t, db, "a=2 b=1 c=2 d=2 e=2 z=2")
}

func updateReadsOwnWrites(t *testing.T, open Opener) {
	db := fresh(t, open)
	put(t, db, "stored", "1", "changed", "1", "deleted", "1")
	update(t, db, func(w kv.Writer) error {
		if err := putAll(w, "changed", "2", "new", "2", "fleeting", "2"); err != nil {
			return err
		}
		for _, key := range []string{"deleted", "fleeting"} {
			if err := w.Delete([]byte(key)); err != nil {
				return err
			}
		}
		for key, want := range map[string]string{"stored": "1", "changed": "2", "new": "2", "deleted": "", "fleeting": ""} {
			value, err := w.Get([]byte(key))
			if err != nil {
				return err
			}
			if string(value) != want || (value == nil) != (want == "") {
				t.Errorf("%s is %q; want %q", key, value, want)
			}
		}
		return nil
	})
	holds(t, db, "changed=2 new=2 stored=1")
}

func scanMerges(t *testing.T, open Opener) {
	db := fresh(t, open)
	put(t, db, "b", "1", "d", "1", "f", "1", "h", "1")
	update(t, db, func(w kv.Writer) error {
		if err := putAll(w, "a", "2", "c", "2", "d", "2", "i", "2", "j", "2"); err != nil {
			return err
		}
		for _, key := range []string{"b", "h", "j", "x"} {
			if err := w.Delete([]byte(key)); err != nil {
				return err
			}
		}
		has(t, w, nil, nil, "a=2 c=2 d=2 f=1 i=2")
		has(t, w, []byte("b"), []byte("i"), "c=2 d=2 f=1")
		has(t, w, []byte("b"), []byte("d"), "c=2")
		has(t, w, []byte("e"), []byte("f\x00"), "f=1")
		has(t, w, []byte("g"), nil, "i=2")
		return nil
	})
	holds(t, db, "a=2 c=2 d=2 f=1 i=2")
}

func bytesReadAreOwn(t *testing.T, open Opener) {
	db := fresh(t, open)
	put(t, db, "a", "1", "b", "2")
	var kept [][]byte
	spoil := func(r kv.Reader) error {
		value, err := r.Get([]byte("a"))
		if err != nil {
			return err
		}
		own := [][]byte{value}
		for item, err := range r.Scan(nil, nil) {
			if err != nil {
				return err
			}
			own = append(own, item.Key, item.Value)
		}
		for _, b := range own {
			clear(b)
			_ = append(b, "overrun"...)
		}
		kept = append(kept, own...)
		return nil
	}
	view(t, db, spoil)
	update(t, db, func(w kv.Writer) error { return spoil(w) })
	update(t, db, func(w kv.Writer) error {
		if err := putAll(w, "a", "1", "b", "2"); err != nil {
			return err
		}
		if err := spoil(w); err != nil {
			return err
		}
		has(t, w, nil, nil, "a=1 b=2")
		return nil
	})
	holds(t, db, "a=1 b=2")
	for _, b := range kept {
		if !bytes.Equal(b, []byte{0}) {
			t.Errorf("bytes changed to %q after their transaction", b)
		}
	}
}

func bytesWrittenAreCopied(t *testing.T, open Opener) {
	db := fresh(t, open)
	put(t, db, "x", "1")
	key, value := []byte("a"), []byte("1")
	update(t, db, func(w kv.Writer) error {
		key[0], value[0] = 'a', '1'
		if err := w.Put(key, value); err != nil {
			return err
		}
		key[0], value[0] = 'b', '2'
		if err := w.Put(key, value); err != nil {
			return err
		}
		key[0] = 'x'
		if err := w.Delete(key); err != nil {
			return err
		}
		key[0], value[0] = 'c', '3'
		has(t, w, nil, nil, "a=1 b=2")
		return nil
	})
	key[0], value[0] = 'd', '4'
	holds(t, db, "a=1 b=2")
}

func overIsOver(t *testing.T, open Opener) {
	db := fresh(t, open)
	put(t, db, "a", "1", "b", "2")
	var reader kv.Reader
	var writer kv.Writer
	var scans []func() (kv.Item, error, bool)
	keep := func(r kv.Reader) error {
		next, stop := iter.Pull2(r.Scan(nil, nil))
		t.Cleanup(stop)
		_, err, _ := next()
		scans = append(scans, next)
		return err
	}
	view(t, db, func(r kv.Reader) error { reader = r; return keep(r) })
	update(t, db, func(w kv.Writer) error { writer = w; return keep(w) })

	for _, r := range []kv.Reader{reader, writer} {
		_, err := r.Get([]byte("a"))
		wantErr(t, "Get", err, kv.ErrOver)
		_, err = list(r, nil, nil)
		wantErr(t, "Scan", err, kv.ErrOver)
	}
	wantErr(t, "Put", writer.Put([]byte("a"), []byte("3")), kv.ErrOver)
	wantErr(t, "Delete", writer.Delete([]byte("a")), kv.ErrOver)
	for _, next := range scans {
		_, err, _ := next()
		wantErr(t, "a scan going on", err, kv.ErrOver)
	}
	holds(t, db, "a=1 b=2")
}
