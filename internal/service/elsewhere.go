package service

import "errors"

// ErrElsewhere is the error of a program that has a part of the operations, for a request that another program answers.
var ErrElsewhere = errors.New("another program answers this")
