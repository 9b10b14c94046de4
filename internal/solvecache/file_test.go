package solvecache_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.etcd.io/bbolt"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"roem/internal/solvecache"
)

func file(t *testing.T, o solvecache.FileOptions) *solvecache.File {
	t.Helper()
	if o.MaxBytes == 0 {
		o.MaxBytes = solvecache.MinFileBytes
	}
	f, err := solvecache.NewFile(o)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// If the environment variable putThenHang is set, the test program puts values into the folder that it names, and does not return.
const putThenHang = "TEST_PUT_THEN_HANG"

// values are the values that hangAfterPuts puts.
func values() map[solvecache.Key][]byte {
	all := map[solvecache.Key][]byte{}
	for i := range 500 {
		all[solvecache.Key(fmt.Sprintf("key %d", i))] = fmt.Appendf(nil, "value %d", i)
	}
	return all
}

func hangAfterPuts(dir string) {
	f, err := solvecache.NewFile(solvecache.FileOptions{Dir: dir, MaxBytes: solvecache.MinFileBytes})
	if err != nil {
		panic(err)
	}
	for key, value := range values() {
		if err := f.Put(context.Background(), key, value); err != nil {
			panic(err)
		}
	}
	for f.Stats().Pending > 0 {
		time.Sleep(time.Millisecond)
	}
	_, _ = os.Stdout.WriteString("written\n")
	for i := 0; ; i++ { // the process is killed in the middle of a write
		_ = f.Put(context.Background(), solvecache.Key(fmt.Sprintf("more %d", i)), make([]byte, 300))
		time.Sleep(50 * time.Microsecond)
	}
}

// Values that were written before the process was killed can be read by the next process, even if it was killed during a write.
func TestFileSurvivesKill(t *testing.T) {
	dir := t.TempDir()
	for round := range 3 {
		writer := exec.Command(os.Args[0], "-test.run", "^$")
		writer.Env = append(os.Environ(), putThenHang+"="+dir)
		out, err := writer.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := writer.Start(); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "written\n" {
			t.Fatalf("the writer printed %q, %v", line, err)
		}
		time.Sleep(time.Duration(round*37) * time.Millisecond)
		if err := writer.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = writer.Wait()
		core, logged := observer.New(zapcore.DebugLevel)
		f := file(t, solvecache.FileOptions{Dir: dir, Log: zap.New(core)})
		for key, want := range values() {
			if got := get(t, f, key); !bytes.Equal(got[0], want) {
				t.Fatalf("round %d: %q under %q", round, got, key)
			}
		}
		if logged.Len() > 0 {
			t.Errorf("round %d: logged %v", round, logged.All())
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A folder belongs to one process at a time. A second process gets ErrInUse.
func TestFileIsLocked(t *testing.T) {
	dir := t.TempDir()
	first := closing(t, file(t, solvecache.FileOptions{Dir: dir}))
	_, err := solvecache.NewFile(solvecache.FileOptions{Dir: dir, MaxBytes: solvecache.MinFileBytes, LockTimeout: 100 * time.Millisecond})
	if !errors.Is(err, solvecache.ErrInUse) || !strings.Contains(err.Error(), dir) {
		t.Errorf("the second: %v", err)
	}
	put(t, first.layer, map[solvecache.Key][]byte{"a": []byte("1")})
	first.close(t)
	closing(t, file(t, solvecache.FileOptions{Dir: dir}))
}

func TestFileNeedsAFolder(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var wrong *fs.PathError
	if _, err := solvecache.NewFile(solvecache.FileOptions{Dir: plain, MaxBytes: solvecache.MinFileBytes}); !errors.As(err, &wrong) {
		t.Errorf("a file as folder: %v", err)
	}
	if _, err := solvecache.NewFile(solvecache.FileOptions{Dir: dir, MaxBytes: solvecache.MinFileBytes - 1}); err == nil {
		t.Error("a limit that is too small: no error")
	}
	// A folder with the name of the file is not moved aside.
	if err := os.Mkdir(filepath.Join(dir, "results-a.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := solvecache.NewFile(solvecache.FileOptions{Dir: dir, MaxBytes: solvecache.MinFileBytes}); !errors.As(err, &wrong) {
		t.Errorf("a folder as file: %v", err)
	}
	closing(t, file(t, solvecache.FileOptions{Dir: filepath.Join(dir, "made", "on", "the", "way")}))
}

// Damaged files are moved aside, and the layer works with new ones.
func TestDamagedFiles(t *testing.T) {
	damage := map[string]func(t *testing.T, path string, content []byte) []byte{
		"empty":       func(*testing.T, string, []byte) []byte { return nil },
		"text":        func(*testing.T, string, []byte) []byte { return []byte("not a database") },
		"long text":   func(*testing.T, string, []byte) []byte { return bytes.Repeat([]byte("not a database"), 10_000) },
		"zeros":       func(_ *testing.T, _ string, content []byte) []byte { return make([]byte, len(content)) },
		"cut":         func(_ *testing.T, _ string, content []byte) []byte { return content[:3*4096] },
		"head only":   func(_ *testing.T, _ string, content []byte) []byte { return content[:2*4096] },
		"cut in head": func(_ *testing.T, _ string, content []byte) []byte { return content[:100] },
		"overwritten": func(_ *testing.T, _ string, content []byte) []byte {
			for i := 2 * 4096; i < len(content); i++ {
				content[i] = byte(i * 7)
			}
			return content
		},
	}
	for name, do := range damage {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			f := file(t, solvecache.FileOptions{Dir: dir})
			put(t, f, values())
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, "results-a.db")
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, do(t, path, content), 0o600); err != nil {
				t.Fatal(err)
			}
			core, logged := observer.New(zapcore.WarnLevel)
			f = file(t, solvecache.FileOptions{Dir: dir, Log: zap.New(core)})
			closing(t, f)
			for key, value := range values() { // no wrong value is returned
				if got := get(t, f, key); got[0] != nil && !bytes.Equal(got[0], value) {
					t.Fatalf("%q under %q", got, key)
				}
			}
			// The layer stores values again. The write that detects the damage may be lost.
			eventually(t, "a value stays", func() bool {
				put(t, f, map[solvecache.Key][]byte{"new": []byte("1")})
				settle(t, f)
				return string(get(t, f, "new")[0]) == "1"
			})
			_, err = os.Stat(path + ".damaged")
			if moved := err == nil; moved == (name == "empty") || logged.Len() == 0 {
				t.Errorf("moved aside: %v; logged %v", moved, logged.All())
			}
		})
	}
}

// A file that is truncated while a process has it open does not crash the process.
func TestFileCutWhileOpen(t *testing.T) {
	dir := t.TempDir()
	core, logged := observer.New(zapcore.WarnLevel)
	f := file(t, solvecache.FileOptions{Dir: dir, Log: zap.New(core)})
	put(t, f, values())
	settle(t, f)
	if err := os.Truncate(filepath.Join(dir, "results-a.db"), 3*4096); err != nil {
		t.Fatal(err)
	}
	for key, value := range values() {
		if got := get(t, f, key); got[0] != nil && !bytes.Equal(got[0], value) {
			t.Fatalf("%q under %q", got, key)
		}
	}
	eventually(t, "a value stays", func() bool {
		put(t, f, map[solvecache.Key][]byte{"new": []byte("1")})
		settle(t, f)
		return string(get(t, f, "new")[0]) == "1" && logged.Len() > 0
	})
	if s := f.Stats(); s.Errors == 0 {
		t.Errorf("counted %+v", s)
	}
	closing(t, f).close(t)
	f = file(t, solvecache.FileOptions{Dir: dir})
	closing(t, f)
	if got := get(t, f, "new"); string(got[0]) != "1" {
		t.Errorf("opened again: %q", got)
	}
}

// If one bit of a stored value has changed, the value is a miss.
func TestChangedValueIsAMiss(t *testing.T) {
	dir := t.TempDir()
	f := file(t, solvecache.FileOptions{Dir: dir})
	secret := bytes.Repeat([]byte("recognizable "), 10)
	put(t, f, map[solvecache.Key][]byte{"a": secret, "b": []byte("other")})
	closing(t, f).close(t)
	path := filepath.Join(dir, "results-a.db")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(content, secret)
	if at < 0 {
		t.Fatal("the value is not in the file")
	}
	content[at+20] ^= 4
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	f = file(t, solvecache.FileOptions{Dir: dir})
	closing(t, f)
	if got := get(t, f, "a", "b"); got[0] != nil || string(got[1]) != "other" {
		t.Errorf("%q", got)
	}
	if s := f.Stats(); s.Corrupt != 1 || s.Misses != 1 || s.Hits != 1 {
		t.Errorf("counted %+v", s)
	}
}

// A value that is in the file under the key of another value is a miss.
func TestMovedValueIsAMiss(t *testing.T) {
	dir := t.TempDir()
	f := file(t, solvecache.FileOptions{Dir: dir})
	put(t, f, map[solvecache.Key][]byte{"a": []byte("1"), "b": []byte("2")})
	closing(t, f).close(t)
	db, err := bbolt.Open(filepath.Join(dir, "results-a.db"), 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		values := tx.Bucket([]byte("values"))
		return values.Put([]byte("a"), bytes.Clone(values.Get([]byte("b"))))
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	f = file(t, solvecache.FileOptions{Dir: dir})
	closing(t, f)
	if got := get(t, f, "a", "b"); got[0] != nil || string(got[1]) != "2" {
		t.Errorf("%q", got)
	}
	if s := f.Stats(); s.Corrupt != 1 {
		t.Errorf("counted %+v", s)
	}
}

// The files remain within their limit. A value that is read regularly is kept, and a value that is not read is dropped.
func TestFileIsBounded(t *testing.T) {
	dir := t.TempDir()
	f := file(t, solvecache.FileOptions{Dir: dir, MaxBytes: solvecache.MinFileBytes})
	closing(t, f)
	size := func() (bytes int64) {
		paths, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(paths) > 2 {
			t.Fatalf("%v, %v", paths, err)
		}
		for _, path := range paths {
			if info, err := os.Stat(path); err == nil {
				bytes += info.Size()
			}
		}
		return bytes
	}
	const rounds, each, bytes = 30, 400, 1 << 10
	value := make([]byte, bytes)
	put(t, f, map[solvecache.Key][]byte{"kept": []byte("1"), "forgotten": []byte("2")})
	for round := range rounds {
		for i := range each {
			key := solvecache.Key(binary.BigEndian.AppendUint64(nil, uint64(round*each+i)*0x9E3779B97F4A7C15))
			put(t, f, map[solvecache.Key][]byte{key: value})
		}
		settle(t, f)
		if got := get(t, f, "kept"); string(got[0]) != "1" {
			t.Fatalf("round %d: the value that is read every time is %q", round, got)
		}
		// Each file may exceed its half by a batch and by growBytes.
		if got, most := size(), int64(solvecache.MinFileBytes+2*(1<<20)+2*each*bytes); got > most {
			t.Fatalf("round %d: %d bytes, at most %d", round, got, most)
		}
	}
	if got := get(t, f, "forgotten"); got[0] != nil {
		t.Errorf("%d bytes were stored with a limit of %d", rounds*each*bytes, solvecache.MinFileBytes)
	}
	if s := f.Stats(); s.Bytes <= 0 || s.Bytes > size() || s.Dropped+s.Errors > 0 {
		t.Errorf("counted %+v", s)
	}
}

// While the disk is not writable, puts are dropped and values can still be read. When it is writable again, puts are stored again.
func TestFileThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	core, logged := observer.New(zapcore.InfoLevel)
	f := file(t, solvecache.FileOptions{Dir: dir, Log: zap.New(core)})
	closing(t, f)
	put(t, f, map[solvecache.Key][]byte{"a": []byte("1")})
	if err := f.Put(context.Background(), "", []byte("bbolt takes no empty key")); err != nil {
		t.Fatal(err)
	}
	settle(t, f)
	if s := f.Stats(); s.Errors == 0 || s.Dropped == 0 {
		t.Errorf("counted %+v", s)
	}
	put(t, f, map[solvecache.Key][]byte{"b": []byte("2")})
	settle(t, f)
	if got := get(t, f, "b"); string(got[0]) != "2" {
		t.Errorf("then: %q", got)
	}
	if logged.Len() != 2 {
		t.Errorf("logged %v", logged.All())
	}
	// Values beyond the limit of pending bytes are dropped immediately.
	if err := f.Put(context.Background(), "large", make([]byte, 16<<20)); err == nil {
		t.Error("16 MiB are pending")
	}
}
