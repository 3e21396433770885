// A bot that answers with buttons. It follows the events itself, so that the gateway need not reach it: it runs on any machine.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { ApiError, Waypost } from "@waypost/sdk";

const { WAYPOST_API_KEY, WAYPOST_BASE_URL = "http://127.0.0.1:8080", BOT_CURSOR = "cursor.txt" } = process.env;
if (!WAYPOST_API_KEY) {
  console.error("WAYPOST_API_KEY is needed: README.md says where it comes from");
  process.exit(1);
}

const waypost = new Waypost({ apiKey: WAYPOST_API_KEY, baseUrl: WAYPOST_BASE_URL });
const AGAIN_AFTER_MS = 5_000;
/** So long it leaves a person alone who has asked for another. */
const WITH_A_PERSON_MS = 12 * 3_600_000;

const ANSWERS = {
  hours: "We are open from 9 to 18, from Monday to Friday.",
  address: "You find us at the market square, beside the fountain.",
  person: "One of us will answer you here.",
};
const BUTTONS = [
  { id: "hours", title: "Opening hours" },
  { id: "address", title: "Where you are" },
  { id: "person", title: "Talk to a person" },
];

/** Contact → until when a person answers. A bot that must survive a restart has a table of its database for it. */
const withPerson = new Map();

/** What the bot says to a message; null for nothing. */
function answerTo(contact, message) {
  if ((withPerson.get(contact.id) ?? 0) > Date.now()) return null;
  const chosen = message.interactive?.button_reply?.id;
  if (chosen === "person") withPerson.set(contact.id, Date.now() + WITH_A_PERSON_MS);
  if (Object.hasOwn(ANSWERS, chosen ?? "")) return { type: "text", text: { body: ANSWERS[chosen] } };
  const buttons = BUTTONS.map((reply) => ({ type: "reply", reply }));
  return {
    type: "interactive",
    interactive: { type: "button", body: { text: "What would you like to know?" }, action: { buttons } },
  };
}

async function handle({ id, data: { message, contact } }) {
  // Erased, or no longer kept, since the person wrote.
  if (message === null || contact === null) return;
  const answer = answerTo(contact, message);
  if (answer === null) return;
  // The key is that of the event: after a restart the same event is answered no second time.
  await waypost.messages.send({ to: contact.id, ...answer }, { idempotencyKey: `bot-${id}` });
}

/** Handles it until that is done, or can never be. */
async function handleSurely(event) {
  for (;;) {
    try {
      return await handle(event);
    } catch (error) {
      console.error(`${event.id}: ${String(error)}`);
      // What the gateway refuses for good stays refused: the person has opted out, or wrote too long ago.
      if (error instanceof ApiError && !error.retryable) return;
      await pause(AGAIN_AFTER_MS);
    }
  }
}

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());

const cursor = existsSync(BOT_CURSOR) ? readFileSync(BOT_CURSOR, "utf8") : undefined;
const stream = waypost.events.stream({ kind: "messages", cursor }, { signal: stop.signal });
stream.onConnection = (isOpen) => console.log(isOpen ? "The bot listens" : "The bot has lost the gateway");
for await (const event of stream) {
  await handleSurely(event);
  // Written beside it and renamed: a cut-off write would lose the place.
  writeFileSync(`${BOT_CURSOR}.new`, stream.cursor);
  renameSync(`${BOT_CURSOR}.new`, BOT_CURSOR);
}
