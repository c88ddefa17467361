package storage

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"

	"github.com/go-json-experiment/json/v1" // the next encoding/json, twice as fast at reading

	"chimera/storage/kv"
)

// Numbers of stored things, from 1; 0 is none.
type (
	// PersonID is the number of somebody who plays, or has been challenged.
	PersonID uint64
	// PlaceID is the number of a room in which games are played.
	PlaceID uint64
	// ServerID is the number of a community.
	ServerID uint64
	// GameID is the number of a game, and before that of the challenge it came from; people write it "#12".
	GameID uint64
)

// Key is the key of a record or an index entry: its prefix, then its parts in order. Numbers are
// eight bytes, big end first, so that keys stand in order; texts end with a zero byte, so that no
// other text's keys share their prefix; bytes stand as they are.
func Key(prefix string, parts ...any) []byte {
	key := append(make([]byte, 0, 64), prefix...)
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			key = append(append(key, part...), 0)
		case []byte:
			key = append(key, part...)
		case interface{ parts() []any }:
			key = append(key, Key("", part.parts()...)...)
		default:
			key = binary.BigEndian.AppendUint64(key, reflect.ValueOf(part).Uint())
		}
	}
	return key
}

// NumberSize is how many bytes of a key a number fills.
const NumberSize = 8

// Number is a number as it stands in keys and in values.
func Number[N ~uint64](n N) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

// End is the number at the end of a key or a value, 0 if it is too short.
func End(b []byte) uint64 {
	if len(b) < NumberSize {
		return 0
	}
	return binary.BigEndian.Uint64(b[len(b)-NumberSize:])
}

// lastNumber is the number at the end of a pair's key; false if there is none, which is damage.
func lastNumber[N ~uint64](item kv.Item) (N, bool) {
	n := N(End(item.Key))
	return n, n != 0
}

// numbersIn reads the numbers after a prefix in a key; nil if the key is damaged, which Check reports.
func numbersIn(key []byte, prefix string, n int) []uint64 {
	rest := key[min(len(prefix), len(key)):]
	if len(rest) != n*NumberSize {
		return nil
	}
	all := make([]uint64, n)
	for i := range all {
		all[i] = binary.BigEndian.Uint64(rest[i*NumberSize:])
	}
	return all
}

// numbers are the last numbers of the keys with a prefix, in rising order.
func numbers[N ~uint64](r Reader, prefix []byte) ([]N, error) {
	return collect(r.kv.Scan(kv.Prefix(prefix)), 0, lastNumber[N])
}

// collect applies find to items in order, and keeps the results for which it is true; at most limit, unless that is 0.
func collect[E, T any](items iter.Seq2[E, error], limit int, find func(E) (T, bool)) (all []T, err error) {
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		if found, ok := find(item); ok {
			all = append(all, found)
		}
		if limit > 0 && len(all) == limit {
			break
		}
	}
	return all, nil
}

// first is the first element found, the zero one if there is none.
func first[T any](found []T, err error) (one T, _ error) {
	if len(found) > 0 {
		one = found[0]
	}
	return one, err
}

// next is the next number of a kind, from 1.
func next[N ~uint64](w Writer, kind string) (N, error) {
	seq := Key("seq/" + kind)
	last, err := w.kv.Get(seq)
	if err != nil {
		return 0, err
	}
	n := N(End(last) + 1)
	return n, w.out.Put(seq, Number(n))
}

// encoding begins the values that are JSON.
const encoding = 1

// Encode is the value of a record.
func Encode(v any) ([]byte, error) {
	value, err := json.Marshal(v)
	return append([]byte{encoding}, value...), err
}

// Decode reads a value into v. If it cannot be read, that is kv.ErrCorrupt.
func Decode(value []byte, v any) error {
	if len(value) > 0 && value[0] == damaged {
		return fmt.Errorf("storage: the checksum of a record is wrong: %w", kv.ErrCorrupt)
	}
	if len(value) == 0 || value[0] != encoding {
		return fmt.Errorf("storage: a record of unknown form: %w", kv.ErrCorrupt)
	}
	if err := json.Unmarshal(value[1:], v); err != nil {
		return fmt.Errorf("storage: a record cannot be read (%w): %w", err, kv.ErrCorrupt)
	}
	return nil
}

// ErrNotFound is returned for a record that does not exist.
var ErrNotFound = errors.New("storage: not found")

