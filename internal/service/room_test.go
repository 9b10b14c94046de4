package service

import (
	"context"
	"errors"
	"testing"
)

// A long text has a place until it is written, a short one needs none, and what is wrong with a text is explained in its own place.
func TestRoom(t *testing.T) {
	s, err := New(Options{Slots: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave, err := s.Room(t.Context(), freeText+1)
	if err != nil {
		t.Fatal(err)
	}
	if err := readingOf(ctx).spend(ctx, 2*freeTokens); err != nil {
		t.Errorf("explaining: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := s.Room(gone, freeText+1); !errors.Is(err, context.Canceled) {
		t.Errorf("a second long text: %v", err)
	}
	if _, _, err := s.Room(gone, freeText); err != nil {
		t.Errorf("a short text: %v", err)
	}
	leave()
	if _, leave, err = s.Room(t.Context(), freeText+1); err != nil {
		t.Errorf("after the first: %v", err)
	}
	leave()
}
