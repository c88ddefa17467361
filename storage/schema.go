package storage

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"chimera/storage/kv"
)

// Schema is the version of the keys and values that are kept.
func (s *Store) Schema(ctx context.Context) (uint64, error) { return Schema(ctx, s.db) }

// Schema is the version of the keys and values in an engine, which is left as it is: the older
// one while these are being brought up to date.
// It fails with ErrNewer and kv.ErrUnfinished where Open would, and with kv.ErrNotDatabase if
// the engine holds no records of ours.
func Schema(ctx context.Context, db kv.DB) (version uint64, err error) {
	err = db.View(ctx, func(r kv.Reader) error {
		if err := kv.Whole(r); err != nil {
			return err
		}
		found, err := r.Get(schemaKey())
		switch {
		case err != nil:
			return err
		case found == nil:
			return fmt.Errorf("storage: no records are in it: %w", kv.ErrNotDatabase)
		}
		if version, err = readSchema(found); err != nil {
			return err
		}
		begun, err := r.Get(upgradeKey())
		if begun != nil { // it is on the way from an older version, of which those before 14 were not noted
			version = max(End(begun), 13)
		}
		return err
	})
	return version, err
}

func schemaKey() []byte { return []byte("meta/schema") }

// readSchema reads a version as it is stored. Up to 13 it is a plain number. Since then it has a
// checksum, and is too high a number for all programs that know of none.
func readSchema(found []byte) (version uint64, err error) {
	if len(found) == NumberSize {
		version = binary.BigEndian.Uint64(found)
	}
	if _, sound := Unseal(schemaKey(), found); sound {
		version >>= 32
	}
	switch {
	case version == 0 || version > math.MaxUint32:
		return 0, fmt.Errorf("storage: the database has no readable version: %w", kv.ErrCorrupt)
	case version > Current:
		return 0, ErrNewer
	}
	return version, nil
}

// PutSchema writes what Schema reads.
func PutSchema(w kv.Writer, version uint64) error { return w.Put(schemaKey(), schema(version)) }

// schema is a version as it is stored.
func schema(version uint64) []byte {
	return Seal(schemaKey(), binary.BigEndian.AppendUint32(nil, uint32(version)))
}

func upgradeKey() []byte { return []byte("meta/upgrade") }

// BeginUpgrade notes that a database is being brought up to date from a version, which keeps all earlier
// versions of the program from writing to it, and all from opening it.
func BeginUpgrade(w kv.Writer, from uint64) error {
	return errors.Join(w.Put(upgradeKey(), Number(from)), PutSchema(w, Current))
}

// EndUpgrade notes that the database is up to date.
func EndUpgrade(w kv.Writer) error { return w.Delete(upgradeKey()) }
