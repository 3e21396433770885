# Made by `npm run generate` from the route table. Do not edit.

"""The resources of the asynchronous clients."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, Optional, Union, cast, overload

from . import types
from ._async_sender import AsyncSender
from ._event_stream import AsyncEventStream
from ._files import FileContent
from ._listing import AsyncListing
from ._names import Unpack
from ._request import segment
from ._rows import AsyncContent, AsyncRows


class AsyncMessages:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    @overload
    async def send(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        wait_seconds: Optional[int] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendTemplateMessage],
    ) -> types.Message: ...

    @overload
    async def send(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        wait_seconds: Optional[int] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendTextMessage],
    ) -> types.Message: ...

    @overload
    async def send(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        wait_seconds: Optional[int] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendImageMessage],
    ) -> types.Message: ...

    @overload
    async def send(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        wait_seconds: Optional[int] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendVideoMessage],
    ) -> types.Message: ...

    @overload
    async def send(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        wait_seconds: Optional[int] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendAudioMessage],
    ) -> types.Message: ...

    @overload
    async def send(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        wait_seconds: Optional[int] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendDocumentMessage],
    ) -> types.Message: ...

    @overload
    async def send(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        wait_seconds: Optional[int] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendStickerMessage],
    ) -> types.Message: ...

    @overload
    async def send(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        wait_seconds: Optional[int] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendLocationMessage],
    ) -> types.Message: ...

    @overload
    async def send(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        wait_seconds: Optional[int] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendContactsMessage],
    ) -> types.Message: ...

    @overload
    async def send(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        wait_seconds: Optional[int] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendInteractiveMessage],
    ) -> types.Message: ...

    @overload
    async def send(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        wait_seconds: Optional[int] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendReactionMessage],
    ) -> types.Message: ...

    async def send(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        wait_seconds: Optional[int] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Any,
    ) -> types.Message:
        """Send a message. 202 means that the message is committed to disk and survives a crash of any process. With `Prefer: wait=N`, the response waits until the provider has accepted or refused the message. A template can be sent at any time, every other type within 24 hours of the person's last message to the phone number, or with a `fallback`: a template that is sent instead when the window is closed at the time of dispatch."""
        if from_ is not None:
            body["from"] = from_
        return cast("types.Message", await self._sender.json("POST", "/v1/messages", body=body, idempotency_key=idempotency_key, wait_seconds=wait_seconds, request_id=request_id, timeout=timeout, max_retries=max_retries))

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        direction: Optional[Literal["outbound", "inbound"]] = None,
        status: Optional[Literal["scheduled", "queued", "sending", "accepted", "sent", "delivered", "read", "failed", "canceled", "expired", "unknown", "received"]] = None,
        type: Optional[str] = None,
        to: Optional[str] = None,
        from_: Optional[str] = None,
        contact_id: Optional[str] = None,
        template: Optional[str] = None,
        reference: Optional[str] = None,
        provider_message_id: Optional[str] = None,
        error_code: Optional[str] = None,
        created_after: Optional[Union[str, datetime]] = None,
        created_before: Optional[Union[str, datetime]] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.ListedMessage]:
        """List messages. Messages in both directions, newest first. A message must match all given filters. A filter with an unknown id gives an empty list. A page is shorter than `limit`, and may be empty, where few of very many messages match: go on with `next_cursor` until it is null."""
        return self._sender.list("/v1/messages", query={"limit": limit, "cursor": cursor, "direction": direction, "status": status, "type": type, "to": to, "from": from_, "contact_id": contact_id, "template": template, "reference": reference, "provider_message_id": provider_message_id, "error_code": error_code, "created_after": created_after, "created_before": created_before}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def send_batch(
        self,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.MessagesSendBatchBody],
    ) -> types.SendBatchResult:
        """Send up to 1,000 messages. Each message is accepted or refused by itself, as by a request of its own: `data` has the message or the error of each, in the order of the request, and a message that does not fit its schema spoils no other. Messages of the same person keep their order. Repeated with the same `X-Idempotency-Key`, nothing is sent twice: messages that were accepted are returned again, and those that were refused are tried again. A batch counts as one request for the rate limit; a body may have 4 MiB."""
        return cast("types.SendBatchResult", await self._sender.json("POST", "/v1/messages/batch", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    @overload
    async def validate(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendTemplateMessage],
    ) -> types.MessageValidation: ...

    @overload
    async def validate(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendTextMessage],
    ) -> types.MessageValidation: ...

    @overload
    async def validate(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendImageMessage],
    ) -> types.MessageValidation: ...

    @overload
    async def validate(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendVideoMessage],
    ) -> types.MessageValidation: ...

    @overload
    async def validate(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendAudioMessage],
    ) -> types.MessageValidation: ...

    @overload
    async def validate(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendDocumentMessage],
    ) -> types.MessageValidation: ...

    @overload
    async def validate(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendStickerMessage],
    ) -> types.MessageValidation: ...

    @overload
    async def validate(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendLocationMessage],
    ) -> types.MessageValidation: ...

    @overload
    async def validate(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendContactsMessage],
    ) -> types.MessageValidation: ...

    @overload
    async def validate(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendInteractiveMessage],
    ) -> types.MessageValidation: ...

    @overload
    async def validate(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SendReactionMessage],
    ) -> types.MessageValidation: ...

    async def validate(
        self,
        *,
        from_: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Any,
    ) -> types.MessageValidation:
        """Validate a message. Says whether a message would be accepted now, and everything that speaks against it, by the rules of sending. Nothing is sent or stored: the person does not become a contact, and an idempotency key is not used. A body that does not fit its schema is 400, as when it is sent."""
        if from_ is not None:
            body["from"] = from_
        return cast("types.MessageValidation", await self._sender.json("POST", "/v1/messages/validate", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def get(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.MessageWithHistory:
        """Get a message with its history. The message with every status that was reported for it, in the order in which the reports arrived."""
        return cast("types.MessageWithHistory", await self._sender.json("GET", f"/v1/messages/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def cancel(
        self,
        id: str,
        /,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.MessageWithHistory:
        """Cancel a message. A message that is `scheduled` or `queued` becomes `canceled` and is never sent. Returns 409 `conflict` once an attempt to send it has started: its status then says what became of it. Messages of the same person that wait behind it are sent in their order."""
        return cast("types.MessageWithHistory", await self._sender.json("POST", f"/v1/messages/{segment(id)}/cancel", idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def mark_read(
        self,
        id: str,
        /,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.MarkRead],
    ) -> types.Message:
        """Mark an inbound message as read. The person sees the message, and all that they sent before it, as read; `unread_count` of the conversation starts again behind it. With `typing` they also see that you are writing. Returns 422 `provider_rejected` if the provider refuses, 502 `provider_unavailable` if it cannot be reached: nothing is changed then. Returns 409 `conflict` for a message that you sent, 422 `thread_not_owned` while another responder owns the conversation. Safe to repeat."""
        return cast("types.Message", await self._sender.json("POST", f"/v1/messages/{segment(id)}/read", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def get_provider(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.MessageAtProvider:
        """Get what was exchanged with the provider about a message. What was sent to the provider, what it answered to each attempt, and what it reported of this message alone. The request is not kept: it is written again as the gateway writes it, with what is known now of number, recipient and media. Without tokens, without the gateway's own `biz_opaque_callback_data`, with dots for the parameters of authentication templates, and with nothing of a contact that was erased but times and codes."""
        return cast("types.MessageAtProvider", await self._sender.json("GET", f"/v1/messages/{segment(id)}/provider", request_id=request_id, timeout=timeout, max_retries=max_retries))


class AsyncAudit:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def list_messages(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        message_id: Optional[str] = None,
        to: Optional[str] = None,
        at_after: Optional[Union[str, datetime]] = None,
        at_before: Optional[Union[str, datetime]] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.AuditMessage]:
        """List what happened to messages. Each message when it was accepted or received, each attempt that was refused and is tried again, and each status when it was reported, newest first, for as long as messages are kept. With an `Accept` of `text/csv` or `application/x-ndjson` the whole filtered range is streamed."""
        return self._sender.list("/v1/audit/messages", query={"limit": limit, "cursor": cursor, "message_id": message_id, "to": to, "at_after": at_after, "at_before": at_before}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    def list_activity(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        actor: Optional[str] = None,
        action: Optional[str] = None,
        resource: Optional[str] = None,
        status: Optional[int] = None,
        at_after: Optional[Union[str, datetime]] = None,
        at_before: Optional[Union[str, datetime]] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.AuditActivity]:
        """List API calls. Every call with an API key of this workspace, including denied calls. Changes are listed immediately, reads and refusals within a second. Where few of very many calls fit the filters, a page may have fewer than its limit, or none: follow `next_cursor` until it is null. With an `Accept` of `text/csv` or `application/x-ndjson` the whole filtered range is streamed."""
        return self._sender.list("/v1/audit/activity", query={"limit": limit, "cursor": cursor, "actor": actor, "action": action, "resource": resource, "status": status, "at_after": at_after, "at_before": at_before}, request_id=request_id, timeout=timeout, max_retries=max_retries)


class AsyncMedia:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def create(
        self,
        content: FileContent,
        /,
        *,
        filename: Optional[str] = None,
        type: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Media:
        """Create media. Uploads a file as a form (`multipart/form-data`) with the one part `file`, to be sent by the returned id. What it can be sent as follows from its content, whatever its name says: JPEG and PNG up to 5 MB, MP4 and 3GP up to 16 MB, AAC, AMR, MP3, M4A and OGG with Opus up to 16 MB, WebP up to 100 KB, animated up to 500 KB, PDF, plain text and Office documents up to 100 MB. It is kept until nothing has used it for as long as the operator keeps media. Where the operator has the gateway scan files, one that is not clean is `failed`."""
        return cast("types.Media", await self._sender.form("POST", "/v1/media", content, filename, type, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        source: Optional[Literal["upload", "inbound"]] = None,
        status: Optional[Literal["pending", "available", "failed"]] = None,
        message_id: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.Media]:
        """List media. What you uploaded and what people sent, newest first."""
        return self._sender.list("/v1/media", query={"limit": limit, "cursor": cursor, "source": source, "status": status, "message_id": message_id}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def get(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Media:
        """Get media. With a signed address of its content, which lasts for 5 minutes and works without a key: give it to what has none."""
        return cast("types.Media", await self._sender.json("GET", f"/v1/media/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def delete(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> None:
        """Delete media. Deletes it at once, with its bytes and its signed addresses; it cannot be restored. A message that names it and was not sent yet will fail."""
        await self._sender.json("DELETE", f"/v1/media/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def content(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncContent:
        """Read the content of media. The bytes, with the media type that they have; of a type that cannot be sent as `application/octet-stream`. `Range` is honoured for one range, and `HEAD` asks for the headers alone. Refused with `conflict` while the file is not here, and where there is none."""
        return await self._sender.content(f"/v1/media/{segment(id)}/content", request_id=request_id, timeout=timeout, max_retries=max_retries)


class AsyncTemplates:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        name: Optional[str] = None,
        status: Optional[Literal["pending", "approved", "rejected", "paused", "disabled", "in_appeal", "flagged", "limit_exceeded", "locked", "pending_deletion", "deleted", "archived"]] = None,
        language: Optional[str] = None,
        category: Optional[str] = None,
        phone_number_id: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.Template]:
        """List templates. The templates of all connected accounts; to a key that is limited to phone numbers, those of the accounts of its numbers. Changes at the provider appear within seconds."""
        return self._sender.list("/v1/templates", query={"limit": limit, "cursor": cursor, "name": name, "status": status, "language": language, "category": category, "phone_number_id": phone_number_id}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.NewTemplate],
    ) -> types.Template:
        """Submit a template. Submits the template to the provider for review and returns it as the provider answered: usually `pending`, perhaps in another category. Changes of its status follow as events. A definition that the provider documents as wrong is refused with 400 and all of its faults. Returns 422 `provider_rejected` if the provider refuses it: nothing is stored. Returns 502 `provider_unavailable` if the provider's answer was lost and the template cannot be found at the provider yet: a task goes on looking for it, and repeating the request never creates a second one."""
        return cast("types.Template", await self._sender.json("POST", "/v1/templates", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def get(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Template:
        """Get a template. The template as last reported by the provider. Its status decides whether it can be sent."""
        return cast("types.Template", await self._sender.json("GET", f"/v1/templates/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def update(
        self,
        id: str,
        /,
        *,
        if_match: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.TemplateChange],
    ) -> types.Template:
        """Edit a template. Edits the template at the provider, which reviews it again. Components that are given replace all that it has. The provider lets approved, rejected and paused templates be edited; an approved one once in 24 hours and 10 times in 30 days, in its category. Returns 502 `provider_unavailable` if the provider's answer was lost and the template does not show the change: a task goes on reading it."""
        return cast("types.Template", await self._sender.json("PATCH", f"/v1/templates/{segment(id)}", body=body, if_match=if_match, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def delete(
        self,
        id: str,
        /,
        *,
        if_match: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> None:
        """Delete a template. Deletes the template of this one language at the provider. It stays in the list as `deleted`, or as `pending_deletion` while the provider still has it. The name of an approved template cannot be used again for 30 days."""
        await self._sender.json("DELETE", f"/v1/templates/{segment(id)}", if_match=if_match, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def validate(
        self,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.NewTemplate],
    ) -> types.TemplateValidation:
        """Validate a template. Says what a submission of the template would be refused with here, by the same rules. Nothing is submitted or stored, links of samples are not fetched, and an idempotency key is not used; what the provider alone decides shows when it is submitted. A name and language that a template of the account has is a problem `conflict` with the template's id. A body that does not fit its schema is 400, as when it is submitted."""
        return cast("types.TemplateValidation", await self._sender.json("POST", "/v1/templates/validate", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def sync(
        self,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.TemplateSync],
    ) -> types.TemplateSyncResult:
        """Sync templates with the provider. Reads all templates of one account, or of all, from the provider now. Changes that no callback has reported become events. Accounts are independent of each other: each has a result, also when the provider refuses another one. Returns 202 if the provider has not answered for each account within 10 seconds: a task continues. The gateway reads each account every six hours by itself."""
        return cast("types.TemplateSyncResult", await self._sender.json("POST", "/v1/templates/sync", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))


class AsyncWebhookEndpoints:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.NewWebhookEndpoint],
    ) -> types.WebhookEndpointWithSecret:
        """Create a webhook endpoint. From now on the endpoint receives every event of its kinds at least once, signed with the secret in this response. A workspace can have up to 100 endpoints. An API key that is limited to phone numbers sees and changes endpoints that are limited to some of these. With `format: "provider"` it receives the provider's own callbacks of its `fields`, one message or status at a time, signed as the provider signs them (`X-Hub-Signature-256`). Where a `verify_token` is given, the URL must answer the provider's handshake (422 `endpoint_unverified`), which a workspace can have made up to 10 times a minute."""
        return cast("types.WebhookEndpointWithSecret", await self._sender.json("POST", "/v1/webhook-endpoints", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.WebhookEndpoint]:
        """List webhook endpoints. Includes disabled endpoints. Secrets are not returned."""
        return self._sender.list("/v1/webhook-endpoints", query={"limit": limit, "cursor": cursor}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def update(
        self,
        id: str,
        /,
        *,
        if_match: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.WebhookEndpointChange],
    ) -> types.WebhookEndpoint:
        """Update a webhook endpoint. Enabling a disabled endpoint releases the deliveries that were parked in the meantime, at its `rate_per_second`, or 50 a second. A new URL of an endpoint with a `verify_token` must answer the provider's handshake (422 `endpoint_unverified`)."""
        return cast("types.WebhookEndpoint", await self._sender.json("PATCH", f"/v1/webhook-endpoints/{segment(id)}", body=body, if_match=if_match, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def get(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.WebhookEndpoint:
        """Get a webhook endpoint. `status` is `failing` while deliveries fail. For a disabled endpoint, `disabled_reason` gives the reason."""
        return cast("types.WebhookEndpoint", await self._sender.json("GET", f"/v1/webhook-endpoints/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def delete(
        self,
        id: str,
        /,
        *,
        if_match: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> None:
        """Delete a webhook endpoint. The endpoint's open deliveries are dropped."""
        await self._sender.json("DELETE", f"/v1/webhook-endpoints/{segment(id)}", if_match=if_match, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def rotate_secret(
        self,
        id: str,
        /,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SecretRotation],
    ) -> types.WebhookEndpointWithSecret:
        """Rotate the signing secret. During the overlap, one day by default, every delivery carries a signature for each secret; one that was replaced before keeps its own end. An endpoint has up to 10 secrets at a time. The new secret is returned only in this response. `X-Hub-Signature-256` has room for one signature: an endpoint of the format `provider` signs with the oldest secret until its end has come, and may be given its next `secret`."""
        return cast("types.WebhookEndpointWithSecret", await self._sender.json("POST", f"/v1/webhook-endpoints/{segment(id)}/rotate-secret", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def test(
        self,
        id: str,
        /,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Delivery:
        """Send a test event. An event of kind `endpoint_test`, sent to this endpoint alone whatever it listens to. It waits for no other event of the endpoint."""
        return cast("types.Delivery", await self._sender.json("POST", f"/v1/webhook-endpoints/{segment(id)}/test", idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    def list_deliveries(
        self,
        id: str,
        /,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["pending", "succeeded", "failed", "parked"]] = None,
        kind: Optional[str] = None,
        created_after: Optional[Union[str, datetime]] = None,
        created_before: Optional[Union[str, datetime]] = None,
        message_id: Optional[str] = None,
        contact_id: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.DeliverySummary]:
        """List the deliveries of an endpoint. One delivery for each event, however often it was attempted. Get a delivery to see its attempts. Where few of very many deliveries fit the filters, a page may have fewer than its limit, or none: go on while there is a `next_cursor`."""
        return self._sender.list(f"/v1/webhook-endpoints/{segment(id)}/deliveries", query={"limit": limit, "cursor": cursor, "status": status, "kind": kind, "created_after": created_after, "created_before": created_before, "message_id": message_id, "contact_id": contact_id}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def create_replay(
        self,
        id: str,
        /,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.NewReplay],
    ) -> types.Replay:
        """Create a replay. Sends events of a time to the endpoint again, in the background; poll the replay. Each has the id that it had (`webhook-id`) and the header `X-Service-Replay: true`, is posted at the endpoint's `rate_per_second`, 50 a second where it has none, and is tried as any delivery is. Events of a replay keep their order among themselves; live ones neither wait for them nor are overtaken. While the endpoint is disabled the replay waits."""
        return cast("types.Replay", await self._sender.json("POST", f"/v1/webhook-endpoints/{segment(id)}/replays", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def get_replay(
        self,
        id: str,
        replay_id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Replay:
        """Get a replay. With its progress. A replay can be read for 30 days after it has ended."""
        return cast("types.Replay", await self._sender.json("GET", f"/v1/webhook-endpoints/{segment(id)}/replays/{segment(replay_id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))


class AsyncDeliveries:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        status: Optional[Literal["pending", "succeeded", "failed", "parked"]] = None,
        kind: Optional[str] = None,
        created_after: Optional[Union[str, datetime]] = None,
        created_before: Optional[Union[str, datetime]] = None,
        message_id: Optional[str] = None,
        contact_id: Optional[str] = None,
        webhook_endpoint_id: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.DeliverySummary]:
        """List deliveries. The deliveries to all endpoints, newest first. Where few of very many deliveries fit the filters, a page may have fewer than its limit, or none: go on while there is a `next_cursor`."""
        return self._sender.list("/v1/deliveries", query={"limit": limit, "cursor": cursor, "status": status, "kind": kind, "created_after": created_after, "created_before": created_before, "message_id": message_id, "contact_id": contact_id, "webhook_endpoint_id": webhook_endpoint_id}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def retry(
        self,
        id: str,
        /,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Delivery:
        """Retry a delivery. Attempts a delivery now: one that waits for its next attempt, failed or succeeded. One that is about to be attempted is returned as it is, so that asking twice sends it once. At an ordered endpoint one that waits is attempted within seconds, in its place; one that has ended neither holds back the live events of its conversation nor overtakes them. The attempts in the response are without what the receiver answered: get the delivery for that."""
        return cast("types.Delivery", await self._sender.json("POST", f"/v1/deliveries/{segment(id)}/retry", idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def get(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Delivery:
        """Get a delivery with its attempts. Each attempt with its request, and its result: status, duration, and the start of the receiver's response. Signatures are left out."""
        return cast("types.Delivery", await self._sender.json("GET", f"/v1/deliveries/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))


class AsyncEvents:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        kind: Optional[str] = None,
        message_id: Optional[str] = None,
        contact_id: Optional[str] = None,
        created_after: Optional[Union[str, datetime]] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.Event]:
        """List events. What endpoints that listen to all kinds receive, for 30 days, oldest first and each exactly once. There is always a `next_cursor`: keep it, and ask again with it for what has happened since. Where few of very many events fit the filters, a page may have fewer than its limit, or none: go on while `has_more` is true. A cursor whose events are no longer kept is answered from the oldest that are, with `gap: true`. Without the scope `messages:read`, messages have no content. A key that is limited to phone numbers gets what an endpoint with its `phone_number_ids` gets."""
        return self._sender.list("/v1/events", query={"limit": limit, "cursor": cursor, "kind": kind, "message_id": message_id, "contact_id": contact_id, "created_after": created_after}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def get(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Event:
        """Get an event. The body of its deliveries. Without the scope `messages:read`, its message has no content."""
        return cast("types.Event", await self._sender.json("GET", f"/v1/events/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))

    def stream(
        self,
        *,
        cursor: Optional[str] = None,
        kind: Optional[str] = None,
        message_id: Optional[str] = None,
        contact_id: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncEventStream[types.Event]:
        """Stream events. The events of the list as server-sent events (`text/event-stream`) while the connection lasts: `id` is the cursor behind the event, `event` its kind, `data` its body in one line. It begins with what happens from now on, or behind `Last-Event-ID` or `cursor`, which may be a `next_cursor` of the list with the same filters; so a reader that comes again misses nothing and gets nothing twice. Where events behind it are no longer kept, the first event is named `gap`, with `{"gap":true}`, and the oldest that are kept follow. A comment comes every 15 s, with a new `id`. The stream ends when the key is revoked or loses a scope, and when the process stops. A reader that takes less than 64 KiB within 30 s while more waits is cut off. A key has up to 20 streams open in a process, a workspace 200. Without the scope `messages:read`, messages have no content."""
        return self._sender.stream("/v1/events/stream", query={"cursor": cursor, "kind": kind, "message_id": message_id, "contact_id": contact_id}, request_id=request_id, timeout=timeout, max_retries=max_retries)


class AsyncBusinessAccounts:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.NewBusinessAccount],
    ) -> types.BusinessAccount:
        """Connect a business account. Returns 201 once the provider has accepted the token and the account's phone numbers and templates are imported. Returns 422 `provider_rejected` if the provider refuses the token: nothing is stored, and an account that is already connected keeps working with its current token. Returns 202 if the result is not known after 10 seconds, or if several accounts of this workspace are already being verified; the work then continues in the background. In that case, poll the account: it becomes `connected`, `restricted` while the provider does not let it send, or `disconnected`, with the provider's explanation in `status_reason`. An account that was connected before keeps its status and its token, with the refusal in `status_reason`. Returns 409 `conflict` if the account or one of its phone numbers is connected in another workspace. For an account that already exists, the call replaces its token; a restriction stays until the provider lifts it."""
        return cast("types.BusinessAccount", await self._sender.json("POST", "/v1/business-accounts", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.BusinessAccount]:
        """List business accounts. Includes disconnected accounts. Each account has its phone numbers."""
        return self._sender.list("/v1/business-accounts", query={"limit": limit, "cursor": cursor}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def get(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.BusinessAccount:
        """Get a business account. While its status is `connecting`, poll the account. If the connection fails, `status_reason` gives the reason."""
        return cast("types.BusinessAccount", await self._sender.json("GET", f"/v1/business-accounts/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def delete(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> None:
        """Disconnect a business account. Erases the account's token. The account stays in the list as `disconnected`, and its phone numbers can no longer send. Callbacks of the account are still taken, so that the statuses of messages that were sent are not lost; to end them, remove the app from the account at the provider. Connected again, account and phone numbers keep their ids. A default phone number stays the default one: sends without `from` are refused until another is. An account that was never connected is deleted."""
        await self._sender.json("DELETE", f"/v1/business-accounts/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def update(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.BusinessAccountChange],
    ) -> types.BusinessAccount:
        """Update a business account. Sets or clears the Messaging account that sends name at the provider. You need it only where the provider has several Messaging accounts for a phone number. It holds for all messages that are sent from then on, also for those that wait and for repeated tries; processes other than the one that answers follow within 4 seconds. All other fields come from the provider."""
        return cast("types.BusinessAccount", await self._sender.json("PATCH", f"/v1/business-accounts/{segment(id)}", body=body, request_id=request_id, timeout=timeout, max_retries=max_retries))


class AsyncPhoneNumbers:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.PhoneNumber]:
        """List phone numbers. The phone numbers of all business accounts. A phone number can send while its `status` is `connected`."""
        return self._sender.list("/v1/phone-numbers", query={"limit": limit, "cursor": cursor}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def get(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.PhoneNumber:
        """Get a phone number. Quality, throughput and messaging limit are as last reported by the provider; the service allowance is counted here."""
        return cast("types.PhoneNumber", await self._sender.json("GET", f"/v1/phone-numbers/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def update(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.PhoneNumberChange],
    ) -> types.PhoneNumber:
        """Update a phone number. Changes your note and whether this is the default phone number, which a key that is limited to phone numbers cannot. All other fields come from the provider."""
        return cast("types.PhoneNumber", await self._sender.json("PATCH", f"/v1/phone-numbers/{segment(id)}", body=body, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def get_health(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.PhoneNumberHealth:
        """Get the health of a phone number. Checks what the phone number needs to send and to be reached, and says what to do. The provider is asked, at most once a minute while it answers well; where it cannot be asked a check's `ok` is null. Looking changes nothing, but for a refusal that is about the account: it has the same consequences as that of a send."""
        return cast("types.PhoneNumberHealth", await self._sender.json("GET", f"/v1/phone-numbers/{segment(id)}/health", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def get_profile(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.BusinessProfile:
        """Get a business profile. What people see of the business in the app, asked of the provider at each call. Returns 429 `rate_limited` when the account's calls of the provider are used up for now."""
        return cast("types.BusinessProfile", await self._sender.json("GET", f"/v1/phone-numbers/{segment(id)}/profile", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def update_profile(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.BusinessProfileChange],
    ) -> types.BusinessProfile:
        """Update a business profile. Changes the given fields at the provider and leaves the others; null clears one. Returns the profile as the provider has it afterwards. After a 502 the change may have been made all the same: repeating it is safe."""
        return cast("types.BusinessProfile", await self._sender.json("PATCH", f"/v1/phone-numbers/{segment(id)}/profile", body=body, request_id=request_id, timeout=timeout, max_retries=max_retries))


class AsyncEmbeddedSignups:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.EmbeddedSignup]:
        """List embedded signups. Newest first. A signup can be read for 90 days after it has ended."""
        return self._sender.list("/v1/embedded-signups", query={"limit": limit, "cursor": cursor}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.NewEmbeddedSignup],
    ) -> types.EmbeddedSignup:
        """Create an embedded signup. Connects the account that a customer has granted in the provider's embedded signup dialog, by the code that the dialog returned. Returns 202; the steps are then done in the background, one after the other: `exchange` the code for the customer's token, `inspect_token`, `verify_ownership` of account and phone number by the token alone, `subscribe` to the account's callbacks, `register` its phone numbers, `import`. Poll the signup; when it is `completed`, the account is connected and the event `signup_completed` is sent. While the provider is away a step is tried again for a day. A refusal ends the signup as `failed`, and the step says what to do before you resume it. An account that this workspace has connected already gets the new token. Returns 409 `conflict` if the operator has not set up an app."""
        return cast("types.EmbeddedSignup", await self._sender.json("POST", "/v1/embedded-signups", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def get_config(
        self,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.EmbeddedSignupConfig:
        """Get the signup dialog. What a page needs to open the provider's signup dialog of this gateway. The dialog returns to `redirect_uri` with a `code` for `POST /v1/embedded-signups`, or with an `error`."""
        return cast("types.EmbeddedSignupConfig", await self._sender.json("GET", "/v1/embedded-signups/config", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def get(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.EmbeddedSignup:
        """Get an embedded signup. A signup can be read for 90 days after it has ended."""
        return cast("types.EmbeddedSignup", await self._sender.json("GET", f"/v1/embedded-signups/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def resume(
        self,
        id: str,
        /,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SignupResume],
    ) -> types.EmbeddedSignup:
        """Resume an embedded signup. Goes on with the step at which the signup has failed, or at once where it waits for its next try. With another account or phone number their ownership is verified again; with a new code the signup begins again. Code, token and PIN of a signup that failed are erased after 7 days: it needs a new code then. A signup that is completed is returned as it is. Returns 409 `conflict` if there is neither a code nor a token to go on with, or if values are given while a step is running or after the completion."""
        return cast("types.EmbeddedSignup", await self._sender.json("POST", f"/v1/embedded-signups/{segment(id)}/resume", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))


class AsyncSetupLinks:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SetupLinkInput],
    ) -> types.NewSetupLink:
        """Create a setup link. Returns an address at which a client without an API key or access to the console connects an account to this workspace by the provider's dialog. Opening it changes nothing, so previews of links in chats do no harm; it is used when an account is connected by it. Until then the client may open it again and goes on where the signup stands. Returns 409 `conflict` if the operator has not set up the dialog or https, or if 500 links are open."""
        return cast("types.NewSetupLink", await self._sender.json("POST", "/v1/setup-links", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.SetupLink]:
        """List setup links. Newest first, including those that are over. A link can be read for 60 days."""
        return self._sender.list("/v1/setup-links", query={"limit": limit, "cursor": cursor}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def get(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.SetupLink:
        """Get a setup link. The address of a link is returned only when it is created. A link can be read for 60 days."""
        return cast("types.SetupLink", await self._sender.json("GET", f"/v1/setup-links/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def delete(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> None:
        """Revoke a setup link. Its page does nothing from now on. A signup that was begun goes on, and an account that was connected stays connected."""
        await self._sender.json("DELETE", f"/v1/setup-links/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries)


class AsyncConversations:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        phone_number_id: Optional[str] = None,
        contact_id: Optional[str] = None,
        window: Optional[Literal["open", "closed"]] = None,
        unread: Optional[bool] = None,
        q: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.Conversation]:
        """List conversations. One for each phone number and person, that with the latest message first. A conversation that gets a message while you read the pages moves to the first one: it is never listed twice, and reading the first page again finds it. With `window`, `unread` or `q` a page is shorter than `limit`, and may be empty, where few of many conversations match: go on with `next_cursor` until it is null."""
        return self._sender.list("/v1/conversations", query={"limit": limit, "cursor": cursor, "phone_number_id": phone_number_id, "contact_id": contact_id, "window": window, "unread": unread, "q": q}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    def list_messages(
        self,
        contact_id: str,
        /,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        phone_number_id: Optional[str] = None,
        direction: Optional[Literal["outbound", "inbound"]] = None,
        created_after: Optional[Union[str, datetime]] = None,
        created_before: Optional[Union[str, datetime]] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.ListedMessage]:
        """List the messages with a person. Messages in both directions, newest first, of all your phone numbers or of one. When two contacts turned out to be one person, both ids return the messages of both."""
        return self._sender.list(f"/v1/conversations/{segment(contact_id)}/messages", query={"limit": limit, "cursor": cursor, "phone_number_id": phone_number_id, "direction": direction, "created_after": created_after, "created_before": created_before}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def control(
        self,
        contact_id: str,
        /,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.ControlConversation],
    ) -> types.Conversation:
        """Control who answers a person. Changes who answers a person where the provider has several responders for your number. The provider is asked first: nothing changes if it refuses (422 `provider_rejected`) or cannot be reached (502 `provider_unavailable`). Returns 404 where no message was exchanged between the two."""
        return cast("types.Conversation", await self._sender.json("POST", f"/v1/conversations/{segment(contact_id)}/control", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))


class AsyncContacts:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def create_import(
        self,
        content: FileContent,
        /,
        *,
        type: Literal["text/csv", "application/x-ndjson"],
        mapping: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.ContactImport:
        """Create an import of contacts. Stores a file and reads it in the background; poll the import. The body is CSV (`text/csv`) or NDJSON (`application/x-ndjson`), or a form (`multipart/form-data`) with the file and perhaps `mapping`; up to 1 GiB, in UTF-8. Each row creates a contact or changes the one that has the number, as `POST /v1/contacts?on_conflict=update` does; one that is refused has an entry in the import's errors and holds back no other. A row that says what is known already changes nothing. CSV begins with a line of column names in any order; cells are separated by `,`, `;`, `|` or tabs, or by what a line `sep=;` ahead of it says. A column that is no field refuses the file, unless `mapping` names its field or null. A column without a name is ignored while its cells are empty; a cell with content is an error of its row. Of columns with one name the filled cell counts; two different ones are an error of their row. An empty cell changes nothing, and a row of empty cells is none. A row with fewer cells than the first line, or with filled ones behind its last, is an error. `tags` are separated by `;` or `|`, or a JSON array; `attributes.<name>` is a text, `attributes.<name>:number` and `attributes.<name>:boolean` are not; `attributes` is a JSON object. An apostrophe before `=`, `+`, `-` or `@` is dropped. A row without a number, or with an impossible one, changes the contact that its `id` names. Lines of NDJSON are contacts as the API takes them, where null clears a field. What a file says of consent was said when it was sent, so a later choice of the person stays. Imports of a workspace run one after the other."""
        return cast("types.ContactImport", await self._sender.upload("POST", "/v1/contacts/imports", content, type, query={"mapping": mapping}, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    def list_imports(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.ContactImport]:
        """List imports. Newest first. An import can be read for 30 days after it has ended."""
        return self._sender.list("/v1/contacts/imports", query={"limit": limit, "cursor": cursor}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def get_import(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.ContactImport:
        """Get an import. With what was read and written so far."""
        return cast("types.ContactImport", await self._sender.json("GET", f"/v1/contacts/imports/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))

    def list_import_errors(
        self,
        id: str,
        /,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.ContactImportError]:
        """List the errors of an import. The rows that were refused and why, in the order of the file; of the first 10000. The values of a row are not kept: its line finds it in your file. With `Accept: text/csv` or `application/x-ndjson` all of them as a file."""
        return self._sender.list(f"/v1/contacts/imports/{segment(id)}/errors", query={"limit": limit, "cursor": cursor}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def import_cancel(
        self,
        id: str,
        /,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.ContactImport:
        """Cancel an import. It stops where it is: rows that are counted stay imported. One that has ended is returned as it is."""
        return cast("types.ContactImport", await self._sender.json("POST", f"/v1/contacts/imports/{segment(id)}/cancel", idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        phone: Optional[str] = None,
        tag: Optional[str] = None,
        segment_id: Optional[str] = None,
        q: Optional[str] = None,
        marketing_consent: Optional[Literal["unknown", "opted_in", "opted_out"]] = None,
        created_after: Optional[Union[str, datetime]] = None,
        updated_after: Optional[Union[str, datetime]] = None,
        sort: Optional[Literal["created_at", "updated_at"]] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[Union[types.Contact, types.GoneContact]]:
        """List contacts. Newest first. All filters have to fit. A page may have fewer contacts than its limit, or none, where few fit: follow `next_cursor` until it is null. With `sort=updated_at` contacts come in the order of their last changes, oldest first: keep the `next_cursor` of the last page, which is always there, and ask again with it for what has changed since. A contact that changes again comes again; of one that was erased or merged its id comes with `deleted`, whatever the filters. One that no longer fits a filter does not come: who keeps a copy asks without filters."""
        return self._sender.list("/v1/contacts", query={"limit": limit, "cursor": cursor, "phone": phone, "tag": tag, "segment_id": segment_id, "q": q, "marketing_consent": marketing_consent, "created_after": created_after, "updated_after": updated_after, "sort": sort}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def create(
        self,
        *,
        on_conflict: Optional[Literal["update"]] = None,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.NewContact],
    ) -> types.Contact:
        """Create a contact. The number is that of one person, however it is written: where that person is a contact already, the answer is 409 `contact_exists` with the contact's id, or with `on_conflict=update` 200 and the changed contact."""
        return cast("types.Contact", await self._sender.json("POST", "/v1/contacts", query={"on_conflict": on_conflict}, body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def list_tags(
        self,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.TagList:
        """List tags. The names of the tags that contacts have, and how many have each, the most frequent first."""
        return cast("types.TagList", await self._sender.json("GET", "/v1/contacts/tags", request_id=request_id, timeout=timeout, max_retries=max_retries))

    def export(
        self,
        *,
        phone: Optional[str] = None,
        tag: Optional[str] = None,
        segment_id: Optional[str] = None,
        q: Optional[str] = None,
        marketing_consent: Optional[Literal["unknown", "opted_in", "opted_out"]] = None,
        created_after: Optional[Union[str, datetime]] = None,
        updated_after: Optional[Union[str, datetime]] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncRows[types.Contact]:
        """Export contacts. All contacts that the list would have, newest first, with the same filters: CSV, or NDJSON with `Accept: application/x-ndjson`. An import takes the same file back: without changes it changes nothing. In CSV `tags` are separated by `;` (a JSON array where a tag has one itself), `attributes` is a JSON object, and `'` is put before a cell that a spreadsheet would take for a formula; numbers such as `+15551230001` stay as they are. A reader that takes nothing for 30 s, or less than 256 KiB within a minute while more is ready, is cut off, and an answer that ends without its last chunk is not complete. Of the streams of a process a workspace has two at once: more is 429, or 503 while others use all."""
        return self._sender.rows("/v1/contacts/export", query={"phone": phone, "tag": tag, "segment_id": segment_id, "q": q, "marketing_consent": marketing_consent, "created_after": created_after, "updated_after": updated_after}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def get(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Contact:
        """Get a contact. When two records turn out to be one person they are merged: both ids return the surviving contact, whose `id` is in the response."""
        return cast("types.Contact", await self._sender.json("GET", f"/v1/contacts/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def update(
        self,
        id: str,
        /,
        *,
        if_match: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.ContactChange],
    ) -> types.Contact:
        """Update a contact. Changes what is given; attributes are merged one by one. What is already so is no change."""
        return cast("types.Contact", await self._sender.json("PATCH", f"/v1/contacts/{segment(id)}", body=body, if_match=if_match, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def delete(
        self,
        id: str,
        /,
        *,
        if_match: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> None:
        """Erase a contact. Erases the person: the contact with every record that was merged into it, and what was in their messages and events, at once and for every reader. Messages that wait to be sent are canceled. What is left of a message is its id, times and status, with `to` or `from` and its content null; it is billed and counted as before. A person who writes again is a new contact. What is kept elsewhere, and for how long, is in docs/privacy.md."""
        await self._sender.json("DELETE", f"/v1/contacts/{segment(id)}", if_match=if_match, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def batch(
        self,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.ContactsBatchBody],
    ) -> types.ContactBatchResult:
        """Create or update up to 1,000 contacts. Each is created or changed as by `POST /v1/contacts?on_conflict=update`, all in one transaction; one that is refused has its own error and holds back no other."""
        return cast("types.ContactBatchResult", await self._sender.json("POST", "/v1/contacts/batch", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def create_tag(
        self,
        id: str,
        /,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.AddTags],
    ) -> types.Contact:
        """Add tags to a contact. Tags that it has already stay as they are."""
        return cast("types.Contact", await self._sender.json("POST", f"/v1/contacts/{segment(id)}/tags", body=body, idempotency_key=idempotency_key, if_match=if_match, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def delete_tag(
        self,
        id: str,
        tag: str,
        /,
        *,
        if_match: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Contact:
        """Remove a tag from a contact. Returns the contact, also if it did not have the tag."""
        return cast("types.Contact", await self._sender.json("DELETE", f"/v1/contacts/{segment(id)}/tags/{segment(tag)}", if_match=if_match, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def merge(
        self,
        id: str,
        /,
        *,
        idempotency_key: Optional[str] = None,
        if_match: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.MergeContact],
    ) -> types.Contact:
        """Merge two contacts. Two records of one person become the contact of the path, and both ids return it from then on. Its own values count, those that it lacks are the other's; tags are united, and an opt-out of either counts. Windows are joined, and messages that wait for either keep their order. Contacts that are one already are returned as they are. Returns 409 `conflict` where the provider knows them as two people, because each has a valid user id of its own."""
        return cast("types.Contact", await self._sender.json("POST", f"/v1/contacts/{segment(id)}/merge", body=body, idempotency_key=idempotency_key, if_match=if_match, request_id=request_id, timeout=timeout, max_retries=max_retries))


class AsyncSegments:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.Segment]:
        """List segments. Newest first, each with its count, as far as they can be counted within half a second; the others with their last one."""
        return self._sender.list("/v1/segments", query={"limit": limit, "cursor": cursor}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.NewSegment],
    ) -> types.Segment:
        """Create a segment. A filter under a name. Contacts are not put into a segment: every contact that fits is in it."""
        return cast("types.Segment", await self._sender.json("POST", "/v1/segments", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def get(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Segment:
        """Get a segment. The segment with its filter, and how many contacts fit it now."""
        return cast("types.Segment", await self._sender.json("GET", f"/v1/segments/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def update(
        self,
        id: str,
        /,
        *,
        if_match: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SegmentChange],
    ) -> types.Segment:
        """Update a segment. Changes what is given; a filter is replaced as a whole."""
        return cast("types.Segment", await self._sender.json("PATCH", f"/v1/segments/{segment(id)}", body=body, if_match=if_match, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def delete(
        self,
        id: str,
        /,
        *,
        if_match: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> None:
        """Delete a segment. Its contacts stay."""
        await self._sender.json("DELETE", f"/v1/segments/{segment(id)}", if_match=if_match, request_id=request_id, timeout=timeout, max_retries=max_retries)

    def list_contacts(
        self,
        id: str,
        /,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.Contact]:
        """List the contacts of a segment. Those who fit the filter now, newest first. A page may have fewer contacts than its limit, or none, where few fit: follow `next_cursor` until it is null."""
        return self._sender.list(f"/v1/segments/{segment(id)}/contacts", query={"limit": limit, "cursor": cursor}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def preview(
        self,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.SegmentPreviewInput],
    ) -> types.SegmentPreview:
        """Preview a segment. How many contacts fit a filter now, and the newest of them. Nothing is stored."""
        return cast("types.SegmentPreview", await self._sender.json("POST", "/v1/segments/preview", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))


class AsyncWorkspace:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def get(
        self,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.OwnWorkspace:
        """Get the workspace of this key. The workspace with the calling API key, its scopes, and the limits that apply."""
        return cast("types.OwnWorkspace", await self._sender.json("GET", "/v1/workspace", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def update(
        self,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.OwnWorkspaceChange],
    ) -> types.OwnWorkspace:
        """Update the workspace of this key. Sets the keywords by which people stop marketing and allow it again. A message is one if it consists of it, in upper or lower case, whatever punctuation and invisible marks stand around it; so is the text of a pressed button or a chosen row of a list. The message itself is delivered like any other. `front_app_secret` needs the scope `webhooks:write` too; it cannot be removed while an endpoint is signed with it (409)."""
        return cast("types.OwnWorkspace", await self._sender.json("PATCH", "/v1/workspace", body=body, request_id=request_id, timeout=timeout, max_retries=max_retries))


class AsyncApiKeys:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.ApiKeyInput],
    ) -> types.NewApiKey:
        """Create an API key. The key is returned only in this response. It cannot have a scope that the calling key lacks, nor a phone number. A key with `phone_number_ids` sends with these numbers alone and sees nothing of others; what concerns a whole account or the workspace is refused to it with 403."""
        return cast("types.NewApiKey", await self._sender.json("POST", "/v1/api-keys", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.ApiKey]:
        """List API keys. Includes expired and revoked keys. A key that is limited to phone numbers sees those that are limited to some of them."""
        return self._sender.list("/v1/api-keys", query={"limit": limit, "cursor": cursor}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def get(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.ApiKey:
        """Get an API key. Also returns expired and revoked keys. The text of a key is returned only when it is created."""
        return cast("types.ApiKey", await self._sender.json("GET", f"/v1/api-keys/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def delete(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> None:
        """Revoke an API key. Takes effect in every process within 5 seconds. The key stays in the list."""
        await self._sender.json("DELETE", f"/v1/api-keys/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def rotate(
        self,
        id: str,
        /,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.RotateApiKeyInput],
    ) -> types.NewApiKey:
        """Rotate an API key. Creates a key with the same name, scopes and expiry. The old key keeps working for `overlap_seconds`, one day by default. A key that the old one replaced ends immediately."""
        return cast("types.NewApiKey", await self._sender.json("POST", f"/v1/api-keys/{segment(id)}/rotate", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))


class AsyncUsage:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def get(
        self,
        *,
        day_after: Optional[str] = None,
        day_before: Optional[str] = None,
        phone_number_id: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Usage:
        """Get usage by day. Messages by day, direction, status, category and phone number, the latest day first; up to 366 days. New messages are counted within two minutes, and within six where there are many. Later changes of status, category and price move a message to another group: as soon while it is new, later once it is twice as old, and within four days; for 32 days."""
        return cast("types.Usage", await self._sender.json("GET", "/v1/usage", query={"day_after": day_after, "day_before": day_before, "phone_number_id": phone_number_id}, request_id=request_id, timeout=timeout, max_retries=max_retries))


class AsyncMetrics:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def messages(
        self,
        *,
        at_after: Optional[Union[str, datetime]] = None,
        at_before: Optional[Union[str, datetime]] = None,
        interval: Optional[Literal["5m", "1h", "1d"]] = None,
        group_by: Optional[Literal["status", "category", "template", "phone_number_id", "error_code"]] = None,
        phone_number_id: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.MessageMetrics:
        """Get what happened to messages over time. Counts by interval, the latest first, and how long delivery took; intervals and groups in which nothing happened are left out. Each status counts once for a message, in the interval in which it was reached, so that one message may be in several: a chart of statuses shows what happened when, `GET /v1/usage` what became of the messages of a day. At most a minute late; what is reported late is in the interval in which it happened. Intervals of five minutes are kept for 8 days, hours for 92 and days for 1,000."""
        return cast("types.MessageMetrics", await self._sender.json("GET", "/v1/metrics/messages", query={"at_after": at_after, "at_before": at_before, "interval": interval, "group_by": group_by, "phone_number_id": phone_number_id}, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def deliveries(
        self,
        *,
        at_after: Optional[Union[str, datetime]] = None,
        at_before: Optional[Union[str, datetime]] = None,
        interval: Optional[Literal["5m", "1h", "1d"]] = None,
        group_by: Optional[Literal["status", "webhook_endpoint_id"]] = None,
        webhook_endpoint_id: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.DeliveryMetrics:
        """Get attempts to deliver events over time. Attempts by interval, the latest first, and how long they took; intervals and groups without any are left out. Each attempt of a delivery counts in the interval in which it began, at most a minute late. Intervals of five minutes are kept for 8 days, hours for 92 and days for 1,000."""
        return cast("types.DeliveryMetrics", await self._sender.json("GET", "/v1/metrics/deliveries", query={"at_after": at_after, "at_before": at_before, "interval": interval, "group_by": group_by, "webhook_endpoint_id": webhook_endpoint_id}, request_id=request_id, timeout=timeout, max_retries=max_retries))


class AsyncOperatorWorkspaces:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def create(
        self,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.WorkspaceInput],
    ) -> types.Workspace:
        """Create a workspace. Creates an empty workspace; create its first API key next. Names need not be unique."""
        return cast("types.Workspace", await self._sender.json("POST", "/admin/v1/workspaces", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.Workspace]:
        """List workspaces. Includes suspended workspaces."""
        return self._sender.list("/admin/v1/workspaces", query={"limit": limit, "cursor": cursor}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def get(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.Workspace:
        """Get a workspace. Any workspace of this gateway, by its id."""
        return cast("types.Workspace", await self._sender.json("GET", f"/admin/v1/workspaces/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def update(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.WorkspaceChange],
    ) -> types.Workspace:
        """Update a workspace. Renames, suspends or reactivates a workspace. A suspension takes effect in every process within 5 seconds; messages that are already accepted are still sent."""
        return cast("types.Workspace", await self._sender.json("PATCH", f"/admin/v1/workspaces/{segment(id)}", body=body, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def create_api_key(
        self,
        id: str,
        /,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.ApiKeyInput],
    ) -> types.NewApiKey:
        """Create an API key of a workspace. The key is returned only in this response. It can have any scope; further keys can be created with the workspace's own keys."""
        return cast("types.NewApiKey", await self._sender.json("POST", f"/admin/v1/workspaces/{segment(id)}/api-keys", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    def list_api_keys(
        self,
        id: str,
        /,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.ApiKey]:
        """List the API keys of a workspace. Includes expired and revoked keys. The texts of keys are not returned."""
        return self._sender.list(f"/admin/v1/workspaces/{segment(id)}/api-keys", query={"limit": limit, "cursor": cursor}, request_id=request_id, timeout=timeout, max_retries=max_retries)


class AsyncOperatorAudit:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        actor: Optional[str] = None,
        action: Optional[str] = None,
        resource: Optional[str] = None,
        status: Optional[int] = None,
        at_after: Optional[Union[str, datetime]] = None,
        at_before: Optional[Union[str, datetime]] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.AuditActivity]:
        """List the operator's calls and calls without a valid key. Calls with the operator key, and calls without a valid key: the first 20 per minute and address. With an `Accept` of `text/csv` or `application/x-ndjson` the whole filtered range is streamed."""
        return self._sender.list("/admin/v1/audit", query={"limit": limit, "cursor": cursor, "actor": actor, "action": action, "resource": resource, "status": status, "at_after": at_after, "at_before": at_before}, request_id=request_id, timeout=timeout, max_retries=max_retries)


class AsyncOperatorQuarantine:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def list(
        self,
        *,
        limit: Optional[int] = None,
        cursor: Optional[str] = None,
        reason: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> AsyncListing[types.QuarantinedChange]:
        """List quarantined callback changes. The changes that have not been replayed, of all workspaces and of unknown accounts."""
        return self._sender.list("/admin/v1/quarantine", query={"limit": limit, "cursor": cursor, "reason": reason}, request_id=request_id, timeout=timeout, max_retries=max_retries)

    async def get(
        self,
        id: str,
        /,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.QuarantinedCallback:
        """Get a quarantined change with its callback. The change, replayed or not, and the raw body that the provider posted, for as long as `callbacks` of the retention keeps it."""
        return cast("types.QuarantinedCallback", await self._sender.json("GET", f"/admin/v1/quarantine/{segment(id)}", request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def replay(
        self,
        id: str,
        /,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.QuarantinedChange:
        """Replay a quarantined change. Parses the whole callback of this change again. Changes that were already applied are not applied twice."""
        return cast("types.QuarantinedChange", await self._sender.json("POST", f"/admin/v1/quarantine/{segment(id)}/replay", idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))

    async def replay_all(
        self,
        *,
        idempotency_key: Optional[str] = None,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        **body: Unpack[types.QuarantineReplay],
    ) -> types.QuarantineReplayed:
        """Replay all quarantined changes with one reason. Replays the oldest changes first, up to 1,000 per call."""
        return cast("types.QuarantineReplayed", await self._sender.json("POST", "/admin/v1/quarantine/replay", body=body, idempotency_key=idempotency_key, request_id=request_id, timeout=timeout, max_retries=max_retries))


class AsyncOperatorSystem:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def get(
        self,
        *,
        request_id: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> types.System:
        """Get the state of the installation. The processes that run, how their work is shared, how long the oldest work has waited, and the database. At most five seconds old, the size of the database a minute. Metrics for alarms are at `METRICS_PORT`."""
        return cast("types.System", await self._sender.json("GET", "/admin/v1/system", request_id=request_id, timeout=timeout, max_retries=max_retries))


class AsyncWorkspaceApi:
    """The resources that an API key reaches."""

    messages: AsyncMessages
    audit: AsyncAudit
    media: AsyncMedia
    templates: AsyncTemplates
    webhook_endpoints: AsyncWebhookEndpoints
    deliveries: AsyncDeliveries
    events: AsyncEvents
    business_accounts: AsyncBusinessAccounts
    phone_numbers: AsyncPhoneNumbers
    embedded_signups: AsyncEmbeddedSignups
    setup_links: AsyncSetupLinks
    conversations: AsyncConversations
    contacts: AsyncContacts
    segments: AsyncSegments
    workspace: AsyncWorkspace
    api_keys: AsyncApiKeys
    usage: AsyncUsage
    metrics: AsyncMetrics

    def __init__(self, sender: AsyncSender) -> None:
        self.messages = AsyncMessages(sender)
        self.audit = AsyncAudit(sender)
        self.media = AsyncMedia(sender)
        self.templates = AsyncTemplates(sender)
        self.webhook_endpoints = AsyncWebhookEndpoints(sender)
        self.deliveries = AsyncDeliveries(sender)
        self.events = AsyncEvents(sender)
        self.business_accounts = AsyncBusinessAccounts(sender)
        self.phone_numbers = AsyncPhoneNumbers(sender)
        self.embedded_signups = AsyncEmbeddedSignups(sender)
        self.setup_links = AsyncSetupLinks(sender)
        self.conversations = AsyncConversations(sender)
        self.contacts = AsyncContacts(sender)
        self.segments = AsyncSegments(sender)
        self.workspace = AsyncWorkspace(sender)
        self.api_keys = AsyncApiKeys(sender)
        self.usage = AsyncUsage(sender)
        self.metrics = AsyncMetrics(sender)


class AsyncOperatorApi:
    """The resources that the operator key reaches."""

    workspaces: AsyncOperatorWorkspaces
    audit: AsyncOperatorAudit
    quarantine: AsyncOperatorQuarantine
    system: AsyncOperatorSystem

    def __init__(self, sender: AsyncSender) -> None:
        self.workspaces = AsyncOperatorWorkspaces(sender)
        self.audit = AsyncOperatorAudit(sender)
        self.quarantine = AsyncOperatorQuarantine(sender)
        self.system = AsyncOperatorSystem(sender)
