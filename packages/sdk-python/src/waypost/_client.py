"""The clients: of a workspace and of the operator, synchronous and asynchronous."""

from __future__ import annotations

from typing import Optional, TypeVar

import httpx

from ._async_resources import AsyncOperatorApi, AsyncWorkspaceApi
from ._async_sender import AsyncSender
from ._request import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT_SECONDS, gateway_of
from ._resources import OperatorApi, WorkspaceApi
from ._sender import Sender

_KEY = "WAYPOST_API_KEY"
_OPERATOR_KEY = "WAYPOST_OPERATOR_KEY"

Client = TypeVar("Client", bound="_Closing")
AsyncClient = TypeVar("AsyncClient", bound="_AsyncClosing")


class _Closing:
    _sender: Sender

    def close(self) -> None:
        """Closes the connections, but for those of a client that was given."""
        self._sender.close()

    def __enter__(self: Client) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _AsyncClosing:
    _sender: AsyncSender

    async def aclose(self) -> None:
        """Closes the connections, but for those of a client that was given."""
        await self._sender.aclose()

    async def __aenter__(self: AsyncClient) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class Waypost(WorkspaceApi, _Closing):
    """
    The client of a workspace: the key determines which one. Threads may share it.

    `api_key` and `base_url` are by default those of the environment, `WAYPOST_API_KEY` and `WAYPOST_BASE_URL`; the address is that of the
    gateway, such as `https://waypost.example.com`, and a path before `/v1` is kept. `timeout` is that of one request and its complete
    answer, in seconds; `max_retries` counts the retries of a request that may be repeated.

    >>> waypost.messages.send(to="+15551230001", type="text", text={"body": "Hello"})["id"]
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        max_retries: int = DEFAULT_MAX_RETRIES,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        self._sender = Sender(gateway_of(api_key, _KEY, base_url, timeout, max_retries), http_client)
        super().__init__(self._sender)


class AsyncWaypost(AsyncWorkspaceApi, _AsyncClosing):
    """
    The client of a workspace for `asyncio`: the key determines which one.

    `api_key` and `base_url` are by default those of the environment, `WAYPOST_API_KEY` and `WAYPOST_BASE_URL`; the address is that of the
    gateway, such as `https://waypost.example.com`, and a path before `/v1` is kept. `timeout` is that of one request and its complete
    answer, in seconds; `max_retries` counts the retries of a request that may be repeated.
    """

    def __init__(
        self,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        max_retries: int = DEFAULT_MAX_RETRIES,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        self._sender = AsyncSender(gateway_of(api_key, _KEY, base_url, timeout, max_retries), http_client)
        super().__init__(self._sender)


class WaypostOperator(OperatorApi, _Closing):
    """The operator's client: workspaces, their keys, and the audit log of both. Its key is by default `WAYPOST_OPERATOR_KEY`."""

    def __init__(
        self,
        operator_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        max_retries: int = DEFAULT_MAX_RETRIES,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        self._sender = Sender(gateway_of(operator_key, _OPERATOR_KEY, base_url, timeout, max_retries), http_client)
        super().__init__(self._sender)


class AsyncWaypostOperator(AsyncOperatorApi, _AsyncClosing):
    """The operator's client for `asyncio`. Its key is by default `WAYPOST_OPERATOR_KEY`."""

    def __init__(
        self,
        operator_key: Optional[str] = None,
        base_url: Optional[str] = None,
        *,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        max_retries: int = DEFAULT_MAX_RETRIES,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        self._sender = AsyncSender(gateway_of(operator_key, _OPERATOR_KEY, base_url, timeout, max_retries), http_client)
        super().__init__(self._sender)
