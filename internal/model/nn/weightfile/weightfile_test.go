package weightfile_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/model/nn/weightfile"
)

type header struct {
	Name string `json:"name"`
}

const magic = "test1"

func TestRoundTrip(t *testing.T) {
	content, err := weightfile.AppendHeader(nil, header{"some weights"})
	if err != nil {
		t.Fatal(err)
	}
	want := []float32{0, 1.5, -3e-7}
	opened, err := weightfile.Open(magic, weightfile.Seal(magic, weightfile.AppendFloats(content, want)))
	if err != nil {
		t.Fatal(err)
	}
	var head header
	rest, err := weightfile.ReadHeader(opened, &head)
	if err != nil || head.Name != "some weights" {
		t.Fatalf("%+v, %v", head, err)
	}
	got := make([]float32, len(want))
	if rest = weightfile.ReadFloats(rest, got); len(rest) != 0 {
		t.Errorf("%d bytes are left", len(rest))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Each changed byte, and each missing one, is found.
func TestDamage(t *testing.T) {
	file := weightfile.Seal(magic, []byte("some content"))
	for i := range file {
		damaged := slices.Clone(file)
		damaged[i] ^= 1
		for name, f := range map[string][]byte{"changed": damaged, "cut": file[:i]} {
			if _, err := weightfile.Open(magic, f); !isError(err) {
				t.Errorf("byte %d %s: %v", i, name, err)
			}
		}
	}
}

func TestHeaders(t *testing.T) {
	for name, tt := range map[string]struct{ content, want string }{
		"none":          {"\x02\x00", "no header"},
		"too long":      {"\x03\x00\x00\x00{}", "would have 3 bytes"},
		"huge":          {"\xff\xff\xff\xff{}", "would have 4294967295 bytes"},
		"not JSON":      {"\x02\x00\x00\x00no", "its header"},
		"unknown field": {"\x0b\x00\x00\x00{\"other\":1}", "unknown field"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := weightfile.ReadHeader([]byte(tt.content), new(header)); !isError(err) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func isError(err error) bool {
	_, ok := errors.AsType[*weightfile.Error](err)
	return ok
}
