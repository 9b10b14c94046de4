"""One call: its attempts, the waits between them, and its error."""

from __future__ import annotations

import http.client
import json
import random
import socket
import ssl
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol, TypedDict, TypeVar
from urllib.parse import SplitResult, urlencode, urlsplit

from .contract import ErrorCode, Expected, Problem

T = TypeVar("T")


class RoemError(Exception):
    """What every error of the client is."""


class ConnectionFailed(RoemError):
    """The server could not be reached, or its answer was cut, until the client's patience ended; or what answers is not Roem."""


class Cancelled(RoemError):
    """The call was cancelled, by its option `cancel`."""


class JobCancelled(RoemError):
    """The job was cancelled, so it has no result."""


class ProblemDocument(RoemError):
    """The server answered with a problem, or a job ended with one. Pointer and expected are those of the first of its errors."""

    def __init__(self, problem: Problem, asked: str = "") -> None:
        detail = problem.get("detail") or problem.get("title") or "an error without a detail"
        super().__init__(f"{detail} ({asked})" if asked else detail)
        self.problem = problem
        self.status = problem["status"]
        self.type = problem["type"]
        self.request_id = problem.get("request_id")
        errors = problem.get("errors") or []
        self.code: ErrorCode | None = problem.get("code")
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

    def watch(self, connection: http.client.HTTPConnection, attempt: float) -> None:
        """Connects, so that cancel ends what waits for the connection. What comes later may take as long as an attempt."""
        connection.connect()
        connection.sock.settimeout(attempt)
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
    """The name of what the call creates. With the name of an earlier call, the answer is what that call created.

    A session has a name only with a secret API key."""


class Calls(Protocol):
    """What the operations of the games ask with."""

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
    ) -> Any: ...

    def stream(self, method: str, path: str, *, body: object = None, options: Options) -> Iterator[Any]: ...


LATER = {429, 502, 503, 504}

CONNECT = 10.0
"""The most seconds in which a connection is made."""


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

    def __init__(self, most: Callable[[], float], pause: Callable[[float], None] | None) -> None:
        self._most = most
        self._pause = pause
        self.reset()

    def reset(self) -> None:
        self._waited, self._failures = 0.0, 0

    def next(self, failure: RoemError, asked: float, limit: Limit) -> None:
        backoff = min(8.0, 0.25 * 2**self._failures)
        self._failures += 1
        seconds = max(backoff / 2, asked) + random.random() * backoff / 2
        if self._waited + seconds > self._most():
            raise failure
        self._waited += seconds
        (self._pause or limit.cancel.pause)(limit.left(seconds))
        limit.left(0)


