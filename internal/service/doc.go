// Package service is what Roem does, free of HTTP: the operations of the contract with its types in and out. The server
// and the command line both stand on it, so that they take the same requests and give the same answers and errors.
//
// An operation is two steps: a Decode function reads a JSON request strictly, and a method of Service answers it.
// Every error of either is an *Error, or the error of a context that its owner cancelled.
package service
