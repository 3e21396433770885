"""What came back: bodies that remember what stood beside them, and refusals."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Tuple, Union

import httpx

from ._retry import Failure, retry_after_seconds
from .errors import MalformedAnswerError, WaypostError, class_of


@dataclass(frozen=True)
class AnswerInfo:
    """What stood beside a body."""

    status: int
    request_id: Optional[str]
    etag: Optional[str]
    """For `if_match`, where the resource has one."""
    replayed: bool
    """The gateway gave the first answer to this idempotency key again."""


class Answered(Dict[str, Any]):
    """A body: a dict like any other, with the answer that it came in."""

    answer: AnswerInfo


def answer_of(resource: object) -> Optional[AnswerInfo]:
    """Status, request id and ETag of the answer that this resource or page came in; None for anything else."""
    answer = getattr(resource, "answer", None)
    return answer if isinstance(answer, AnswerInfo) else None


@dataclass(frozen=True)
class Refused:
    failure: Failure
    error: WaypostError


@dataclass(frozen=True)
class Success:
    value: Any


Outcome = Union[Success, Refused]


def read(response: httpx.Response, text: bytes, attempts: int) -> Outcome:
    status = response.status_code
    request_id = response.headers.get("x-request-id")
    is_json, body = _parsed(text)
    if response.is_success and is_json:
        return Success(_remembering(body, response))
    wait = retry_after_seconds(response.headers.get("retry-after"))
    problem = None if response.is_success else problem_of(body)
    if problem is None:
        error: WaypostError = MalformedAnswerError(
            f"the answer with status {status} is not Waypost's", status, request_id=request_id, attempts=attempts
        )
        return Refused(Failure(status, None, wait), error)
    kind = class_of(problem["status"])
    error = kind(problem, retry_after_seconds=wait, request_id=request_id, attempts=attempts)
    return Refused(Failure(status, problem["retryable"], wait), error)


def _remembering(body: Any, response: httpx.Response) -> Any:
    if not isinstance(body, dict):
        return body
    answered = Answered(body)
    answered.answer = AnswerInfo(
        status=response.status_code,
        request_id=response.headers.get("x-request-id"),
        etag=response.headers.get("etag"),
        replayed=response.headers.get("idempotent-replayed") == "true",
    )
    return answered


def _parsed(text: bytes) -> Tuple[bool, Any]:
    """Whether it is JSON, or nothing at all, and its value."""
    if text == b"":
        return True, None
    try:
        return True, json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError):
        return False, None


def problem_of(body: Any) -> Optional[Mapping[str, Any]]:
    """A body as problem+json, None when it is none. The fields that the SDK acts on are there."""
    if not isinstance(body, dict):
        return None
    kinds = {"code": str, "detail": str, "status": int, "retryable": bool}
    return body if all(isinstance(body.get(name), kind) for name, kind in kinds.items()) else None
