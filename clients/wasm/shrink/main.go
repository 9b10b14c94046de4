// Command shrink makes a program of Go for WebAssembly smaller: shrink FILE. It removes what only a trace of the stack needs: the names of
// functions, the names of files, the lines, and where a function was inlined. The program runs as before. A trace has no names.
//
// What is removed is zero from then on, and zeros are not in the file: they are in no segment of data.
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"log"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("shrink: expected a file")
	}
	if err := run(os.Args[1]); err != nil {
		log.Fatal("shrink: ", err)
	}
}

func run(name string) error {
	file, err := os.ReadFile(name) //nolint:gosec // it is named by the command line
	if err != nil {
		return err
	}
	out, err := shrink(file)
	if err != nil {
		return err
	}
	return os.WriteFile(name, out, 0o600) //nolint:gosec // as above
}

// dataSection is the number of the section that has the segments of data.
const dataSection = 11

// shrink returns the program without what only traces need.
func shrink(file []byte) ([]byte, error) {
	const header = 8 // the magic and the version
	if len(file) < header || string(file[:4]) != "\x00asm" {
		return nil, errors.New("not a program of WebAssembly")
	}
	out := append([]byte(nil), file[:header]...)
	found := false
	for at := header; at < len(file); {
		id := file[at]
		size, n := binary.Uvarint(file[at+1:])
		begin := at + 1 + n
		if n <= 0 || uint64(len(file)-begin) < size {
			return nil, errors.New("a section is longer than the file")
		}
		section := file[begin : begin+int(size)]
		if at = begin + int(size); id == 0 {
			continue // names and producers, which nothing reads
		}
		if id == dataSection {
			memory, err := read(section)
			if err != nil {
				return nil, err
			}
			if err := strip(memory); err != nil {
				return nil, err
			}
			section, found = write(memory), true
		}
		out = append(binary.AppendUvarint(append(out, id), uint64(len(section))), section...)
	}
	if !found {
		return nil, errors.New("the program has no data")
	}
	return out, nil
}

// read returns the memory with which a program begins.
func read(section []byte) ([]byte, error) {
	var memory []byte
	count, n := binary.Uvarint(section)
	rest := section[n:]
	for range count {
		if len(rest) < 2 || rest[0] != 0 || rest[1] != 0x41 { // memory 0, i32.const
			return nil, errors.New("a segment of data has no constant address")
		}
		offset, n := signed(rest[2:])
		rest = rest[2+n:]
		size, m := binary.Uvarint(rest[1:]) // after the end of the expression
		rest = rest[1+m:]
		if offset < 0 || size > uint64(len(rest)) {
			return nil, errors.New("a segment of data is longer than its section")
		}
		if end := int(offset) + int(size); end > len(memory) {
			memory = append(memory, make([]byte, end-len(memory))...)
		}
		copy(memory[offset:], rest[:size])
		rest = rest[size:]
	}
	return memory, nil
}

// signed reads a number in LEB128 with a sign.
func signed(b []byte) (value int64, n int) {
	for shift := 0; n < len(b); {
		c := b[n]
		n++
		value |= int64(c&0x7f) << shift
		if shift += 7; c&0x80 == 0 {
			if c&0x40 != 0 {
				value |= -1 << shift
			}
			break
		}
	}
	return value, n
}

// mostSegments is how many segments of data a program may have. Browsers read no more than 100,000.
const mostSegments = 90_000

// write returns the segments of a memory, without its longer runs of zeros.
func write(memory []byte) []byte {
	for gap := 8; ; gap *= 2 { // a segment of its own costs 8 bytes
		if segments, count := cut(memory, gap); count <= mostSegments {
			return append(binary.AppendUvarint(nil, uint64(count)), segments...)
		}
	}
}

