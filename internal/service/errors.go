package service

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/violation"
)

// Kind is a kind of error that a client can get.
type Kind uint8

// The kinds of error. An error without a kind is Internal, the zero Kind.
const (
	Internal             Kind = iota // an internal error
	Malformed                        // the request does not match the contract
	Impossible                       // the request is well-formed but impossible by the rules of its game
	NoModel                          // there is no model for the position
	NotFound                         // no such path
	MethodNotAllowed                 // the path does not accept the method
	TooLarge                         // the body is larger than the server reads
	UnsupportedMediaType             // the body is not declared as JSON
	Unauthorized                     // the request has no valid key
	Limited                          // the client is at one of its limits
	Busy                             // the queue of requests for a searcher is full, or another bound of the whole server is reached
	TooSlow                          // the search did not finish in the permitted time
	Stopping                         // the server is shutting down
	Unhealthy                        // the last self-check of the server failed
	NoSuchJob                        // the client has no job of the id
	KeyReused                        // the idempotency key was used for another request
	JobTooLong                       // the job alone would take more time than the jobs of a client may
	QueueFull                        // the queue of jobs is full
	JobsUnavailable                  // the store of jobs is unavailable
	NoSuchSession                    // there is no session of the id
	SessionConflict                  // the session cannot take the act as it is now
	SessionsUnavailable              // the store of sessions is unavailable
	NotPermitted                     // the key is valid, but not for this request
	NoSuchPuzzle                     // there is no puzzle of the id
	kinds
)

// KindInfo is what a client gets for a kind of error.
type KindInfo struct {
	Slug   string // the anchor on the page of errors, and so the end of the problem's type
	Title  string // the same for every problem of the kind
	Status int    // the HTTP status
	Help   string // what it means and what to do, for the page of errors
}

