"""One call: its attempts, the waits between them, and its error."""

from __future__ import annotations

import http.client
import json
import random
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol, TypedDict, TypeVar
from urllib.parse import urlencode, urlsplit

from ._contract import ErrorCode, Expected, Problem

T = TypeVar("T")


class RoemError(Exception):
    """What every error of the client is."""


class ConnectionFailed(RoemError):
    """The server could not be reached, or its answer was cut, until the client's patience ended."""


class Cancelled(RoemError):
    """The call was cancelled, by its option `cancel`."""


class JobCancelled(RoemError):
    """The job was cancelled, so it has no result."""


class ProblemDocument(RoemError):
    """The server answered with a problem, or a job ended with one. Code, pointer and expected are those of the first of its errors."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem["detail"])
        self.problem = problem
        self.status = problem["status"]
        self.type = problem["type"]
        self.request_id = problem.get("request_id")
        errors = problem.get("errors") or []
        self.code: ErrorCode | None = errors[0]["code"] if errors else None
        self.pointer: str | None = errors[0].get("pointer") if errors else None
        self.expected: Expected | None = errors[0].get("expected") if errors else None


class Cancel:
    """Ends the calls that were given it: `cancel()` can be called by another thread."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._sockets: dict[http.client.HTTPConnection, socket.socket] = {}

    def cancel(self) -> None:
        self._event.set()
        for one in list(self._sockets.values()):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it is closed already

    def watch(self, connection: http.client.HTTPConnection) -> None:
        """Connects, so that cancel ends what waits for the connection."""
        connection.connect()
        self._sockets[connection] = connection.sock
        self.check()

    def forget(self, connection: http.client.HTTPConnection) -> None:
        self._sockets.pop(connection, None)
        connection.close()

    def check(self) -> None:
        if self._event.is_set():
            raise Cancelled("The call was cancelled.")

    def pause(self, seconds: float) -> None:
        self._event.wait(seconds)


class Options(TypedDict, total=False):
    """The options of one call."""

    timeout: float
    """The most seconds that the call takes, with all attempts and waits. After it the call raises TimeoutError."""
    cancel: Cancel
    idempotency_key: str
    """The name of what the call creates. With the name of an earlier call, the answer is what that call created."""


class Call(Protocol):
    """Asks an operation, and returns its answer."""

    def __call__(
        self,
        method: str,
        path: str,
        *,
        body: object = None,
        query: Mapping[str, object] | None = None,
        creates: bool = False,
        waits: bool = False,
        options: Options,
    ) -> Any: ...


LATER = {429, 502, 503, 504}


class Limit:
    """When a call ends: its timeout and its cancellation."""

    def __init__(self, options: Options) -> None:
        self.cancel = options.get("cancel") or Cancel()
        self._end = time.monotonic() + options["timeout"] if "timeout" in options else None

    def left(self, most: float) -> float:
        self.cancel.check()
        if self._end is None:
            return most
        if (left := self._end - time.monotonic()) <= 0:
            raise TimeoutError("The call has taken as long as its timeout.")
        return min(left, most)


class Patience:
    """The waits of one call. Each failure waits longer than the last, until the patience ends."""

    def __init__(self, most: float, pause: Callable[[float], None] | None) -> None:
        self._most = most
        self._pause = pause
        self.reset()

    def reset(self) -> None:
        self._waited, self._failures = 0.0, 0

    def next(self, failure: RoemError, asked: float, limit: Limit) -> None:
        backoff = min(8.0, 0.25 * 2**self._failures)
        self._failures += 1
        seconds = max(backoff / 2, asked) + random.random() * backoff / 2
        if self._waited + seconds > self._most:
            raise failure
        self._waited += seconds
        (self._pause or limit.cancel.pause)(limit.left(seconds))
        limit.left(0)


