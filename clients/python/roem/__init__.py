"""The client of Roem, a service for card games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Unpack
from urllib.parse import quote

from . import _contract as contract
from ._contract import KlaverjasSolution, KlaverjasSolveRequest
from ._helpers import SEATS, index, outcome_for, seat_after, seating, team_of
from ._job import Job
from ._operations import Belote, GinRummy, Klaverjas, Starts, Tarok
from ._transport import Cancel, Cancelled, ConnectionFailed, JobCancelled, Limit, Options, ProblemDocument, RoemError, Transport

__all__ = [
    "SEATS",
    "Cancel",
    "Cancelled",
    "ConnectionFailed",
    "Job",
    "JobCancelled",
    "Options",
    "ProblemDocument",
    "Roem",
    "RoemError",
    "contract",
    "index",
    "outcome_for",
    "seat_after",
    "seating",
    "team_of",
]


class Roem(Starts):
    """A server of Roem."""

    def __init__(
        self,
        url: str = "http://localhost:8080",
        *,
        key: str | None = None,
        patience: float = 60,
        attempt: float = 60,
        pause: Callable[[float], None] | None = None,
    ) -> None:
        """The key is the API key, if the server requires one. A call waits at most `patience` seconds between its attempts, in all, and an
        attempt without an answer counts as a broken connection after `attempt` seconds. `pause` waits between two attempts."""
        self._transport = Transport(url, key, patience, attempt, pause)
        self.belote = Belote(self.call)
        self.gin_rummy = GinRummy(self.call)
        self.klaverjas = Klaverjas(self.call)
        self.tarok = Tarok(self.call)

    def call(
        self,
        method: str,
        path: str,
        *,
        body: object = None,
        query: Mapping[str, object] | None = None,
        creates: bool = False,
        waits: bool = False,
        options: Options,
    ) -> Any:
        """Asks an operation. An answer that takes long becomes a job on the way; what is returned is the answer in both cases."""
        limit = Limit(options)
        key = options.get("idempotency_key")
        answer = self._transport.send(method, path, limit, body=body, query=query, creates=creates, waits=waits, key=key)
        if waits and "events" in answer.get("links", {}):
            job: Job[Any] = Job(self._transport, answer)
            return job._wait(limit)
        return answer

    def solve(self, body: KlaverjasSolveRequest, **options: Unpack[Options]) -> KlaverjasSolution:
        """The exact value of a Klaverjas deal: klaverjas.solve."""
        return self.klaverjas.solve(body, **options)

    def _start(self, kind: str, request: object, options: Options) -> Job[Any]:
        body = {"kind": kind, "request": request}
        key = options.get("idempotency_key")
        return Job(self._transport, self._transport.send("POST", "/v1/jobs", Limit(options), body=body, creates=True, key=key))

    def job(self, id: str, **options: Unpack[Options]) -> Job[Any]:
        """Finds a job again."""
        return Job(self._transport, self._transport.send("GET", "/v1/jobs/" + quote(id, safe=""), Limit(options)))
