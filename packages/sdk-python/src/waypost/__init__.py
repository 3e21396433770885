"""The client of a Waypost gateway: send messages, receive webhooks. `waypost.types` has each schema of the API by its name."""

from . import types
from ._answer import AnswerInfo, answer_of
from ._client import AsyncWaypost, AsyncWaypostOperator, Waypost, WaypostOperator
from ._event_stream import AsyncEventStream, EventStream
from ._files import FileContent
from ._listing import AsyncListing, AsyncPage, Listing, Page
from ._rows import AsyncContent, AsyncRows, Content, RowFormat, Rows
from ._version import VERSION as __version__
from .errors import (
    AnswerTimeoutError,
    ApiError,
    AuthenticationError,
    ConflictError,
    FieldError,
    GatewayError,
    InvalidCallError,
    InvalidRequestError,
    MalformedAnswerError,
    NoAnswerError,
    NotFoundError,
    PermissionDeniedError,
    RateLimitError,
    UnprocessableError,
    WaypostError,
)
from .receiver import AsyncWebhookReceiver, ReceivedDelivery, ReceiverAnswer, WebhookReceiver
from .webhooks import (
    SignatureSource,
    UnknownEvent,
    VerificationFault,
    WebhookEvent,
    WebhookVerificationError,
    verify_webhook,
    webhook_test_headers,
)

__all__ = [
    "AnswerInfo",
    "AnswerTimeoutError",
    "ApiError",
    "AsyncContent",
    "AsyncEventStream",
    "AsyncListing",
    "AsyncPage",
    "AsyncRows",
    "AsyncWaypost",
    "AsyncWaypostOperator",
    "AsyncWebhookReceiver",
    "AuthenticationError",
    "ConflictError",
    "Content",
    "EventStream",
    "FieldError",
    "FileContent",
    "GatewayError",
    "InvalidCallError",
    "InvalidRequestError",
    "Listing",
    "MalformedAnswerError",
    "NoAnswerError",
    "NotFoundError",
    "Page",
    "PermissionDeniedError",
    "RateLimitError",
    "ReceivedDelivery",
    "ReceiverAnswer",
    "RowFormat",
    "Rows",
    "SignatureSource",
    "UnknownEvent",
    "UnprocessableError",
    "VerificationFault",
    "Waypost",
    "WaypostError",
    "WaypostOperator",
    "WebhookEvent",
    "WebhookReceiver",
    "WebhookVerificationError",
    "__version__",
    "answer_of",
    "types",
    "verify_webhook",
    "webhook_test_headers",
]
