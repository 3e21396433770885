"""Lists: page by page, or item by item over all pages."""

from __future__ import annotations

from typing import Any, AsyncIterator, Awaitable, Callable, Generic, Iterator, List, Optional, TypeVar

from ._answer import AnswerInfo, answer_of
from .errors import MalformedAnswerError, WaypostError

T = TypeVar("T")


class _Page(Generic[T]):
    """One page of a list."""

    data: List[T]
    next_cursor: Optional[str]
    """Pass it as `cursor` to continue later; None on the last page, unless the list may have more later."""
    has_more: bool
    """False on the last page."""
    answer: Optional[AnswerInfo]

    def __init__(self, body: Any) -> None:
        if not isinstance(body, dict) or not isinstance(body.get("data"), list):
            raise MalformedAnswerError("the answer is not a list", 200)
        self.data = body["data"]
        self.next_cursor = body.get("next_cursor")
        has_more = body.get("has_more")
        self.has_more = self.next_cursor is not None if has_more is None else bool(has_more)
        self.answer = answer_of(body)

    def _following(self, body: Any) -> Any:
        page = type(self)(body)
        if page.next_cursor is not None and page.next_cursor == self.next_cursor:
            raise WaypostError("the list does not move on", attempts=1)
        return page


class Page(_Page[T]):
    _fetch: Callable[[Optional[str]], Any]

    def next(self) -> Optional[Page[T]]:
        """The next page, or None after the last."""
        if not self.has_more or self.next_cursor is None:
            return None
        page: Page[T] = self._following(self._fetch(self.next_cursor))
        page._fetch = self._fetch
        return page


class Listing(Generic[T]):
    """A list: iterate over it for the items of all pages, or take its `page()`. Each use asks again."""

    def __init__(self, fetch: Callable[[Optional[str]], Any]) -> None:
        self._fetch = fetch

    def page(self) -> Page[T]:
        """The first page."""
        page: Page[T] = Page(self._fetch(None))
        page._fetch = self._fetch
        return page

    def __iter__(self) -> Iterator[T]:
        page: Optional[Page[T]] = self.page()
        while page is not None:
            yield from page.data
            page = page.next()


class AsyncPage(_Page[T]):
    _fetch: Callable[[Optional[str]], Awaitable[Any]]

    async def next(self) -> Optional[AsyncPage[T]]:
        """The next page, or None after the last."""
        if not self.has_more or self.next_cursor is None:
            return None
        page: AsyncPage[T] = self._following(await self._fetch(self.next_cursor))
        page._fetch = self._fetch
        return page


class AsyncListing(Generic[T]):
    """A list: iterate over it with `async for` for the items of all pages, or take its `page()`. Each use asks again."""

    def __init__(self, fetch: Callable[[Optional[str]], Awaitable[Any]]) -> None:
        self._fetch = fetch

    async def page(self) -> AsyncPage[T]:
        """The first page."""
        page: AsyncPage[T] = AsyncPage(await self._fetch(None))
        page._fetch = self._fetch
        return page

    async def __aiter__(self) -> AsyncIterator[T]:
        page: Optional[AsyncPage[T]] = await self.page()
        while page is not None:
            for item in page.data:
                yield item
            page = await page.next()
