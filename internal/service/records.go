package service

import (
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