var kindInfo = [kinds]KindInfo{
	Internal: {
		"internal", "Internal error", 500,
		"A fault of the server, not of the request. Report it with the request_id, which identifies the " +
			"request in the server's log. Trying again may help.",
	},
	Malformed: {
		"malformed", "Malformed request", 400,
		"The request does not match the contract. For example, the body is not one JSON object in UTF-8, a field is unknown, missing or given " +
			"twice, a text is not a card, or a number is outside its range. " +
			"The list errors says where, in up to 32 places, with a code, and with JSON pointers (RFC 6901) into the body or " +
			"the name of the parameter.",
	},
	Impossible: {
		"impossible", "Impossible position", 422,
		"The request is well-formed but impossible under the rules of the game, or its parts contradict each other. For example, a card is " +
			"dealt twice, a hand has the wrong size, or a card played was not legal or proves a revoke. The list errors has what was " +
			"found, in up to 32 places, with a code, and with JSON pointers (RFC 6901) into the body. For an illegal card, " +
			"expected has the legal cards.",
	},
	NoModel: {
		"no-model", "No model for this", 422,
		"The request asks for a prediction that no model can make. The model card lists the rules and declarers that the models were trained " +
			"on. A model predicts only deals with no cards played. The list errors names the field. Operations that search, such as solve and " +
			"hybrid, also accept such positions.",
	},
	NotFound: {
		"not-found", "Not found", 404,
		"The path does not exist. The contract at /openapi.yaml lists every path.",
	},
	MethodNotAllowed: {
		"method-not-allowed", "Method not allowed", 405,
		"The path exists but does not accept the method. The header Allow lists the methods that it accepts.",
	},
	TooLarge: {
		"too-large", "Body too large", 413,
		"The body is larger than the server accepts. The limit is far above the size of any valid request.",
	},
	UnsupportedMediaType: {
		"unsupported-media-type", "Unsupported media type", 415,
		"The request must have the header Content-Type: application/json.",
	},
	Unauthorized: {
		"unauthorized", "Unauthorized", 401,
		"The server requires an API key in the header Authorization: Bearer KEY. The request has no key, or an invalid one. The operator of " +
			"the server gives out keys.",
	},
	NotPermitted: {
		"not-permitted", "Not permitted", 403,
		"The API key is publishable: it is valid only in pages of some origins, and only for some operations. Either the request has no " +
			"header Origin, which only browsers send, or it has another origin, or the key does not permit the operation. The detail says " +
			"which. " +
			"Programs need a secret key.",
	},
	Limited: {
		"too-many-requests", "Too many requests", 429,
		"The client has reached one of its limits. There are limits for requests that search or wait for a searcher, the time of recent " +
			"searches, unfinished jobs, the time that waiting jobs would take, open event streams, new sessions in a minute, requests with a " +
			"publishable key, and bytes of answers that the client has not read. The detail says which. Try again after the seconds in " +
			"Retry-After, or end the jobs and streams that are no longer needed. Requests that need no search are still answered, for " +
			"example requests for stored results.",
	},
	Busy: {
		"busy", "Busy", 503,
		"Every searcher is busy and the queue is full, or the server has reached its limit of event streams or unread answers. Try again after " +
			"the seconds in Retry-After, which are computed from the current duration of searches. Requests that need no search are still answered.",
	},
	TooSlow: {
		"too-slow", "Not finished in time", 503,
		"The search did not finish in the time allowed by the server or by the header Prefer: wait=N, and could not become a job. Normally it " +
			"becomes a job. Allow more time with a larger N, up to the server's maximum, ask for less (goal win needs the least work), or try " +
			"again after the seconds in Retry-After.",
	},
	Stopping: {
		"stopping", "Stopping", 503,
		"The server is shutting down and accepts no new requests. Send the request to another server, or to the same server after its restart.",
	},
	Unhealthy: {
		"unhealthy", "Self-check failed", 503,
		"The server checks itself regularly: it takes a searcher and accesses the job queue within a time limit. The last check failed. The " +
			"detail says why. Send requests to another server until /readyz answers 200. The server's log has the details.",
	},
	NoSuchJob: {
		"no-such-job", "No such job", 404,
		"The client has no job with this id. The job never existed, belongs to another client, or finished so long ago that it is no longer " +
			"kept. A job belongs to the API key that it was requested with. On a server without keys it belongs to " +
			"the network address that it was requested from.",
	},
	KeyReused: {
		"idempotency-key-reused", "Idempotency-Key reused", 422,
		"The client has used this Idempotency-Key for another request. A key identifies one request for as long as its job or session is kept. " +
			"Use a new key for each new request. Use the same key only to repeat a request whose answer was lost.",
	},
	JobTooLong: {
		"job-too-long", "Job too long", 422,
		"The job alone would take more searcher time than the server allows for the waiting jobs of a client. The detail has both times. " +
			"The same request is refused again. Ask for less: fewer deals, hands, worlds or positions, or several jobs one after the other.",
	},
	QueueFull: {
		"queue-full", "Too many jobs", 503,
		"Too many jobs wait already. No job was created. Try again after the seconds in Retry-After, which " +
			"are computed from the current duration of jobs.",
	},
	JobsUnavailable: {
		"jobs-unavailable", "Jobs cannot be reached", 503,
		"The store of the jobs cannot be reached at the moment. Accepted jobs are safe in it. Requests that are answered without a job still " +
			"work. Try again after the seconds in Retry-After.",
	},
	NoSuchSession: {
		"no-such-session", "No such session", 404,
		"There is no session with this id for the client. It never existed, belongs to another API key, has ended, has expired without " +
			"use, or was ended to make room for newer sessions. Begin a new session.",
	},
	SessionConflict: {
		"session-conflict", "The session has moved on", 409,
		"The act does not fit the session as it is now. The code says why: the session has another act with the number acts of the request, " +
			"or it waits for another kind of act, or the hand that the request reads is not over. The field acts of the " +
			"problem is the number of its next act. Read the session again, and decide again. Repeating an act that the session already " +
			"has, with the same number, is safe and not a conflict.",
	},
	SessionsUnavailable: {
		"sessions-unavailable", "Sessions cannot be reached", 503,
		"The store of the sessions cannot be reached at the moment. The act may or may not have been made. Repeat it after the seconds " +
			"in Retry-After. If it was made before, it changes nothing.",
	},
	NoSuchPuzzle: {
		"no-such-puzzle", "No such puzzle", 404,
		"There is no puzzle with this id. The puzzles come with the program, and another version may have others. /v1/klaverjas/puzzles " +
			"lists them.",
	},
}

// Info returns what a client gets for the kind.
func (k Kind) Info() KindInfo {
	if k >= kinds {
		k = Internal
	}
	return kindInfo[k]
}

