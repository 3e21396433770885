import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, startGateway, type Workspace } from "../../../testing/gateway.ts";
import { PATH } from "../testing/app.ts";
import { type Receiver, startReceiver } from "../testing/receiver.ts";

// Ordered endpoints whose conversations wait for retries with more rows than their lane keeps in memory.

let gateway: Gateway;
const receivers: Receiver[] = [];
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
});
afterAll(async () => {
  for (const receiver of receivers) await receiver.close();
  await gateway.stop();
});

const CROWDS = 20;
/** One more than wait in memory for one conversation, and the one that is attempted. */
const EACH = 52;
/** More than the due rows of one lane that are kept in memory. */
const LARGE = 1_100;
const PATIENCE = { timeout: 60_000 };

type Subscribed = Workspace & { receiver: Receiver; seen: { contact: string; delivery: string }[] };

async function subscribed(): Promise<Subscribed> {
  const workspace = await gateway.workspace();
  const receiver = await startReceiver();
  receivers.push(receiver);
  const events = ["contact_created", "contact_updated"];
  await workspace.call("POST", PATH, { body: { url: receiver.url, events, ordered: true } });
  return { ...workspace, receiver, seen: [] };
}

/** What is answered from now on: `fails` says which conversations are asked to wait. */
function answer({ receiver, seen }: Subscribed, fails: (contact: string) => boolean): void {
  receiver.answer((response, { body, headers }) => {
    const contact = String(body.data.contact.id);
    if (fails(contact)) return void response.writeHead(400, { "retry-after": "600" }).end();
    seen.push({ contact, delivery: String(headers["x-service-delivery"]) });
    response.end();
  });
}

let numbers = 0;
async function addContact({ call }: Subscribed): Promise<string> {
  numbers += 1;
  return (await call("POST", "/v1/contacts", { body: { phone: `+1555${2_000_000 + numbers}` } })).body.id;
}

async function crowd({ call }: Subscribed, contact: string, count: number): Promise<void> {
  for (let n = 1; n < count; n++) await call("PATCH", `/v1/contacts/${contact}`, { body: { name: `n${n}` } });
}

const attempts = ({ receiver }: Subscribed): number => receiver.received.length;

/** A figure that is looked at while time passes. */
function passing(figure: number): number {
  gateway.clock.advance(250);
  return figure;
}

/** Resolves when there were so many attempts. */
async function attempted(one: Subscribed, count: number): Promise<void> {
  await expect.poll(() => passing(attempts(one)), PATIENCE).toBeGreaterThanOrEqual(count);
}

/** Longer than a Retry-After of 600 s is waited for. */
const RETRY_MS = 730_000;

/** The ids of deliveries by conversation, in the order in which they were first answered. */
const byContact = ({ seen }: Subscribed): Map<string, Set<string>> => {
  const all = new Map<string, Set<string>>();
  for (const { contact, delivery } of seen) all.set(contact, (all.get(contact) ?? new Set()).add(delivery));
  return all;
};

// Ids of deliveries grow with those of their events.
const expectOrder = (one: Subscribed): void => {
  for (const ids of byContact(one).values()) expect([...ids]).toEqual([...ids].toSorted());
};

const AT_ONCE = { timeout: 120_000 };

/** Resolves when so many deliveries were answered, each of them once or, where time has passed too quickly for an answer, again. */
async function answered(one: Subscribed, count: number): Promise<void> {
  await expect.poll(() => passing(new Set(one.seen.map(({ delivery }) => delivery)).size), AT_ONCE).toBe(count);
}

test("twenty conversations that are asked to wait, with more rows than a lane keeps, go on in order, and delay no other", async () => {
  const mine = await subscribed();
  answer(mine, () => true);
  const contacts = await Promise.all(Array.from({ length: CROWDS }, () => addContact(mine)));
  await expect.poll(() => attempts(mine), PATIENCE).toBe(CROWDS);
  await Promise.all(contacts.map((contact) => crowd(mine, contact, EACH)));
  // Another one backs off for some seconds meanwhile.
  mine.receiver.answer((response) => response.writeHead(400).end());
  const other = await addContact(mine);
  await expect.poll(() => attempts(mine), PATIENCE).toBe(CROWDS + 1);
  answer(mine, (contact) => contacts.includes(contact));
  gateway.clock.advance(7_000);
  await answered(mine, 1);
  expect(mine.seen[0]?.contact).toBe(other);
  // Asked to wait once more, then answered.
  gateway.clock.advance(RETRY_MS);
  await attempted(mine, 2 * CROWDS + 2);
  answer(mine, () => false);
  gateway.clock.advance(RETRY_MS);
  await answered(mine, 1 + CROWDS * EACH);
  expectOrder(mine);
}, 240_000);

test("one conversation with more rows than a lane keeps goes on in order after its first one has failed again, and delays no other", async () => {
  const mine = await subscribed();
  answer(mine, () => true);
  const contact = await addContact(mine);
  await expect.poll(() => attempts(mine), PATIENCE).toBe(1);
  await crowd(mine, contact, LARGE);
  gateway.clock.advance(RETRY_MS);
  await attempted(mine, 2);
  // All that was put behind the first attempt is due while the next one is waited for, and so is another one.
  mine.receiver.answer((response) => response.writeHead(400).end());
  const other = await addContact(mine);
  await attempted(mine, 3);
  answer(mine, (one) => one === contact);
  gateway.clock.advance(7_000);
  await answered(mine, 1);
  expect(mine.seen[0]?.contact).toBe(other);
  answer(mine, () => false);
  gateway.clock.advance(RETRY_MS);
  await answered(mine, 1 + LARGE);
  expectOrder(mine);
}, 240_000);
