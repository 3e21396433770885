"""Events as they happen, over connections that end and are lost."""

from __future__ import annotations

import asyncio
import codecs
import json
import re
import socket
import threading
from contextlib import contextmanager
from typing import Any, AsyncGenerator, Awaitable, Callable, Dict, Generic, Iterator, List, Optional, TypeVar

import httpx

from ._chance import AsyncChance, Chance
from ._rows import request_id_of
from .errors import ApiError, MalformedAnswerError, NoAnswerError, WaypostError

T = TypeVar("T")
SILENT_SECONDS = 45.0
"""The gateway says something every 15 s: a connection that is silent for longer is lost, whatever the network says."""
FIRST_PAUSE_SECONDS = 1.0
"""Doubled with each failure in sequence."""
LONGEST_PAUSE_SECONDS = 30.0


class _Follower:
    """What both streams keep: where they are, and how often in sequence they failed."""

    cursor: Optional[str]
    """Behind the last event that the loop was given; None before the first one. May be set ahead of the loop."""
    gaps: int
    """How often events behind the cursor were no longer kept: read again what you keep a copy of."""
    on_connection: Optional[Callable[[bool], None]]
    """Called with True when a connection is open, and with False each time that one ended, was lost or was refused for now."""

    def __init__(self, most_retries: Optional[float]) -> None:
        self.cursor = None
        self.gaps = 0
        self.on_connection = None
        self._most_retries = most_retries
        self._failures = 0
        self._retry_seconds = FIRST_PAUSE_SECONDS
        self._response: Optional[httpx.Response] = None

    def _said(self, is_open: bool) -> None:
        if self.on_connection is not None:
            self.on_connection(is_open)

    def _left(self, response: httpx.Response) -> None:
        """A loop that was left may end after another one has begun."""
        if self._response is response:
            self._response = None

    def _opened(self, response: httpx.Response) -> _Blocks:
        if not response.headers.get("content-type", "").startswith("text/event-stream"):
            raise self._malformed("the answer is no stream of Waypost's", response)
        deadline = response.request.extensions.get("timeout")
        if deadline is not None and hasattr(deadline, "opened"):
            deadline.opened(SILENT_SECONDS)
        self._said(True)
        return _Blocks()

    def _body_of(self, block: Dict[str, str], response: httpx.Response) -> Any:
        """The event of a block, None where it has none; moves the cursor behind it."""
        self._failures = 0
        if re.fullmatch(r"[0-9]{1,6}", block.get("retry", "")):
            self._retry_seconds = int(block["retry"]) / 1_000
        body = None
        if "data" in block:
            try:
                body = json.loads(block["data"])
            except (ValueError, RecursionError):
                pass
            if body is None:
                raise self._malformed("an event is not Waypost's", response)
        self.cursor = block.get("id", self.cursor)
        if block.get("event") == "gap":
            self.gaps += 1
            return None
        return body

    def _malformed(self, message: str, response: httpx.Response) -> MalformedAnswerError:
        return MalformedAnswerError(
            message, response.status_code, request_id=request_id_of(response), attempts=self._failures + 1
        )

    @contextmanager
    def _reading(self, response: httpx.Response) -> Iterator[None]:
        try:
            yield
        except (httpx.RequestError, httpx.StreamError) as cause:
            request_id, attempts = request_id_of(response), self._failures + 1
            error = NoAnswerError("the stream broke off", request_id=request_id, attempts=attempts)
            error.__cause__ = cause
            raise _Lost(error) from cause

    def _failed(self, error: WaypostError) -> None:
        """Raises what another connection would meet again, and the last of too many failures."""
        self._failures += 1
        is_last = self._most_retries is not None and self._failures > self._most_retries
        if is_last or not _may_pass(error):
            raise error from error.__cause__

    def _pause_seconds(self, random: float) -> float:
        grown = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2.0 ** max(0, min(self._failures, 16) - 1)) * (0.5 + random / 2)
        return max(self._retry_seconds if self._failures == 0 else 0.0, grown)


