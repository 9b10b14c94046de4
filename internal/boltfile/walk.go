package boltfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"slices"

	bolt "go.etcd.io/bbolt"
)

// The form of a page of bbolt: a header, then an element of the same size for each key, then the keys and values. Numbers are in the byte
// order of the machine.
const (
	headerSize  = 16 // id 8, flags 2, count 2, further pages 4
	elementSize = 16 // branch: position 4, size of the key 4, page 8; leaf: flags 4, position 4, size of the key 4, size of the value 4
	bucketSize  = 16 // the start of the value of a bucket: page 8, sequence 8
	branchPage  = 0x01
	leafPage    = 0x02
	bucketEntry = 0x01
	firstPage   = 2 // the pages before it are the meta pages
)

// tree is where the pages of a file are, at one moment.
type tree struct {
	root uint64 // the page of the top bucket
	size uint64 // of a page, in bytes
	end  uint64 // the first page that was never used
	tx   uint64 // the transaction that has written it
	top  []byte // the page of the top bucket, if it is known
	list uint64 // the page of the list of free pages; 0 if it is not known
	// header is the header of the list, if it is known.
	header [headerSize]byte
	free   []byte // the list, if it is known and not long
}

// noList is the page of a list of free pages that is not in the file.
const noList = ^uint64(0)

// treeOf returns the tree that a transaction reads. It uses only what the transaction has in memory.
func treeOf(tx *bolt.Tx, pageSize int) tree {
	size := uint64(pageSize)
	return tree{root: uint64(tx.Cursor().Bucket().Root()), size: size, end: uint64(tx.Size()) / size, tx: uint64(tx.ID())}
}

// keep reads what a file is read with when it is damaged later: the page of the top bucket, in which all others are found, and the list of
// free pages.
func (t *tree) keep(file io.ReaderAt) {
	top := make([]byte, t.size)
	if _, err := file.ReadAt(top, int64(t.root*t.size)); err == nil && binary.NativeEndian.Uint64(top) == t.root {
		t.top = top
	}
	w := &walker{tree: *t, file: file}
	if free, err := w.readFree(); err == nil && len(free) <= longList {
		t.free = free
	}
	t.list, t.header = w.list, w.header
}

// longList is the size in bytes of a list of free pages that is not kept in memory.
const longList = 1 << 19

// walker reads all pages that are in use, and finds everything that bbolt relies on without checking it.
type walker struct {
	tree
	file io.ReaderAt
	seen map[uint64]bool // the pages so far: in a sound file each of them is referred to once, so that there is no cycle
	// take, if not nil, gets what can be read, and damage is no error: what cannot be read is counted as lost.
	take *taker
	lost int
	gaps []gap
}

// gap is a page that cannot be read, with those below it: the bucket, and the bounds of its keys.
type gap struct {
	bucket      [][]byte
	from, below []byte
}

// has reports whether a key could be of the gap.
func (g *gap) has(key []byte) bool {
	return bytes.Compare(key, g.from) >= 0 && (g.below == nil || bytes.Compare(key, g.below) < 0)
}

// taker gets the contents of a file. Its errors end the walk.
type taker struct {
	bucket func(path [][]byte, sequence uint64) error
	value  func(path [][]byte, key, value []byte) error
}

// takeError is an error of a taker.
type takeError struct{ error }

// Unwrap returns the error.
func (e takeError) Unwrap() error { return e.error }

// forgive counts damage as lost where the walk goes on after it.
func (w *walker) forgive(err error) error {
	if _, ours := errors.AsType[takeError](err); err == nil || ours || w.take == nil {
		return err
	}
	w.lost++
	return nil
}

