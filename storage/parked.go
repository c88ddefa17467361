package storage

import (
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"slices"
	"sync"
	"time"

	"chimera/storage/kv"
	"chimera/storage/record"
)

// Ref names a record that can be set aside.
type Ref struct {
	Kind string // one of those below
	ID   uint64
}

// The kinds of records that can be set aside.
const (
	OfGame      = "game"
	OfChallenge = "challenge"
	OfPerson    = "person"
	OfPlace     = "place"
	OfServer    = "server"
	OfEntry     = "entry" // of the outbox
)

// Parked is a record that was set aside since it cannot be read or handled. It stays
// where it is, but all that can be done without it goes on without it.
type Parked struct {
	Ref
	At    time.Time
	Fault string
}

func parkedKey(ref Ref) []byte {
	return record.Number(record.Text(record.Key("parked/"), ref.Kind), ref.ID)
}

// Parked are the records that were set aside, in order of kind and number.
func (r Reader) Parked() ([]Parked, error) {
	prefix := record.Key("parked/")
	return record.Collect(r.kv.Scan(kv.Prefix(prefix)), 0, func(item kv.Item) (p Parked, ok bool) {
		name := item.Key[len(prefix):]
		if len(name) < 9 {
			return p, false
		}
		p.Ref = Ref{string(name[:len(name)-9]), record.End(name)}
		if err := record.Decode(item.Value, &p); err != nil {
			p.Fault = err.Error()
		}
		return p, true
	})
}

// IsParked reports whether a record was set aside.
func (r Reader) IsParked(ref Ref) (bool, error) {
	value, err := r.kv.Get(parkedKey(ref))
	if Lost(err) { // that much is known
		return true, nil
	}
	return value != nil, err
}

// Park sets a record aside, unless it is.
func (w Writer) Park(p Parked) error {
	if parked, err := w.IsParked(p.Ref); parked || err != nil {
		return err
	}
	return record.Put(w.out, parkedKey(p.Ref), p)
}

// Unpark ends that a record is set aside.
func (w Writer) Unpark(ref Ref) error { return w.out.Delete(parkedKey(ref)) }

// Read yields those of some games that are there and can be read, or instead why it failed
// to find out which; so do the others.
func (r Reader) Read(ids []GameID, failed ...error) iter.Seq2[Game, error] {
	return readable(ids, failed, r.Game)
}

// readAtOnce is how many games are asked for together.
const readAtOnce = 256

// ReadAll are those that Read yields. An engine that is elsewhere is asked for many together.
func (r Reader) ReadAll(ids []GameID, failed ...error) ([]Game, error) {
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	all := make([]Game, 0, len(ids))
	for some := range slices.Chunk(ids, readAtOnce) {
		keys := make([][]byte, len(some))
		for i, id := range some {
			keys[i] = gameKey(id)
		}
		values, err := r.kv.GetAll(keys...)
		if err != nil {
			return All(r.Read(ids)) // to leave out what is damaged, and no more
		}
		for i, id := range some {
			g, err := r.asGame(id, values[i], nil)
			if err == nil {
				all = append(all, g)
			} else if !Lost(err) {
				return nil, err
			}
		}
	}
	return all, nil
}

// ReadChallenges yields those of some challenges that are there and can be read.
func (r Reader) ReadChallenges(ids []GameID, failed ...error) iter.Seq2[Challenge, error] {
	return readable(ids, failed, r.Challenge)
}

// ReadPeople yields those of some people that are there and can be read.
func (r Reader) ReadPeople(ids []PersonID, failed ...error) iter.Seq2[Person, error] {
	return readable(ids, failed, r.Person)
}

// ReadPlaces yields those of some places that are there and can be read.
func (r Reader) ReadPlaces(ids []PlaceID, failed ...error) iter.Seq2[Place, error] {
	return readable(ids, failed, r.Place)
}

// ReadServers yields those of some servers that are there and can be read.
func (r Reader) ReadServers(ids []ServerID, failed ...error) iter.Seq2[Server, error] {
	return readable(ids, failed, r.Server)
}

