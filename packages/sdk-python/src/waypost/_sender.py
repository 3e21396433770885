"""Sends all requests of the synchronous client: timeout, retries, errors."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Union

import httpx

from ._answer import Outcome, Refused, Success, read
from ._chance import Chance
from ._event_stream import EventStream
from ._files import FileContent, Upload, checked_type, form_of
from ._listing import Listing
from ._request import Call, Deadline, Gateway, Prepared
from ._retry import Failure, pause_before_retry
from ._rows import Content, Rows
from .errors import AnswerTimeoutError, NoAnswerError


class Sender:
    def __init__(self, gateway: Gateway, client: Optional[httpx.Client] = None, chance: Optional[Chance] = None) -> None:
        self._gateway = gateway
        self._owns_client = client is None
        self._client = httpx.Client() if client is None else client
        self._chance = Chance() if chance is None else chance

    def close(self) -> None:
        if self._owns_client:
            self._client.close()

    def json(self, method: str, path: str, **input: Any) -> Any:
        """The JSON body of a success, None where it has none."""
        return self.send(Call(method, path, **input))

    def upload(self, method: str, path: str, content: FileContent, type: str, **input: Any) -> Any:
        return self.send(Call(method, path, upload=Upload(content, checked_type(type)), **input))

    def form(
        self, method: str, path: str, content: FileContent, filename: Optional[str], type: Optional[str], **input: Any
    ) -> Any:
        return self.send(Call(method, path, upload=form_of(content, filename, type), **input))

    def list(self, path: str, query: Mapping[str, Any], **options: Any) -> Listing[Any]:
        def fetch(cursor: Optional[str]) -> Any:
            return self.json("GET", path, query=query if cursor is None else {**query, "cursor": cursor}, **options)

        return Listing(fetch)

    def rows(self, path: str, query: Mapping[str, Any], **options: Any) -> Rows[Any]:
        """Rows of any number; nothing is asked for before the first one is."""
        return Rows(lambda type: self._content(path, accept=type, query=query, **options))

    def content(self, path: str, **options: Any) -> Content:
        return self._content(path, accept="*/*", **options)

    def stream(self, path: str, query: Mapping[str, Any], max_retries: Optional[int] = None, **options: Any) -> EventStream[Any]:
        """Events as they happen; nothing is asked for before the first one is."""

        def open(cursor: Optional[str]) -> httpx.Response:
            call = Call("GET", path, query=query, accept="text/event-stream", last_event_id=cursor, max_retries=0, **options)
            response: httpx.Response = self.send(call)
            return response

        return EventStream(open, max_retries, self._chance)

    def _content(self, path: str, **input: Any) -> Content:
        return Content(self.send(Call("GET", path, **input)))

    def send(self, call: Call) -> Any:
        """With `accept` the `httpx.Response` of a success, whose body was not read."""
        prepared = self._gateway.prepare(call)
        attempt = 1
        while True:
            outcome = self._attempt(prepared, attempt)
            if isinstance(outcome, Success):
                return outcome.value
            pause = (
                None
                if attempt > prepared.most_retries
                else pause_before_retry(outcome.failure, prepared.always, attempt - 1, self._chance.random())
            )
            if pause is None:
                raise outcome.error
            self._chance.pause(pause)
            attempt += 1

    def _attempt(self, call: Prepared, attempts: int) -> Outcome:
        deadline = Deadline(call.timeout)
        try:
            request = self._client.build_request(
                call.method,
                call.url,
                headers=call.headers,
                content=call.content.pieces() if isinstance(call.content, Upload) else call.content,
                extensions={"timeout": deadline},
            )
            # The API never redirects, and a key must not follow.
            response = self._client.send(request, stream=True, auth=None, follow_redirects=False)
            if call.is_open and response.is_success:
                deadline.opened(call.timeout)
                return Success(response)
            try:
                return read(response, _text_of(response, deadline), attempts)
            finally:
                response.close()
        except (httpx.RequestError, httpx.StreamError) as cause:
            return no_answer(call, cause, attempts)


def _text_of(response: httpx.Response, deadline: Deadline) -> bytes:
    pieces = []
    for piece in response.iter_bytes():
        pieces.append(piece)
        if deadline.is_over():
            raise httpx.ReadTimeout("the answer is not complete", request=response.request)
    return b"".join(pieces)


def no_answer(call: Prepared, cause: Union[httpx.RequestError, httpx.StreamError], attempts: int) -> Refused:
    error = (
        AnswerTimeoutError(f"no answer within {call.timeout:g} s", attempts=attempts)
        if isinstance(cause, httpx.TimeoutException)
        else NoAnswerError("the gateway could not be reached, or the answer broke off", attempts=attempts)
    )
    error.__cause__ = cause
    return Refused(Failure(), error)
