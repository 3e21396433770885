"""Read by a type checker and never run: what compiles, and what is refused."""

from typing import List, Optional

from typing_extensions import assert_type
from waypost import ApiError, AsyncWaypost, Listing, Waypost, WebhookEvent, verify_webhook
from waypost.types import Contact, ListedMessage, Message, MessageTemplate, SendTextMessage, Template

waypost = Waypost("wp_live_a", "https://waypost.example.com")
template: MessageTemplate = {"name": "order_ready", "language": {"code": "en_US"}}
text: SendTextMessage = {"to": "+15551230001", "type": "text", "text": {"body": "Hello"}}


def send(to: str) -> Message:
    try:
        return waypost.messages.send(to=to, type="template", template=template, idempotency_key="order-17", from_="num_1")
    except ApiError as error:
        if error.code == "window_closed":
            return waypost.messages.send(**text)
        raise


async def send_async(client: AsyncWaypost) -> List[str]:
    assert_type(await client.messages.send(to="+1", type="text", text={"body": "Hello"}), Message)
    return [message["id"] async for message in client.messages.list(direction="outbound")]


def contacts() -> Contact:
    assert_type(waypost.messages.list(limit=1), Listing[ListedMessage])
    waypost.messages.send_batch(messages=[{"to": "+1", "type": "text", "text": {"body": "Hello"}}])
    waypost.contacts.update("con_1", name=None)
    return waypost.contacts.create(phone="+15551230001", attributes={"city": "Rome", "visits": 3}, on_conflict="update")


def take(body: bytes, event: WebhookEvent) -> Optional[str]:
    assert_type(verify_webhook(body, {"x-service-signature": ""}, "whsec_a"), WebhookEvent)
    assert_type(event["id"], str)
    if event["kind"] == "delivered":
        assert_type(event["data"]["message"], Optional[Message])
        return event["data"]["occurred_at"]
    if event["kind"] == "approved":
        assert_type(event["data"]["template"], Template)
    if event["kind"] == "endpoint_test":
        assert_type(event["data"]["reason"], Optional[str])
    return None


waypost.messages.send(to="+1", type="text", template=template)  # type: ignore[call-overload]
waypost.messages.send(to="+1", type="template")  # type: ignore[call-overload]
waypost.messages.send(to="+1", type="fax")  # type: ignore[call-overload]
waypost.messages.list(colour="red")  # type: ignore[call-arg]
waypost.messages.list(direction="sideways")  # type: ignore[arg-type]
waypost.contacts.create(on_conflict="update")  # type: ignore[call-arg]
waypost.messages.get(7)  # type: ignore[arg-type]
