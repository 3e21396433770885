"""A shop that says when an order is ready, shows what became of that message, and answers those who write back."""

import logging
import os
import re
import sys
from contextlib import asynccontextmanager
from typing import AsyncIterator, Dict, Tuple, cast

import uvicorn
from fastapi import FastAPI
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.routing import Route
from waypost import ApiError, AsyncWaypost, AsyncWebhookReceiver, ReceivedDelivery, WebhookEvent
from waypost.types import InboundMessageEvent, MessageStatusEvent

log = logging.getLogger("shop")
PORT = int(os.environ.get("PORT", "3000"))
API_KEY = os.environ.get("WAYPOST_API_KEY")
SECRET = os.environ.get("WAYPOST_WEBHOOK_SECRET")
if not API_KEY or not SECRET:
    sys.exit("WAYPOST_API_KEY and WAYPOST_WEBHOOK_SECRET are needed: README.md says where they come from")

waypost = AsyncWaypost(API_KEY, os.environ.get("WAYPOST_BASE_URL", "http://127.0.0.1:8080"))

# Order → the last status of its message, with the event's sequence. A shop has a table of its database for it.
orders: Dict[str, Tuple[str, int]] = {}


async def on_event(event: WebhookEvent, delivery: ReceivedDelivery) -> None:
    if event["kind"] == "messages":
        await answer(event)
    elif event["category"] == "message_status":
        note(cast(MessageStatusEvent, event))  # the category says which fields there are


def note(event: MessageStatusEvent) -> None:
    """Events may overtake each other: a larger sequence is later."""
    message = event["data"]["message"]
    order = message and message["reference"]
    if order and event["sequence"] > orders.get(order, ("", 0))[1]:
        orders[order] = (event["kind"], event["sequence"])


async def answer(event: InboundMessageEvent) -> None:
    message, contact = event["data"]["message"], event["data"]["contact"]
    if message is None or contact is None:  # erased, or no longer kept, since the person wrote
        return
    try:
        await waypost.messages.send(
            to=contact["id"],
            reply_to=message["id"],
            type="text",
            text={"body": "Thank you for writing. We open at 9 and will answer then."},
            idempotency_key=f"answer-{event['id']}",  # the same event may come again, and is answered once
        )
    except ApiError as error:
        # What may pass is raised: the gateway delivers the event again later. The rest stays refused, such as an opt-out.
        if error.retryable:
            raise
        log.error("%s was not answered: %s", message["id"], error.code)


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    print(f"The shop is at http://127.0.0.1:{PORT}", flush=True)
    yield
    await waypost.aclose()


# An application of its own, ahead of any parser: the signature is over the bytes.
app = FastAPI(lifespan=lifespan, routes=[Route("/hooks", AsyncWebhookReceiver(SECRET, on_event))])


class Ready(BaseModel):
    phone: str


@app.post("/orders/{id}/ready")
async def ready(id: str, order: Ready) -> JSONResponse:
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", id):
        return JSONResponse({"detail": "An order has an id of letters and digits"}, 422)
    try:
        message = await waypost.messages.send(
            to=order.phone,
            type="template",
            template={"name": "order_ready", "language": {"code": "en_US"}},
            reference=id,
            idempotency_key=f"ready-{id}",  # said once, however often this is called
        )
    except ApiError as error:
        return JSONResponse({"code": error.code, "detail": str(error)}, 502 if error.status >= 500 else 422)
    return JSONResponse({"message": message["id"]}, 202)


@app.get("/orders/{id}")
async def look(id: str) -> JSONResponse:
    if id not in orders:
        return JSONResponse({"detail": "nothing is known of it"}, 404)
    return JSONResponse({"status": orders[id][0]})


if __name__ == "__main__":
    # Only for this machine: a shop lets its own staff call /orders, and only the gateway /hooks.
    uvicorn.run(app, host="127.0.0.1", port=PORT, log_level="warning")
