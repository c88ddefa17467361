package storage

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"chimera/storage/kv"
)

// A kind is how the records of a table are stored. A record type may have methods for more:
//
//	index() Index              the keys that lead to it
//	loaded([]byte) bool        makes it fit for use; false if it cannot be the record of this key, without the prefix
//	into() (K, bool)           another record that stands for it
//	prepare(Writer, *V) error  called before it is written in the place of another, or of the zero one
//	replaced(Writer, *V) error called after that, and on the zero record after a deletion
type kind[K, V any] struct {
	name       string // for people, and in a Ref
	prefix     string
	of         func(*V) K
	quarantine bool // corrupt records are quarantined; those of other kinds count as missing
}

// A pair is a key of two parts.
type pair[A, B any] struct {
	first  A
	second B
}

func (p pair[A, B]) parts() []any { return []any{p.first, p.second} }

// A Table reads the records of one kind within a transaction.
type Table[K, V any] struct {
	kind *kind[K, V]
	r    Reader
}

// Get reads a record, or returns ErrNotFound.
func (t Table[K, V]) Get(k K) (V, error) {
	v, err := t.follow(t.stored(k))
	return *v, err
}

// follow reads the record that stands for another.
func (t Table[K, V]) follow(v *V, err error) (*V, error) {
	if gone, ok := any(v).(interface{ into() (K, bool) }); ok && err == nil {
		if k, ok := gone.into(); ok {
			return t.follow(t.stored(k))
		}
	}
	return v, err
}

// stored reads the record under a key itself.
func (t Table[K, V]) stored(k K) (*V, error) {
	key := t.kind.key(k)
	value, err := t.r.kv.Get(key)
	return t.decode(kv.Item{Key: key, Value: value}, err)
}

// decode reads the record of a pair, which has no value if there is none.
func (t Table[K, V]) decode(item kv.Item, err error) (*V, error) {
	v := new(V)
	if err == nil && item.Value == nil {
		err = ErrNotFound
	} else if err == nil {
		err = Decode(item.Value, v)
	}
	if found, ok := any(v).(interface{ loaded([]byte) bool }); ok && err == nil && !found.loaded(item.Key[len(t.kind.prefix):]) {
		err = errContradiction
	}
	if err != nil && t.kind.quarantine {
		t.r.corrupt.note(Ref{t.kind.name, End(item.Key)}, err)
	}
	return v, err
}

var errContradiction = fmt.Errorf("storage: the record contradicts itself: %w", kv.ErrCorrupt)

// Find reads a record, or returns the zero one if it is missing or corrupt.
func (t Table[K, V]) Find(k K) (V, error) {
	v, err := t.Get(k)
	if Missing(err) {
		return *new(V), nil
	}
	return v, err
}

