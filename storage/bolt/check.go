package bolt

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/bits"
	"os"

	"chimera/storage/kv"
)

// How bbolt lays out a file: pages of one size, numbered from 0; a page may
// overflow into those that follow it. Pages 0 and 1 are meta pages, of which
// the valid one with the higher transaction number counts. Numbers are in the
// byte order of the machine.
const (
	pageHeaderSize = 16 // number uint64, flags uint16, count uint16, overflow uint32
	elementSize    = 16 // in a branch: pos, ksize uint32, child uint64; in a leaf: flags, pos, ksize, vsize uint32
	bucketSize     = 16 // root uint64, sequence uint64

	branchFlag   = 0x01
	leafFlag     = 0x02
	freelistFlag = 0x10
	bucketFlag   = 0x01 // of an element

	metaSize    = 64 // with its checksum, which is over what comes before
	metaMagic   = 0xED0CDAED
	metaVersion = 2

	minPageSize = 1 << 10
	maxPageSize = 1 << 24
	manyFree    = 0xffff          // this count says that the first number of a free list is the count
	noFreelist  = ^uint64(0)      // instead of the free list's page
	maxHeight   = 64              // of a tree
	maxPages    = uint64(1) << 38 // of any size, they are fewer than 1<<63 bytes
)

// A meta is what a meta page says.
type meta struct {
	pageSize uint64
	root     uint64 // the page of the root bucket
	freelist uint64 // the page of the free list
	pages    uint64 // how many pages are in use or free
	txid     uint64
}

// parseMeta reads a meta page, of which only the beginning is needed.
func parseMeta(page []byte) (meta, error) {
	order, b := binary.NativeEndian, page[pageHeaderSize:]
	if order.Uint32(b) != metaMagic {
		return meta{}, kv.ErrNotDatabase
	}
	if version := order.Uint32(b[4:]); version != metaVersion {
		return meta{}, fmt.Errorf("%w: %d instead of %d", kv.ErrVersion, version, metaVersion)
	}
	sum := fnv.New64a()
	_, _ = sum.Write(b[:metaSize-8])
	if sum.Sum64() != order.Uint64(b[metaSize-8:]) {
		return meta{}, corrupt("the checksum of its first page is wrong")
	}
	return meta{
		pageSize: uint64(order.Uint32(b[8:])),
		root:     order.Uint64(b[16:]),
		freelist: order.Uint64(b[32:]),
		pages:    order.Uint64(b[40:]),
		txid:     order.Uint64(b[48:]),
	}, nil
}

// readMeta returns the meta page that counts, once it is sure that the file is
// as long as that page says.
func readMeta(file *os.File) (meta, error) {
	info, err := file.Stat()
	if err != nil {
		return meta{}, err
	}
	m, err := newestMeta(file)
	if err != nil {
		return meta{}, err
	}
	switch {
	case bits.OnesCount64(m.pageSize) != 1 || m.pageSize < minPageSize || m.pageSize > maxPageSize:
		return meta{}, corrupt("its pages have %d bytes", m.pageSize)
	case m.freelist == noFreelist:
		return meta{}, fmt.Errorf("%w: it is stored without a list of free pages", kv.ErrNotDatabase)
	case m.pages > maxPages:
		return meta{}, corrupt("it has %d pages", m.pages)
	case uint64(info.Size()) < m.pages*m.pageSize:
		return meta{}, corrupt("the file is cut short: %d bytes of %d", info.Size(), m.pages*m.pageSize)
	}
	return m, nil
}

// newestMeta chooses between the two meta pages as bbolt does. If both are bad,
// the error is about the one that is more like a meta page.
func newestMeta(file io.ReaderAt) (meta, error) {
	first, err := metaAt(file, 0)
	if err == nil {
		if second, err := metaAt(file, int64(first.pageSize)); err == nil && second.txid > first.txid {
			return second, nil
		}
		return first, nil
	}
	for size := int64(minPageSize); size <= maxPageSize; size *= 2 {
		second, secondErr := metaAt(file, size)
		if secondErr == nil && second.pageSize == uint64(size) {
			return second, nil
		}
		if errors.Is(err, kv.ErrNotDatabase) && secondErr != nil {
			err = secondErr
		}
	}
	return meta{}, err
}

func metaAt(file io.ReaderAt, offset int64) (meta, error) {
	page := make([]byte, pageHeaderSize+metaSize)
	if _, err := file.ReadAt(page, offset); errors.Is(err, io.EOF) {
		return meta{}, kv.ErrNotDatabase
	} else if err != nil {
		return meta{}, err
	}
	return parseMeta(page)
}

