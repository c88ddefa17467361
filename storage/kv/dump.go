package kv

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
)

// Conditions of Dump and Restore.
var (
	// ErrNotEmpty is returned by Restore for a database that holds anything.
	ErrNotEmpty = errors.New("database holds something already")

	// ErrUnfinished is returned for a database that Restore has not filled to the end.
	ErrUnfinished = errors.New("database was filled in part only: copy or restore into it again")

	// ErrNotDump is returned by Restore for what Dump has not written, or not all of it.
	ErrNotDump = errors.New("not a whole dump of a database")

	// ErrPassed is returned by Dump where the engine could not keep the state of one moment
	// until all was read. It may the next time.
	ErrPassed = errors.New("the cluster has dropped what it held when the copy began, before all was read: try again")
)

const (
	// DumpMagic begins every dump. Its last digit is the version of the form.
	DumpMagic = "chimera dump 1\n"

	// unfinished is the key that a database has until all of a dump is restored.
	unfinished = "\x00unfinished"

	dumpBuffer  = 1 << 18
	chunkSize   = MaxUpdateSize / 2 // of what one Update restores
	chunkWrites = MaxUpdateWrites / 2
)

// Dump writes all that a database holds, as of one moment, in a form that depends on no engine:
// after DumpMagic each pair in order, as the lengths and the bytes of key and value; then the
// length 0, the number of pairs, and the SHA-256 of all before. Numbers are as
// binary.AppendUvarint writes them.
//
// It is one View, and fails with ErrPassed if the engine has to run that again after something was
// written.
func Dump(ctx context.Context, db DB, w io.Writer) error {
	begun := false
	return db.View(ctx, func(r Reader) error {
		if begun {
			return ErrPassed
		}
		if err := Whole(r); err != nil {
			return err
		}
		begun = true
		return dump(ctx, r, w)
	})
}

func dump(ctx context.Context, r Reader, w io.Writer) error {
	sum := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), dumpBuffer)
	_, _ = out.WriteString(DumpMagic) // an error stays until Flush
	var number []byte
	count := uint64(0)
	for item, err := range r.Scan(nil, nil) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		for _, part := range [][]byte{item.Key, item.Value} {
			number = binary.AppendUvarint(number[:0], uint64(len(part)))
			_, _ = out.Write(number)
			if _, err := out.Write(part); err != nil {
				return err
			}
		}
		count++
	}
	_, _ = out.Write(binary.AppendUvarint([]byte{0}, count))
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := w.Write(sum.Sum(nil))
	return err
}

// Whole returns ErrUnfinished for a database that Restore has begun to fill, and not more.
func Whole(r Reader) error {
	mark, err := r.Get([]byte(unfinished))
	if err == nil && mark != nil {
		return ErrUnfinished
	}
	return err
}

// Restore fills a database with what Dump has written. Nobody else uses the database meanwhile,
// and it is empty, or ErrNotEmpty is returned. Since no Update takes all, one that fails leaves a
// database that is ErrUnfinished; to restore into that begins anew.
func Restore(ctx context.Context, r io.Reader, db DB) error {
	in := &undump{in: bufio.NewReaderSize(r, dumpBuffer), sum: sha256.New()}
	if err := in.begin(); err != nil {
		return err
	}
	if err := claim(ctx, db); err != nil {
		return err
	}
	for more := true; more; {
		var chunk []Item
		var err error
		if chunk, more, err = in.chunk(); err != nil {
			return err
		}
		err = db.Update(ctx, func(w Writer) error {
			for _, item := range chunk {
				if err := w.Put(item.Key, item.Value); err != nil {
					return err
				}
			}
			if !more {
				return w.Delete([]byte(unfinished))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// claim marks an empty database as unfinished, or empties one that is.
func claim(ctx context.Context, db DB) error {
	err := db.Update(ctx, func(w Writer) error {
		for item, err := range w.Scan(nil, nil) {
			if err == nil && string(item.Key) != unfinished {
				err = ErrNotEmpty
			}
			return err
		}
		return w.Put([]byte(unfinished), nil)
	})
	for left := 1; err == nil && left > 0; {
		err = db.Update(ctx, func(w Writer) error {
			left = 0
			for item, err := range w.Scan([]byte(unfinished+"\x00"), nil) {
				if left++; err != nil || left > chunkWrites {
					return err
				}
				if err := w.Delete(item.Key); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return err
}

// An undump reads a dump.
type undump struct {
	in    *bufio.Reader
	sum   hash.Hash
	count uint64
	last  []byte
}

// ReadByte reads what the sum is of.
func (u *undump) ReadByte() (byte, error) {
	b, err := u.in.ReadByte()
	if err == nil {
		u.sum.Write([]byte{b})
	}
	return b, err
}

func (u *undump) bytes(n uint64) ([]byte, error) {
	b := make([]byte, n)
	_, err := io.ReadFull(u.in, b)
	u.sum.Write(b)
	return b, err
}

func (u *undump) begin() error {
	magic, err := u.bytes(uint64(len(DumpMagic)))
	switch version := len(magic) - 2; {
	case err != nil:
		return broken(err)
	case string(magic) == DumpMagic:
		return nil
	case string(magic[:version]) == DumpMagic[:version]:
		return fmt.Errorf("%w: it has another version", ErrNotDump)
	}
	return fmt.Errorf("%w: it begins otherwise", ErrNotDump)
}

// chunk reads what one Update restores, and whether there is more.
func (u *undump) chunk() (items []Item, more bool, err error) {
	for size := 0; size < chunkSize && len(items) < chunkWrites; {
		item, err := u.next()
		if err != nil {
			return nil, false, broken(err)
		}
		if item.Key == nil {
			return items, false, u.end()
		}
		items = append(items, item)
		size += len(item.Key) + len(item.Value)
	}
	return items, true, nil
}

// next reads a pair. After the last there is one without a key.
func (u *undump) next() (item Item, err error) {
	length, err := binary.ReadUvarint(u)
	if err != nil || length == 0 {
		return Item{}, err
	}
	if length > MaxKeySize {
		return Item{}, fmt.Errorf("%w: a key is too long", ErrNotDump)
	}
	if item.Key, err = u.bytes(length); err != nil {
		return Item{}, err
	}
	if bytes.Compare(item.Key, u.last) <= 0 || string(item.Key) == unfinished {
		return Item{}, fmt.Errorf("%w: keys are out of order", ErrNotDump)
	}
	if length, err = binary.ReadUvarint(u); err != nil {
		return Item{}, err
	}
	if length > MaxValueSize {
		return Item{}, fmt.Errorf("%w: the value of %q has %d bytes, and no engine keeps more than %d", ErrValueSize, item.Key, length, MaxValueSize)
	}
	if item.Value, err = u.bytes(length); err != nil {
		return Item{}, err
	}
	u.count++
	u.last = item.Key
	return item, nil
}

// end reads what follows the last pair.
func (u *undump) end() error {
	count, err := binary.ReadUvarint(u)
	if err != nil {
		return broken(err)
	}
	want := u.sum.Sum(nil)
	sum, err := u.bytes(uint64(len(want)))
	switch {
	case err != nil:
		return broken(err)
	case count != u.count || !bytes.Equal(sum, want):
		return fmt.Errorf("%w: it is damaged", ErrNotDump)
	}
	if _, err := u.in.ReadByte(); !errors.Is(err, io.EOF) {
		return broken(errors.Join(err, fmt.Errorf("%w: something follows its end", ErrNotDump)))
	}
	return nil
}

// broken is an error of reading a dump, which must not end early.
func broken(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: it is cut short", ErrNotDump)
	}
	return err
}
