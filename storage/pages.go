package storage

import (
	"context"
	"iter"

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

func allNumbers[N ~uint64](ctx context.Context, s *Store, kind string) (all []N, err error) {
	for n, err := range inPages(ctx, s.View, Key(kind), func(_ Reader, some []kv.Item) (found []N, _ error) {
		for _, item := range some {
			if n, ok := lastNumber[N](item); ok {
				found = append(found, n)
			}
		}
		return found, nil
	}) {
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}