// verify reads the pages of an open file and returns the first damage.
func verify(file *os.File, path string, tx *bolt.Tx, pageSize int) error {
	t := treeOf(tx, pageSize)
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < tx.Size() {
		return &DamageError{path, fmt.Errorf("it has %d bytes, and %d are in use", info.Size(), tx.Size())}
	}
	w := &walker{tree: t, file: file, seen: make(map[uint64]bool)}
	if err := w.page(t.root, nil, nil, nil); err != nil {
		return &DamageError{path, err}
	}
	if _, err := w.freeList(); err != nil {
		return &DamageError{path, err}
	}
	return nil
}

// page reads a page of a bucket and the pages below it. Their keys are at least from, and less than below; nil for no bound.
func (w *walker) page(id uint64, bucket [][]byte, from, below []byte) error {
	err := w.readPage(id, bucket, from, below)
	if err != nil && w.take != nil && len(bucket) > 0 {
		w.gaps = append(w.gaps, gap{bucket, from, below})
	}
	return w.forgive(err)
}

func (w *walker) readPage(id uint64, bucket [][]byte, from, below []byte) error {
	if id < firstPage || id >= w.end {
		return fmt.Errorf("it refers to page %d, of %d", id, w.end)
	}
	first := make([]byte, w.size)
	if id == w.root && w.top != nil {
		copy(first, w.top)
	} else if _, err := w.file.ReadAt(first, int64(id*w.size)); err != nil {
		return err
	}
	header := [headerSize]byte(first)
	further, err := w.further(id, header)
	if err != nil {
		return err
	}
	last := id + further
	if w.take != nil {
		last = id // the number of further pages may be damaged
	}
	for i := id; i <= last; i++ {
		if w.seen[i] {
			return fmt.Errorf("page %d is in use twice", i)
		}
		w.seen[i] = true
	}
	p := page{size: (1 + further) * w.size, at: func(offset uint64, b []byte) error {
		if offset+uint64(len(b)) <= w.size {
			copy(b, first[offset:])
			return nil
		}
		_, err := w.file.ReadAt(b, int64(id*w.size+offset))
		return err
	}}
	if err := w.elements(p, header, bucket, from, below); err != nil {
		return fmt.Errorf("page %d: %w", id, err)
	}
	return nil
}

// further returns the number of further pages that the header of a page has.
func (w *walker) further(id uint64, header [headerSize]byte) (uint64, error) {
	number, further := binary.NativeEndian.Uint64(header[:]), uint64(binary.NativeEndian.Uint32(header[12:]))
	if number != id || id+further >= w.end {
		return 0, fmt.Errorf("page %d calls itself %d and has %d further pages", id, number, further)
	}
	return further, nil
}

// page is a page in the file, or one within the value of a bucket.
type page struct {
	at   func(offset uint64, b []byte) error // reads bytes
	size uint64
}

// bytes returns some of the page.
func (p page) bytes(offset, n uint64) ([]byte, error) {
	if offset+n > p.size {
		return nil, fmt.Errorf("something ends at its byte %d, of %d", offset+n, p.size)
	}
	b := make([]byte, n)
	return b, p.at(offset, b)
}

