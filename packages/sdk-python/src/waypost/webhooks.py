"""Verification of deliveries, and their headers for tests of a receiver; neither needs a client."""

from __future__ import annotations

import base64
import binascii
import enum
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass
from typing import Any, Dict, List, Literal, Mapping, Optional, Protocol, Sequence, Tuple, TypedDict, Union

from ._names import NotRequired
from .types import KnownEvent

__all__ = [
    "SignatureSource",
    "UnknownEvent",
    "VerificationFault",
    "WebhookEvent",
    "WebhookVerificationError",
    "verify_webhook",
    "webhook_test_headers",
]

VerificationFault = Literal[
    "missing_signature", "malformed_signature", "outside_tolerance", "wrong_signature", "malformed_body"
]
"""Why a delivery is not to be trusted."""

TOLERANCE_SECONDS = 300
"""Older or newer deliveries are refused, so that a recorded one cannot be sent again."""
MOST_SIGNATURES = 10
"""An endpoint has at most 10 secrets at a time; the bound limits the work for forged headers."""
_PREFIX = "whsec_"
_NO_ID = "00000000000000000000000000"


class _NewKind(enum.Enum):
    """
    Stands for every text that is no known kind; compare it as a `str`. A field of type `str` might equal each kind, and comparing `kind`
    would then narrow nothing. There is no such object: only its type is used.
    """

    ONE = "a kind of a newer gateway"


class UnknownEvent(TypedDict):
    """An event of a kind that a newer gateway has added: answer it with 2xx, whether you use it or not."""

    id: str
    kind: Literal[_NewKind.ONE]
    category: str
    workspace_id: str
    created_at: str
    """RFC 3339."""
    sequence: int
    """Larger is later within a conversation."""
    data: Dict[str, Any]
    truncated: NotRequired[bool]


WebhookEvent = Union[KnownEvent, UnknownEvent]
"""
The body of a delivery. `kind` distinguishes the shapes: behind `if event["kind"] == "delivered":` its `data` has its type. The same `id` may
be delivered more than once.
"""


class WebhookVerificationError(Exception):
    """The headers do not prove that Waypost sent this body now; do not trust it."""

    fault: VerificationFault

    def __init__(self, fault: VerificationFault, message: str) -> None:
        super().__init__(fault, message)
        self.fault = fault

    def __str__(self) -> str:
        return str(self.args[1])


class _Headers(Protocol):
    def get(self, key: str, /) -> Optional[str]: ...


SignatureSource = Union[str, None, Mapping[str, Any], _Headers]
"""The text of `X-Service-Signature`, or the headers of the request as your framework has them."""


def verify_webhook(
    body: Union[bytes, bytearray, memoryview, str],
    headers: SignatureSource,
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = TOLERANCE_SECONDS,
    now: Optional[float] = None,
) -> WebhookEvent:
    """
    Checks the signature of a delivery over its raw body and returns the event. `body` must be exactly the bytes received, before any parser;
    `secret` is the endpoint's whole secret (`whsec_…`), or several while a receiver has an old and a new one. Of the two signatures that
    each delivery has, `X-Service-Signature` is checked, or `webhook-signature` (Standard Webhooks) where a proxy leaves out the first.
    Raises `WebhookVerificationError`, or `ValueError` for a secret that is none. `now` is in Unix seconds.
    """
    given = _signature_of(headers)
    # Written so that what is no number refuses.
    if not abs((time.time() if now is None else now) - given.timestamp) <= tolerance_seconds:
        raise WebhookVerificationError("outside_tolerance", "the signature is too old or too new")
    text = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    for one in [secret] if isinstance(secret, str) else secret:
        key = _text_key(one) if given.scheme == "service" else _standard_key(one)
        expected = _signature(key, given.prefix, text)
        if any(hmac.compare_digest(expected, value) for value in given.signatures):
            return _event_of(text)
    raise WebhookVerificationError("wrong_signature", "no signature fits the body and the secret")


