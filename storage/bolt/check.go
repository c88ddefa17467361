package bolt

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"runtime"
	"runtime/debug"

	"go.etcd.io/bbolt"

	"chimera/storage/kv"
)

// Check reads the whole file and says what is damaged in it, if anything is. It is for a
// database that was opened to be read only: nothing may be written meanwhile.
func (db *DB) Check() error {
	if err := db.calls.Enter(context.Background()); err != nil {
		return err
	}
	defer db.calls.Leave()
	file, err := os.Open(db.bolt.Path())
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	if metas, err := Metas(file); err != nil || len(metas) < 2 {
		return cmp.Or(err, corrupt("a page that says where all begins is, so what was stored last may be missing"))
	}
	return guard(func() error {
		return db.bolt.View(func(tx *bbolt.Tx) error {
			// bbolt's own check reads in a goroutine of its own, in which a fault of memory ends the
			// process. Nearly all that it would meet there is met here before.
			var last []byte
			cursor := tx.Bucket([]byte(BucketName)).Cursor()
			for key, _ := cursor.First(); key != nil; key, _ = cursor.Next() {
				if bytes.Compare(key, last) <= 0 {
					return corrupt("keys are out of order")
				}
				last = key
			}
			var first error
			for err := range tx.Check() { // to the end, or it reads on when the file is closed
				if first == nil {
					first = corrupt("%v", err)
				}
			}
			return first
		})
	})
}

// guard calls into bbolt and returns kv.ErrCorrupt where bbolt panics or reads
// memory that the file does not back, which it does when the file is damaged.
func guard(call func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch p := recover().(type) {
		case nil:
		case runtime.Error:
			err = corrupt("it is cut short, or contradicts itself")
		default:
			err = corrupt("%v", p)
		}
	}()
	return call()
}

// corrupt is kv.ErrCorrupt with what is damaged and what to do.
func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s; restore a backup, or let salvage take out what is sound", kv.ErrCorrupt, fmt.Sprintf(format, args...))
}

// PageSize is the length in bytes of each page of a file.
const PageSize = 4096

// A Meta is one of the two pages at the beginning of a file that say where all else is. Every
// other commit writes each of them, and bbolt goes by the newer that is sound.
type Meta struct {
	Root    uint64 // the page that lists the buckets
	Free    uint64 // the page that lists the free pages
	End     uint64 // the number of pages in use
	Version uint64 // rises with each commit
}

// Metas are the pages of this kind that are sound, the newer first.
func Metas(file io.ReaderAt) (sound []Meta, err error) {
	const header, magic, sized = 16, 0xED0CDAED, 64 // of a page; of all files of bbolt; with its checksum
	order := binary.NativeEndian
	for page := range int64(2) {
		b := make([]byte, sized)
		if _, err := file.ReadAt(b, page*PageSize+header); errors.Is(err, io.EOF) {
			continue
		} else if err != nil {
			return nil, err
		}
		sum := fnv.New64a()
		_, _ = sum.Write(b[:sized-8])
		if order.Uint32(b) == magic && order.Uint64(b[sized-8:]) == sum.Sum64() {
			sound = append(sound, Meta{Root: order.Uint64(b[16:]), Free: order.Uint64(b[32:]), End: order.Uint64(b[40:]), Version: order.Uint64(b[48:])})
		}
	}
	if len(sound) == 2 && sound[1].Version > sound[0].Version {
		sound[0], sound[1] = sound[1], sound[0]
	}
	return sound, nil
}
