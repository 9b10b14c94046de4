"""The client of Roem, a service for card games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Unpack
from urllib.parse import quote

from . import contract
from ._helpers import SEATS, index, outcome_for, seat_after, seating, team_of
from ._job import Job, answers
from ._operations import Belote, GinRummy, Klaverjas, Records, Starts, Tarok
from ._transport import Cancel, Cancelled, ConnectionFailed, JobCancelled, Limit, Options, ProblemDocument, RoemError, Transport
from .contract import JobStatus, KlaverjasSolution, KlaverjasSolveRequest, Version

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
        patience: float | None = None,
        attempt: float = 60,
        pause: Callable[[float], None] | None = None,
    ) -> None:
        """The key is the API key, if the server requires one. A call waits at most `patience` seconds between its attempts, in all: by
        default 60, or 2 for a server that has never answered. An attempt without an answer counts as a broken connection after `attempt`
        seconds. `pause` waits between two attempts."""
        self._transport = Transport(url, key, patience, attempt, pause)
        self.belote = Belote(self)
        self.gin_rummy = GinRummy(self)
        self.klaverjas = Klaverjas(self)
        self.records = Records(self)
        self.tarok = Tarok(self)

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

    def stream(self, method: str, path: str, *, body: object = None, options: Options) -> Iterator[Any]:
        """Asks an operation for answers that become better, until the server has the last. The loop over them can end earlier."""
        return answers(self._transport, method, path, body, Limit(options))

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

    def jobs(
        self, *, ids: Sequence[str] | None = None, status: JobStatus | None = None, **options: Unpack[Options]
    ) -> Iterator[Job[Any]]:
        """The jobs of the client, newest first, or those with these ids. Without a secret API key the server lists those with ids only."""
        limit, token = Limit(options), None
        while True:
            query = {"id": ",".join(ids) if ids is not None else None, "status": status, "page_token": token}
            page = self._transport.send("GET", "/v1/jobs", limit, query=query)
            for state in page["jobs"]:
                yield Job(self._transport, state)
            token = page.get("next_page_token")
            if not token:
                return

    def version(self, **options: Unpack[Options]) -> Version:
        """The versions of the server, of its solver and of its contract."""
        answer: Version = self._transport.send("GET", "/version", Limit(options))
        return answer