class Transport:
    def __init__(self, url: str, key: str | None, patience: float, attempt: float, pause: Callable[[float], None] | None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https"):
            raise ValueError(f"{url!r} is not the address of a server, such as http://localhost:8080")
        self._secure, self._host, self._base = parts.scheme == "https", parts.netloc, parts.path.rstrip("/")
        self._key, self._attempt = key, attempt
        self._streams: dict[http.client.HTTPResponse, http.client.HTTPConnection] = {}
        self.patience: Callable[[], Patience] = lambda: Patience(patience, pause)

    def send(
        self,
        method: str,
        path: str,
        limit: Limit,
        *,
        body: object = None,
        query: Mapping[str, object] | None = None,
        creates: bool = False,
        waits: bool = False,
        key: str | None = None,
    ) -> Any:
        """Sends a request until it is answered, and returns the answer: None if it has no body."""
        headers: dict[str, str] = {}
        if waits:
            headers["Prefer"] = "wait=20"
        if creates:
            headers["Idempotency-Key"] = key or uuid.uuid4().hex
        if given := {name: value for name, value in (query or {}).items() if value is not None}:
            path += "?" + urlencode(given)

        def read(answer: http.client.HTTPResponse) -> Any:
            text = whole(answer)
            return json.loads(text) if text else None

        return self.answered(method, path, headers, body, limit, read)

    def answered(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        body: object,
        limit: Limit,
        read: Callable[[http.client.HTTPResponse], T],
    ) -> T | None:
        """Asks until there is an answer that `read` has read and that is not to be tried again."""
        patience, first = self.patience(), True
        text = None if body is None else json.dumps(body).encode()
        if text is not None:
            headers = headers | {"Content-Type": "application/json"}
        if self._key is not None:
            headers = headers | {"Authorization": "Bearer " + self._key}
        while True:
            asked = 0.0
            kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
            connection = kind(self._host, timeout=limit.left(self._attempt))
            failure: RoemError
            open_ = False
            try:
                limit.cancel.watch(connection)
                connection.request(method, self._base + path, text, headers)
                answer = connection.getresponse()
                if answer.status < 300:
                    result = read(answer)
                    if result is answer:  # a stream, which its reader closes
                        open_, self._streams[answer] = True, connection
                    return result
                failure = ProblemDocument(problem(answer))
                after = answer.getheader("Retry-After") or ""
                asked = float(after) if after.isdecimal() else 0.0
                if answer.status == 404 and method == "DELETE" and not first:
                    return None  # the answer to an earlier attempt was lost, and that attempt deleted it
                if answer.status not in LATER:
                    raise failure
            except (OSError, http.client.HTTPException, json.JSONDecodeError) as error:
                limit.left(0)
                refused = isinstance(error, ConnectionRefusedError)
                failure = ConnectionFailed(f"Nothing listens at {self._host}. Is the server running?" if refused else f"{path}: {error!r}")
            finally:
                if not open_:
                    limit.cancel.forget(connection)
            first = False
            patience.next(failure, asked, limit)

    @contextmanager
    def stream(self, path: str, headers: dict[str, str], limit: Limit) -> Iterator[http.client.HTTPResponse | None]:
        """Opens a stream: None if there is nothing more to come."""

        def read(answer: http.client.HTTPResponse) -> http.client.HTTPResponse | None:
            return None if answer.status == 204 else answer

        answer = self.answered("GET", path, headers, None, limit, read)
        try:
            yield answer
        finally:
            if answer is not None:
                answer.close()
                limit.cancel.forget(self._streams.pop(answer))


def whole(answer: http.client.HTTPResponse) -> bytes:
    """The body of an answer. One that was cut in its headers has none, and http.client takes it for an empty one."""
    text = answer.read()
    if not text and answer.status != 204 and not (answer.getheader("Content-Length") or answer.getheader("Transfer-Encoding")):
        raise http.client.IncompleteRead(b"")
    return text


def problem(answer: http.client.HTTPResponse) -> Problem:
    """The problem of an answer. A proxy can answer without a problem document."""
    text = whole(answer)
    if (answer.getheader("Content-Type") or "").startswith("application/problem+json"):
        document: Problem = json.loads(text)
        return document
    detail = f"{answer.status} {answer.reason}"
    return {"type": "/docs/errors#internal", "title": answer.reason, "status": answer.status, "detail": detail}
