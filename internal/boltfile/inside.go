package boltfile

import (
	"encoding/binary"
	"reflect"
	"sync"
	"unsafe"

	bolt "go.etcd.io/bbolt"
)

// What this file does needs fields of bbolt that are not exported. TestInside fails when a version of bbolt has other ones.

// field returns a field of what a pointer points to, as a value that can be set and called.
func field(of reflect.Value, name string) reflect.Value {
	f := of.Elem().FieldByName(name)
	return reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
}

// unlock gives back the locks of bbolt that Begin keeps when it panics, which it does when it finds no meta page. Transactions that run
// could not end otherwise.
func unlock(db *bolt.DB, writable bool) {
	lock := func(name string) unsafe.Pointer { return field(reflect.ValueOf(db), name).Addr().UnsafePointer() }
	if writable {
		(*sync.Mutex)(lock("rwlock")).Unlock()
		return
	}
	(*sync.RWMutex)(lock("mmaplock")).RUnlock()
	(*sync.Mutex)(lock("metalock")).Unlock()
}

// freeOldList frees the pages of the list of free pages that a transaction replaces, as Commit would. Commit reads the number of the pages
// from the file, without a check: with a wrong number it fills the memory. This takes the number from the header that is given.
func freeOldList(tx *bolt.Tx, header [headerSize]byte) {
	var page [headerSize / 8]uint64 // at an address for numbers of 64 bits
	for i := range page {
		page[i] = binary.NativeEndian.Uint64(header[8*i:])
	}
	meta := field(reflect.ValueOf(tx), "meta")
	free := field(reflect.ValueOf(tx.DB()), "freelist").MethodByName("Free")
	free.Call([]reflect.Value{
		reflect.ValueOf(uint64(tx.ID())).Convert(free.Type().In(0)),
		reflect.NewAt(free.Type().In(1).Elem(), unsafe.Pointer(&page)), //nolint:gosec // of the size that a header has
	})
	field(meta, "freelist").SetUint(noList) // Commit frees no list then, and notes where it writes the new one
}

// checkPages returns an error if the header of a page that a transaction has read to replace it is damaged, or the header of the first page
// of a bucket that it has looked into. Commit frees these pages, and takes their number from the header, as it does with the list.
func (w *walker) checkPages(bucket reflect.Value) error {
	if err := w.checkHeader(bucket.Elem().FieldByName("InBucket").Elem().FieldByName("root").Uint()); err != nil {
		return err
	}
	for id := range bucket.Elem().FieldByName("nodes").Seq() {
		if err := w.checkHeader(id.Uint()); err != nil {
			return err
		}
	}
	for _, below := range bucket.Elem().FieldByName("buckets").Seq2() {
		if err := w.checkPages(below); err != nil {
			return err
		}
	}
	return nil
}

// checkHeader returns an error if the header of a page is damaged. Page 0 is one within the value of a bucket.
func (w *walker) checkHeader(id uint64) error {
	if id == 0 {
		return nil
	}
	var header [headerSize]byte
	if _, err := w.file.ReadAt(header[:], int64(id*w.size)); err != nil {
		return err
	}
	_, err := w.further(id, header)
	return err
}
