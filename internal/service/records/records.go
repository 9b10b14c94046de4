// Package records has the operations on records of hands of all games: it reads the forms and writes them. What a record of a game means is
// in engine/GAME/record, which the games declare.
package records

import (
	"context"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/record"
	"roem/internal/service"
)

//go:generate go run ../../../api/requests -path /v1/records/ -prefix Record

// Game answers the operations on records. It is none of the games, but is declared as they are. It is safe for concurrent use.
type Game struct {
	service *service.Service
	schemas *service.Schemas
	kinds   *record.Kinds
}

// New returns what answers the operations, and registers them with the service. The kinds are those of the games.
func New(s *service.Service, kinds *record.Kinds) *Game {
	g := &Game{service: s, schemas: service.NewSchemas(s), kinds: kinds}
	service.Declare(s, Operations, g)
	return g
}

// Operations declares the operations on records.
var Operations = &service.Declaration[*Game]{
	Name:       "records",
	Operations: []service.Declared[*Game]{service.Now("convert", (*Game).ParseConvert, (*Game).Convert).Large()},
}

// Conversion is a request to write records in another form.
type Conversion struct {
	hands []record.Hand
	form  api.RecordForm
}

// ParseConvert reads the body of convert, and the records in it.
func (g *Game) ParseConvert(ctx context.Context, body []byte) (Conversion, error) {
	return service.Decode(ctx, g.schemas, body, "RecordConvertRequest", func(in convertBody) (Conversion, error) {
		hands, err := g.kinds.Read(in.Text)
		if err != nil {
			return Conversion{}, service.FromRecords("/text", err)
		}
		return Conversion{hands, service.Or(in.Form, api.RecordFormText)}, nil
	})
}

// Convert writes records in a form, and as JSON.
func (g *Game) Convert(q Conversion) (api.RecordConversion, error) {
	out := api.RecordConversion{Form: q.form, Records: make([]api.RecordHand, len(q.hands)), Version: g.service.Version()}
	for i, h := range q.hands {
		out.Records[i] = h.Object()
	}
	var err error
	out.Text, err = Write(q.hands, q.form)
	return out, err
}

// Write returns the text of hands in a form.
func Write(hands []record.Hand, form api.RecordForm) (string, error) {
	if form == api.RecordFormText {
		return record.Write(hands...), nil
	}
	var b strings.Builder
	for _, h := range hands {
		line := []byte(record.Line(h))
		if form == api.RecordFormJson {
			var err error
			if line, err = record.JSON(h); err != nil {
				return "", err
			}
		}
		b.Write(append(line, '\n'))
	}
	return b.String(), nil
}
