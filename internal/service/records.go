package service

import (
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
	for i, h := range hands {
		out.Records[i] = h.Object()
	}
	var err error
	out.Text, err = RecordText(hands, form)
	return out, err
}

// RecordText returns the text of hands in a form.
func RecordText(hands []record.Hand, form api.RecordForm) (string, error) {
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
