//go:build !js

package preview

import "context"

// Artist draws previews, a few at a time, in memory of its own. It is safe for concurrent use.
type Artist struct{ canvases chan *canvas }

// NewArtist returns an Artist that draws as many previews at a time as given, each in 2 MiB. The others wait.
func NewArtist(atOnce int) *Artist {
	a := &Artist{canvases: make(chan *canvas, atOnce)}
	for range atOnce {
		a.canvases <- nil // made when it is needed
	}
	return a
}

// PNG returns the picture of a preview. The error is the context's, if it ends before the picture is begun.
func (a *Artist) PNG(ctx context.Context, p *Preview) ([]byte, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case c := <-a.canvases:
		defer func() { a.canvases <- c }()
		if c == nil {
			var err error
			if c, err = newCanvas(); err != nil {
				return nil, err
			}
		}
		c.draw(p)
		return c.png()
	}
}
