"""Files on their way up."""

from __future__ import annotations

import asyncio
import io
import os
import secrets
from typing import IO, Any, AsyncIterable, AsyncIterator, Iterable, Iterator, Optional, Union

from .errors import InvalidCallError

FileContent = Union[bytes, str, "os.PathLike[str]", IO[bytes], Iterable[bytes], AsyncIterable[bytes]]
"""
The content of a file: itself as bytes or text, the path of a file on the disk, a file that was opened in binary mode, or its bytes piece by
piece. What can be read only once is sent once: such a request is not repeated.
"""

_PIECE_BYTES = 64 * 1024


class Upload:
    """The bytes of a file with what stands around them, read again for each try where they can be."""

    repeatable: bool
    length: Optional[int]
    """None where it is not known ahead."""
    type: str

    def __init__(self, content: FileContent, type: str, head: bytes = b"", tail: bytes = b"") -> None:
        if isinstance(content, io.TextIOBase):
            raise InvalidCallError("a file is to be opened in binary mode")
        self.type = type
        self._content: Any = content.encode("utf-8") if isinstance(content, str) else content
        self._head = head
        self._tail = tail
        self._start = _position(self._content)
        self.repeatable = isinstance(self._content, (bytes, os.PathLike)) or self._start is not None
        length = _length(self._content, self._start)
        self.length = None if length is None else len(head) + length + len(tail)

    def pieces(self) -> Iterator[bytes]:
        yield self._head
        content = self._content
        if isinstance(content, bytes):
            yield content
        elif isinstance(content, os.PathLike):
            with open(content, "rb") as file:
                yield from iter(lambda: file.read(_PIECE_BYTES), b"")
        elif hasattr(content, "read"):
            if self._start is not None:
                content.seek(self._start)
            yield from iter(lambda: content.read(_PIECE_BYTES), b"")
        elif isinstance(content, Iterable):
            yield from content
        else:
            raise InvalidCallError("this content is for the asynchronous client")
        yield self._tail

    async def async_pieces(self) -> AsyncIterator[bytes]:
        if isinstance(self._content, AsyncIterable):
            yield self._head
            async for piece in self._content:
                yield piece
            yield self._tail
            return
        pieces = self.pieces()
        # The disk may be slow, and others wait.
        while (piece := await asyncio.to_thread(next, pieces, None)) is not None:
            yield piece


def form_of(content: FileContent, filename: Optional[str], type: Optional[str]) -> Upload:
    """The form of one file."""
    if filename is None and isinstance(content, os.PathLike):
        filename = os.path.basename(os.fspath(content))
    if not filename:
        raise InvalidCallError("the file needs a filename")
    boundary = secrets.token_hex(16)
    quoted = filename.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{quoted}"\r\n'
    if type is not None:
        head += f"Content-Type: {checked_type(type)}\r\n"
    try:
        start = f"{head}\r\n".encode()
    except UnicodeEncodeError as error:
        raise InvalidCallError("the filename has half of a character") from error
    return Upload(content, f"multipart/form-data; boundary={boundary}", start, f"\r\n--{boundary}--\r\n".encode())


def checked_type(type: str) -> str:
    if type.isascii() and type.isprintable():
        return type
    raise InvalidCallError("the type of the file must be of visible ASCII characters")


def _position(content: Any) -> Optional[int]:
    """Where a file that can be read again stands."""
    if not hasattr(content, "read") or not hasattr(content, "seekable") or not content.seekable():
        return None
    position: int = content.tell()
    return position


def _length(content: Any, start: Optional[int]) -> Optional[int]:
    if isinstance(content, bytes):
        return len(content)
    if isinstance(content, os.PathLike):
        return os.stat(content).st_size
    if start is None:
        return None
    end: int = content.seek(0, os.SEEK_END)
    content.seek(start)
    return end - start
