package service

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
)

// Kind is a kind of error that a client can meet.
type Kind uint8

// The kinds of error. The zero Kind is a fault of the program: an error that nobody gave a kind is one.
const (
	Internal             Kind = iota // a fault of the program
	Malformed                        // the request is not what the contract describes
	Impossible                       // the request is well-formed but cannot be in Klaverjas
	NoModel                          // no model predicts such a position
	NotFound                         // no such path
	MethodNotAllowed                 // the path does not take the method
	TooLarge                         // the body is larger than the server reads
	UnsupportedMediaType             // the body is not declared as JSON
	Unauthorized                     // the request has no valid key
	Limited                          // the client has more searches, jobs or streams than it may
	Busy                             // too many requests wait for a searcher already
	TooSlow                          // the search did not finish in the time allowed
	Stopping                         // the server is shutting down
	NoSuchJob                        // the client has no job of the id
	KeyReused                        // the idempotency key stands for another request
	QueueFull                        // too many jobs wait already
	JobsUnavailable                  // the place where jobs are kept cannot be reached
	kinds
)

// KindInfo is what a kind of error tells a client.
type KindInfo struct {
	Slug   string // the anchor on the page of errors, and so the end of the problem's type
	Title  string // the same for every problem of the kind
	Status int    // the HTTP status
	Help   string // what it means and what to do, for the page of errors
}

var kindInfo = [kinds]KindInfo{
	Internal: {
		"internal", "Internal error", 500,
		"A fault of the server, not of the request. Report it with the request_id, which finds it in the server's log. Trying again may help.",
	},
	Malformed: {
		"malformed", "Malformed request", 400,
		"The request is not what the contract describes: the body is not one JSON object in UTF-8, a field is unknown, missing, given twice or of a wrong type, or a parameter cannot be read. The list errors says where, with JSON pointers (RFC 6901) into the body or the name of the parameter.",
	},
	Impossible: {
		"impossible", "Impossible position", 422,
		"The request is well-formed but cannot be in Klaverjas: a text that is no card, a card dealt twice, a hand that has not eight cards, a card played that was not legal, a rule switch that does not exist. The list errors names everything that was found, with JSON pointers (RFC 6901) into the body; for an illegal card it says which were legal.",
	},
	NoModel: {
		"no-model", "No model knows this", 422,
		"A prediction was asked for that no model can give: the rules or the declarers are others than those it was trained on, which /v1/klaverjas/model lists, or cards have been played. The list errors names the field. /v1/klaverjas/hybrid and /v1/klaverjas/solve answer for such positions by a search.",
	},
	NotFound: {
		"not-found", "Not found", 404,
		"There is nothing at this path. The contract at /openapi.yaml lists every path.",
	},
	MethodNotAllowed: {
		"method-not-allowed", "Method not allowed", 405,
		"The path exists but does not take this method. The header Allow says which it takes.",
	},
	TooLarge: {
		"too-large", "Body too large", 413,
		"The body is larger than the server reads, which is far more than any position needs.",
	},
	UnsupportedMediaType: {
		"unsupported-media-type", "Unsupported media type", 415,
		"The body must be declared as Content-Type: application/json.",
	},
	Unauthorized: {
		"unauthorized", "Unauthorized", 401,
		"The server wants an API key, in the header Authorization: Bearer KEY, and the request has none or one that is not valid. Whoever runs the server gives keys out.",
	},
	Limited: {
		"too-many-requests", "Too many requests", 429,
		"You take up more of the server than one client may: too many of your searches run and wait at a time, they have taken too much time lately, too many of your jobs have not finished, or too many streams of events go to you. The detail says which. Try again after the seconds in Retry-After, or end what you no longer need. Requests that need no search, such as those for what has been solved before, are still answered.",
	},
	Busy: {
		"busy", "Busy", 503,
		"Every searcher is at work and the queue is full. Try again after the seconds in Retry-After, which are computed from the time that searches take at present. Requests that need no search are still answered.",
	},
	TooSlow: {
		"too-slow", "Not finished in time", 503,
		"The search did not finish in the time that the server, or the header Prefer: wait=N, allowed, and could not become a job, which it otherwise does. Allow more with a larger N up to the server's maximum, ask for less (goal win is cheapest), or try again after the seconds in Retry-After.",
	},
	Stopping: {
		"stopping", "Stopping", 503,
		"The server is shutting down and takes no new requests. Another one, or the same after a restart, will.",
	},
	NoSuchJob: {
		"no-such-job", "No such job", 404,
		"The client has no job of this id. There was none, or it belongs to another client, or it finished so long ago that it is not kept any more. A job belongs to the API key that it was asked for with; where the server knows no keys, to the network address that it was asked for from.",
	},
	KeyReused: {
		"idempotency-key-reused", "Idempotency-Key reused", 422,
		"The client has sent this Idempotency-Key before, with another request. A key stands for one request for as long as its job is kept: take a new one for each new request, and the same one only to repeat a request whose answer got lost.",
	},
	QueueFull: {
		"queue-full", "Too many jobs", 503,
		"Too many jobs wait already. Nothing was accepted. Try again after the seconds in Retry-After, which are computed from the time that jobs take at present.",
	},
	JobsUnavailable: {
		"jobs-unavailable", "Jobs cannot be reached", 503,
		"The place where the server keeps its jobs cannot be reached at the moment. Jobs that were accepted are safe there. Requests that are answered at once still are; try again after the seconds in Retry-After.",
	},
}

