"""Every error that a call of this SDK raises is a `WaypostError`."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Tuple, Type, TypedDict

__all__ = [
    "AnswerTimeoutError",
    "ApiError",
    "AuthenticationError",
    "ConflictError",
    "FieldError",
    "GatewayError",
    "InvalidCallError",
    "InvalidRequestError",
    "MalformedAnswerError",
    "NoAnswerError",
    "NotFoundError",
    "PermissionDeniedError",
    "RateLimitError",
    "UnprocessableError",
    "WaypostError",
]


class FieldError(TypedDict):
    """One fault of a request."""

    pointer: str
    """JSON pointer into the body, or `?name` of the query."""
    code: str
    detail: str


class WaypostError(Exception):
    """Every error that a call raises; the cause, if there is one, is its `__cause__`."""

    request_id: Optional[str]
    """Identifies the request in the gateway's log; None without an answer."""
    attempts: int
    """Requests made for the call, including this one; 0 if none was."""

    def __init__(self, message: str, *, request_id: Optional[str] = None, attempts: int = 0) -> None:
        super().__init__(message)
        self.request_id = request_id
        self.attempts = attempts

    def __reduce__(self) -> Tuple[Any, ...]:
        # Errors pass between processes, as those of a task do.
        return _restored, (type(self), self.args, self.__dict__)


class InvalidCallError(WaypostError):
    """The call itself cannot be sent, such as a body that is no JSON: no request was made."""


class NoAnswerError(WaypostError):
    """There was no answer: whether a change was made is unknown. A repeat with the same idempotency key is safe."""


class AnswerTimeoutError(NoAnswerError):
    """No complete answer within `timeout`."""


class MalformedAnswerError(WaypostError):
    """The answer is not Waypost's: a proxy's page, or an incomplete body."""

    status: int

    def __init__(self, message: str, status: int, *, request_id: Optional[str] = None, attempts: int = 0) -> None:
        super().__init__(message, request_id=request_id, attempts=attempts)
        self.status = status


class ApiError(WaypostError):
    """The gateway refused: an `application/problem+json` answer with its `code`."""

    status: int
    code: str
    """One of the closed list of docs/errors.md; a newer gateway may have more."""
    title: str
    retryable: bool
    """The same request may succeed later without a change."""
    errors: List[FieldError]
    resource_id: Optional[str]
    """The resource that the refusal is about, if any."""
    provider: Optional[Dict[str, Any]]
    """The provider's error, if the provider was called."""
    retry_after_seconds: Optional[int]

    def __init__(
        self,
        problem: Mapping[str, Any],
        *,
        retry_after_seconds: Optional[int] = None,
        request_id: Optional[str] = None,
        attempts: int = 0,
    ) -> None:
        super().__init__(problem["detail"], request_id=request_id or problem.get("request_id"), attempts=attempts)
        self.status = problem["status"]
        self.code = problem["code"]
        self.title = problem.get("title", "")
        self.retryable = problem["retryable"]
        self.errors = problem.get("errors") or []
        self.resource_id = problem.get("resource_id")
        self.provider = problem.get("provider")
        self.retry_after_seconds = retry_after_seconds


class InvalidRequestError(ApiError):
    """400, 405, 413, 415: the request does not fit its description."""


class AuthenticationError(ApiError):
    """401: the key is missing, wrong, expired or revoked."""


class PermissionDeniedError(ApiError):
    """403: the key lacks a scope, or its workspace is suspended."""


class NotFoundError(ApiError):
    """404."""


class ConflictError(ApiError):
    """409 and 412: the resource is in another state, or has changed."""


class UnprocessableError(ApiError):
    """422: understood and not possible; `code` says why, such as `window_closed`."""


class RateLimitError(ApiError):
    """429: too many requests; `retry_after_seconds` says when to repeat."""


class GatewayError(ApiError):
    """5xx: the gateway or the provider behind it failed."""


_BY_STATUS: Mapping[int, Type[ApiError]] = {
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    412: ConflictError,
    422: UnprocessableError,
    429: RateLimitError,
}


def class_of(status: int) -> Type[ApiError]:
    """The class for a refusal's status."""
    return GatewayError if status >= 500 else _BY_STATUS.get(status, InvalidRequestError)


def _restored(kind: Type[WaypostError], args: Tuple[Any, ...], fields: Dict[str, Any]) -> WaypostError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(fields)
    return error
