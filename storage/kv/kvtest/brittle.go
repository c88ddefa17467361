package kvtest

import (
	"context"
	"errors"

	"chimera/storage/kv"
)

// Brittle is an engine that simulates the end of the program in transactions while Ends runs: first within one, and the
// next time just after it. It is for one goroutine.
type Brittle struct {
	kv.DB
	Chance func() bool // whether the program ends in the next transaction; nil for always

	on, after bool
}

var errEnds = errors.New("the program ends")

// Update implements [kv.DB].
func (b *Brittle) Update(ctx context.Context, fn func(kv.Writer) error) error {
	if !b.on || b.Chance != nil && !b.Chance() {
		return b.DB.Update(ctx, fn)
	}
	after := b.after
	b.after = !after
	err := b.DB.Update(ctx, func(w kv.Writer) error {
		err := fn(w)
		if !after {
			panic(errEnds)
		}
		return err
	})
	if err != nil {
		return err
	}
	panic(errEnds)
}

// Ends runs something in which the program may end, and reports whether it did.
func (b *Brittle) Ends(do func() error) (ended bool, err error) {
	b.on = true
	defer func() {
		b.on = false
		if p := recover(); p != nil {
			if p != errEnds { //nolint:errorlint // it is this one or none of ours
				panic(p)
			}
			ended = true
		}
	}()
	return false, do()
}
