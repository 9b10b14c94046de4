package service

import (
	"encoding/json"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/record"
	"roem/internal/engine/violation"
)

// FromRecords returns the error of reading the records at a pointer. A JSON pointer reaches the text only, so the detail of each error
// begins with the line and the column.
func FromRecords(pointer string, err error) error {
	errs, ok := record.AsErrors(err)
	if !ok {
		return err
	}
	list := make([]violation.Violation, len(errs))
	for i, e := range errs {
		v := e.Violation
		v.Detail = e.Error()
		list[i] = v.At(pointer)
	}
	return Refused(list...)
}

// WriteRecords writes records in a form, and as JSON.
func (s *Service) WriteRecords(hands []record.Hand, form api.RecordForm) (api.RecordConversion, error) {
	out := api.RecordConversion{Form: form, Records: make([]api.RecordHand, len(hands)), Version: s.Version()}
	objects := make([]json.RawMessage, len(hands))
	for i, h := range hands {
		var err error
		if objects[i], err = record.JSON(h); err != nil {
			return out, err
		}
		out.Records[i] = objects[i]
	}
	if form == api.RecordFormJson {
		out.Text = lines(objects)
		return out, nil
	}
	var err error
	out.Text, err = RecordText(hands, form)
	return out, err
}

// RecordText returns the text of hands in a form.
func RecordText(hands []record.Hand, form api.RecordForm) (string, error) {
	switch form {
	case api.RecordFormText:
		return record.Write(hands...), nil
	case api.RecordFormJson:
		objects := make([]json.RawMessage, len(hands))
		for i, h := range hands {
			var err error
			if objects[i], err = record.JSON(h); err != nil {
				return "", err
			}
		}
		return lines(objects), nil
	default:
		list := make([]string, len(hands))
		for i, h := range hands {
			list[i] = record.Line(h)
		}
		return lines(list), nil
	}
}

// lines returns a text with a line for each item.
func lines[T ~string | ~[]byte](items []T) string {
	size := 0
	for _, item := range items {
		size += len(item) + 1
	}
	var b strings.Builder
	b.Grow(size)
	for _, item := range items {
		b.WriteString(string(item))
		b.WriteByte('\n')
	}
	return b.String()
}
