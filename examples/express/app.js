// A shop that says when an order is ready, shows what became of that message, and answers those who write back.
import { ApiError, Waypost, WebhookReceiver } from "@waypost/sdk";
import express from "express";

const {
  WAYPOST_API_KEY,
  WAYPOST_WEBHOOK_SECRET,
  WAYPOST_BASE_URL = "http://127.0.0.1:8080",
  PORT = "3000",
} = process.env;
if (!WAYPOST_API_KEY || !WAYPOST_WEBHOOK_SECRET) {
  console.error("WAYPOST_API_KEY and WAYPOST_WEBHOOK_SECRET are needed: README.md says where they come from");
  process.exit(1);
}

const waypost = new Waypost({ apiKey: WAYPOST_API_KEY, baseUrl: WAYPOST_BASE_URL });

/** Order → the last status of its message, with the event's sequence. A shop has a table of its database for it. */
const orders = new Map();

const hooks = new WebhookReceiver({
  secret: WAYPOST_WEBHOOK_SECRET,
  async onEvent(event) {
    if (event.kind === "messages") await answer(event);
    else if (event.category === "message_status") note(event);
  },
  onError: (error) => console.error(String(error)),
});

/** Events may overtake each other: a larger sequence is later. */
function note({ kind, sequence, data: { message } }) {
  const order = message?.reference;
  if (order && sequence > (orders.get(order)?.sequence ?? 0)) orders.set(order, { status: kind, sequence });
}

async function answer({ id, data: { message, contact } }) {
  // Erased, or no longer kept, since the person wrote.
  if (message === null || contact === null) return;
  const body = "Thank you for writing. We open at 9 and will answer then.";
  try {
    await waypost.messages.send(
      { to: contact.id, reply_to: message.id, type: "text", text: { body } },
      { idempotencyKey: `answer-${id}` }, // the same event may come again, and is answered once
    );
  } catch (error) {
    // What may pass is thrown: the gateway delivers the event again later. The rest stays refused, such as an opt-out.
    if (!(error instanceof ApiError) || error.retryable) throw error;
    console.error(`${message.id} was not answered: ${error.code}`);
  }
}

const app = express();
app.post("/hooks", hooks.express); // ahead of any parser: the signature is over the bytes

app.post("/orders/:id/ready", express.json(), async (request, response) => {
  const { id } = request.params;
  const phone = request.body?.phone;
  if (!/^[\w-]{1,64}$/.test(id) || typeof phone !== "string")
    return response
      .status(400)
      .json({ detail: 'An order has an id of letters and digits, and a body like {"phone":"+15551230001"}' });
  try {
    const message = await waypost.messages.send(
      { to: phone, type: "template", template: { name: "order_ready", language: { code: "en_US" } }, reference: id },
      { idempotencyKey: `ready-${id}` }, // said once, however often this is called
    );
    return response.status(202).json({ message: message.id });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return response.status(error.status >= 500 ? 502 : 422).json({ code: error.code, detail: error.message });
  }
});

app.get("/orders/:id", (request, response) => {
  const order = orders.get(request.params.id);
  return order
    ? response.json({ status: order.status })
    : response.status(404).json({ detail: "nothing is known of it" });
});

// Only for this machine: a shop lets its own staff call /orders, and only the gateway /hooks.
const server = app.listen(Number(PORT), "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`The shop is at http://127.0.0.1:${server.address().port}`);
});
