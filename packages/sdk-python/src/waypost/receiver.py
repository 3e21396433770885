"""Receivers of deliveries, for applications of every framework."""

from __future__ import annotations

import inspect
import logging
from dataclasses import dataclass, field
from typing import Any, Awaitable, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from .webhooks import (
    TOLERANCE_SECONDS,
    SignatureSource,
    WebhookEvent,
    WebhookVerificationError,
    header_of,
    verify_webhook,
)

__all__ = ["AsyncWebhookReceiver", "ReceivedDelivery", "ReceiverAnswer", "WebhookReceiver"]

LARGEST_BODY_BYTES = 512 * 1024
"""Events have at most 256 KiB."""

Secrets = Union[str, Sequence[str]]
_log = logging.getLogger("waypost.receiver")


@dataclass(frozen=True)
class ReceivedDelivery:
    """What the headers say of a delivery."""

    event_id: str
    """An event may come more than once, and each time has the same id."""
    delivery_id: str
    attempt: int
    is_replay: bool


@dataclass(frozen=True)
class ReceiverAnswer:
    """What to answer the gateway with."""

    status: int
    text: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


def _log_error(error: BaseException) -> None:
    if isinstance(error, WebhookVerificationError):
        _log.warning("a delivery was refused: %s", error.fault)
    else:
        _log.error("a delivery was not taken and will come again", exc_info=error)


