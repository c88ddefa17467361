package storage

import (
	"encoding/json"
	"errors"
	"time"

	"chimera/storage/kv"
)

// Seen is the answer that a message was given, for when it comes again.
type Seen struct {
	At     time.Time
	Answer json.RawMessage
	Words  string `json:",omitempty"` // of a refusal, as package bot keeps them
}

// MessageID names a message, a button press or another event on its platform.
// The zero MessageID is of one that has no id and cannot come again.
type MessageID = Address

// Remember is for how long answers are kept at least.
const Remember = 14 * 24 * time.Hour

const seen = "seen/"

// Seen is the answer that a message was given, or ErrNotFound.
func (r Reader) Seen(m MessageID) (Seen, error) {
	var s Seen
	if m.ID == "" {
		return s, ErrNotFound
	}
	return s, get(r.kv, Key(seen, m), &s)
}

// PutSeen remembers the answer to a message. It does nothing for the zero MessageID.
func (w Writer) PutSeen(m MessageID, s Seen) error {
	if m.ID == "" {
		return nil
	}
	return Put(w.out, Key(seen, m), s)
}

// Old looks at the records of a kind, other than SweptStates, from a place in their order on, at most
// limit; "" is the first place. It returns the places of those from before a moment, and where
// to go on, "" at the end. A corrupt record is old, unless it has indexes.
func (r Reader) Old(kind, first string, before time.Time, limit int) (old []string, next string, err error) {
	next, err = r.page(kind, first, limit, func(place string, item kv.Item) {
		if isOld(kind, item, before) {
			old = append(old, place)
		}
	})
	return old, next, err
}

// page calls each for the records of a kind from a place in their order on, at most limit, and
// returns where to go on, "" at the end.
func (r Reader) page(kind, first string, limit int, each func(place string, item kv.Item)) (next string, err error) {
	start, end := kv.Prefix(Key(kind))
	for item, err := range r.kv.Scan(append(start, first...), end) {
		if err != nil {
			return "", err
		}
		place := string(item.Key[len(kind):])
		if limit--; limit < 0 {
			return place, nil
		}
		each(place, item)
	}
	return "", nil
}

// isOld reports whether a record of a kind is from before a moment.
func isOld(kind string, item kv.Item, before time.Time) bool {
	var s struct{ At, Ends time.Time }
	switch kind {
	case SweptPosted:
		s.At = time.UnixMilli(int64(End(item.Value) / step)) //nolint:gosec // it fits
	case SweptDead:
		s.At = time.UnixMilli(int64(End(item.Key) / step)) //nolint:gosec // likewise
	case SweptSessions:
		return Decode(item.Value, &s) == nil && s.Ends.Before(before)
	case SweptSolvers:
		return Decode(item.Value, &s) == nil && s.At.Before(before)
	default:
		_ = Decode(item.Value, &s) // then it is the zero time
	}
	return s.At.Before(before)
}

// Forget removes the records of a kind at some places, and their indexes.
func (w Writer) Forget(kind string, places []string) error {
	f, ok := familyOf([]byte(kind))
	for _, place := range places {
		key := Key(kind, []byte(place))
		var x Index
		if ok && len(f.leads) > 0 {
			value, err := w.kv.Get(key)
			if err != nil {
				return err
			}
			x, _ = f.index(kv.Item{Key: key, Value: value}) // it was read before
		}
		if err := errors.Join(reindex(w.out, x, nil), w.out.Delete(key)); err != nil {
			return err
		}
	}
	return nil
}

// The kinds of records among which old ones are looked for.
const (
	SweptStates = "memory/"
	SweptSeen   = seen
	SweptPosted = posted // the last numbers in queues: in so long, time has passed them
	SweptDead   = "dead/"

	SweptSessions = "pass/" // which are from when they end
	SweptSolvers  = "solver/"
)