// Each yields the records of some keys, without those missing or corrupt. If finding the keys failed, it yields that
// error.
func (t Table[K, V]) Each(keys []K, failed ...error) iter.Seq2[V, error] {
	return func(yield func(V, error) bool) {
		if err := errors.Join(failed...); err != nil {
			yield(*new(V), err)
			return
		}
		for _, k := range keys {
			v, err := t.Get(k)
			if Missing(err) {
				continue
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
}

// readAtOnce is how many records All reads from an engine together.
const readAtOnce = 256

// All are the records that Each yields, read together, which takes fewer trips to a remote engine.
func (t Table[K, V]) All(keys []K, failed ...error) ([]V, error) {
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	all := make([]V, 0, len(keys))
	err := readTogether(t.r, keys, t.kind.key, func(_ K, item kv.Item) error {
		v, err := t.follow(t.decode(item, nil))
		switch {
		case Missing(err):
			return nil
		case err == nil:
			all = append(all, *v)
		}
		return err
	})
	return all, err
}

// readTogether calls each with each thing and its stored pair, which has no value if there is none.
func readTogether[K any](r Reader, things []K, key func(K) []byte, each func(K, kv.Item) error) error {
	for some := range slices.Chunk(things, readAtOnce) {
		keys := make([][]byte, len(some))
		for i, k := range some {
			keys[i] = key(k)
		}
		values, err := r.kv.GetAll(keys...)
		for i, value := range values {
			if err == nil {
				err = each(some[i], kv.Item{Key: keys[i], Value: value})
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// scan yields the records whose keys begin with some parts, in order, without corrupt ones.
func (t Table[K, V]) scan(parts ...any) iter.Seq2[V, error] {
	return func(yield func(V, error) bool) {
		for item, err := range t.r.kv.Scan(kv.Prefix(Key(t.kind.prefix, parts...))) {
			if err != nil {
				yield(*new(V), err)
				return
			}
			if v, err := t.decode(item, nil); err == nil && !yield(*v, nil) {
				return
			}
		}
	}
}

// List are all records whose keys begin with some parts, in order, without corrupt ones.
func (t Table[K, V]) List(parts ...any) ([]V, error) {
	return collect(t.scan(parts...), 0, func(v V) (V, bool) { return v, true })
}

// Rows is a Table that can be written to.
type Rows[K, V any] struct {
	Table[K, V]
	w Writer
}

// Put writes a record and its indexes, replacing the old ones.
func (t Rows[K, V]) Put(v V) error { return t.Set(t.kind.of(&v), v) }

// Set is Put for a record that does not contain its key.
func (t Rows[K, V]) Set(k K, v V) error {
	was, lead, err := t.was(k)
	if err != nil {
		return err
	}
	return t.write(k, &was, lead, &v)
}

// Replace is Put when the stored record is known, and need not be read again.
func (t Rows[K, V]) Replace(was, v *V) error { return t.write(t.kind.of(v), was, indexOf(was), v) }

func (t Rows[K, V]) write(k K, was *V, lead Index, v *V) error {
	if p, ok := any(v).(interface{ prepare(Writer, *V) error }); ok {
		if err := p.prepare(t.w, was); err != nil {
			return err
		}
	}
	if err := errors.Join(reindex(t.w.out, lead, indexOf(v)), Put(t.w.out, t.kind.key(k), v)); err != nil {
		return err
	}
	return replaced(t.w, v, was)
}

// Delete removes a record and its indexes, if there is one.
func (t Rows[K, V]) Delete(k K) error {
	was, lead, err := t.was(k)
	if err != nil {
		return err
	}
	return errors.Join(reindex(t.w.out, lead, nil), t.w.out.Delete(t.kind.key(k)), replaced(t.w, new(V), &was))
}

// Change reads a record, changes it, and writes it again.
func (t Rows[K, V]) Change(k K, change func(*V)) error {
	v, err := t.Get(k)
	if err != nil {
		return err
	}
	change(&v)
	return t.Put(v)
}

// was is the record to be replaced, and its index: both zero if there is none.
func (t Rows[K, V]) was(k K) (was V, lead Index, err error) {
	found, err := t.stored(k)
	switch {
	case err == nil:
		return *found, indexOf(found), nil
	case errors.Is(err, ErrNotFound), !t.kind.quarantine && Missing(err):
		return *new(V), nil, nil
	}
	return was, nil, err
}

func replaced[V any](w Writer, now, was *V) error {
	if r, ok := any(now).(interface{ replaced(Writer, *V) error }); ok {
		return r.replaced(w, was)
	}
	return nil
}

func indexOf[V any](v *V) Index {
	if x, ok := any(v).(interface{ index() Index }); ok {
		return x.index()
	}
	return nil
}

// The tables, which are never written.
//
//nolint:gochecknoglobals // they stand for types
var (
	games      = kind[GameID, Game]{OfGame, "game/", func(g *Game) GameID { return g.ID }, true}
	challenges = kind[GameID, Challenge]{OfChallenge, "challenge/", func(c *Challenge) GameID { return c.ID }, true}
	people     = kind[PersonID, Person]{OfPerson, "person/", func(p *Person) PersonID { return p.ID }, true}
	places     = kind[PlaceID, Place]{OfPlace, "place/", func(p *Place) PlaceID { return p.ID }, true}
	servers    = kind[ServerID, Server]{OfServer, "server/", func(s *Server) ServerID { return s.ID }, true}
	entries    = kind[entryID, Entry]{OfEntry, "outbox/", (*Entry).id, true}
	dead       = kind[entryID, Entry]{"undeliverable entry", "dead/", (*Entry).id, false}
	sessions   = kind[[]byte, Session]{"pass", "pass/", func(s *Session) []byte { return s.Hash }, false}
	solvers    = kind[solverID, Solver]{"solver at server", "solver/", (*Solver).id, false}
	states     = kind[stateID, State]{"", "memory/", (*State).id, false}
	jobs       = kind[JobID, Job]{"", "task/", (*Job).ID, false}
	links      = kind[string, Link]{"", "link/", nil, false}
	reviews    = kind[GameID, Review]{"", "review/", nil, false}
	leagues    = kind[LeagueID, League]{"league", "league/", func(l *League) LeagueID { return l.ID }, false}
	members    = kind[MemberID, Member]{"member of league", "member/", (*Member).ID, false}
	seasons    = kind[SeasonID, LeagueSeason]{"season", "season/", func(s *LeagueSeason) SeasonID { return s.ID }, false}
	divisions  = kind[divisionID, Division]{"", "division/", (*Division).id, false}
	ladders    = kind[ladderID, Ladder]{"ladder", "ladder/", (*Ladder).id, false}
	dailies    = kind[ServerID, Daily]{"", "daily/", nil, false}
)

// key is the key of a record.
func (k *kind[K, V]) key(of K) []byte {
	if code, ok := any(of).(string); ok { // it is the last part
		return Key(k.prefix, []byte(code))
	}
	return Key(k.prefix, of)
}

func (k *kind[K, V]) in(r Reader) Table[K, V] { return Table[K, V]{k, r} }

func (k *kind[K, V]) writtenBy(w Writer) Rows[K, V] { return Rows[K, V]{k.in(w.Reader), w} }

// The tables of a Reader.
func (r Reader) Games() Table[GameID, Game]             { return games.in(r) }
func (r Reader) Challenges() Table[GameID, Challenge]   { return challenges.in(r) }
func (r Reader) People() Table[PersonID, Person]        { return people.in(r) }
func (r Reader) Places() Table[PlaceID, Place]          { return places.in(r) }
func (r Reader) Servers() Table[ServerID, Server]       { return servers.in(r) }
func (r Reader) Reviews() Table[GameID, Review]         { return reviews.in(r) }
func (r Reader) Sessions() Table[[]byte, Session]       { return sessions.in(r) }
func (r Reader) Solvers() Table[solverID, Solver]       { return solvers.in(r) }
func (r Reader) Dailies() Table[ServerID, Daily]        { return dailies.in(r) }
func (r Reader) Leagues() Table[LeagueID, League]       { return leagues.in(r) }
func (r Reader) Seasons() Table[SeasonID, LeagueSeason] { return seasons.in(r) }
func (r Reader) Jobs() Table[JobID, Job]                { return jobs.in(r) }
func (r Reader) Links() Table[string, Link]             { return links.in(r) }

// The tables of a Writer.
func (w Writer) Games() Rows[GameID, Game]             { return games.writtenBy(w) }
func (w Writer) Challenges() Rows[GameID, Challenge]   { return challenges.writtenBy(w) }
func (w Writer) People() Rows[PersonID, Person]        { return people.writtenBy(w) }
func (w Writer) Places() Rows[PlaceID, Place]          { return places.writtenBy(w) }
func (w Writer) Servers() Rows[ServerID, Server]       { return servers.writtenBy(w) }
func (w Writer) Reviews() Rows[GameID, Review]         { return reviews.writtenBy(w) }
func (w Writer) Sessions() Rows[[]byte, Session]       { return sessions.writtenBy(w) }
func (w Writer) Solvers() Rows[solverID, Solver]       { return solvers.writtenBy(w) }
func (w Writer) Dailies() Rows[ServerID, Daily]        { return dailies.writtenBy(w) }
func (w Writer) Leagues() Rows[LeagueID, League]       { return leagues.writtenBy(w) }
func (w Writer) Members() Rows[MemberID, Member]       { return members.writtenBy(w) }
func (w Writer) Seasons() Rows[SeasonID, LeagueSeason] { return seasons.writtenBy(w) }
func (w Writer) Divisions() Rows[divisionID, Division] { return divisions.writtenBy(w) }
func (w Writer) Ladders() Rows[ladderID, Ladder]       { return ladders.writtenBy(w) }
func (w Writer) Jobs() Rows[JobID, Job]                { return jobs.writtenBy(w) }
func (w Writer) Links() Rows[string, Link]             { return links.writtenBy(w) }

// Readable is a record as JSON for people: dates, lengths of time in words, and nothing empty.
func Readable(record any) (string, error) {
	moments := json.MarshalFunc(func(at time.Time) ([]byte, error) { return json.Marshal(at.UTC().Format("2006-01-02 15:04:05 UTC")) })
	lengths := json.MarshalFunc(func(long time.Duration) ([]byte, error) { return json.Marshal(inWords(long)) })
	text, err := json.Marshal(
		record, json.WithMarshalers(json.JoinMarshalers(moments, lengths)), json.OmitZeroStructFields(true), json.Deterministic(true),
		json.FormatNilSliceAsNull(true), json.FormatNilMapAsNull(true), jsontext.WithIndent("  "),
	)
	return string(text) + "\n", err
}

// inWords is a length of time, such as "3 days 2 hours".
func inWords(long time.Duration) string {
	var said []string
	for _, unit := range []struct {
		name string
		long time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}, {"second", time.Second}} {
		n := long / unit.long
		long -= n * unit.long
		switch n {
		case 0:
		case 1:
			said = append(said, "1 "+unit.name)
		default:
			said = append(said, fmt.Sprintf("%d %ss", n, unit.name))
		}
	}
	if said == nil {
		return "less than a second"
	}
	return strings.Join(said, " ")
}