// check reads the skeleton of a file: meta pages, free list, the root with our
// bucket, and the branches of the bucket's tree. If the file is not longer than
// budget bytes, it reads the leaves too. It does not see damage within values,
// nor in the leaves of a long file.
func check(file *os.File, budget int64) error {
	m, err := readMeta(file)
	if err != nil {
		return err
	}
	c := &checker{
		file:   file,
		meta:   m,
		used:   make([]uint64, m.pages/64+1),
		leaves: int64(m.pages*m.pageSize) <= budget,
	}
	if err := c.use(0, 2); err != nil {
		return err
	}
	if err := c.freelist(); err != nil {
		return err
	}
	return c.root()
}

// A checker remembers which pages were met, for none may be met twice.
type checker struct {
	file   io.ReaderAt
	meta   meta
	used   []uint64 // one bit for each page
	leaves bool     // whether leaves are read
}

// use marks pages as met.
func (c *checker) use(first, count uint64) error {
	if first >= c.meta.pages || count > c.meta.pages-first {
		return corrupt("page %d lies outside", first)
	}
	for id := first; id < first+count; id++ {
		word, bit := &c.used[id/64], uint64(1)<<(id%64)
		if *word&bit != 0 {
			return corrupt("page %d is used twice", id)
		}
		*word |= bit
	}
	return nil
}

// A page is a page's bytes, with those it overflows into, and what its header says.
type page struct {
	bytes []byte
	id    uint64
	flags uint16
	count int
}

// header reads a page's header and returns how many pages it fills.
func (c *checker) header(id uint64) (p page, pages uint64, err error) {
	if id >= c.meta.pages {
		return page{}, 0, corrupt("page %d lies outside", id)
	}
	b := make([]byte, pageHeaderSize)
	if _, err := c.file.ReadAt(b, int64(id*c.meta.pageSize)); err != nil {
		return page{}, 0, err
	}
	p = parsePage(b)
	if p.id != id {
		return page{}, 0, corrupt("page %d says that it is page %d", id, p.id)
	}
	return p, 1 + uint64(binary.NativeEndian.Uint32(b[12:])), nil
}

func parsePage(b []byte) page {
	order := binary.NativeEndian
	return page{bytes: b, id: order.Uint64(b), flags: order.Uint16(b[8:]), count: int(order.Uint16(b[10:]))}
}

// page reads a page that was not met before.
func (c *checker) page(id uint64) (page, error) {
	p, pages, err := c.header(id)
	if err != nil {
		return page{}, err
	}
	if err := c.use(id, pages); err != nil {
		return page{}, err
	}
	p.bytes = make([]byte, pages*c.meta.pageSize)
	_, err = c.file.ReadAt(p.bytes, int64(id*c.meta.pageSize))
	return p, err
}

// freelist marks the free pages.
func (c *checker) freelist() error {
	p, err := c.page(c.meta.freelist)
	if err != nil {
		return err
	}
	if p.flags != freelistFlag {
		return corrupt("page %d is not the list of free pages", p.id)
	}
	list, count := p.bytes[pageHeaderSize:], uint64(p.count)
	if count == manyFree {
		count = binary.NativeEndian.Uint64(list)
		list = list[8:]
	}
	if count > uint64(len(list)/8) {
		return corrupt("its list of free pages is too long")
	}
	for i := range count {
		if err := c.use(binary.NativeEndian.Uint64(list[8*i:]), 1); err != nil {
			return err
		}
	}
	return nil
}

// root checks the bucket of buckets: one leaf with our bucket, or empty where
// the making of the file was interrupted.
func (c *checker) root() error {
	p, err := c.page(c.meta.root)
	if err != nil {
		return err
	}
	if p.flags != leafFlag || p.count > 1 {
		return fmt.Errorf("%w: it has other buckets", kv.ErrNotDatabase)
	}
	if p.count == 0 {
		return nil
	}
	e, err := p.leaf(0)
	if err != nil {
		return err
	}
	if e.flags != bucketFlag || string(e.key) != bucketName {
		return fmt.Errorf("%w: it has other buckets", kv.ErrNotDatabase)
	}
	if len(e.value) < bucketSize {
		return corrupt("its bucket is cut short")
	}
	if root := binary.NativeEndian.Uint64(e.value); root != 0 {
		return c.bucket(root)
	}
	return inline(e.value[bucketSize:])
}

// inline checks a bucket so small that it is a leaf within the value of another.
func inline(b []byte) error {
	if len(b) < pageHeaderSize {
		return corrupt("its bucket is cut short")
	}
	p := parsePage(b)
	if p.flags != leafFlag {
		return corrupt("its bucket is not a leaf")
	}
	return p.checkLeaf(nil, nil)
}