// cut returns the segments between the runs of at least as many zeros.
func cut(memory []byte, gap int) (segments []byte, count int) {
	for at := 0; at < len(memory); {
		if memory[at] == 0 {
			at++
			continue
		}
		end, zeros := at, 0
		for end < len(memory) && zeros < gap {
			if memory[end] == 0 {
				zeros++
			} else {
				zeros = 0
			}
			end++
		}
		end -= zeros
		segments = append(segments, 0, 0x41)
		segments = appendSigned(segments, int64(at))
		segments = binary.AppendUvarint(append(segments, 0x0b), uint64(end-at))
		segments = append(segments, memory[at:end]...)
		at = end
		count++
	}
	return segments, count
}

func appendSigned(b []byte, value int64) []byte {
	for {
		c := byte(value & 0x7f)
		value >>= 7
		if value == 0 && c&0x40 == 0 || value == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

// The table of functions (pclntab), as runtime.pcHeader and runtime._func describe it.
const (
	magic         = 0xfffffff1
	headerSize    = 72
	stackMapTable = 1 // of _func.pcdata: where the collector finds pointers
)

// used are the numbers of _func.funcdata that not only traces use: the maps of pointers in arguments and locals, the objects on the stack,
// and the calls that are deferred.
var used = [...]bool{0: true, 1: true, 2: true, 4: true, 8: false}

// header has the places of the parts of the table, as addresses.
type header struct{ count, names, units, files, tables, functions uint64 }

// strip clears what only traces need.
func strip(memory []byte) error {
	h, err := find(memory)
	if err != nil {
		return err
	}
	kept, dropped := map[uint32]bool{}, map[uint32]bool{}
	for i := range h.count {
		at := h.functions + uint64(binary.LittleEndian.Uint32(memory[h.functions+8*i+4:])) // the entry, and the place of its _func
		f := memory[at:]
		word := func(i int) uint32 { return binary.LittleEndian.Uint32(f[4*i:]) }
		drop := func(i int) {
			dropped[word(i)] = true
			binary.LittleEndian.PutUint32(f[4*i:], 0)
		}
		const name, pcsp, pcfile, pcln, npcdata, unit, line, fixed = 1, 4, 5, 6, 7, 8, 9, 11
		kept[word(pcsp)] = true
		drop(pcfile)
		drop(pcln)
		n := int(word(npcdata))
		for k := range n {
			if k == stackMapTable || k >= 4 {
				kept[word(fixed+k)] = true
			} else {
				drop(fixed + k)
			}
		}
		for k := range int(f[4*fixed-1]) { // nfuncdata
			if k < len(used) && !used[k] {
				binary.LittleEndian.PutUint32(f[4*(fixed+n+k):], ^uint32(0))
			}
		}
		for _, field := range []int{name, unit, line} {
			binary.LittleEndian.PutUint32(f[4*field:], 0)
		}
	}
	clear(memory[h.names:h.tables]) // names, units and files
	for offset := range dropped {
		if offset != 0 && !kept[offset] {
			clearTable(memory[h.tables+uint64(offset) : h.functions])
		}
	}
	return nil
}

// clearTable clears a table of differences, which ends with a zero.
func clearTable(table []byte) {
	for i := 0; i < len(table); {
		_, n := binary.Uvarint(table[i:])
		if i > 0 && table[i] == 0 { // the first difference of values may be zero
			return
		}
		_, m := binary.Uvarint(table[i+n:])
		clear(table[i : i+n+m])
		i += n + m
	}
}

// find finds the table of functions in a memory.
func find(memory []byte) (h header, err error) {
	for at := 0; at+headerSize <= len(memory); at += 8 {
		m := memory[at:]
		if binary.LittleEndian.Uint32(m) != magic || m[4] != 0 || m[5] != 0 || m[6] != 1 || m[7] != 8 {
			continue
		}
		word := func(i int) uint64 { return binary.LittleEndian.Uint64(m[8*i:]) }
		base := uint64(at)
		h = header{word(1), base + word(4), base + word(5), base + word(6), base + word(7), base + word(8)}
		if h.names < h.units && h.units <= h.files && h.files < h.tables && h.tables < h.functions && h.functions < uint64(len(memory)) {
			return h, nil
		}
	}
	return h, fmt.Errorf("the table of functions (magic %#x) was not found: another version of Go may have another", uint32(magic))
}
