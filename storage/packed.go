package storage

import (
	"encoding/binary"
	"fmt"
	"math"

	"chimera/storage/kv"
)

// packed begins the values that are not JSON: numbers as package binary's varints, texts
// with their length before them.
const packed = 2

// pack begins a packed value, with room for so many bytes.
func pack(room int) []byte { return append(make([]byte, 0, room), packed) }

// appendText packs a text.
func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// unpacker reads a packed value from its front. Once it is bad, there is nothing more
// to read, and all numbers are zero.
type unpacker struct {
	rest []byte
	bad  bool
}

// unpack begins to read a packed value.
func unpack(value []byte) unpacker {
	u := unpacker{rest: value}
	if u.Bytes(1)[0] != packed {
		u.fail()
	}
	return u
}

// Text is a text that appendText has packed.
func (u *unpacker) Text() string { return string(u.Bytes(u.Size())) }

// End is kv.ErrCorrupt unless all has been read, and was good.
func (u *unpacker) End() error {
	if u.bad || len(u.rest) > 0 {
		return fmt.Errorf("storage: a packed record cannot be read: %w", kv.ErrCorrupt)
	}
	return nil
}

func (u *unpacker) fail() {
	u.bad, u.rest = true, nil
}

// Unsigned is a number that binary.AppendUvarint has packed.
func (u *unpacker) Unsigned() uint64 {
	n, size := binary.Uvarint(u.rest)
	if size <= 0 {
		u.fail()
		return 0
	}
	u.rest = u.rest[size:]
	return n
}

// Signed is a number that binary.AppendVarint has packed.
func (u *unpacker) Signed() int64 {
	n, size := binary.Varint(u.rest)
	if size <= 0 {
		u.fail()
		return 0
	}
	u.rest = u.rest[size:]
	return n
}

// Count is an unsigned number that fits an int32.
func (u *unpacker) Count() int {
	n := u.Unsigned()
	if n > math.MaxInt32 {
		u.fail()
		return 0
	}
	return int(n)
}

// Size is how many things follow, of which each takes a byte at least.
func (u *unpacker) Size() int {
	n := u.Count()
	if n > len(u.rest) {
		u.fail()
		return 0
	}
	return n
}

// Bytes are the next n; zeros if there are not as many, and at most eight of those.
func (u *unpacker) Bytes(n int) []byte {
	if n > len(u.rest) {
		u.fail()
		return make([]byte, min(n, 8))
	}
	b := u.rest[:n]
	u.rest = u.rest[n:]
	return b
}
