package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"go.etcd.io/bbolt"

	"chimera/storage/kv"
)

// Check reads the whole file and says what is damaged in it, if anything is. It is for a
// database that was opened to be read only: nothing may be written meanwhile.
func (db *DB) Check() error {
	if err := db.enter(context.Background()); err != nil {
		return err
	}
	defer db.running.Done()
	tx, _, err := db.begin(false)
	if err != nil {
		return err
	}
	defer func() { _ = db.rollback(tx) }()
	return guard(func() error {
		if err := db.inspect(tx, true); err != nil {
			return err
		}
		var first error
		for err := range tx.Check() { // to the end, or it reads on when the file is closed
			if first == nil {
				first = corrupt("%v", err)
			}
		}
		return first
	})
}

// inspect refuses a file that bbolt should not be let at. It reads the leaves too if all
// is true.
func (db *DB) inspect(tx *bbolt.Tx, all bool) error {
	info, err := db.file.Stat()
	if err != nil {
		return err
	}
	if size := tx.Size(); size <= 0 || info.Size() < size {
		return corrupt("the file is cut short: %d bytes of %d", info.Size(), size)
	}
	buckets := tx.Cursor()
	name, _ := buckets.First()
	if other, _ := buckets.Next(); other != nil || name != nil && string(name) != bucketName {
		return fmt.Errorf("%w: it has other buckets", kv.ErrNotDatabase)
	}
	bucket := tx.Bucket([]byte(bucketName))
	if bucket == nil {
		return nil // the making of the file was interrupted
	}
	size := db.bolt.Info().PageSize
	pages := &tree{file: db.file, size: uint64(size), met: make([]bool, tx.Size()/int64(size))}
	err = pages.meta(uint64(tx.ID()))
	if err == nil {
		err = pages.walk(uint64(bucket.Root()), all)
	}
	if err == nil && all {
		err = inOrder(bucket)
	}
	return err
}

// inOrder says what is wrong with the pairs of a bucket.
func inOrder(bucket *bbolt.Bucket) error {
	var last []byte
	for item, err := range (&reader{bucket: bucket}).Scan(nil, nil) {
		if err != nil {
			return err
		}
		if bytes.Compare(item.Key, last) <= 0 {
			return corrupt("keys are out of order")
		}
		last = item.Key
	}
	return nil
}

// A tree is the pages of a file, of which none may be met twice. Nothing recovers from a
// branch that leads bbolt in a circle, or, within bbolt's own check, out of the file.
type tree struct {
	file io.ReaderAt
	size uint64 // of a page
	met  []bool
}

const (
	headerSize  = 16 // of a page: number uint64, flags uint16, count uint16, overflow uint32
	elementSize = 16 // of a branch: pos, size of the key uint32, child uint64
	branchFlag  = 0x01
	leafFlag    = 0x02
	manyFree    = 0xffff // this count says that the first number of the list is the count

	metaSize   = 64 // of the beginning of a meta page, which has the numbers
	rootOffset = 32 // of the page that lists the buckets,
	listOffset = 48 // and of that which lists the free pages
)

// walk follows the branches from a root, all of which are above the leaves, and with all
// looks at what the leaves say of themselves.
func (t *tree) walk(root uint64, all bool) error {
	if root == 0 {
		return nil // the bucket is part of its parent
	}
	for level := []uint64{root}; len(level) > 0; {
		var next []uint64
		for i, id := range level {
			if i > 0 && len(next) == 0 && !all { // a level of leaves
				if err := t.meet(id, 0); err != nil {
					return err
				}
				continue
			}
			page, err := t.page(id)
			if err != nil {
				return err
			}
			children, err := branches(page)
			if err != nil {
				return err
			}
			next = append(next, children...)
		}
		level = next
	}
	return nil
}

// meta meets the page that lists the buckets, that which lists the free pages, and those, as
// of a transaction.
func (t *tree) meta(tx uint64) error {
	numbers := make([]byte, metaSize)
	if _, err := t.file.ReadAt(numbers, int64(tx%2*t.size)); err != nil {
		return err
	}
	order := binary.NativeEndian
	if _, err := t.page(order.Uint64(numbers[rootOffset:])); err != nil {
		return err
	}
	page, err := t.page(order.Uint64(numbers[listOffset:]))
	if err != nil {
		return err
	}
	count, list := uint64(order.Uint16(page[10:])), page[headerSize:]
	if count == manyFree && len(list) > 0 {
		count, list = order.Uint64(list), list[8:]
	}
	if count > uint64(len(list)/8) {
		return corrupt("the list of free pages is too long")
	}
	for i := range count {
		if err := t.meet(order.Uint64(list[8*i:]), 0); err != nil {
			return err
		}
	}
	return nil
}

// meet notes that something leads to a page and those that it overflows into.
func (t *tree) meet(id, overflow uint64) error {
	pages := uint64(len(t.met))
	if id < 2 || id >= pages || overflow >= pages-id {
		return corrupt("page %d lies outside", id)
	}
	for i := id; i <= id+overflow; i++ {
		if t.met[i] {
			return corrupt("page %d is met twice", i)
		}
		t.met[i] = true
	}
	return nil
}

// page reads a page, of a leaf its header alone.
func (t *tree) page(id uint64) ([]byte, error) {
	if id >= uint64(len(t.met)) {
		return nil, corrupt("page %d lies outside", id)
	}
	page := make([]byte, headerSize)
	if _, err := t.file.ReadAt(page, int64(id*t.size)); err != nil {
		return nil, err
	}
	overflow := uint64(binary.NativeEndian.Uint32(page[12:]))
	if err := t.meet(id, overflow); err != nil || flags(page) == leafFlag {
		return page, err
	}
	page = make([]byte, (1+overflow)*t.size)
	_, err := t.file.ReadAt(page, int64(id*t.size))
	return page, err
}

func flags(page []byte) uint16 { return binary.NativeEndian.Uint16(page[8:]) }

// branches are the pages that a branch leads to.
func branches(page []byte) (children []uint64, err error) {
	if flags(page) != branchFlag {
		return nil, nil
	}
	order := binary.NativeEndian
	for i := range int(order.Uint16(page[10:])) {
		start := headerSize + i*elementSize
		if start+elementSize > len(page) {
			return nil, corrupt("a branch has too many parts")
		}
		element := page[start:]
		if uint64(order.Uint32(element))+uint64(order.Uint32(element[4:])) > uint64(len(element)) {
			return nil, corrupt("a key lies outside its page")
		}
		children = append(children, order.Uint64(element[8:]))
	}
	return children, nil
}

// corrupt is kv.ErrCorrupt with what is damaged and what to do.
func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s; restore a backup, or let salvage take out what is sound", kv.ErrCorrupt, fmt.Sprintf(format, args...))
}