func readable[ID, T any](ids []ID, failed []error, get func(ID) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		if err := errors.Join(failed...); err != nil {
			yield(*new(T), err)
			return
		}
		for _, id := range ids {
			record, err := get(id)
			if Lost(err) {
				continue
			}
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}

// unread notes which records could not be read, until they are set aside. It is safe
// for concurrent use.
type unread struct {
	mu    sync.Mutex
	fresh map[Ref]string // why
	known map[Ref]bool   // they were set aside since the store was opened
}

// note notes a record that could not be read because it is damaged, and returns why.
func (u *unread) note(ref Ref, why error) error {
	if !errors.Is(why, kv.ErrCorrupt) {
		return why
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.fresh == nil {
		u.fresh, u.known = map[Ref]string{}, map[Ref]bool{}
	}
	if !u.known[ref] {
		u.fresh[ref] = why.Error()
	}
	return why
}

// asideAtOnce is how many records are set aside together.
const asideAtOnce = 500

// SetAside parks records that could not be read since it was called last, some of them.
func (s *Store) SetAside(ctx context.Context, now time.Time) error {
	s.unread.mu.Lock()
	fresh := map[Ref]string{}
	for ref, why := range s.unread.fresh {
		if len(fresh) < asideAtOnce {
			fresh[ref] = why
		}
	}
	s.unread.mu.Unlock()
	if len(fresh) == 0 {
		return nil
	}
	err := s.Update(ctx, func(w Writer) error {
		for ref, why := range fresh {
			if err := w.Park(Parked{ref, now, why}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	s.unread.mu.Lock()
	defer s.unread.mu.Unlock()
	for ref := range fresh {
		delete(s.unread.fresh, ref)
		s.unread.known[ref] = true
	}
	return nil
}

// Traces are what the indexes tell of a record that cannot be read itself.
type Traces struct {
	People  []PersonID // who play in it, in order of number
	Places  []PlaceID  // where it goes on, likewise
	Counted bool       // it counts for ratings
}

// TracesOf are those of a game.
func (r Reader) TracesOf(id GameID) (t Traces, err error) {
	_, err = r.pointers(OfGame, uint64(id), func(index string, k []byte) {
		n := binary.BigEndian.Uint64(k[len(index):])
		switch index {
		case "player/":
			t.People = append(t.People, PersonID(n))
		case "here/":
			t.Places = append(t.Places, PlaceID(n))
		case results:
			t.Counted = true
		}
	})
	slices.Sort(t.People)
	t.People = slices.Compact(t.People)
	return t, err
}

// pointers are the index keys of a record, found without it; found is called with each and the index that it is in.
func (r Reader) pointers(kind string, id uint64, found func(index string, k []byte)) (keys [][]byte, err error) {
	for _, index := range indexes(kind) {
		for item, err := range r.kv.Scan(kv.Prefix(record.Key(index))) {
			switch {
			case err != nil:
				return nil, err
			case record.End(item.Key) != id, len(item.Key) < len(index)+2*8: // a career has the number of its person
				continue
			}
			if d, ok := readDue(item.Key[len(index):]); index == "due/" && (!ok || d.Kind != kind) {
				continue
			}
			found(index, item.Key)
			keys = append(keys, item.Key)
		}
	}
	return keys, nil
}

// Replace writes a game in the place of one that cannot be read: it gets new indexes,
// and is set aside no more.
func (w Writer) Replace(g Game) error {
	if err := w.dropPointers(OfGame, uint64(g.ID)); err != nil {
		return err
	}
	return errors.Join(w.PutGame(Game{}, g), w.Unpark(Ref{OfGame, uint64(g.ID)}))
}

// Discard removes a challenge that cannot be read, or what cannot be read of the outbox.
func (w Writer) Discard(ref Ref) error {
	err := errors.Join(w.dropPointers(ref.Kind, ref.ID), w.Unpark(ref))
	if ref.Kind == OfChallenge {
		return errors.Join(err, w.out.Delete(challengeKey(GameID(ref.ID))))
	}
	keys, err2 := w.entryKeys(ref.ID)
	err = errors.Join(err, err2)
	for _, k := range keys {
		err = errors.Join(err, w.out.Delete(k))
	}
	return err
}

func (w Writer) dropPointers(kind string, id uint64) error {
	keys, err := w.pointers(kind, id, func(string, []byte) {})
	for _, k := range keys {
		err = errors.Join(err, w.out.Delete(k))
	}
	return err
}

// All are the records of Read and its like together.
func All[T any](records iter.Seq2[T, error]) ([]T, error) {
	found := []T{}
	for record, err := range records {
		if err != nil {
			return nil, err
		}
		found = append(found, record)
	}
	return found, nil
}