class WebhookReceiver:
    """
    Receives deliveries in your application, which is a WSGI one or calls `take` itself: verifies them, and answers when `on_event` is done:
    204; 401 for what Waypost did not send now, 413 for what is too large, 405 for another method, 500 where `on_event` raised: then the
    gateway tries again later.

    `secret` is that of the endpoint, several while they are rotated, or a function that gives them. `on_event(event, delivery)` should take
    less than the endpoint's `timeout_seconds`; longer work belongs into a queue. To do nothing twice, remember `delivery.event_id` in the
    transaction of what is done. `on_error` is called with what it raised, and with each refusal; by default both are logged.

    >>> hooks = WebhookReceiver(secret, on_event)
    >>> application = DispatcherMiddleware(app, {"/hooks": hooks})         # WSGI
    >>> answer = hooks.take(request.headers, request.get_data())           # Flask, Django and all others
    """

    def __init__(
        self,
        secret: Union[Secrets, Callable[[], Secrets]],
        on_event: Callable[[WebhookEvent, ReceivedDelivery], object],
        *,
        on_error: Callable[[BaseException], object] = _log_error,
        tolerance_seconds: float = TOLERANCE_SECONDS,
        max_bytes: int = LARGEST_BODY_BYTES,
    ) -> None:
        self._secret = secret
        self._on_event = on_event
        self._on_error = on_error
        self._tolerance_seconds = tolerance_seconds
        self._max_bytes = max_bytes

    def take(self, headers: SignatureSource, body: bytes, method: str = "POST") -> ReceiverAnswer:
        """Takes one request; never raises."""
        early = _early(method, len(body), self._max_bytes)
        if early is not None:
            return early
        try:
            secret = self._secret() if callable(self._secret) else self._secret
            event = verify_webhook(body, headers, secret, tolerance_seconds=self._tolerance_seconds)
            self._on_event(event, _delivery_of(event, headers))
            return ReceiverAnswer(204)
        except Exception as error:
            self._on_error(error)
            return _refusal(error)

    def __call__(self, environ: Dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """The WSGI application."""
        headers = {name[5:].replace("_", "-").lower(): environ[name] for name in environ if name.startswith("HTTP_")}
        answer = self.take(headers, self._body_of(environ), environ["REQUEST_METHOD"])
        lines = {"Content-Type": "text/plain", **answer.headers}
        start_response(f"{answer.status} {_REASONS[answer.status]}", list(lines.items()))
        return [answer.text.encode()]

    def _body_of(self, environ: Dict[str, Any]) -> bytes:
        """One byte more than the bound is enough to refuse."""
        most = self._max_bytes + 1
        length = environ.get("CONTENT_LENGTH")
        if length:
            most = min(most, int(length))
        elif not environ.get("wsgi.input_terminated"):
            return b""  # what has no end cannot be read
        pieces: List[bytes] = []
        while most > 0 and (piece := environ["wsgi.input"].read(most)):
            pieces.append(piece)
            most -= len(piece)
        return b"".join(pieces)


class AsyncWebhookReceiver:
    """
    Receives deliveries in your application, which is an ASGI one (FastAPI, Starlette, Litestar, …) or calls `take` itself. As
    `WebhookReceiver`; `on_event`, and `secret` where it is a function, may be coroutines.

    >>> hooks = AsyncWebhookReceiver(secret, on_event)
    >>> app = FastAPI(routes=[Route("/hooks", hooks)])                     # FastAPI, Starlette
    >>> answer = await hooks.take(request.headers, await request.body())   # all others
    """

    def __init__(
        self,
        secret: Union[Secrets, Callable[[], Union[Secrets, Awaitable[Secrets]]]],
        on_event: Callable[[WebhookEvent, ReceivedDelivery], object],
        *,
        on_error: Callable[[BaseException], object] = _log_error,
        tolerance_seconds: float = TOLERANCE_SECONDS,
        max_bytes: int = LARGEST_BODY_BYTES,
    ) -> None:
        self._secret = secret
        self._on_event = on_event
        self._on_error = on_error
        self._tolerance_seconds = tolerance_seconds
        self._max_bytes = max_bytes

    async def take(self, headers: SignatureSource, body: bytes, method: str = "POST") -> ReceiverAnswer:
        """Takes one request; never raises."""
        early = _early(method, len(body), self._max_bytes)
        if early is not None:
            return early
        try:
            secret = self._secret() if callable(self._secret) else self._secret
            if inspect.isawaitable(secret):
                secret = await secret
            event = verify_webhook(body, headers, secret, tolerance_seconds=self._tolerance_seconds)
            result = self._on_event(event, _delivery_of(event, headers))
            if inspect.isawaitable(result):
                await result
            return ReceiverAnswer(204)
        except Exception as error:
            self._on_error(error)
            return _refusal(error)

    async def __call__(
        self,
        scope: Dict[str, Any],
        receive: Callable[[], Awaitable[Dict[str, Any]]],
        send: Callable[[Dict[str, Any]], Awaitable[None]],
    ) -> None:
        """The ASGI application."""
        if scope["type"] != "http":
            raise ValueError("a receiver takes requests of HTTP alone")
        body = b""
        is_whole = False
        while not is_whole and len(body) <= self._max_bytes and scope["method"] == "POST":
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            is_whole = not message.get("more_body", False)
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        answer = await self.take(headers, body, scope["method"])
        lines = {"content-type": "text/plain", **answer.headers}
        encoded = [(name.encode(), value.encode()) for name, value in lines.items()]
        await send({"type": "http.response.start", "status": answer.status, "headers": encoded})
        await send({"type": "http.response.body", "body": answer.text.encode()})


_REASONS = {
    204: "No Content",
    401: "Unauthorized",
    405: "Method Not Allowed",
    413: "Payload Too Large",
    500: "Internal Server Error",
}


def _early(method: str, length: int, max_bytes: int) -> Optional[ReceiverAnswer]:
    if method != "POST":
        return ReceiverAnswer(405, "POST", {"allow": "POST"})
    return ReceiverAnswer(413, "too large") if length > max_bytes else None


def _refusal(error: Exception) -> ReceiverAnswer:
    return ReceiverAnswer(401, error.fault) if isinstance(error, WebhookVerificationError) else ReceiverAnswer(500, "error")


def _delivery_of(event: WebhookEvent, headers: SignatureSource) -> ReceivedDelivery:
    attempt = header_of(headers, "x-service-attempt")
    return ReceivedDelivery(
        # The signed one: headers of `X-Service-Signature` are not.
        event_id=event["id"],
        delivery_id=header_of(headers, "x-service-delivery"),
        attempt=int(attempt) if attempt.isdecimal() else 1,
        is_replay=header_of(headers, "x-service-replay") == "true",
    )
