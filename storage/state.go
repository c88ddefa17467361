package storage

import (
	"bytes"
	"errors"
	"strings"
	"time"

	"chimera/storage/kv"
)

// MaxState is how many bytes an adapter can remember under one key.
const MaxState = 64 << 10

// ErrStateTooLong is returned for a longer value.
var ErrStateTooLong = errors.New("memories: more than can be remembered under one key")

// State is something that an adapter remembers.
type State struct {
	Platform string `json:"-"`
	Name     string `json:"-"`
	Value    []byte
	About    string    `json:",omitempty"` // account that it is about, with whose person it is forgotten; "" if none
	At       time.Time `json:",omitzero"`  // when it was last put, to the day; zero if not known
}

// stateID names what an adapter remembers.
type stateID struct{ platform, name string }

func (m *State) id() stateID { return stateID{m.Platform, m.Name} }

func (id stateID) parts() []any { return []any{id.platform, []byte(id.name)} }

func (m *State) loaded(key []byte) bool { //nolint:unparam // tables ask for it
	m.Platform, m.Name, _ = strings.Cut(string(key), "\x00")
	return true
}

// statesAbout begins the index keys of state about an account.
const statesAbout = "about/"

func aboutKey(platform, account, name string) []byte {
	return Key(statesAbout, platform, account, []byte(name))
}

// Place is the state's position in the order of all state.
func (m *State) Place() string { return string(states.key(m.id())[len(states.prefix):]) }

// stateLedTo is the key of the state that an index key leads to, nil if the index key is damaged.
func stateLedTo(lead []byte) []byte {
	parts := strings.SplitN(string(lead[len(statesAbout):]), "\x00", 3)
	if len(parts) < 3 {
		return nil
	}
	return states.key(stateID{parts[0], parts[2]})
}

func (m *State) index() (x Index) {
	if m.About != "" {
		x.Add(aboutKey(m.Platform, m.About, m.Name))
	}
	return x
}

// prepare notes when the program was last seen at work.
func (m *State) prepare(w Writer, _ *State) error {
	if len(m.Value) > MaxState {
		return ErrStateTooLong
	}
	clocks, err := w.Running()
	m.At = clocks.Alive
	return err
}

// State is what an adapter has stored under a name, nil if nothing.
func (r Reader) State(platform, name string) ([]byte, error) {
	m, err := states.in(r).Find(stateID{platform, name})
	return m.Value, err
}

// StateNames are the names with a prefix that an adapter has stored, in order.
func (r Reader) StateNames(platform, prefix string) ([]string, error) {
	before := len(states.key(stateID{platform, ""}))
	return collect(r.kv.Scan(kv.Prefix(states.key(stateID{platform, prefix}))), 0, func(item kv.Item) (string, bool) {
		return string(item.Key[before:]), true
	})
}

// PutState keeps something for an adapter; a nil value removes it.
func (w Writer) PutState(m State) error {
	if m.Value == nil {
		return states.writtenBy(w).Delete(m.id())
	}
	return states.writtenBy(w).Put(m)
}

// RefreshState is PutState, unless HasState.
func (w Writer) RefreshState(m State) error {
	if has, err := w.HasState(m); has || err != nil {
		return err
	}
	return w.PutState(m)
}

// HasState reports whether PutState is unnecessary: the same value has been there for less than a day.
func (r Reader) HasState(m State) (bool, error) {
	was, err := states.in(r).Find(m.id())
	switch {
	case err != nil:
		return false, err
	case was.Value == nil || m.Value == nil:
		return was.Value == nil && m.Value == nil, nil
	case !bytes.Equal(was.Value, m.Value) || was.About != m.About:
		return false, nil
	}
	clocks, err := r.Running()
	return clocks.Alive.Sub(was.At) < 24*time.Hour, err
}

