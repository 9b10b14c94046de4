"""Jobs and their events."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from typing import Any, Generic, TypeVar, Unpack
from urllib.parse import quote

from ._transport import ConnectionFailed, JobCancelled, Limit, Options, ProblemDocument, Transport
from .contract import JobState, JobToken

R = TypeVar("R")


class Job(Generic[R]):
    """A job. Its id finds it again, also after a restart of this program or of the server: `roem.job(id)`."""

    def __init__(self, transport: Transport, state: JobState) -> None:
        self._transport = transport
        self.state = state
        """The job as it was last seen."""

    @property
    def _path(self) -> str:
        return "/v1/jobs/" + quote(self.id, safe="")

    @property
    def id(self) -> str:
        return self.state["id"]

    @property
    def finished(self) -> bool:
        return self.state["status"] not in ("queued", "running")

    def wait(self, **options: Unpack[Options]) -> R:
        """Waits until the job has ended, and returns its result. It raises the problem of a job that failed, and JobCancelled."""
        return self._wait(Limit(options))

    def _wait(self, limit: Limit) -> R:
        while not self.finished or (self.state["status"] == "succeeded" and "result" not in self.state):
            self.state = self._transport.send("GET", self._path, limit, query={"wait": 20})
        if self.state["status"] == "succeeded":
            state: Any = self.state
            result: R = state["result"]
            return result
        if "error" in self.state:
            raise ProblemDocument(self.state["error"])
        raise JobCancelled(f"The job {self.id} was cancelled.")

    def cancel(self, **options: Unpack[Options]) -> None:
        """Cancels the job. One that has finished stays as it is."""
        self.state = self._transport.send("DELETE", self._path, Limit(options))

    def token(self, **options: Unpack[Options]) -> JobToken:
        """A token with which a page can follow the job without an API key, for some minutes."""
        answer: JobToken = self._transport.send("POST", self._path + "/token", Limit(options))
        return answer

    def events(self, **options: Unpack[Options]) -> Iterator[JobState]:
        """The job after each change, until it has ended. A stream that breaks is opened again, after the event that came last."""
        limit, patience, last = Limit(options), self._transport.patience(), ""
        while True:
            headers = {"Last-Event-ID": last} if last else {}
            with self._transport.stream("GET", self._path + "/events", headers, None, limit) as stream:
                if stream is None:
                    return
                for name, last, data in messages(stream):
                    patience.reset()
                    self.state = json.loads(data)
                    yield self.state
                    if name == "finished":
                        return
            limit.left(0)
            patience.next(ConnectionFailed("The stream of events breaks again and again."), 0, limit)


def answers(transport: Transport, method: str, path: str, body: object, limit: Limit) -> Iterator[Any]:
    """The answers of a stream. One that breaks before its end is an error: the search would begin again."""
    with transport.stream(method, path, {"Accept": "text/event-stream"}, body, limit) as stream:
        if stream is None:
            return
        for name, _, data in messages(stream):
            if name == "finished":
                return
            yield json.loads(data)
    limit.left(0)
    raise ConnectionFailed(f"{transport.url}{path}: The stream of answers has broken before its end.")


def messages(stream: http.client.HTTPResponse) -> Iterator[tuple[str, str, str]]:
    """The name, the id and the data of each server-sent event, until the stream ends or breaks."""
    fields: dict[str, str] = {}
    while line := next_line(stream):
        name, _, value = line.decode().rstrip("\r\n").partition(":")
        if name:
            fields[name] = value.removeprefix(" ")
        elif line.strip() == b"":
            if "data" in fields:
                yield fields.get("event", ""), fields.get("id", ""), fields["data"]
            fields = {}


def next_line(stream: http.client.HTTPResponse) -> bytes:
    """The next line, or nothing: the stream has ended or is broken, or nothing has come for as long as an attempt may take."""
    try:
        return stream.readline()
    except (OSError, http.client.HTTPException):
        return b""