class EventStream(_Follower, Generic[T]):
    """
    Events as they happen: iterate over them, until `close()`, which another thread or a signal handler may call and which ends the loop
    without an error. A connection that ends or is lost is opened again behind the last event, so that none is missed and none comes twice.
    It raises what cannot pass: a key that is not valid any more, a filter that there is not.

    The `cursor` is behind the last event that the loop was given: keep it when the event is handled, and begin with it after a restart of
    the program.
    """

    def __init__(
        self, open: Callable[[Optional[str]], httpx.Response], most_retries: Optional[float], chance: Chance
    ) -> None:
        super().__init__(most_retries)
        self._open = open
        self._chance = chance
        self._closed = threading.Event()

    def close(self) -> None:
        self._closed.set()
        response = self._response
        if response is not None:
            _hang_up(response)

    def __enter__(self) -> EventStream[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[T]:
        while not self._closed.is_set():
            try:
                yield from self._connection()
            except _Lost as lost:
                if self._closed.is_set():
                    return
                self._failed(lost.error)
            if self._closed.is_set():
                return
            self._said(False)
            self._chance.pause(self._pause_seconds(self._chance.random()), self._closed)

    def _connection(self) -> Iterator[T]:
        """The events of one connection, until it ends."""
        try:
            response = self._open(self.cursor)
        except WaypostError as error:
            raise _Lost(error) from error
        self._response = response
        try:
            blocks = self._opened(response)
            with self._reading(response):
                for piece in response.iter_bytes():
                    for block in blocks.of(piece):
                        body = self._body_of(block, response)
                        if body is not None:
                            yield body
                    if self._closed.is_set():
                        return
        finally:
            self._left(response)
            response.close()


class AsyncEventStream(_Follower, Generic[T]):
    """
    Events as they happen: iterate over them with `async for`, until `await aclose()`, which another task may call and which ends the loop
    without an error. A connection that ends or is lost is opened again behind the last event, so that none is missed and none comes twice.
    It raises what cannot pass: a key that is not valid any more, a filter that there is not.

    The `cursor` is behind the last event that the loop was given: keep it when the event is handled, and begin with it after a restart of
    the program.
    """

    def __init__(
        self,
        open: Callable[[Optional[str]], Awaitable[httpx.Response]],
        most_retries: Optional[float],
        chance: AsyncChance,
    ) -> None:
        super().__init__(most_retries)
        self._open = open
        self._chance = chance
        self._is_closed = False
        # Created in the loop that it belongs to.
        self._closed: Optional[asyncio.Event] = None

    async def aclose(self) -> None:
        self._is_closed = True
        if self._closed is not None:
            self._closed.set()
        if self._response is not None:
            await self._response.aclose()

    async def __aenter__(self) -> AsyncEventStream[T]:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def __aiter__(self) -> AsyncGenerator[T, None]:
        closed = self._closed = asyncio.Event()
        while not self._is_closed:
            connection = self._connection()
            try:
                async for body in connection:
                    yield body
            except _Lost as lost:
                if self._is_closed:
                    return
                self._failed(lost.error)
            finally:
                await connection.aclose()
            if self._is_closed:
                return
            self._said(False)
            await self._chance.pause(self._pause_seconds(self._chance.random()), closed)

    async def _connection(self) -> AsyncGenerator[T, None]:
        """The events of one connection, until it ends."""
        try:
            response = await self._open(self.cursor)
        except WaypostError as error:
            raise _Lost(error) from error
        self._response = response
        try:
            blocks = self._opened(response)
            with self._reading(response):
                async for piece in response.aiter_bytes():
                    for block in blocks.of(piece):
                        body = self._body_of(block, response)
                        if body is not None:
                            yield body
                    if self._is_closed:
                        return
        finally:
            self._left(response)
            await response.aclose()


class _Lost(Exception):
    """A connection that could not be opened, or broke off."""

    def __init__(self, error: WaypostError) -> None:
        super().__init__()
        self.error = error


def _may_pass(error: WaypostError) -> bool:
    if isinstance(error, ApiError):
        return error.retryable or error.status == 429 or error.status >= 500
    # A proxy that cannot reach the gateway.
    return isinstance(error, NoAnswerError) or (isinstance(error, MalformedAnswerError) and error.status >= 500)


class _Blocks:
    """The blocks of a stream, comments too, from pieces of any length."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""

    def of(self, piece: bytes) -> List[Dict[str, str]]:
        *blocks, self._rest = (self._rest + self._decoder.decode(piece).replace("\r", "")).split("\n\n")
        return [_block_of(block) for block in blocks]


def _block_of(text: str) -> Dict[str, str]:
    block: Dict[str, str] = {}
    for line in text.split("\n"):
        match = re.fullmatch(r"([a-z]+): ?(.*)", line)
        if match is None:
            continue
        name, value = match.groups()
        block[name] = f"{block['data']}\n{value}" if name == "data" and "data" in block else value
    return block


def _hang_up(response: httpx.Response) -> None:
    """Ends a connection that another thread reads from: closing it alone would leave that one waiting."""
    stream = response.extensions.get("network_stream")
    connection = stream.get_extra_info("socket") if stream is not None else None
    if isinstance(connection, socket.socket):
        try:
            # Of the class itself, as with TLS the method would take the encryption from the reader as well.
            socket.socket.shutdown(connection, socket.SHUT_RDWR)
        except OSError:
            pass  # it has ended