// ForgetAbout removes what an adapter stores about an account or, under names with one of the kinds as a prefix, such
// as "message/", about the chat with the same id; at most limit. It reports whether there is more.
func (w Writer) ForgetAbout(platform, account string, kinds []string, limit int) (more bool, err error) {
	prefix := aboutKey(platform, account, "")
	names, err := collect(w.kv.Scan(kv.Prefix(prefix)), 0, func(item kv.Item) (string, bool) {
		return string(item.Key[len(prefix):]), true
	})
	for _, kind := range kinds {
		inside, err2 := w.StateNames(platform, kind+account+"/")
		names, err = append(append(names, kind+account), inside...), errors.Join(err, err2)
	}
	for _, name := range names[:min(len(names), limit)] {
		err = errors.Join(err, states.writtenBy(w).Delete(stateID{platform, name}))
	}
	return len(names) > limit, err
}

// StatesFrom is the state of all adapters from a place on, at most limit, and where to go on, "" at the end. Corrupt
// state has no value.
func (r Reader) StatesFrom(first string, limit int) (found []State, next string, err error) {
	next, err = r.page(states.prefix, first, limit, func(place string, item kv.Item) {
		m, _ := states.in(r).decode(item, nil)
		m.loaded([]byte(place))
		found = append(found, *m)
	})
	return found, next, err
}

// Seen is the answer to a message, in case it comes again.
type Seen struct {
	At     time.Time
	Answer Answer
	Words  string `json:",omitempty"` // of a refusal, in package bot's format
}

// Answer is what a message has done, in package event's format, and in which game.
type Answer struct {
	What string
	Game GameID
}

// MessageID names a message, a button press or another event on its platform.
// The zero MessageID is of one that has no id and cannot come again.
type MessageID = Address

// Remember is the minimum time for which answers are kept.
const Remember = 14 * 24 * time.Hour

const seen = "seen/"

// Seen is the answer to a message, or ErrNotFound.
func (r Reader) Seen(m MessageID) (s Seen, err error) {
	if m.ID == "" {
		return s, ErrNotFound
	}
	err = get(r.kv, Key(seen, m), &s)
	return s, err
}

// PutSeen remembers the answer to a message. It does nothing for the zero MessageID.
func (w Writer) PutSeen(m MessageID, s Seen) error {
	if m.ID == "" {
		return nil
	}
	return Put(w.out, Key(seen, m), s)
}

// Old looks at the records of a kind other than SweptStates, from a place on, at most limit; "" is the first place. It
// returns the places of those from before a moment, and where to go on, "" at the end. A corrupt record counts as old,
// unless it has indexes.
func (r Reader) Old(kind, first string, before time.Time, limit int) (old []string, next string, err error) {
	next, err = r.page(kind, first, limit, func(place string, item kv.Item) {
		if isOld(kind, item, before) {
			old = append(old, place)
		}
	})
	return old, next, err
}

// page calls each for the records of a kind from a place on, at most limit, and returns where to go on, "" at the end.
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
		_ = Decode(item.Value, &s) // on an error, At stays zero
	}
	return s.At.Before(before)
}

// Forget removes the records of a kind at some places, and their indexes.
func (w Writer) Forget(kind string, places []string) (err error) {
	f, ok := familyOf([]byte(kind))
	for _, place := range places {
		key := Key(kind, []byte(place))
		var x Index
		if ok && len(f.leads) > 0 {
			value, err2 := w.kv.Get(key)
			err = errors.Join(err, err2)
			x, _ = f.index(kv.Item{Key: key, Value: value}) // it was read before
		}
		err = errors.Join(err, reindex(w.out, x, nil), w.out.Delete(key))
	}
	return err
}

// Kinds of records of which old ones are removed.
const (
	SweptStates = "memory/"
	SweptSeen   = seen
	SweptPosted = posted // the last numbers in queues; time has passed them by then
	SweptDead   = "dead/"

	SweptSessions = "pass/" // their age counts from their end
	SweptSolvers  = "solver/"
)