// Kinds returns every kind of error, in the order of the page that explains them.
func Kinds() []Kind {
	return []Kind{
		Malformed, Impossible, NoModel, NotFound, MethodNotAllowed, TooLarge, UnsupportedMediaType, Unauthorized, NotPermitted, Limited, Busy,
		TooSlow, Stopping, Unhealthy, NoSuchJob, KeyReused, JobTooLong, QueueFull, JobsUnavailable, NoSuchSession, SessionConflict,
		SessionsUnavailable, NoSuchPuzzle, Internal,
	}
}

// Explained returns the slugs of the kinds whose problems list errors, each with a code. The problems of other kinds have one code.
func Explained() []string {
	var slugs []string
	for _, kind := range []Kind{Malformed, Impossible, NoModel, NotFound, MethodNotAllowed, TooLarge, UnsupportedMediaType} {
		slugs = append(slugs, kind.Info().Slug)
	}
	return slugs
}

// ProblemType is the start of the type of every problem; the slug of its kind follows.
const ProblemType = "/docs/errors#"

// Violation is one error in a request.
type Violation = violation.Violation

// Limit is one of the limits of a client.
type Limit string

// The limits.
const (
	LimitSearches Limit = "searches"  // too many searches at a time
	LimitTime     Limit = "time"      // too much time of searchers
	LimitJobs     Limit = "jobs"      // too many unfinished jobs
	LimitJobTime  Limit = "jobs_time" // waiting jobs that would take too much time
	LimitStreams  Limit = "streams"   // too many streams of events
	LimitSessions Limit = "sessions"  // too many new sessions
	LimitRequests Limit = "requests"  // too many requests with a publishable key
	LimitSending  Limit = "sending"   // too many bytes of answers that the client has not received
	LimitBodies   Limit = "bodies"    // too many bytes of large bodies that have not been answered
)

// Error is an error of a known kind. Clients get its detail and violations. The cause is only logged.
type Error struct {
	Kind       Kind
	Code       Code // the cause, for a kind with several that lists no violations
	Detail     string
	Violations []Violation   // the first maxViolations of what is wrong
	Places     int           // how many there are; 0 for as many as Violations
	More       bool          // there may be more than Places
	Limit      Limit         // of an error of kind Limited, which limit it was
	RetryAfter time.Duration // when the client should try again; 0 if it should not
	Acts       *int          // of an error of kind SessionConflict, the number of the session's next act
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

// maxViolations is how many violations a problem lists. It bounds the size of the answer to a hostile body.
const maxViolations = 32

// maxExpected is how many values a violation lists as expected.
const maxExpected = 64

// Refused returns the error for what is wrong with a request: of kind Malformed if the contract is not met somewhere, and otherwise
// Impossible. This is the one rule for the two.
func Refused(vs ...Violation) *Error { return refusal(vs, false) }

// refusal is Refused. more says that there may be more wrong with the request. A violation without a code is a fault of the program.
func refusal(vs []Violation, more bool) *Error {
	e := &Error{Kind: Impossible, Violations: vs, Places: len(vs), More: more}
	for _, v := range vs {
		switch {
		case v.Code == "":
			return &Error{Kind: Internal, Cause: v}
		case v.Code.OfContract():
			e.Kind = Malformed
		}
	}
	return e.upTo(maxViolations)
}

// upTo returns the error with at most the given number of violations.
func (e *Error) upTo(most int) *Error {
	out, n := *e, min(len(e.Violations), most)
	out.Places, out.Violations = e.places(), e.Violations[:n:n]
	out.Detail = out.summary()
	return &out
}

// places returns how many places are known to be wrong.
func (e *Error) places() int { return max(e.Places, len(e.Violations)) }

// FromEngine returns the violations that an engine found as the error for a request, and other errors unchanged.
func FromEngine(err error) error { return FromEngineAt("", err) }

// FromEngineAt is FromEngine for what is wrong with the value at a pointer.
func FromEngineAt(pointer string, err error) error {
	if found := violation.Of(pointer, err); found != nil {
		return Refused(found...)
	}
	return err
}

// InParameter is FromEngine for a parameter.
func InParameter(name string, err error) error {
	var vs Problems
	vs.AddIn(name, err)
	return vs.Err()
}

// NewNoModel returns the error for a request that only a model could answer, and none knows.
func NewNoModel(pointer, format string, args ...any) *Error {
	e := &Error{Kind: NoModel, Violations: []Violation{violation.New(violation.NoModel, format, args...).At(pointer)}}
	return e.upTo(maxViolations)
}

// NewUnusable returns the error of a kind for a request that is not read: its path, method, media type or length is wrong.
func NewUnusable(kind Kind, v Violation) *Error {
	return &Error{Kind: kind, Detail: v.Detail, Violations: []Violation{v}}
}

// summary says in one sentence what is wrong: the first violation, and how many more there are.
func (e *Error) summary() string {
	said, ok := map[Kind]string{
		Malformed: "The request does not match the contract", Impossible: "The request is impossible", NoModel: "No model answers this",
	}[e.Kind]
	if !ok || len(e.Violations) == 0 { // its detail contains no pointer
		return e.Detail
	}
	first := e.Violations[0].Error()
	if first == e.Violations[0].Detail && e.Kind == Malformed && !e.Violations[0].NoPlace {
		first = "the body " + first
	}
	switch rest := e.places() - 1; {
	case e.More && rest > 0:
		first += fmt.Sprintf("; at least %d more", rest)
	case e.More:
		first += "; perhaps more"
	case rest > 0:
		first += fmt.Sprintf("; %d more", rest)
	}
	if strings.HasSuffix(first, "?") {
		return said + ": " + first
	}
	return said + ": " + strings.TrimSuffix(first, ".") + "."
}

// KindOf returns the kind of an error, Internal if it has none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) && e.Kind < kinds {
		return e.Kind
	}
	return Internal
}