def webhook_test_headers(
    body: Union[bytes, str],
    secret: Union[str, Sequence[str]],
    *,
    event_id: Optional[str] = None,
    kind: str = "delivered",
    delivery_id: Optional[str] = None,
    attempt: int = 1,
    at: Optional[int] = None,
) -> Dict[str, str]:
    """
    The headers of a delivery of `body` as the gateway sends them, both signatures, for tests of a receiver: post the body with them.
    `secret`: several while they are being rotated. `at` is the time of the attempt in Unix seconds, by default now.
    """
    time_text = str(int(time.time()) if at is None else at)
    id = f"evt_{_NO_ID}" if event_id is None else event_id
    text = body.encode("utf-8") if isinstance(body, str) else body
    secrets = [secret] if isinstance(secret, str) else secret
    own = [_signature(_text_key(one), f"{time_text}.", text).hex() for one in secrets]
    standard = [_signature(_standard_key(one), f"{id}.{time_text}.", text) for one in secrets]
    return {
        "content-type": "application/json",
        "x-service-signature": ",".join([f"t={time_text}", *(f"v1={value}" for value in own)]),
        "webhook-id": id,
        "webhook-timestamp": time_text,
        "webhook-signature": " ".join(f"v1,{base64.b64encode(value).decode()}" for value in standard),
        "x-service-event": kind,
        "x-service-delivery": f"dlv_{_NO_ID}" if delivery_id is None else delivery_id,
        "x-service-attempt": str(attempt),
    }


@dataclass(frozen=True)
class _Given:
    scheme: Literal["service", "standard"]
    timestamp: int
    prefix: str
    """What is signed ahead of the body."""
    signatures: List[bytes]


def _signature_of(source: SignatureSource) -> _Given:
    own = source if isinstance(source, str) else header_of(source, "x-service-signature")
    if own:
        return _service_signature(own)
    id, time_text, standard = (
        "" if isinstance(source, str) else header_of(source, name)
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not standard:
        raise WebhookVerificationError("missing_signature", "X-Service-Signature is missing")
    return _standard_signature(id, time_text, standard)


def _service_signature(header: str) -> _Given:
    """`t=<unix seconds>,v1=<hex>[,v1=<hex>]`; other parts are passed over."""
    parts = [part.strip() for part in header.split(",")[: MOST_SIGNATURES + 1]]
    times = [part[2:] for part in parts if part.startswith("t=")]
    values = [bytes.fromhex(part[3:]) for part in parts if re.fullmatch(r"v1=[0-9a-f]{64}", part)]
    if len(times) != 1 or not _is_seconds(times[0]) or not values:
        raise WebhookVerificationError("malformed_signature", "X-Service-Signature is malformed")
    return _Given("service", int(times[0]), f"{times[0]}.", values)


def _standard_signature(id: str, time_text: str, header: str) -> _Given:
    """`v1,<base64>[ v1,<base64>]`; other versions are passed over."""
    parts = header.split(" ")[:MOST_SIGNATURES]
    values = [base64.b64decode(part[3:]) for part in parts if re.fullmatch(r"v1,[A-Za-z0-9+/]{43}=", part)]
    if not id or not _is_seconds(time_text) or not values:
        raise WebhookVerificationError("malformed_signature", "webhook-id, -timestamp or -signature is malformed")
    return _Given("standard", int(time_text), f"{id}.{time_text}.", values)


def _is_seconds(text: str) -> bool:
    return re.fullmatch(r"[0-9]{1,12}", text) is not None


def header_of(source: SignatureSource, name: str) -> str:
    """The value of a header; empty without one. `name` in lower case."""
    if source is None or isinstance(source, str):
        return ""
    value: Any = source.get(name)
    if value is None and isinstance(source, Mapping):
        value = next((other for key, other in source.items() if _text_of(key).lower() == name), None)
    if isinstance(value, (list, tuple)):
        value = value[0] if value else None
    return "" if value is None else _text_of(value)


def _text_of(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _signature(key: bytes, prefix: str, body: bytes) -> bytes:
    return hmac.new(key, prefix.encode("utf-8", "surrogatepass") + body, hashlib.sha256).digest()


def _text_key(secret: str) -> bytes:
    """Of `X-Service-Signature` the text of the secret is the key."""
    if not secret:
        raise ValueError("the endpoint's secret is missing")
    return secret.encode("utf-8")


def _standard_key(secret: str) -> bytes:
    """Of Standard Webhooks the key is what stands behind the prefix, decoded."""
    text = secret[len(_PREFIX) :] if secret.startswith(_PREFIX) else secret
    try:
        if re.fullmatch(r"[A-Za-z0-9+/]+={0,2}", text):
            return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        pass
    raise ValueError("the endpoint's secret is not a whsec_ secret")


def _event_of(text: bytes) -> WebhookEvent:
    try:
        # Signed by Waypost, so it has the documented shape.
        event: WebhookEvent = json.loads(text.decode("utf-8"), parse_constant=_refuse)
        return event
    except (ValueError, RecursionError):
        raise WebhookVerificationError("malformed_body", "the body is signed and is not JSON") from None


def _refuse(name: str) -> Tuple[()]:
    raise ValueError(f"{name} is no JSON")
