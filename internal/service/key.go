package service

import (
	"encoding/binary"
	"math"

	"github.com/cespare/xxhash/v2"
)

// Key is written with its methods: the key of a query, of a computation, or of a value in the cache. Each field is written as bytes, of a
// fixed width or after its length, so that fields cannot run together: keys that were written by the same methods in the same order are
// equal only if all fields are. Nothing is formatted as text, whose form belongs to the type of the field and can change.
type Key []byte

// NewKey begins the key of a kind of question about a game. format changes whenever the format of keys or of the values below them does,
// and version whenever the values can change.
func NewKey(game string, format uint8, version, kind string) Key {
	return make(Key, 0, 192).Text(game).Byte(format).Text(version).Text(kind)
}

// Byte writes a byte, such as a small enumeration.
func (k Key) Byte(b byte) Key { return append(k, b) }

// Bool writes a truth value.
func (k Key) Bool(b bool) Key {
	if b {
		return append(k, 1)
	}
	return append(k, 0)
}

// Uint16 writes a number.
func (k Key) Uint16(n uint16) Key { return binary.BigEndian.AppendUint16(k, n) }

// Uint32 writes a number, such as a set of 32 cards.
func (k Key) Uint32(n uint32) Key { return binary.BigEndian.AppendUint32(k, n) }

// Uint writes a number.
func (k Key) Uint(n uint64) Key { return binary.BigEndian.AppendUint64(k, n) }

// Int writes a number, which may be negative.
func (k Key) Int(n int) Key { return k.Uint(uint64(n)) }

// Ints writes numbers after how many they are.
func (k Key) Ints(list []int) Key {
	k = k.Int(len(list))
	for _, n := range list {
		k = k.Int(n)
	}
	return k
}

// Float writes a number. It is written exactly; 0 and -0 differ.
func (k Key) Float(x float64) Key { return k.Uint(math.Float64bits(x)) }

// Text writes a text after its length.
func (k Key) Text(text string) Key {
	return append(binary.AppendUvarint(k, uint64(len(text))), text...)
}

// Bytes writes bytes after their number.
func (k Key) Bytes(b []byte) Key { return append(binary.AppendUvarint(k, uint64(len(b))), b...) }

// AppendList writes a list of bytes, such as cards, after its length.
func AppendList[T ~uint8 | ~int8](k Key, list []T) Key {
	k = binary.AppendUvarint(k, uint64(len(list)))
	for _, item := range list {
		k = append(k, byte(item))
	}
	return k
}

// checkSize is the size of the check that Seal appends.
const checkSize = 4

// Seal appends a check to a value: the low half of the XXH64 of the key and the value. So a value below another key is a miss.
func (k Key) Seal(value []byte) []byte { return binary.BigEndian.AppendUint32(value, k.check(value)) }

// Open returns the value of Seal. ok is false if the check does not belong to the key.
func (k Key) Open(sealed []byte) (value []byte, ok bool) {
	n := len(sealed) - checkSize
	if n < 0 || binary.BigEndian.Uint32(sealed[n:]) != k.check(sealed[:n]) {
		return nil, false
	}
	return sealed[:n], true
}

func (k Key) check(value []byte) uint32 {
	var d xxhash.Digest
	d.Reset()
	_, _ = d.Write(k) // it never fails
	_, _ = d.Write(value)
	return uint32(d.Sum64())
}

// KeyFields reads a key field by field, in the order in which the methods of Key wrote it. A field that is not there is zero, and ends it.
type KeyFields struct {
	left string
	lack bool
}

// KeyFieldsOf returns the fields of a key.
func KeyFieldsOf(key string) *KeyFields { return &KeyFields{left: key} }

// Complete reports whether every field was there and nothing is left.
func (f *KeyFields) Complete() bool { return !f.lack && f.left == "" }

// take returns the next bytes, none if there are too few.
func (f *KeyFields) take(n uint64) string {
	if f.lack || n > uint64(len(f.left)) {
		f.lack = true
		return ""
	}
	taken := f.left[:n]
	f.left = f.left[n:]
	return taken
}

// number reads a number of the given bytes, big-endian.
func (f *KeyFields) number(bytes uint64) (n uint64) {
	for _, b := range []byte(f.take(bytes)) {
		n = n<<8 | uint64(b)
	}
	return n
}

// Byte reads what Key.Byte wrote.
func (f *KeyFields) Byte() byte { return byte(f.number(1)) }

// Bool reads what Key.Bool wrote.
func (f *KeyFields) Bool() bool { return f.number(1) != 0 }

// Uint16 reads what Key.Uint16 wrote.
func (f *KeyFields) Uint16() uint16 { return uint16(f.number(2)) }

// Uint reads what Key.Uint wrote.
func (f *KeyFields) Uint() uint64 { return f.number(8) }

// Text reads what Key.Text, Key.Bytes or AppendList wrote.
func (f *KeyFields) Text() string {
	n, width := binary.Uvarint([]byte(f.left[:min(len(f.left), binary.MaxVarintLen64)]))
	if width <= 0 {
		f.lack = true
		return ""
	}
	f.take(uint64(width))
	return f.take(n)
}
