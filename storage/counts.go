package storage

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"strings"

	"chimera/storage/kv"
)

// onePage is how many keys are read in one transaction of those that read much: the engine has to
// keep what is overwritten meanwhile, and one that is elsewhere keeps it for some time only.
const onePage = 4096

// view is a way to read a Store.
type view func(context.Context, func(Reader) error) error

// inPages yields what is found in the pairs whose keys have a prefix, of which each transaction
// reads some, in order. find may be called again with those of the same transaction.
func inPages[T any](ctx context.Context, view view, prefix []byte, find func(Reader, []kv.Item) ([]T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		next, end := kv.Prefix(prefix)
		for {
			var found []T
			var rest []byte
			err := view(ctx, func(r Reader) (err error) {
				var some []kv.Item
				rest = nil
				for item, err := range r.kv.Scan(next, end) {
					if err != nil {
						return err
					}
					if len(some) == onePage {
						rest = item.Key
						break
					}
					some = append(some, item)
				}
				found, err = find(r, some)
				return err
			})
			if err != nil {
				yield(*new(T), err)
				return
			}
			for _, one := range found {
				if !yield(one, nil) {
					return
				}
			}
			if next = rest; next == nil {
				return
			}
		}
	}
}

// Games are the numbers of all games, in order. It reads in pages: what comes meanwhile may be
// left out.
func (s *Store) Games(ctx context.Context) ([]GameID, error) {
	return allNumbers[GameID](ctx, s, "game/")
}

// People are the numbers of all people, likewise.
func (s *Store) People(ctx context.Context) ([]PersonID, error) {
	return allNumbers[PersonID](ctx, s, "person/")
}

func allNumbers[N ~uint64](ctx context.Context, s *Store, kind string) ([]N, error) {
	return collect(inPages(ctx, s.View, Key(kind), asStored), 0, lastNumber[N])
}

// asStored lets inPages yield the pairs themselves.
func asStored(_ Reader, some []kv.Item) ([]kv.Item, error) { return some, nil }

// Playing is how many games are in progress. It reads in pages: what begins or ends meanwhile may be
// counted or not.
func (s *Store) Playing(ctx context.Context) (int, error) {
	all, err := allNumbers[GameID](ctx, s, here)
	slices.Sort(all) // where each game is once for each place
	return len(slices.Compact(all)), err
}

// Teaching is what people have had of the teacher and of the opponent. It tells nothing of any of them.
type Teaching struct {
	Begun, Finished int // courses, each person's by themselves
	Puzzles, Solved int // that were answered, and those solved at once
	Practices       int // games against the computer, those in progress included
}

// Teaching counts it in the records of people and games, likewise; lessons is how many there are in
// the course of each kind of game.
func (s *Store) Teaching(ctx context.Context, lessons map[string]int) (t Teaching, err error) {
	ids, err := s.People(ctx)
	for some := range slices.Chunk(ids, readAtOnce) {
		people, err := Read(ctx, s, func(r Reader) ([]Person, error) { return r.People().All(some) })
		if err != nil {
			return t, err
		}
		for _, p := range people {
			t.learner(&p, lessons)
			if _, computer := p.On(Computer); !computer {
				continue
			}
			games, err := Read(ctx, s, func(r Reader) ([]GameID, error) { return r.GamesOf(p.ID) })
			if err != nil {
				return t, err
			}
			t.Practices += len(games)
		}
	}
	return t, err
}

// learner counts what a person has had.
func (t *Teaching) learner(p *Person, lessons map[string]int) {
	if _, also := p.Studies.Done[p.Studies.Game]; p.Studies.Game != "" && !also {
		t.Begun++
	}
	t.Puzzles, t.Solved = t.Puzzles+p.Training.Standing.Games(), t.Solved+p.Training.Standing.Wins
	for kind, done := range p.Studies.Done {
		t.Begun++
		if done >= lessons[kind] {
			t.Finished++
		}
	}
}

// Usage is how much is stored of a kind.
type Usage struct {
	Kind  string // what its keys begin with
	Count int
	Bytes int64 // of keys, values and checksums
}

// Usage is how much is stored of each kind, in order. It is read in steps, so that no long
// transaction keeps space from being used again: what changes meanwhile is counted once,
// twice or not at all.
func (s *Store) Usage(ctx context.Context) ([]Usage, error) {
	var all []Usage
	for item, err := range inPages(ctx, s.View, nil, asStored) {
		if err != nil {
			return nil, err
		}
		all = tally(all, item)
	}
	return all, nil
}

func tally(all []Usage, item kv.Item) []Usage {
	kind := kindOf(item.Key)
	if len(all) == 0 || all[len(all)-1].Kind != kind {
		all = append(all, Usage{Kind: kind})
	}
	last := &all[len(all)-1]
	last.Count++
	last.Bytes += int64(len(item.Key) + len(item.Value) + SealSize)
	return all
}

// kindOf is what the keys of a kind begin with. Among what adapters remember, each platform
// has kinds of its own.
func kindOf(k []byte) string {
	kind, rest, _ := bytes.Cut(k, []byte("/"))
	if string(kind)+"/" != states.prefix {
		return string(kind) + "/"
	}
	platform, name, _ := strings.Cut(string(rest), "\x00")
	name, _, _ = strings.Cut(name, "/")
	return states.prefix + platform + "/" + name + "/"
}
