package preview_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"strings"
	"sync"
	"testing"

	"roem/internal/preview"
)

// full is the largest preview.
func full() *preview.Preview {
	p := &preview.Preview{Title: strings.Repeat("Klaverjas ", 20), Text: strings.Repeat("♠ ♥ ", 90)}
	for i := range preview.MostRows + 2 {
		row := preview.Row{Name: "Noord, aan de beurt", Turn: i == 0}
		for k := range preview.MostCards + 3 {
			row.Cards = append(row.Cards, preview.Of([]string{"10", "K", "XVIII"}[k%3], "CDHS"[k%4:][:1]))
		}
		p.Rows = append(p.Rows, row)
	}
	return p
}

// A picture has the size that messengers show, whatever is in it, and few bytes.
func TestPicture(t *testing.T) {
	a := preview.NewArtist(2)
	for name, p := range map[string]*preview.Preview{"nothing": {}, "as much as fits, and more": full()} {
		body, err := a.PNG(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if image, err := png.Decode(bytes.NewReader(body)); err != nil || image.Bounds().Dx() != 1200 || image.Bounds().Dy() != 630 {
			t.Errorf("%s: %v %v", name, image.Bounds(), err)
		}
		if len(body) > 100<<10 {
			t.Errorf("%s: %d bytes", name, len(body))
		}
	}
}

// Equal previews have equal pictures, whoever draws them, and whatever was drawn before.
func TestPicturesAreEqual(t *testing.T) {
	a := preview.NewArtist(2)
	want := make([][]byte, 3)
	of := func(i int) *preview.Preview {
		p := full()
		p.Rows = p.Rows[:i]
		return p
	}
	for i := range want {
		want[i], _ = preview.NewArtist(1).PNG(t.Context(), of(i))
	}
	var all sync.WaitGroup
	errs := make(chan error, 12)
	for k := range 12 {
		all.Go(func() {
			if got, err := a.PNG(t.Context(), of(k%3)); err != nil || !bytes.Equal(got, want[k%3]) {
				errs <- fmt.Errorf("picture %d: %d bytes, %d before, %w", k%3, len(got), len(want[k%3]), err)
			}
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
}

// Who waits for a picture may leave.
func TestPictureIsNotAwaited(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := preview.NewArtist(0).PNG(ended, full()); err == nil {
		t.Error("there is a picture without a canvas")
	}
}

// A picture costs so little that it needs no slot: see the allocations, and the time of one.
func BenchmarkPicture(b *testing.B) {
	a, p := preview.NewArtist(1), full()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := a.PNG(b.Context(), p); err != nil {
			b.Fatal(err)
		}
	}
}
