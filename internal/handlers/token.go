package handlers

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"roem/internal/api"
	"roem/internal/service"
)

// tokenLife is how long a token can open a stream. A stream that is open stays open.
const tokenLife = 5 * time.Minute

// tokens makes and checks tokens, each of which opens the event stream of one job for a few minutes. EventSource sends no header, so that
// a token is in the URL. It is signed and not stored: every server with the same secrets accepts it.
type tokens struct {
	secrets [][]byte // the first one signs; all of them are accepted
	now     func() time.Time
}

func newTokens(secrets [][]byte, now func() time.Time) tokens {
	if len(secrets) == 0 {
		secrets = [][]byte{[]byte(rand.Text() + rand.Text())} // the tokens of this server are for this server
	}
	if now == nil {
		now = time.Now
	}
	return tokens{secrets: secrets, now: now}
}

// sign returns the signature of what a token is for.
func sign(secret []byte, job, owner, until string) []byte {
	mac := hmac.New(sha256.New, secret)
	for _, part := range []string{"roem event stream 1", job, owner, until} {
		_, _ = mac.Write(append([]byte(part), 0)) // no part has a zero
	}
	return mac.Sum(nil)
}

// issue returns a token with which the owner can follow the job, and its end.
func (t tokens) issue(job, owner string) (token string, ends time.Time) {
	ends = t.now().Add(tokenLife).Truncate(time.Second)
	until := strconv.FormatInt(ends.Unix(), 36)
	encode := base64.RawURLEncoding.EncodeToString
	return until + "." + encode([]byte(owner)) + "." + encode(sign(t.secrets[0], job, owner, until)), ends
}

// check returns the owner for whom a token for the job was issued.
func (t tokens) check(token, job string) (owner string, err error) {
	refused := func(code service.Code, detail string) (string, error) {
		return "", &service.Error{Kind: service.Unauthorized, Code: code, Detail: detail}
	}
	invalid := func() (string, error) {
		return refused(service.WrongToken, "The token is not for the events of this job.")
	}
	if len(token) > maxToken {
		return invalid()
	}
	until, rest, _ := strings.Cut(token, ".")
	name, signature, _ := strings.Cut(rest, ".")
	ownerBytes, err1 := base64.RawURLEncoding.DecodeString(name)
	given, err2 := base64.RawURLEncoding.DecodeString(signature)
	ends, err3 := strconv.ParseInt(until, 36, 64)
	if err1 != nil || err2 != nil || err3 != nil {
		return invalid()
	}
	valid := false
	for _, secret := range t.secrets {
		valid = hmac.Equal(given, sign(secret, job, string(ownerBytes), until)) || valid
	}
	switch {
	case !valid:
		return invalid()
	case !t.now().Before(time.Unix(ends, 0)):
		return refused(service.ExpiredToken, "The token has expired. Ask for another one at /v1/jobs/{id}/token.")
	}
	return string(ownerBytes), nil
}

// maxToken is longer than any token.
const maxToken = 512

// eventsPath is the route of event streams, the only one that accepts a token.
const eventsPath = service.JobPath + "{id}/events"

// tokenClient returns the client of a request for an event stream that has a token, and whether it has one.
func (h *Handlers) tokenClient(r *http.Request) (c client, given bool, err error) {
	if chi.RouteContext(r.Context()).RoutePattern() != eventsPath || !strings.Contains(r.URL.RawQuery, "token=") {
		return c, false, nil
	}
	values, given := r.URL.Query()["token"]
	if !given {
		return c, false, nil
	}
	owner, err := h.tokens.check(values[0], chi.URLParam(r, "id"))
	return client{owner: owner, network: clientOf(r).network}, true, err
}

// JobToken answers POST /v1/jobs/{id}/token.
func (h *Handlers) JobToken(w http.ResponseWriter, r *http.Request, id api.JobId) {
	if err := checkQuery(r); err != nil {
		h.fail(w, r, err)
		return
	}
	job, err := h.service.Job(r.Context(), id, service.WaitPolicy{Owner: ownerOf(r)})
	if err != nil {
		h.fail(w, r, err)
		return
	}
	token, ends := h.tokens.issue(job.Id, ownerOf(r))
	h.write(w, r, http.StatusCreated, "application/json", api.JobToken{
		Token: token, ExpiresAt: ends.UTC(), Events: job.Links.Events + "?token=" + token,
	})
}