// Missing reports whether an error means that a record does not exist, or is corrupt.
func Missing(err error) bool { return errors.Is(err, ErrNotFound) || errors.Is(err, kv.ErrCorrupt) }

// UnlessNew is the error, or nil if that says that something has never existed.
func UnlessNew(err error) error {
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// UnlessMissing is the error, or nil if it is Missing.
func UnlessMissing(err error) error {
	if Missing(err) {
		return nil
	}
	return err
}

// Get reads the record of a key into v, or returns ErrNotFound.
func get(r kv.Reader, key []byte, v any) error {
	value, err := r.Get(key)
	switch {
	case err != nil:
		return err
	case value == nil:
		return ErrNotFound
	}
	return Decode(value, v)
}

// find is get for a record that may not exist, and reports whether it does.
func find(r kv.Reader, key []byte, v any) (found bool, err error) {
	err = get(r, key, v)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Put writes a record that has no indexes.
func Put(w kv.Writer, key []byte, v any) error {
	value, err := Encode(v)
	if err != nil {
		return err
	}
	return w.Put(key, value)
}

// Mark writes a key without a value, or removes it.
func Mark(w kv.Writer, key []byte, wanted bool) error {
	if wanted {
		return w.Put(key, []byte{})
	}
	return w.Delete(key)
}

// An Index is the keys that lead to a record, with their values. It depends on the record alone, so that writing,
// checking and repairing can all use it.
type Index []kv.Item

// Add adds a key without a value.
func (x *Index) Add(key []byte) { *x = append(*x, kv.Item{Key: key, Value: []byte{}}) }

// Point adds a key whose value is the number of the record.
func (x *Index) Point(key []byte, id uint64) { *x = append(*x, kv.Item{Key: key, Value: Number(id)}) }

// reindex replaces the index of a record by that of its new version.
func reindex(w kv.Writer, was, now Index) (err error) {
	for _, item := range was {
		if _, stays := now.find(item.Key); !stays {
			err = errors.Join(err, w.Delete(item.Key))
		}
	}
	for _, item := range now {
		if before, stood := was.find(item.Key); !stood || !bytes.Equal(before, item.Value) {
			err = errors.Join(err, w.Put(item.Key, item.Value))
		}
	}
	return err
}

// find is the value of a key.
func (x Index) find(key []byte) (value []byte, ok bool) {
	for _, item := range x {
		if bytes.Equal(item.Key, key) {
			return item.Value, true
		}
	}
	return nil, false
}

// Prefixes of index keys that are used in several places.
const (
	here       = "here/"
	identities = "identity/"
	addresses  = "address/"
	serverAt   = "serverat/"
)

// addDue adds the key of a deadline to an index.
func addDue(x *Index, d Deadline) {
	if !d.At.IsZero() {
		x.Add(dueKey(d))
	}
}

func (g *Game) index() (x Index) {
	kind := played
	if !g.Over() {
		kind = playing
		for _, p := range g.Places() {
			x.Add(Key(here, p, g.ID))
		}
		if g.Season != 0 {
			x.Add(Key(running, g.Season, g.ID))
		}
	}
	for _, p := range g.Players {
		x.Add(Key("player/", p, []byte(kind), g.ID))
	}
	addDue(&x, Deadline{g.Clock.Wake, DueGame, uint64(g.ID)})
	if g.Counted {
		value, _ := Encode(ResultOf(g)) // encoding it cannot fail; the log has it whole
		x = append(x, kv.Item{Key: resultKey(g.Changed, g.ID), Value: value})
	}
	if g.Awaited() != 0 {
		x.Add(Key(thinking, g.ID))
	}
	addBeaten(&x, g)
	for side, pieces := range g.Made {
		for piece := range pieces {
			if g.Listed && g.Levels[side] == 0 {
				x.Add(Key(made, g.Players[side], g.Variant, piece, g.ID))
			}
		}
	}
	return x
}

func (c *Challenge) index() (x Index) {
	x.Add(Key("challenger/", c.From, c.ID))
	if c.To != 0 {
		x.Add(Key("challenged/", c.To, c.ID))
	} else {
		x.Add(Key("open/", c.Place, c.ID))
		if c.Server != 0 || c.Public {
			x.Add(Key("lobby/", c.Server, c.ID))
		}
	}
	x.Add(Key("toldat/", c.Place, c.ID))
	if c.Seat != 0 && c.Seat != c.Place {
		x.Add(Key("toldat/", c.Seat, c.ID))
	}
	addDue(&x, Deadline{c.Due(), DueChallenge, uint64(c.ID)})
	return x
}

func (p *Person) index() (x Index) {
	for _, a := range p.Identities {
		x.Point(Key(identities, a), uint64(p.ID))
	}
	for _, other := range p.Blocked {
		x.Add(Key("blocked/", other, p.ID))
	}
	if p.unlisted() {
		x.Add(Key("unlisted/", p.ID))
	}
	addDue(&x, Deadline{p.Vacation.Until, DueVacation, uint64(p.ID)})
	return x
}

func (p *Place) index() (x Index) {
	if p.Address.ID != "" {
		x.Point(Key(addresses, p.Address), uint64(p.ID))
	}
	if p.Server != 0 {
		x.Add(Key("in/", p.Server, p.ID))
	}
	return x
}

func (s *Server) index() (x Index) {
	if s.Into != 0 {
		return x
	}
	x.Point(Key(serverAt, s.Address), uint64(s.ID))
	for _, p := range s.Settings.Hidden {
		x.Add(Key("hidden/", p, s.ID))
	}
	if season := s.Settings.Season; season.Place != 0 {
		x.Add(Key("closing/", uint64(season.Month), s.ID))
	}
	if next := s.Settings.Puzzles.Next; !next.IsZero() {
		x.Add(Key(dailyAt, uint64(next.Unix()), s.ID))
	}
	return x
}

// A family is a kind of record, with the keys that lead to it.
type family struct {
	name, prefix string
	numbered     bool     // its keys are one number
	leads        []string // the prefixes of the index keys
	index        func(kv.Item) (Index, error)
}

// families are all kinds of records that are checked.
func families() []family {
	return []family{
		games.family(true, "player/", here, running, due, results, thinking, beaten, made),
		challenges.family(true, "challenger/", "challenged/", "open/", "lobby/", "toldat/", due),
		people.family(true, identities, "blocked/", "unlisted/", due),
		places.family(true, addresses, "in/"),
		servers.family(true, serverAt, "hidden/", "closing/", dailyAt),
		leagues.family(true, leagueOf, leagueAt),
		members.family(false, memberOf),
		seasons.family(true, champion),
		solvers.family(false, solversIn),
		sessions.family(false, sessionsOf),
		entries.family(false),
		dead.family(false),
		{"", states.prefix, false, []string{statesAbout}, func(item kv.Item) (Index, error) {
			var m State
			_ = Decode(item.Value, &m) // corrupt means missing here
			m.loaded(item.Key[len(states.prefix):])
			return m.index(), nil
		}},
	}
}

func (k *kind[K, V]) family(numbered bool, leads ...string) family {
	return family{k.name, k.prefix, numbered, leads, func(item kv.Item) (Index, error) {
		found := new(V)
		if err := Decode(item.Value, found); err != nil {
			return nil, err
		}
		return indexOf(found), nil
	}}
}

// familyOf is the family of the record at a key; false if it has none.
func familyOf(key []byte) (family, bool) {
	for _, f := range families() {
		if bytes.HasPrefix(key, []byte(f.prefix)) {
			return f, true
		}
	}
	return family{}, false
}

// leads are the prefixes of all index keys.
func leads() (all []string) {
	for _, f := range families() {
		all = append(all, f.leads...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// owner is the key of the only record that can account for an index key, nil if that is damaged.
func owner(prefix string, item kv.Item) []byte {
	rest := item.Key[len(prefix):]
	switch prefix {
	case due:
		d, ok := readDue(rest)
		kind, known := map[string]string{DueGame: games.prefix, DueChallenge: challenges.prefix, DueVacation: people.prefix}[d.Kind]
		if !ok || !known {
			return nil
		}
		return Key(kind, d.ID)
	case identities, addresses, serverAt, leagueOf:
		rest = item.Value
	case memberOf, solversIn: // their numbers are those of the record's key, swapped
		if n := numbersIn(item.Key, prefix, 2); n != nil {
			return Key(map[string]string{memberOf: members.prefix, solversIn: solvers.prefix}[prefix], n[1], n[0])
		}
		return nil
	case sessionsOf:
		return sessions.key(rest[min(len(rest), NumberSize):])
	case statesAbout:
		return stateLedTo(item.Key)
	}
	if p, ok := standingsAt(item.Key); ok {
		return people.key(p)
	}
	for _, f := range families() {
		if len(rest) >= NumberSize && slices.Contains(f.leads, prefix) {
			return Key(f.prefix, End(rest))
		}
	}
	return nil
}
