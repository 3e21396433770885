"""A call as it is sent: checked here, so that what cannot be sent looks like no lost connection."""

from __future__ import annotations

import json
import math
import os
import re
import time
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Dict, Mapping, Optional, Union
from urllib.parse import quote, urlencode, urlsplit

from ._files import Upload
from ._version import VERSION
from .errors import InvalidCallError

DEFAULT_TIMEOUT_SECONDS = 60.0
"""Longer than the longest `wait_seconds`."""
UPLOAD_TIMEOUT_SECONDS = 3_600.0
"""Of a request with a file."""
DEFAULT_MAX_RETRIES = 2
SHORTEST_WAIT_SECONDS = 0.001
"""None at all would mean not to wait for a socket's answer at all, which is another error."""


@dataclass(frozen=True)
class Call:
    """One call of a method, before it is checked. Options that are None have their defaults."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    upload: Optional[Upload] = None
    accept: Optional[str] = None
    """For answers whose body is read later."""
    last_event_id: Optional[str] = None
    idempotency_key: Optional[str] = None
    if_match: Optional[str] = None
    wait_seconds: Optional[int] = None
    request_id: Optional[str] = None
    timeout: Optional[float] = None
    max_retries: Optional[int] = None


@dataclass(frozen=True)
class Prepared:
    method: str
    url: str
    headers: Dict[str, str]
    content: Union[bytes, Upload, None]
    timeout: float
    most_retries: float
    always: bool
    """Sending it twice has the effect of sending it once."""
    is_open: bool


class Gateway:
    """Where the gateway is and how to talk to it."""

    def __init__(self, base_url: str, bearer: str, timeout: float, max_retries: int) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise ValueError("base_url must be the http or https address of the gateway")
        # Visible ASCII: anything else is invalid in a header, and the error would quote it.
        if not re.fullmatch(r"[!-~]+", bearer):
            raise ValueError("the key is missing or is none")
        self._base = base_url.rstrip("/")
        self._bearer = bearer
        self._timeout = timeout
        self._max_retries = max_retries

    def prepare(self, call: Call) -> Prepared:
        if re.search(r"/\.{0,2}(?:/|$)", call.path):
            raise InvalidCallError("an id is empty, or is none")
        timeout = call.timeout
        if timeout is None:
            timeout = self._timeout if call.upload is None else UPLOAD_TIMEOUT_SECONDS
        if not timeout >= 0:
            raise InvalidCallError("timeout must be a number of seconds")
        most_retries = self._max_retries if call.max_retries is None else call.max_retries
        if math.isnan(most_retries):
            raise InvalidCallError("max_retries must be a number")
        is_once = call.upload is not None and not call.upload.repeatable
        return Prepared(
            method=call.method,
            url=f"{self._base}{call.path}{query_text(call.query)}",
            headers=self._headers(call),
            content=call.upload if call.upload is not None else None if call.body is None else json_of(call.body),
            timeout=timeout,
            most_retries=0 if is_once else most_retries,
            always=call.method in ("GET", "POST"),
            is_open=call.accept is not None,
        )

    def _headers(self, call: Call) -> Dict[str, str]:
        headers = {
            "accept": call.accept or "application/json",
            "authorization": f"Bearer {self._bearer}",
            "user-agent": f"waypost-sdk-python/{VERSION}",
        }
        if call.upload is not None:
            headers["content-type"] = call.upload.type
            if call.upload.length is not None:
                headers["content-length"] = str(call.upload.length)
        elif call.body is not None:
            headers["content-type"] = "application/json"
        if call.method == "POST":
            key = str(uuid.uuid4()) if call.idempotency_key is None else call.idempotency_key
            headers["x-idempotency-key"] = header_value("idempotency_key", key)
        if call.if_match is not None:
            headers["if-match"] = header_value("if_match", call.if_match)
        if call.wait_seconds is not None:
            headers["prefer"] = header_value("wait_seconds", f"wait={call.wait_seconds}")
        if call.request_id is not None:
            headers["x-request-id"] = header_value("request_id", call.request_id)
        if call.last_event_id is not None:
            headers["last-event-id"] = header_value("the cursor", call.last_event_id)
        return headers


class Deadline(Dict[str, Optional[float]]):
    """
    The time limits of a request. httpx has one for each step; it asks ahead of each, and gets what is left of the whole. Once the answer is
    read by the caller, `silent_after` is the longest time without a byte.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._at = time.monotonic() + seconds
        self._silent_after: Optional[float] = None

    def opened(self, silent_after: float) -> None:
        self._at = math.inf
        self._silent_after = silent_after

    def is_over(self) -> bool:
        return time.monotonic() > self._at

    def get(self, key: str, default: Any = None) -> Any:
        left = min(self._at - time.monotonic(), math.inf if self._silent_after is None else self._silent_after)
        return None if left == math.inf else max(SHORTEST_WAIT_SECONDS, left)


def gateway_of(
    key: Optional[str], variable: str, base_url: Optional[str], timeout: float, max_retries: int
) -> Gateway:
    """What is not given is in the environment, under the names that the command line has too."""
    key = os.environ.get(variable) if key is None else key
    base_url = os.environ.get("WAYPOST_BASE_URL") if base_url is None else base_url
    if not key:
        raise ValueError(f"the key is missing: give it, or set {variable}")
    if not base_url:
        raise ValueError("the address of the gateway is missing: give base_url, or set WAYPOST_BASE_URL")
    return Gateway(base_url, key, timeout, max_retries)


def segment(text: str) -> str:
    """A text as one segment of a path."""
    try:
        return quote(text, safe="")
    except (TypeError, UnicodeEncodeError) as error:
        raise InvalidCallError("an id is empty, or is none") from error


def query_text(query: Mapping[str, Any]) -> str:
    """A query as it stands in an address, with its `?`; empty without one."""
    pairs = []
    for name, value in query.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None:
                pairs.append((name, _query_value(name, one)))
    try:
        text = urlencode(pairs)
    except UnicodeEncodeError as error:
        raise InvalidCallError("the query has half of a character") from error
    return f"?{text}" if text else ""


def _query_value(name: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise InvalidCallError(f"{name} needs a time with its zone")
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return str(value)


def header_value(name: str, text: str) -> str:
    if isinstance(text, str) and re.fullmatch(r"[ -~]*", text):
        return text
    raise InvalidCallError(f"{name} must be of visible ASCII characters")


def json_of(body: Any) -> bytes:
    try:
        text = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        try:
            return text.encode("utf-8")
        except UnicodeEncodeError:  # half of a character, which the gateway has a word about
            return json.dumps(body, separators=(",", ":")).encode("ascii")
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidCallError("the body cannot be written as JSON") from error
