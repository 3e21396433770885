"""Sends all requests of the asynchronous client: timeout, retries, errors."""

from __future__ import annotations

from typing import Any, Mapping, Optional

import httpx

from ._answer import Outcome, Success, read
from ._chance import AsyncChance
from ._event_stream import AsyncEventStream
from ._files import FileContent, Upload, checked_type, form_of
from ._listing import AsyncListing
from ._request import Call, Deadline, Gateway, Prepared
from ._retry import pause_before_retry
from ._rows import AsyncContent, AsyncRows
from ._sender import no_answer


class AsyncSender:
    def __init__(self, gateway: Gateway, client: Optional[httpx.AsyncClient] = None, chance: Optional[AsyncChance] = None) -> None:
        self._gateway = gateway
        self._owns_client = client is None
        self._client = httpx.AsyncClient() if client is None else client
        self._chance = AsyncChance() if chance is None else chance

    async def aclose(self) -> None:
        if self._owns_client:
            await self._client.aclose()

    async def json(self, method: str, path: str, **input: Any) -> Any:
        """The JSON body of a success, None where it has none."""
        return await self.send(Call(method, path, **input))

    async def upload(self, method: str, path: str, content: FileContent, type: str, **input: Any) -> Any:
        return await self.send(Call(method, path, upload=Upload(content, checked_type(type)), **input))

    async def form(
        self, method: str, path: str, content: FileContent, filename: Optional[str], type: Optional[str], **input: Any
    ) -> Any:
        return await self.send(Call(method, path, upload=form_of(content, filename, type), **input))

    def list(self, path: str, query: Mapping[str, Any], **options: Any) -> AsyncListing[Any]:
        async def fetch(cursor: Optional[str]) -> Any:
            return await self.json("GET", path, query=query if cursor is None else {**query, "cursor": cursor}, **options)

        return AsyncListing(fetch)

    def rows(self, path: str, query: Mapping[str, Any], **options: Any) -> AsyncRows[Any]:
        """Rows of any number; nothing is asked for before the first one is."""
        return AsyncRows(lambda type: self._content(path, accept=type, query=query, **options))

    async def content(self, path: str, **options: Any) -> AsyncContent:
        return await self._content(path, accept="*/*", **options)

    def stream(self, path: str, query: Mapping[str, Any], max_retries: Optional[int] = None, **options: Any) -> AsyncEventStream[Any]:
        """Events as they happen; nothing is asked for before the first one is."""

        async def open(cursor: Optional[str]) -> httpx.Response:
            call = Call("GET", path, query=query, accept="text/event-stream", last_event_id=cursor, max_retries=0, **options)
            response: httpx.Response = await self.send(call)
            return response

        return AsyncEventStream(open, max_retries, self._chance)

    async def _content(self, path: str, **input: Any) -> AsyncContent:
        return AsyncContent(await self.send(Call("GET", path, **input)))

    async def send(self, call: Call) -> Any:
        """With `accept` the `httpx.Response` of a success, whose body was not read."""
        prepared = self._gateway.prepare(call)
        attempt = 1
        while True:
            outcome = await self._attempt(prepared, attempt)
            if isinstance(outcome, Success):
                return outcome.value
            pause = (
                None
                if attempt > prepared.most_retries
                else pause_before_retry(outcome.failure, prepared.always, attempt - 1, self._chance.random())
            )
            if pause is None:
                raise outcome.error
            await self._chance.pause(pause)
            attempt += 1

    async def _attempt(self, call: Prepared, attempts: int) -> Outcome:
        deadline = Deadline(call.timeout)
        try:
            request = self._client.build_request(
                call.method,
                call.url,
                headers=call.headers,
                content=call.content.async_pieces() if isinstance(call.content, Upload) else call.content,
                extensions={"timeout": deadline},
            )
            # The API never redirects, and a key must not follow.
            response = await self._client.send(request, stream=True, auth=None, follow_redirects=False)
            if call.is_open and response.is_success:
                deadline.opened(call.timeout)
                return Success(response)
            try:
                return read(response, await _text_of(response, deadline), attempts)
            finally:
                await response.aclose()
        except (httpx.RequestError, httpx.StreamError) as cause:
            return no_answer(call, cause, attempts)


async def _text_of(response: httpx.Response, deadline: Deadline) -> bytes:
    pieces = []
    async for piece in response.aiter_bytes():
        pieces.append(piece)
        if deadline.is_over():
            raise httpx.ReadTimeout("the answer is not complete", request=response.request)
    return b"".join(pieces)