// elements reads the elements of a page and the pages below it.
func (w *walker) elements(p page, header [headerSize]byte, bucket [][]byte, from, below []byte) error {
	flags, count := binary.NativeEndian.Uint16(header[8:]), uint64(binary.NativeEndian.Uint16(header[10:]))
	if flags != branchPage && flags != leafPage || flags == branchPage && count == 0 {
		return fmt.Errorf("it has the flags %#x and %d elements", flags, count)
	}
	elements, err := p.bytes(headerSize, count*elementSize)
	if err != nil {
		return err
	}
	keys := make([][]byte, count+1) // and the bound of the last one
	keys[count] = below
	last := from
	for i := range count {
		e := elements[i*elementSize:]
		if flags == leafPage {
			e = e[4:]
		}
		position := headerSize + i*elementSize + uint64(binary.NativeEndian.Uint32(e))
		key, err := p.bytes(position, uint64(binary.NativeEndian.Uint32(e[4:])))
		switch {
		case err != nil:
		case len(key) == 0 || bytes.Compare(key, last) < 0 || i > 0 && bytes.Equal(key, last):
			err = fmt.Errorf("key %d is not in order", i)
		case below != nil && bytes.Compare(key, below) >= 0:
			err = fmt.Errorf("key %d is not below the next page", i)
		case flags == leafPage:
			err = w.value(p, elements[i*elementSize:], bucket, key, position+uint64(len(key)))
		}
		if err == nil {
			keys[i], last = key, key
		}
		if err := w.forgive(err); err != nil {
			return err
		}
	}
	for i := range count {
		if flags == branchPage {
			if err := w.page(binary.NativeEndian.Uint64(elements[i*elementSize+8:]), bucket, keys[i], keys[i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// value reads the value of an element of a leaf. The pages of a bucket are read too.
func (w *walker) value(p page, element []byte, bucket [][]byte, key []byte, position uint64) error {
	flags, size := binary.NativeEndian.Uint32(element), uint64(binary.NativeEndian.Uint32(element[12:]))
	switch {
	case position+size > p.size:
		return fmt.Errorf("a value ends at its byte %d, of %d", position+size, p.size)
	case flags == 0 && w.take == nil && len(bucket) > 0:
		return nil
	case flags != 0 && flags != bucketEntry, flags == 0 && len(bucket) == 0:
		return fmt.Errorf("an element has the flags %#x", flags)
	}
	value, err := p.bytes(position, size)
	switch {
	case err != nil:
		return err
	case flags == 0:
		if err := w.take.value(bucket, key, value); err != nil {
			return takeError{err}
		}
		return nil
	case size < bucketSize:
		return fmt.Errorf("a bucket has %d bytes", size)
	}
	bucket = append(slices.Clip(bucket), key)
	if w.take != nil {
		if err := w.take.bucket(bucket, binary.NativeEndian.Uint64(value[8:])); err != nil {
			return takeError{err}
		}
	}
	if root := binary.NativeEndian.Uint64(value); root != 0 {
		return w.page(root, bucket, nil, nil)
	}
	// A small bucket is a page within the value.
	inline := value[bucketSize:]
	if len(inline) < headerSize || binary.NativeEndian.Uint16(inline[8:]) != leafPage {
		return errors.New("a small bucket is no leaf")
	}
	within := page{size: uint64(len(inline)), at: func(offset uint64, b []byte) error {
		copy(b, inline[offset:])
		return nil
	}}
	return w.elements(within, [headerSize]byte(inline), bucket, nil, nil)
}

// The form of a meta page and of a free list: a header, and then these numbers.
const (
	metaList     = headerSize + 32 // the page of the free list
	metaTx       = headerSize + 48 // the transaction that has written the page
	metaChecksum = headerSize + 56 // FNV-1a of what is before it, without the header
	listPage     = 0x10
	manyFree     = 0xffff // as the number of free pages: the first number of the list is their number
)

// freeList checks the list of free pages, which bbolt trusts: a page in it that is in use would be overwritten. It reports whether there is
// a list.
func (w *walker) freeList() (found bool, err error) {
	list := w.free
	if list == nil {
		if list, err = w.readFree(); err != nil || list == nil {
			return false, err
		}
	}
	for ; len(list) > 0; list = list[8:] {
		free := binary.NativeEndian.Uint64(list)
		if free < firstPage || free >= w.end || w.seen[free] {
			return true, fmt.Errorf("the free list has page %d, which is in use or not there", free)
		}
		w.seen[free] = true
	}
	return true, nil
}

// readFree returns the list of free pages of the transaction, as it is in the file, or nil for none.
func (w *walker) readFree() ([]byte, error) {
	for id := range uint64(firstPage) {
		if meta := readMeta(w.file, int64(id*w.size)); meta != nil && binary.NativeEndian.Uint64(meta[metaTx:]) == w.tx {
			w.list = binary.NativeEndian.Uint64(meta[metaList:])
			return w.readList(w.list)
		}
	}
	return nil, nil
}

// readMeta returns a meta page, nil if it is damaged.
func readMeta(file io.ReaderAt, at int64) []byte {
	meta := make([]byte, metaChecksum+8)
	if _, err := file.ReadAt(meta, at); err != nil {
		return nil
	}
	sum := fnv.New64a()
	if _, _ = sum.Write(meta[headerSize:metaChecksum]); binary.NativeEndian.Uint64(meta[metaChecksum:]) != sum.Sum64() {
		return nil
	}
	return meta
}

// readList returns the list of free pages that begins at a page, or nil for none.
func (w *walker) readList(id uint64) ([]byte, error) {
	if id == noList {
		return nil, nil
	}
	start, count, header, err := w.listHeader(id)
	if err != nil {
		return nil, err
	}
	w.header = header
	list := make([]byte, 8*count)
	_, err = w.file.ReadAt(list, int64(id*w.size+start))
	return list, err
}

// listHeader returns where the numbers of a list begin on its page, how many there are, and the header of the page.
func (w *walker) listHeader(id uint64) (start, count uint64, of [headerSize]byte, err error) {
	if id < firstPage || id >= w.end {
		return 0, 0, of, fmt.Errorf("the list of free pages is page %d, of %d", id, w.end)
	}
	header := make([]byte, headerSize+8)
	if _, err := w.file.ReadAt(header, int64(id*w.size)); err != nil {
		return 0, 0, of, err
	}
	further := uint64(binary.NativeEndian.Uint32(header[12:]))
	start, count = headerSize, uint64(binary.NativeEndian.Uint16(header[10:]))
	if count == manyFree {
		start, count = headerSize+8, binary.NativeEndian.Uint64(header[headerSize:])
	}
	if binary.NativeEndian.Uint64(header) != id || binary.NativeEndian.Uint16(header[8:]) != listPage || id+further >= w.end ||
		count > (further+1)*w.size/8 {
		return 0, 0, of, fmt.Errorf("page %d is no list of free pages", id)
	}
	return start, count, [headerSize]byte(header), nil
}

// orphans takes the leaves below damaged pages: pages in use that nothing refers to. Where damaged pages of several buckets could have had
// such a leaf, it is left out.
func (w *walker) orphans() error {
	if found, err := w.freeList(); len(w.gaps) == 0 || !found || err != nil {
		return nil //nolint:nilerr // without the list, free pages cannot be told from others
	}
	gaps := w.gaps
	header := make([]byte, headerSize+elementSize)
	for id := uint64(firstPage); id < w.end; id++ {
		if _, err := w.file.ReadAt(header, int64(id*w.size)); w.seen[id] || err != nil || binary.NativeEndian.Uint64(header) != id ||
			binary.NativeEndian.Uint16(header[8:]) != leafPage || binary.NativeEndian.Uint16(header[10:]) == 0 {
			continue
		}
		key := make([]byte, min(binary.NativeEndian.Uint32(header[headerSize+8:]), maxKey))
		if _, err := w.file.ReadAt(key, int64(id*w.size)+headerSize+int64(binary.NativeEndian.Uint32(header[headerSize+4:]))); err != nil {
			continue
		}
		owner := -1
		for i := range gaps {
			if !gaps[i].has(key) {
				continue
			}
			if owner >= 0 && !slices.EqualFunc(gaps[i].bucket, gaps[owner].bucket, bytes.Equal) {
				owner = -1
				break
			}
			owner = i
		}
		if owner >= 0 {
			if err := w.page(id, gaps[owner].bucket, nil, nil); err != nil {
				return err
			}
		}
		id += uint64(binary.NativeEndian.Uint32(header[12:]))
	}
	return nil
}

// maxKey is the size of the largest key that bbolt accepts.
const maxKey = 32768
