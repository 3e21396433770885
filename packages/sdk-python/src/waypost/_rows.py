"""Answers that are read as they arrive: content of files, and rows of any number."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from typing import Any, AsyncIterator, Awaitable, Callable, Generic, Iterator, List, Literal, Mapping, Optional, TypeVar, Union

import httpx

from .errors import MalformedAnswerError, NoAnswerError

T = TypeVar("T")
RowFormat = Literal["csv", "ndjson"]
TYPES: Mapping[str, str] = {"csv": "text/csv", "ndjson": "application/x-ndjson"}
Path = Union[str, "os.PathLike[str]"]


class _Content:
    headers: Mapping[str, str]
    """Names in any case."""
    status: int
    media_type: str

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.headers = response.headers
        self.status = response.status_code
        self.media_type = response.headers.get("content-type", "")


class Content(_Content):
    """
    The bytes of an answer: `read()` them, `save()` them as a file, or iterate over the pieces. What breaks off raises, so that a part is
    never taken for the whole. In a `with`, what is not read is not fetched; without one, all of it is to be read, or `close()` called.
    """

    def __iter__(self) -> Iterator[bytes]:
        try:
            with _whole(self._response):
                yield from self._response.iter_bytes()
        finally:
            self.close()

    def read(self) -> bytes:
        return b"".join(self)

    def save(self, path: Path) -> None:
        with open(path, "wb") as file:
            for piece in self:
                file.write(piece)

    def close(self) -> None:
        self._response.close()

    def __enter__(self) -> Content:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncContent(_Content):
    """
    The bytes of an answer: `await read()` them, `await save()` them as a file, or iterate over the pieces with `async for`. What breaks off
    raises, so that a part is never taken for the whole. In an `async with`, what is not read is not fetched; without one, all of it is to
    be read, or `aclose()` called.
    """

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            with _whole(self._response):
                async for piece in self._response.aiter_bytes():
                    yield piece
        finally:
            await self.aclose()

    async def read(self) -> bytes:
        return b"".join([piece async for piece in self])

    async def save(self, path: Path) -> None:
        with open(path, "wb") as file:
            async for piece in self:
                file.write(piece)

    async def aclose(self) -> None:
        await self._response.aclose()

    async def __aenter__(self) -> AsyncContent:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class Rows(Generic[T]):
    """
    Rows that the gateway streams: iterate over them one by one, or take them as a file. Each use is a request of its own. A stream that
    breaks off raises, so that a part is never taken for the whole.
    """

    def __init__(self, open: Callable[[str], Content]) -> None:
        self._open = open

    def file(self, format: RowFormat) -> Content:
        content = self._open(TYPES[format])
        if not content.media_type.startswith(TYPES[format]):
            content.close()
            raise _no_rows(content, format)
        return content

    def __iter__(self) -> Iterator[T]:
        with self._open(TYPES["ndjson"]) as content:
            lines = _Lines(content._response)
            for piece in content:
                yield from lines.of(piece)
            lines.end()


class AsyncRows(Generic[T]):
    """
    Rows that the gateway streams: iterate over them one by one with `async for`, or take them as a file. Each use is a request of its own. A
    stream that breaks off raises, so that a part is never taken for the whole.
    """

    def __init__(self, open: Callable[[str], Awaitable[AsyncContent]]) -> None:
        self._open = open

    async def file(self, format: RowFormat) -> AsyncContent:
        content = await self._open(TYPES[format])
        if not content.media_type.startswith(TYPES[format]):
            await content.aclose()
            raise _no_rows(content, format)
        return content

    async def __aiter__(self) -> AsyncIterator[T]:
        async with await self._open(TYPES["ndjson"]) as content:
            lines = _Lines(content._response)
            async for piece in content:
                for row in lines.of(piece):
                    yield row
            lines.end()


class _Lines:
    """The rows of a stream, from pieces of any length."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self._rest = b""

    def of(self, piece: bytes) -> List[Any]:
        *lines, self._rest = (self._rest + piece).split(b"\n")
        return [self._row(line) for line in lines]

    def end(self) -> None:
        if self._rest:
            raise _broken_off(self._response)

    def _row(self, line: bytes) -> Any:
        try:
            return json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            request_id = request_id_of(self._response)
            status = self._response.status_code
            raise MalformedAnswerError("a row is not Waypost's", status, request_id=request_id, attempts=1) from error


def _no_rows(content: _Content, format: RowFormat) -> MalformedAnswerError:
    request_id = request_id_of(content._response)
    return MalformedAnswerError(f"the answer is no {format.upper()} of Waypost", content.status, request_id=request_id, attempts=1)


@contextmanager
def _whole(response: httpx.Response) -> Iterator[None]:
    try:
        yield
    except httpx.RequestError as error:
        raise _broken_off(response) from error


def _broken_off(response: httpx.Response) -> NoAnswerError:
    return NoAnswerError("the answer broke off: it is not complete", request_id=request_id_of(response), attempts=1)


def request_id_of(response: httpx.Response) -> Optional[str]:
    text: Optional[str] = response.headers.get("x-request-id")
    return text
