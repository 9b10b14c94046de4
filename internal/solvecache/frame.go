//go:build !js

package solvecache

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"
)

// A value outside the process is framed, so that a value that was cut, changed or put under another key is detected:
//
//	frameVersion                            1 byte
//	XXH64 of the key's length, key, value   8 bytes, big-endian
//	the value
const (
	frameVersion = 1
	frameSize    = 9
)

func frame(key Key, value []byte) []byte {
	framed := make([]byte, frameSize, frameSize+len(value))
	framed[0] = frameVersion
	binary.BigEndian.PutUint64(framed[1:], checksum(key, value))
	return append(framed, value...)
}

// unframe returns the value of what frame returned for the key. It shares the memory of framed.
func unframe(key Key, framed []byte) (value []byte, ok bool) {
	if len(framed) < frameSize || framed[0] != frameVersion {
		return nil, false
	}
	value = framed[frameSize:]
	return value, binary.BigEndian.Uint64(framed[1:]) == checksum(key, value)
}

func checksum(key Key, value []byte) uint64 {
	var length [8]byte
	binary.BigEndian.PutUint64(length[:], uint64(len(key)))
	var d xxhash.Digest
	d.Reset()
	_, _ = d.Write(length[:]) // it never fails
	_, _ = d.WriteString(string(key))
	_, _ = d.Write(value)
	return d.Sum64()
}
