package service

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"roem/internal/computation"
	"roem/internal/jobs"
)

// CreateJob creates a job for the request, or returns the job that the owner has under the same idempotency key. Without one it returns the
// job that the owner has for an equal request without one, unless many clients have the owner. finished reports whether the job has
// finished.
func (s *Service) CreateJob(ctx context.Context, r *Request, owner, idempotencyKey string) (job Job, finished bool, err error) {
	accepted, err := s.submit(ctx, s.spec(r, owner, idempotencyKey))
	if err != nil {
		return Job{}, false, err
	}
	return s.outJob(ctx, accepted), accepted.Status.Final(), nil
}

// The starts of the owners that many clients can have: an address, and a publishable key.
const (
	address     = "addr:"
	publishable = "site:"
)

// Unidentified is the owner for all clients whose address the server cannot tell.
const Unidentified = address + "unknown"

// AddressOwner returns the owner of what clients without a key make who have the address.
func AddressOwner(text string) string { return address + text }

// PublishableOwner returns the owner of what clients with a publishable key make.
func PublishableOwner(id string) string { return publishable + id }

// The lengths of the IPv6 prefixes that identify a client and its network: a client can choose any address within the first, and many
// clients can be one that has the second.
const (
	clientBits  = 64
	networkBits = 48
)

// BlocksOf returns the block of addresses that is one client, and the block that is one network, which only an IPv6 address has. An
// address that is not valid has neither.
func BlocksOf(ip netip.Addr) (client, network netip.Prefix) {
	switch {
	case !ip.IsValid():
		return client, network
	case ip.Is6():
		return netip.PrefixFrom(ip, clientBits).Masked(), netip.PrefixFrom(ip, networkBits).Masked()
	default:
		return netip.PrefixFrom(ip, ip.BitLen()), network
	}
}

// NetworkOf returns the network of an owner whose address is of IPv6, as the owner of its address would be written, and otherwise nothing.
func NetworkOf(owner string) string {
	text, is := strings.CutPrefix(owner, address)
	if prefix, err := netip.ParsePrefix(text); is && err == nil && prefix.Addr().Is6() {
		_, network := BlocksOf(prefix.Addr())
		return AddressOwner(network.String())
	}
	return ""
}

// shared reports whether many clients can have the owner. They have the limits of one client, and see of each other's jobs and sessions
// only those whose id they know, which cannot be guessed.
func shared(owner string) bool {
	return strings.HasPrefix(owner, address) || strings.HasPrefix(owner, publishable)
}

// spec describes the job of a request.
func (s *Service) spec(r *Request, owner, idempotencyKey string) jobs.Spec {
	key := sha256.New()
	for _, part := range [][]byte{[]byte(s.version), []byte(r.kind), r.query.Key()} {
		key.Write(binary.AppendUvarint(nil, uint64(len(part))))
		key.Write(part)
	}
	return jobs.Spec{
		Kind: r.kind, Key: hex.EncodeToString(key.Sum(nil)), Owner: owner, Network: NetworkOf(owner), IdempotencyKey: idempotencyKey,
		Cost: CostOf(r.query), Payload: r.payload, Unlisted: shared(owner),
	}
}

func (s *Service) submit(ctx context.Context, spec jobs.Spec) (jobs.Job, error) {
	if s.queue == nil {
		return jobs.Job{}, &Error{Kind: JobsUnavailable, RetryAfter: computation.MaxRetry, Detail: "This server has no store for jobs."}
	}
	if most := s.jobTime; most > 0 && spec.Cost > most && !spec.Local {
		s.observe.Limited(LimitJobTime)
		return jobs.Job{}, &Error{Kind: JobTooLong, Detail: fmt.Sprintf(
			"The job would take about %s of searcher time, and the waiting jobs of a client may take at most %s: ask for less.",
			inMinutes(spec.Cost), inMinutes(most),
		)}
	}
	// The search of a local job was admitted with its request. Another job is admitted now, and may then use the time that it needs.
	limited := s.computations.HasTime(spec.Owner)
	spec.NoNewTask = limited != nil
	job, _, err := s.queue.Submit(ctx, spec)
	if errors.Is(err, jobs.ErrNewTask) {
		return jobs.Job{}, s.computationError(limited)
	}
	return job, s.queueError(ctx, err)
}
