// Package migrate brings databases of earlier program versions up to date.
//
// # Design
//
// Each record is rewritten in place, a batch at a time, in the order of the keys, and the last key of each batch is
// stored with it. If the process ends in between, the next one goes on from there. From the first batch on the database
// has the current schema, to which earlier versions refuse to write, and is marked as unfinished, so that nobody opens
// it before the end.
//
// A record that cannot be read is left as it is, to be quarantined when it is read.
package migrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"chimera/storage"
	"chimera/storage/kv"
)

// oldest is the earliest schema that can be brought up to date.
const oldest = 12

// Past returns the keys of earlier positions that a game's record should have, from its moves; storage knows no rules.
type Past func(*storage.Game) ([]uint64, error)

// Check returns an error if a schema is too old to be brought up to date.
func Check(schema uint64) error {
	if schema < oldest {
		return fmt.Errorf("the database is too old for this version (schema %d): start the version of commit 4a513b6d on it once, and then this one", schema)
	}
	return nil
}

// Run brings a database up to date. It does nothing to an engine that is, or is empty. It fails with storage.ErrNewer
// for a newer program's database. If several processes call it at once, one does the work, and the others wait for it.
func Run(ctx context.Context, db kv.DB, past Past) (err error) {
	leave, err := kv.RolesOf(db).Hold(ctx, "upgrade")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, leave(context.WithoutCancel(ctx))) }()
	schema, err := storage.Schema(ctx, db)
	switch {
	case errors.Is(err, kv.ErrNotDatabase), err == nil && schema == storage.Current:
		return nil
	case err != nil:
		return err
	}
	if err = Check(schema); err == nil {
		err = db.Update(ctx, func(w kv.Writer) error { return storage.BeginUpgrade(w, schema) })
	}
	for more := true; more && err == nil; {
		err = db.Update(ctx, func(w kv.Writer) (err error) {
			more, err = rewrite(w, schema, past)
			return err
		})
	}
	return err
}

const (
	// rewrittenTo holds the last rewritten key, until all are done.
	rewrittenTo = "upgrade/sealed"

	// holding says, until schema 14, which of each person's two standings are valid, "a" or "b", by default "a": all
	// ratings were computed again under the other letter.
	holding = "meta/careers"

	// sealed is the first schema whose values have checksums.
	sealed = 14
)

// rewrite rewrites the next batch of records of a schema, and ends the upgrade when there are no more.
func rewrite(w kv.Writer, schema uint64, past Past) (more bool, err error) {
	last, err := w.Get([]byte(rewrittenTo))
	held, err2 := w.Get([]byte(holding))
	old := w
	if schema >= sealed {
		old = storage.SealTo(w)
	}
	all, err3 := batch(old.Scan(append(last, 0), nil))
	if err := errors.Join(err, err2, err3); err != nil {
		return false, err
	}
	if len(all) == 0 {
		return false, errors.Join(w.Delete([]byte(rewrittenTo)), w.Delete([]byte(holding)), storage.EndUpgrade(w))
	}
	for _, item := range all {
		last = item.Key
		if bytes.HasPrefix(last, []byte("join/")) { // the batch ends, and a later one comes to the job
			if err := joinAsJob(old, item); err != nil {
				return false, err
			}
			break
		}
		if err := rewriteOne(w, item, schema, held, past); err != nil {
			return false, err
		}
	}
	return true, w.Put([]byte(rewrittenTo), last)
}

// rewriteOne rewrites any record but a join.
func rewriteOne(w kv.Writer, item kv.Item, schema uint64, held []byte, past Past) error {
	key, value := item.Key, item.Value
	switch string(key) {
	case "meta/schema", "meta/upgrade", rewrittenTo, holding:
		return nil
	}
	if which, ok := standings(key); ok {
		err := w.Delete(key)
		if holds := bytes.HasPrefix(held, []byte("b")); holds == (which == 'b') {
			key = key[:len(key)-1]
			err = errors.Join(err, w.Put(key, storage.Seal(key, value)))
		}
		return err
	}
	if bytes.HasPrefix(key, []byte("passend/")) || bytes.HasPrefix(key, []byte("solverend/")) {
		return w.Delete(key) // until schema 14 these led to sessions and solvers
	}
	if schema >= sealed {
		return nil
	}
	if bytes.HasPrefix(key, []byte(storage.OfGame+"/")) {
		value = withPast(value, past)
	}
	return w.Put(key, storage.Seal(key, value))
}

// standings reports whether a key is of a person's standings, and which ones.
func standings(key []byte) (which byte, ok bool) {
	const before = len("player/") + storage.NumberSize
	if len(key) != before+len("rateda") || !bytes.HasPrefix(key, []byte("player/")) || !bytes.HasPrefix(key[before:], []byte("rated")) {
		return 0, false
	}
	return key[len(key)-1], true
}

// joinAsJob replaces a join of two people's games by a job. Until schema 14 joins had records of their own.
func joinAsJob(w kv.Writer, join kv.Item) error {
	var j struct {
		Of, From, Into         storage.PersonID
		Ready, Played, Counted bool
		Next                   storage.GameID
	}
	if storage.Decode(join.Value, &j) != nil {
		return w.Delete(join.Key)
	}
	job := storage.Job{Kind: storage.JoinJob, Of: uint64(j.Of), Into: uint64(j.Into), Game: j.Next, Counted: j.Counted}
	if j.Into == 0 {
		job.Kind = storage.ForgetJob
	} else if j.Of != j.From {
		job.Kind, job.Into = storage.SplitJob, uint64(j.From)
	}
	for _, done := range []bool{j.Ready, j.Played} {
		if done {
			job.Part++
		}
	}
	return errors.Join(w.Delete(join.Key), storage.Put(w, storage.Key("task/", job.Kind, job.Of), job))
}

// withPast is a game's record with its complete past. Until schema 13 a game forgot it at each pawn move, though pawns
// move backwards in some variants. A game that cannot be replayed stays as it is.
func withPast(value []byte, past Past) []byte {
	var g storage.Game
	if storage.Decode(value, &g) != nil {
		return value
	}
	keys, err := past(&g)
	if err != nil || slices.Equal(keys, g.Past) {
		return value
	}
	g.Past = keys
	if whole, err := storage.Encode(g); err == nil {
		return whole
	}
	return value
}

// batch returns as many of the first items as one transaction may rewrite, allowing for two writes and some growth
// each.
func batch(items iter.Seq2[kv.Item, error]) (all []kv.Item, _ error) {
	size := 0
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		size += len(item.Key) + len(item.Value)
		if len(all) == kv.MaxUpdateWrites/2-1 || len(all) > 0 && size > kv.MaxUpdateSize/2 {
			break
		}
		all = append(all, item)
	}
	return all, nil
}
