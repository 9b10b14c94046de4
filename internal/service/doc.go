// Package service runs the operations of the contract, without HTTP. Requests and answers have the types of the contract. The server
// and the command line both use it, so they accept the same requests and give the same answers and errors.
//
// An operation has two steps: the Parse function of the Operation reads a JSON request strictly, and a method of Service answers
// it. Every error of either is an *Error, or the error of a context that its owner cancelled.
package service