// Info returns what the kind tells a client.
func (k Kind) Info() KindInfo {
	if k >= kinds {
		k = Internal
	}
	return kindInfo[k]
}

// Kinds returns every kind of error, in the order of the page that explains them.
func Kinds() []Kind {
	return []Kind{
		Malformed, Impossible, NoModel, NotFound, MethodNotAllowed, TooLarge, UnsupportedMediaType, Unauthorized, Limited, Busy,
		TooSlow, Stopping, NoSuchJob, KeyReused, QueueFull, JobsUnavailable, Internal,
	}
}

// ProblemType is the start of the type of every problem; the slug of its kind follows.
const ProblemType = "/docs/errors#"

// Violation is one thing that is wrong with a request.
type Violation struct {
	Pointer   string // RFC 6901 JSON pointer into the body, "" for the whole of it
	Parameter string // the parameter of the path or query, where it is not in the body
	Detail    string // what is wrong and what was expected
}

// Limit is one of the limits that a client can meet.
type Limit string

// The limits.
const (
	LimitSearches Limit = "searches" // too many searches at a time
	LimitTime     Limit = "time"     // too much time of searchers
	LimitJobs     Limit = "jobs"     // too many unfinished jobs
	LimitStreams  Limit = "streams"  // too many streams of events
)

// Error is an error of a known kind. Its text and violations are made for clients; its cause is for the log alone.
type Error struct {
	Kind       Kind
	Detail     string
	Violations []Violation
	Limit      Limit         // of an error of kind Limited, which limit it was
	RetryAfter time.Duration // when another try makes sense; 0 where none does
	Cause      error         // never shown to a client
}

// Error returns the text and the violations.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Detail)
	for _, v := range e.Violations {
		fmt.Fprintf(&b, "; %s%s: %s", v.Pointer, v.Parameter, v.Detail)
	}
	if e.Cause != nil {
		fmt.Fprintf(&b, " (%v)", e.Cause)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// maxViolations is how many violations a problem lists, so that a hostile body cannot ask for a huge answer.
const maxViolations = 32

func malformed(vs ...Violation) *Error {
	return &Error{Kind: Malformed, Detail: summary("is not what the contract describes", vs), Violations: vs}
}

func impossible(vs ...Violation) *Error {
	return &Error{Kind: Impossible, Detail: summary("is impossible in Klaverjas", vs), Violations: vs}
}

// summary says in one sentence what is wrong: the violation itself where there is only one.
func summary(what string, vs []Violation) string {
	if len(vs) != 1 {
		return fmt.Sprintf("The request %s, in %d places.", what, len(vs))
	}
	where := "the body"
	switch v := vs[0]; {
	case v.Parameter != "":
		where = v.Parameter + ":"
	case v.Pointer != "":
		where = v.Pointer + ":"
	}
	return fmt.Sprintf("The request %s: %s %s.", what, where, vs[0].Detail)
}

// asImpossible gives the violations that the engine found their kind, and passes other errors on.
func asImpossible(err error) error {
	var found klaverjas.Violations
	if !errors.As(err, &found) {
		return err
	}
	return impossible(fromEngine(found)...)
}

func fromEngine(found klaverjas.Violations) []Violation {
	vs := make([]Violation, len(found))
	for i, v := range found {
		vs[i] = Violation{Pointer: v.Pointer, Detail: v.Detail}
	}
	return vs
}

// KindOf returns the kind of an error, Internal where it has none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) && e.Kind < kinds {
		return e.Kind
	}
	return Internal
}

// Problem is the one mapping from errors to what a client is told of them, over HTTP and on the command line. Of an
// error without a kind it tells nothing but the request id, which may be empty where there is none.
func Problem(err error, requestID string) api.Problem {
	kind := KindOf(err)
	info := kind.Info()
	p := api.Problem{Type: ProblemType + info.Slug, Title: info.Title, Status: info.Status}
	if requestID != "" {
		p.RequestId = &requestID
	}
	var e *Error
	if kind == Internal || !errors.As(err, &e) {
		p.Detail = "The server failed to answer. The fault is in its log, under the request id."
		return p
	}
	p.Detail = e.Detail
	if len(e.Violations) > 0 {
		list := make([]api.ProblemError, 0, min(len(e.Violations), maxViolations))
		for _, v := range e.Violations[:min(len(e.Violations), maxViolations)] {
			one := api.ProblemError{Detail: v.Detail}
			if v.Parameter != "" {
				one.Parameter = &v.Parameter
			} else {
				one.Pointer = &v.Pointer
			}
			list = append(list, one)
		}
		p.Errors = &list
	}
	return p
}

// RetryAfter returns when another try makes sense, 0 where none does.
func RetryAfter(err error) time.Duration {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.RetryAfter
	}
	return 0
}

// limitOf returns which limit a client has met.
func limitOf(err error) Limit {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Limit
	}
	return ""
}

// Violations returns how many things were found wrong with the request.
func Violations(err error) int {
	if e, ok := errors.AsType[*Error](err); ok {
		return len(e.Violations)
	}
	return 0
}

// BadParameters is the error for parameters of the path or query that cannot be read.
func BadParameters(vs ...Violation) error { return malformed(vs...) }

// BadBody is the error for a body that cannot be read at all.
func BadBody(detail string) error { return malformed(Violation{Detail: detail}) }
