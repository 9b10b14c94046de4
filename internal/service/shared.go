package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"strconv"

	"roem/internal/engine/record"
	"roem/internal/preview"
)

// Shared is what a link to a page shares: the fields of a URL of the board, or the hand of a record.
type Shared struct {
	Fields map[string]string // nil for a record
	Hand   record.Hand       // of a record; nil for fields
	Record json.RawMessage   // Hand in JSON
	Dutch  bool              // the preview is in Dutch
	text   string            // of the record
}

// Query returns the parameters of the link.
func (s Shared) Query() map[string]string {
	query := maps.Clone(s.Fields)
	if query == nil {
		query = map[string]string{"record": s.text}
	}
	if s.Dutch {
		query["language"] = "nl"
	}
	return query
}

// ErrNotShared is returned for what no page shares. Nobody reads why: the page says it.
var ErrNotShared = errors.New("the link shares nothing that can be drawn")

// PositionOf returns the position that is shared. write makes the body of a request of the fields and of the cards played, and parse reads
// it. All cards of the field p are read; those after the cursor, the field i, are not in the position.
func PositionOf[P any](
	ctx context.Context, in Shared, write func(fields map[string]string, played []string) any,
	parse func(context.Context, []byte) (P, error),
) (p P, err error) {
	if in.Fields == nil {
		var hand struct{ Position json.RawMessage }
		if err := json.Unmarshal(in.Record, &hand); err != nil || hand.Position == nil {
			return p, ErrNotShared
		}
		return parse(ctx, hand.Position)
	}
	played := Pairs(in.Fields["p"])
	read := func(n int) error {
		body, err := json.Marshal(write(in.Fields, played[:n:n]))
		if err == nil {
			p, err = parse(ctx, body)
		}
		return err
	}
	err = read(len(played))
	if at, ok := in.Fields["i"]; ok && err == nil {
		n, wrong := strconv.Atoi(at)
		if wrong != nil || !Decimal(at) || n > len(played) {
			return p, ErrNotShared
		}
		err = read(n)
	}
	return p, err
}

// Pairs cuts a text into cards of two characters, with a ten of any suit as the API writes it: TH is 10H, and ST is S10. Never nil.
func Pairs(text string) []string {
	out := make([]string, 0, len(text)/2)
	for i := 0; i < len(text); i += 2 {
		card := text[i:min(i+2, len(text))]
		if len(card) == 2 && card[0] == 'T' {
			card = "10" + card[1:]
		} else if len(card) == 2 && card[1] == 'T' {
			card = card[:1] + "10"
		}
		out = append(out, card)
	}
	return out
}

// Limits of links: a record of one hand, and the fields of a URL.
const (
	longestLink = 6000
	mostFields  = 16
)

// ReadShared reads the query of a link to the page of a game. It fails for a query that shares nothing.
func (s *Service) ReadShared(game, query string) (Shared, error) {
	if len(query) > longestLink {
		return Shared{}, ErrNotShared
	}
	values, err := url.ParseQuery(query)
	if err != nil || len(values) > mostFields {
		return Shared{}, ErrNotShared
	}
	fields := map[string]string{}
	for name, list := range values {
		if len(list) != 1 {
			return Shared{}, ErrNotShared
		}
		fields[name] = list[0]
	}
	shared := Shared{Fields: fields, Dutch: fields["language"] == "nl"}
	delete(fields, "language")
	if text, ok := fields["record"]; ok && len(fields) == 1 {
		shared.Fields, shared.text = nil, text
		shared.Hand, shared.Record, err = s.oneHand(game, text)
		return shared, err
	}
	if fields["v"] != "1" || len(fields) == 1 {
		return Shared{}, ErrNotShared
	}
	return shared, nil
}

// oneHand returns the only hand of a text of records, also in JSON.
func (s *Service) oneHand(game, text string) (record.Hand, json.RawMessage, error) {
	hands, err := (&record.Kinds{Kinds: s.records.Kinds, Foreign: s.records.Foreign, Most: 1}).Read(text)
	if err != nil || len(hands) != 1 {
		return nil, nil, ErrNotShared
	}
	hand, err := json.Marshal(hands[0].Object())
	if err != nil || !bytes.HasPrefix(hand, []byte(`{"game":"`+game+`",`)) {
		return nil, nil, ErrNotShared
	}
	return hands[0], hand, nil
}

// Preview returns what is shown of a link to the page of a game. It fails for a link that shares nothing that can be drawn.
func (s *Service) Preview(ctx context.Context, game string, shared Shared) (preview.Preview, error) {
	for _, g := range s.games {
		if g.Name == game && g.Preview != nil {
			return g.Preview(ctx, shared)
		}
	}
	return preview.Preview{}, ErrNotShared
}
