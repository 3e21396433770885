"""When a request is repeated, and after which pause."""

from __future__ import annotations

import math
import re
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Optional

FIRST_PAUSE_SECONDS = 0.5
"""Doubled each time."""
LONGEST_PAUSE_SECONDS = 8.0
LONGEST_RETRY_AFTER_SECONDS = 30
"""A longer `Retry-After` is left to the caller: a program should not seem to hang."""
PROXY_STATUSES = frozenset({429, 502, 503, 504})
"""Answers of a proxy that cannot reach the gateway."""


@dataclass(frozen=True)
class Failure:
    """The result of a request that did not succeed."""

    status: Optional[int] = None
    """None without an answer."""
    retryable: Optional[bool] = None
    """What the gateway says; None where the answer was not its own."""
    retry_after_seconds: Optional[int] = None


def pause_before_retry(failure: Failure, always: bool, retries: int, random: float) -> Optional[float]:
    """
    Seconds until the next try, or None for none. `always`: sending the request twice has the effect of sending it once (GET, and POST
    with its idempotency key); others are only repeated after an answer that says that nothing was done. `retries` counts those made so
    far; `random` is 0 to 1.
    """
    if not _may_retry(failure, always):
        return None
    backoff: float = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2.0 ** min(retries, 16)) * (0.5 + random / 2)
    asked = failure.retry_after_seconds
    if asked is None:
        return backoff
    if asked > LONGEST_RETRY_AFTER_SECONDS:
        return None
    # Spread over a quarter more than asked for, so that callers refused together do not return together.
    return max(backoff, asked * (1 + random / 4))


def _may_retry(failure: Failure, always: bool) -> bool:
    if failure.status is None:
        return always
    if failure.retryable is not None:
        return failure.retryable
    return always and failure.status in PROXY_STATUSES


def retry_after_seconds(header: Optional[str], now: Optional[float] = None) -> Optional[int]:
    """Seconds of a `Retry-After` header (a number, or a date), None when there is none."""
    if header is None:
        return None
    # Some proxies send parts of a second; less than nothing is nothing.
    if re.fullmatch(r"\s*[+-]?[0-9]+(\.[0-9]+)?\s*", header):
        return max(0, math.ceil(float(header)))
    try:
        at = parsedate_to_datetime(header).timestamp()
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    return max(0, math.ceil(at - (time.time() if now is None else now)))
