package boltfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"

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

// verifier reads all pages that are in use, and finds everything that bbolt relies on without checking it.
type verifier struct {
	file *os.File
	size uint64          // of a page
	end  uint64          // the first page that was never used
	seen map[uint64]bool // the pages so far: in a sound file each of them is referred to once, so that there is no cycle
}

// verify reads the pages of an open file.
func verify(path string, db *bolt.DB) (err error) {
	file, err := os.Open(path) //nolint:gosec // the path is of the configuration
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	return db.View(func(tx *bolt.Tx) error {
		v := &verifier{file: file, size: uint64(db.Info().PageSize), seen: make(map[uint64]bool)}
		v.end = uint64(tx.Size()) / v.size
		if info.Size() < tx.Size() {
			return &DamageError{path, fmt.Errorf("it has %d bytes, and %d are in use", info.Size(), tx.Size())}
		}
		if err := v.page(uint64(tx.Cursor().Bucket().Root()), nil, nil); err != nil {
			return &DamageError{path, err}
		}
		return nil
	})
}

// page reads a page and those below it. Their keys are at least from, and less than below; nil for no bound.
func (v *verifier) page(id uint64, from, below []byte) error {
	if id < firstPage || id >= v.end {
		return fmt.Errorf("it refers to page %d, of %d", id, v.end)
	}
	first := make([]byte, v.size)
	if _, err := v.file.ReadAt(first, int64(id*v.size)); err != nil {
		return err
	}
	header := [headerSize]byte(first)
	further := uint64(binary.NativeEndian.Uint32(header[12:]))
	if number := binary.NativeEndian.Uint64(header[:]); number != id || id+further >= v.end {
		return fmt.Errorf("page %d calls itself %d and has %d further pages", id, number, further)
	}
	for i := id; i <= id+further; i++ {
		if v.seen[i] {
			return fmt.Errorf("page %d is in use twice", i)
		}
		v.seen[i] = true
	}
	p := page{size: (1 + further) * v.size, at: func(offset uint64, b []byte) error {
		if offset+uint64(len(b)) <= v.size {
			copy(b, first[offset:])
			return nil
		}
		_, err := v.file.ReadAt(b, int64(id*v.size+offset))
		return err
	}}
	if err := v.elements(p, header, from, below); err != nil {
		return fmt.Errorf("page %d: %w", id, err)
	}
	return nil
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
func (v *verifier) elements(p page, header [headerSize]byte, from, below []byte) error {
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
	for i := range count {
		e := elements[i*elementSize:]
		if flags == leafPage {
			e = e[4:]
		}
		position := headerSize + i*elementSize + uint64(binary.NativeEndian.Uint32(e))
		if keys[i], err = p.bytes(position, uint64(binary.NativeEndian.Uint32(e[4:]))); err != nil {
			return err
		}
		if len(keys[i]) == 0 || i == 0 && bytes.Compare(keys[i], from) < 0 || i > 0 && bytes.Compare(keys[i-1], keys[i]) >= 0 {
			return fmt.Errorf("key %d is not in order", i)
		}
		if below != nil && bytes.Compare(keys[i], below) >= 0 {
			return fmt.Errorf("key %d is not below the next page", i)
		}
		if flags == leafPage {
			err = v.value(p, elements[i*elementSize:], position+uint64(len(keys[i])))
		}
		if err != nil {
			return err
		}
	}
	for i := range count {
		if flags == branchPage {
			if err := v.page(binary.NativeEndian.Uint64(elements[i*elementSize+8:]), keys[i], keys[i+1]); err != nil {
				return err
			}
		}
	}
	return nil
}

// value reads the value of an element of a leaf. The pages of a bucket are read too.
func (v *verifier) value(p page, element []byte, position uint64) error {
	flags, size := binary.NativeEndian.Uint32(element), uint64(binary.NativeEndian.Uint32(element[12:]))
	switch {
	case position+size > p.size:
		return fmt.Errorf("a value ends at its byte %d, of %d", position+size, p.size)
	case flags == 0:
		return nil
	case flags != bucketEntry:
		return fmt.Errorf("an element has the flags %#x", flags)
	}
	bucket, err := p.bytes(position, size)
	if err != nil {
		return err
	}
	if size < bucketSize {
		return fmt.Errorf("a bucket has %d bytes", size)
	}
	if root := binary.NativeEndian.Uint64(bucket); root != 0 {
		return v.page(root, nil, nil)
	}
	// A small bucket is a page within the value.
	inline := bucket[bucketSize:]
	if len(inline) < headerSize || binary.NativeEndian.Uint16(inline[8:]) != leafPage {
		return errors.New("a small bucket is no leaf")
	}
	within := page{size: uint64(len(inline)), at: func(offset uint64, b []byte) error {
		copy(b, inline[offset:])
		return nil
	}}
	return v.elements(within, [headerSize]byte(inline), nil, nil)
}