// Problem is the only mapping from errors to the problems that clients get, over HTTP and on the command line. For an error without a
// kind it reveals nothing but the request id. requestID may be empty.
func Problem(err error, requestID string) api.Problem {
	kind := KindOf(err)
	info := kind.Info()
	p := api.Problem{Type: ProblemType + info.Slug, Code: string(codeOfKind(kind)), Title: info.Title, Status: info.Status}
	if requestID != "" {
		p.RequestId = &requestID
	}
	var e *Error
	if kind == Internal || !errors.As(err, &e) {
		p.Detail = "The request failed because of a fault of the server. The server's log has the cause under the request id."
		return p
	}
	p.Code, p.Detail, p.Acts = string(e.code()), e.Detail, e.Acts
	if len(e.Violations) > 0 {
		list := make([]api.ProblemError, 0, len(e.Violations))
		for _, v := range e.Violations {
			one := api.ProblemError{Code: string(v.Code), Detail: v.Detail, Expected: outExpected(v.Expected)}
			if v.Value != "" {
				one.Value = &v.Value
			}
			switch {
			case v.Parameter != "":
				one.Parameter = &v.Parameter
			case !v.NoPlace:
				one.Pointer = &v.Pointer
			}
			list = append(list, one)
		}
		p.Errors = &list
	}
	return p
}

// outExpected returns what was expected, as much of it as the contract allows.
func outExpected(e violation.Expected) *api.Expected {
	if !e.Given() {
		return nil
	}
	out := &api.Expected{Least: e.Least, Most: e.Most, MultipleOf: e.MultipleOf}
	if len(e.OneOf) > 0 {
		out.OneOf = new(e.OneOf[:min(len(e.OneOf), maxExpected)])
	}
	return out
}

// RetryAfter returns the time after which the client should try again, 0 if it should not.
func RetryAfter(err error) time.Duration {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.RetryAfter
	}
	return 0
}

// Violations returns the number of violations in the error.
func Violations(err error) int {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.places()
	}
	return 0
}

// Below adds a pointer before the pointers of the violations of an error.
func Below(pointer string, err error) error {
	return Moved(err, func(p string) string { return short(pointer + p) })
}

// Moved changes the pointers of the violations of an error.
func Moved(err error, move func(pointer string) string) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || len(e.Violations) == 0 {
		return err
	}
	moved := *e
	moved.Violations = slices.Clone(e.Violations)
	for i, v := range moved.Violations {
		if v.Parameter == "" {
			moved.Violations[i].Pointer = move(v.Pointer)
			if v.Also != "" {
				also := move(v.Also)
				moved.Violations[i].Detail, moved.Violations[i].Also = strings.TrimSuffix(v.Detail, v.Also)+also, also
			}
		}
	}
	moved.Detail = moved.summary()
	return &moved
}

func busyDetail(e *computation.BusyError) string {
	return fmt.Sprintf("No searcher is free (%d in all), and the queue is full (%d requests).", e.Slots, e.Queue)
}

func searchesDetail(e *computation.LimitedError) string {
	return fmt.Sprintf("%d of your requests already search or wait for a searcher, and more are not allowed.", e.Searches)
}
