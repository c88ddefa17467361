// Package migrate brings databases up to date that earlier versions of the program have written.
//
// # Design
//
// A step leads from one schema to the next. It may change more than an engine stores at once, so
// it is planned first: it runs in a transaction that is dropped, and what it has written is stored
// aside, part by part. When all of that is there, it is moved to where it belongs, part by part too. A
// program that ends in between goes on there, and nobody else has to know how far it has come:
// the database has the schema of the step's end from its beginning, which earlier versions
// refuse to write to, and is opened by none before it has been brought up to date.
//
// The step that gives values their checksums changes them where they stand, some at a time, and
// notes how far it has come. Those before it neither read nor write any.
//
// A step knows the keys of its time by itself, so that they may change; where it writes records as
// they are today, a later step must find nothing amiss with that. What cannot be read is left as
// it is: it is set aside by whoever reads it.
package migrate

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"

	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/record"
)

// role is that of whoever brings a database up to date.
const role = "upgrade"

// What a step has written stands aside behind these, under its own key.
const (
	putAside  = "upgrade/put/"
	dropAside = "upgrade/drop/" // it removes the key
)

// Run brings a database up to date. It leaves alone one that is, and an empty engine. It fails
// with storage.ErrNewer for one that a newer program has written. Where several processes call it
// at once, one does the work, and the others wait for it.
func Run(ctx context.Context, db kv.DB, past Past) (err error) {
	leave, err := kv.RolesOf(db).Hold(ctx, role)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, leave(context.WithoutCancel(ctx))) }()
	for {
		from, err := storage.Schema(ctx, db)
		switch {
		case errors.Is(err, kv.ErrNotDatabase), err == nil && from == storage.Current:
			return nil
		case err != nil:
			return err
		}
		if err := lead(ctx, db, from, past); err != nil {
			return err
		}
	}
}

// lead leads from a schema to the next, or goes on with that.
func lead(ctx context.Context, db kv.DB, from uint64, past Past) error {
	planned := false
	err := db.Update(ctx, func(w kv.Writer) (err error) {
		planned, err = storage.BeginUpgrade(w, from)
		return err
	})
	if from == unsealed {
		if err == nil {
			err = seal(ctx, db)
		}
		return err
	}
	if err == nil && !planned {
		err = errors.Join(wipe(ctx, db, putAside), wipe(ctx, db, dropAside))
		if err == nil {
			err = plan(ctx, db, steps()[from], past)
		}
	}
	if err == nil {
		err = carryOut(ctx, db)
	}
	if err != nil {
		return err
	}
	return db.Update(ctx, storage.EndUpgrade)
}

// unsealed is the schema whose values had no checksums.
const unsealed = 13

// sealedTo has the last key of which the value has its checksum, as long as others lack theirs.
const sealedTo = "upgrade/sealed"

// seal gives each value its checksum, some of them at a time, in their order. Each stands where it
// stood, so that nothing is stored aside.
func seal(ctx context.Context, db kv.DB) error {
	for more := true; more; {
		err := db.Update(ctx, func(w kv.Writer) error {
			last, err := w.Get([]byte(sealedTo))
			if err != nil {
				return err
			}
			all, err := first(w.Scan(append(last, 0), nil))
			for _, item := range all {
				last = item.Key
				switch string(item.Key) {
				case "meta/schema", "meta/upgrade", sealedTo:
					continue
				}
				err = errors.Join(err, w.Put(item.Key, record.Seal(item.Key, item.Value)))
			}
			if more = len(all) > 0; more {
				return errors.Join(err, w.Put([]byte(sealedTo), last))
			}
			return errors.Join(err, w.Delete([]byte(sealedTo)), storage.EndUpgrade(w))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// plan stores aside what a step writes.
func plan(ctx context.Context, db kv.DB, step func(work) error, past Past) error {
	var notes notes
	err := db.Update(ctx, func(w kv.Writer) error {
		notes.Writer, notes.aside = w, map[string][]byte{}
		if err := step(work{storage.Over(&notes), &notes, past}); err != nil {
			return err
		}
		return errPlanned
	})
	if !errors.Is(err, errPlanned) {
		return err
	}
	all := make([]kv.Item, 0, len(notes.aside))
	for _, key := range slices.Sorted(maps.Keys(notes.aside)) {
		all = append(all, kv.Item{Key: []byte(key), Value: notes.aside[key]})
	}
	for len(all) > 0 {
		some := all[:fit(all)]
		all = all[len(some):]
		err := db.Update(ctx, func(w kv.Writer) error {
			for _, item := range some {
				if err := w.Put(item.Key, item.Value); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return db.Update(ctx, storage.PlanUpgrade)
}

// errPlanned ends the transaction of a step whose writes are noted.
var errPlanned = errors.New("migrate: it is planned")

// notes note what is written in a transaction.
type notes struct {
	kv.Writer
	aside map[string][]byte
}

// Put implements [kv.Writer].
func (n *notes) Put(key, value []byte) error {
	delete(n.aside, dropAside+string(key))
	n.aside[putAside+string(key)] = bytes.Clone(value)
	return n.Writer.Put(key, value)
}

// Delete implements [kv.Writer].
func (n *notes) Delete(key []byte) error {
	delete(n.aside, putAside+string(key))
	n.aside[dropAside+string(key)] = nil
	return n.Writer.Delete(key)
}

// carryOut moves what was stored aside to where it belongs.
func carryOut(ctx context.Context, db kv.DB) error {
	err := inParts(ctx, db, putAside, func(w kv.Writer, item kv.Item) error {
		return errors.Join(w.Put(item.Key[len(putAside):], item.Value), w.Delete(item.Key))
	})
	if err != nil {
		return err
	}
	return inParts(ctx, db, dropAside, func(w kv.Writer, item kv.Item) error {
		return errors.Join(w.Delete(item.Key[len(dropAside):]), w.Delete(item.Key))
	})
}

// wipe removes what stands behind a prefix.
func wipe(ctx context.Context, db kv.DB, prefix string) error {
	return inParts(ctx, db, prefix, func(w kv.Writer, item kv.Item) error { return w.Delete(item.Key) })
}

// inParts does something with all that stands behind a prefix, which removes it, some at a time.
func inParts(ctx context.Context, db kv.DB, prefix string, do func(kv.Writer, kv.Item) error) error {
	for more := true; more; {
		err := db.Update(ctx, func(w kv.Writer) error {
			all, err := first(w.Scan(kv.Prefix(record.Key(prefix))))
			if err != nil {
				return err
			}
			more = len(all) > 0
			for _, item := range all {
				if err := do(w, item); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// first are as many of some pairs as fit.
func first(items iter.Seq2[kv.Item, error]) (all []kv.Item, _ error) {
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		if all = append(all, item); fit(all) < len(all) {
			return all[:len(all)-1], nil
		}
	}
	return all, nil
}

// fit is how many of some keys, at least one of them, and their values may be moved in one
// transaction, which writes two keys for each.
func fit(all []kv.Item) int {
	const most = kv.MaxUpdateWrites / 2
	size := 0
	for i, item := range all {
		size += 2*len(item.Key) + len(item.Value)
		if i == most || i > 0 && size > kv.MaxUpdateSize {
			return i
		}
	}
	return len(all)
}