// bucket checks the tree at root.
func (c *checker) bucket(root uint64) error {
	height := 0
	for id := root; ; height++ {
		p, pages, err := c.header(id)
		if err != nil {
			return err
		}
		if p.flags != branchFlag {
			break
		}
		if height == maxHeight || pages > c.meta.pages-id {
			return corrupt("page %d is not a branch", id)
		}
		b := make([]byte, elementSize)
		if _, err := c.file.ReadAt(b, int64(id*c.meta.pageSize)+pageHeaderSize); err != nil {
			return err
		}
		id = binary.NativeEndian.Uint64(b[8:])
	}
	return c.tree(root, height, nil, nil)
}

// tree checks the part of a tree at id, whose keys are from low up to high;
// nil is no bound. Leaves are at height 0.
func (c *checker) tree(id uint64, height int, low, high []byte) error {
	if height <= 0 && !c.leaves {
		return c.use(id, 1)
	}
	p, err := c.page(id)
	if err != nil {
		return err
	}
	switch {
	case p.flags == leafFlag:
		return p.checkLeaf(low, high)
	case p.flags != branchFlag || p.count == 0:
		return corrupt("page %d is neither leaf nor branch", id)
	}
	e, err := p.branch(0)
	if err != nil {
		return err
	}
	for i := range p.count {
		if err := inOrder(e.key, low, high); err != nil {
			return fmt.Errorf("%w in page %d", err, id)
		}
		next := branch{key: high}
		if i+1 < p.count {
			if next, err = p.branch(i + 1); err != nil {
				return err
			}
			if bytes.Compare(e.key, next.key) >= 0 {
				return corrupt("keys out of order in page %d", id)
			}
		}
		if err := c.tree(e.child, height-1, e.key, next.key); err != nil {
			return err
		}
		e = next
	}
	return nil
}

// checkLeaf checks the pairs of a leaf, whose keys are from low up to high.
func (p page) checkLeaf(low, high []byte) error {
	for i := range p.count {
		e, err := p.leaf(i)
		if err != nil {
			return err
		}
		if e.flags != 0 || len(e.key) == 0 || len(e.key) > kv.MaxKeySize || len(e.value) > kv.MaxValueSize {
			return corrupt("item %d of page %d cannot be", i, p.id)
		}
		if err := inOrder(e.key, low, high); err != nil {
			return fmt.Errorf("%w in page %d", err, p.id)
		}
		low = append(bytes.Clone(e.key), 0) // the least key above
	}
	return nil
}

func inOrder(key, low, high []byte) error {
	if bytes.Compare(key, low) < 0 || high != nil && bytes.Compare(key, high) >= 0 {
		return corrupt("keys out of order")
	}
	return nil
}

// A branch is an element of a branch page.
type branch struct {
	key   []byte
	child uint64
}

func (p page) branch(i int) (branch, error) {
	b, err := p.element(i)
	if err != nil {
		return branch{}, err
	}
	order := binary.NativeEndian
	key, _, err := p.slices(b, order.Uint32(b), order.Uint32(b[4:]), 0)
	return branch{key: key, child: order.Uint64(b[8:])}, err
}

// A leaf is an element of a leaf page.
type leaf struct {
	flags      uint32
	key, value []byte
}

func (p page) leaf(i int) (leaf, error) {
	b, err := p.element(i)
	if err != nil {
		return leaf{}, err
	}
	order := binary.NativeEndian
	key, value, err := p.slices(b, order.Uint32(b[4:]), order.Uint32(b[8:]), order.Uint32(b[12:]))
	return leaf{flags: order.Uint32(b), key: key, value: value}, err
}

// element returns the page's bytes from the beginning of element i.
func (p page) element(i int) ([]byte, error) {
	start := pageHeaderSize + i*elementSize
	if start+elementSize > len(p.bytes) {
		return nil, corrupt("page %d has too many items", p.id)
	}
	return p.bytes[start:], nil
}

// slices returns the key and the value that begin pos bytes after an element.
func (p page) slices(element []byte, pos, ksize, vsize uint32) (key, value []byte, err error) {
	start := uint64(pos)
	mid := start + uint64(ksize)
	end := mid + uint64(vsize)
	if end > uint64(len(element)) {
		return nil, nil, corrupt("an item of page %d lies outside", p.id)
	}
	return element[start:mid:mid], element[mid:end:end], nil
}

func corrupt(format string, args ...any) error {
	return fmt.Errorf("%w: %s", kv.ErrCorrupt, fmt.Sprintf(format, args...))
}