class Transport:
    def __init__(
        self, url: str, key: str | None, patience: float | None, attempt: float, pause: Callable[[float], None] | None
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or not valid_port(parts):
            raise ValueError(f"{url!r} is not the address of a server, such as http://localhost:8080")
        self.url = url.rstrip("/")
        self._secure, self._host, self._base = parts.scheme == "https", parts.netloc, parts.path.rstrip("/")
        self._key, self._attempt = key, attempt
        self._reached = False  # the server has answered once, so that its address is right
        self._streams: dict[http.client.HTTPResponse, http.client.HTTPConnection] = {}

        def most() -> float:
            return patience if patience is not None else 60 if self._reached else 2

        self.patience: Callable[[], Patience] = lambda: Patience(most, pause)

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

        return self.answered(method, path, headers, body, limit, "application/json", read)

    def _below(self, path: str) -> str:
        """The path on the host. A link of a server below a path, such as http://host/roem, begins with the path."""
        return path if self._base and path.startswith(self._base + "/") else self._base + path

    def answered(
        self,
        method: str,
        path: str,
        headers: dict[str, str],
        body: object,
        limit: Limit,
        form: str,
        read: Callable[[http.client.HTTPResponse], T],
    ) -> T | None:
        """Asks until there is an answer in this form that `read` has read and that is not to be tried again."""
        patience, first, url = self.patience(), True, self.url + path
        text = None if body is None else json.dumps(body).encode()
        if text is not None:
            headers = headers | {"Content-Type": "application/json"}
        if self._key is not None:
            headers = headers | {"Authorization": "Bearer " + self._key}
        while True:
            asked = 0.0
            kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
            connection = kind(self._host, timeout=limit.left(min(CONNECT, self._attempt)))
            failure: RoemError
            open_ = False
            try:
                limit.cancel.watch(connection, limit.left(self._attempt))
                try:
                    connection.request(method, self._below(path), text, headers)
                except (BrokenPipeError, ConnectionResetError):
                    pass  # the server has refused the rest of a long body, and its answer says why
                answer = connection.getresponse()
                self._reached = True
                if answer.status < 300:
                    check(answer, form, url)
                    result = read(answer)
                    if result is answer:  # a stream, which its reader closes
                        open_, self._streams[answer] = True, connection
                    return result
                failure = ProblemDocument(problem(answer), f"{method} {url}")
                after = answer.getheader("Retry-After") or ""
                asked = float(after) if after.isdecimal() else 0.0
                if answer.status == 404 and method == "DELETE" and not first:
                    return None  # the answer to an earlier attempt was lost, and that attempt deleted it
                if answer.status not in LATER:
                    raise failure
            except (OSError, http.client.HTTPException, json.JSONDecodeError) as error:
                limit.left(0)
                failure = ConnectionFailed(f"{url}: {reason(error)}")
            finally:
                if not open_:
                    limit.cancel.forget(connection)
            first = False
            patience.next(failure, asked, limit)

    @contextmanager
    def stream(
        self, method: str, path: str, headers: dict[str, str], body: object, limit: Limit
    ) -> Iterator[http.client.HTTPResponse | None]:
        """Opens a stream: None if there is nothing more to come."""

        def read(answer: http.client.HTTPResponse) -> http.client.HTTPResponse | None:
            return None if answer.status == 204 else answer

        answer = self.answered(method, path, headers, body, limit, "text/event-stream", read)
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
    """The problem of an answer. A proxy can answer without a problem document, and so does what is not Roem."""
    text = whole(answer)
    if content_type(answer) == "application/problem+json":
        document: Problem = json.loads(text)
        return document
    first = text.decode(errors="replace").strip().partition("\n")[0][:200] if content_type(answer) == "text/plain" else ""
    moved = answer.getheader("Location") or ""
    said = f": {first}" if first else f", to {moved}" if moved else ""
    detail = f"The answer is {answer.status} {answer.reason}{said}. It does not come from Roem."
    return {"type": "/docs/errors#internal", "code": "internal", "title": answer.reason, "status": answer.status, "detail": detail}


def content_type(answer: http.client.HTTPResponse) -> str:
    return (answer.getheader("Content-Type") or "").partition(";")[0].strip().lower()


def check(answer: http.client.HTTPResponse, form: str, url: str) -> None:
    """Raises ConnectionFailed if an answer does not have its form. One that was cut in its headers has none."""
    given = content_type(answer)
    if given not in ("", form):
        raise ConnectionFailed(f"{url}: What answers there is not Roem. Its answer is {given}, and not {form}.")


def reason(error: Exception) -> str:
    """Why there is no answer, as a sentence."""
    if isinstance(error, ConnectionRefusedError):
        return "Nothing listens there. Is the server running?"
    if isinstance(error, socket.gaierror):
        return f"The host is not found ({error.strerror})."
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"The certificate of the server is not valid ({error.verify_message})."
    if isinstance(error, ssl.SSLError):
        return f"The server does not speak TLS as it should ({error.reason}). Does its address begin with http://?"
    if isinstance(error, TimeoutError):
        return "There was no answer in time."
    return f"The connection broke, or what answers is not a server of HTTP ({error!r})."


def valid_port(parts: SplitResult) -> bool:
    try:
        return parts.port is None or parts.port > 0
    except ValueError:
        return False
