import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Receiver, startReceiver } from "../../packages/server/src/features/webhooks/testing/receiver.ts";
import { formatId, parseId } from "../../packages/server/src/lib/ids.ts";
import { sized } from "../../packages/server/src/testing/size.ts";
import { type Deployment, startDeployment, type Worker, type Workspace } from "./deployment.ts";
import { ageAttempts } from "./killed.ts";
import { type AfterMerge, arrivals, postEvidence, type Twin, twin, whenMerged } from "./merging.ts";
import { idOf, inParallel, messagesOf, type Order, type Posted, post } from "./posting.ts";

/** Half of them are written to from one number, half from two numbers, whose lanes other processes own. */
const PEOPLE = sized(8, 20);
/** To each form: half of the messages wait for the older records, and half for the others. With fewer no pace would be met. */
const QUEUED = sized(6, 10);
/** One after the other once the records are one, to either form in turn. */
const LATER = 4;
/** How long the provider takes: most messages still wait when the records become one, also on a machine that posts for 15 s. */
const BEFORE_MS = sized(4_000, 5_000);
/** Short enough that what a next owner sends at its first pace is soon sent. */
const AFTER_MS = sized(150, 500);
/** The pace of a person at one number; a process that has just become its owner allows ten at first. */
const PAIR_EVERY_MS = 6_000;
const FIRST_BURST = 10;
/** The pace, the lease of the killed process, and a busy machine. Nothing follows a lost attempt until it is settled: they are made older. */
const SENT_WITHIN_MS = sized(85_000, 300_000);

let deployment: Deployment;
let workspace: Workspace;
let receiver: Receiver;
let gateways: Worker[];
let victim: Worker;
let survivors: Worker[];
let people: Twin[];
/** The numbers in use whose lanes the killed process owns, and when the first processes became owners at the earliest. */
let victims: Workspace["numbers"];
let ownedAt = 0;
const heard: { id: string; kind: string; message: string; ok: boolean }[] = [];
beforeAll(async () => {
  deployment = await startDeployment();
  receiver = await startReceiver();
  const serve = (): Promise<Worker> => deployment.serve({ EGRESS_ALLOW_CIDRS: "127.0.0.0/8" });
  ownedAt = Date.now();
  const first = await serve();
  workspace = await deployment.connect(first, 12);
  gateways = [first, await serve(), await serve(), await serve()];
  await deployment.shared(4);
  const owners = await deployment.owners();
  const ownerOf = ({ slot }: Workspace["numbers"][number]): Worker =>
    gateways.find(({ worker }) => owners.get(worker)?.includes(slot))!;
  const ownedBy = (gateway: Worker): Workspace["numbers"] =>
    workspace.numbers.filter((number) => ownerOf(number) === gateway);
  // Twelve numbers of four processes: one of these owns three or more.
  victim = gateways.find((gateway) => ownedBy(gateway).length >= 2)!;
  survivors = gateways.filter((gateway) => gateway !== victim);
  const [one, too] = ownedBy(victim);
  const others = workspace.numbers.find((number) => ownerOf(number) !== victim)!;
  victims = [one!, too!];
  people = Array.from({ length: PEOPLE }, (_, n) => twin(n % 2 === 0 ? [one!] : [too!, others]));
  const { provider } = deployment;
  // Without the contacts beside statuses, whose user ids would say that the two numbers are two people.
  provider.setSettings({ statusContacts: false });
  provider.setDelays({ statuses: true, sentMs: 0, deliveredMs: null, readMs: null });
  provider.setCallbackUrl(`${survivors[0]!.url}/webhooks/receive`);
  const endpoint = { url: receiver.url, events: ["accepted", "sent"], ordered: true };
  expect((await first.call(workspace.key, "POST", "/v1/webhook-endpoints", { body: endpoint })).status).toBe(201);
}, 120_000);
afterAll(async () => {
  await deployment.stop();
  await receiver.close();
});

test("merged while both records' messages are sent: none lost or doubled, one order, one pace, though a process is killed", {
  timeout: sized(120_000, 600_000),
}, async () => {
  const { provider } = deployment;
  provider.addFault({ kind: "delay", delayMs: BEFORE_MS, count: null });
  const takeAll = hearWithRefusals();
  const orders = people.flatMap((person, index) =>
    Array.from({ length: 2 * QUEUED }, (_, n) => orderTo(person, n, `${index}-${n}`)),
  );
  const first = await inParallel(shuffled(orders), 50, (order, n) => post(gateways[n % 4]!, workspace, order));
  const records = people.map(({ forms }) =>
    forms.map((form) => first.find(({ order }) => order.to === form)?.reply?.body["contact_id"] as string),
  );
  await provider.whenSent(1, allReached(people));
  await postEvidence(deployment, survivors[1]!, workspace, people);
  const after = await whenMerged(deployment, workspace, PEOPLE);
  takeAll();
  provider.clearFaults();
  provider.addFault({ kind: "delay", delayMs: AFTER_MS, count: null });
  expect(after.unsent.size).toBeGreaterThan(QUEUED * PEOPLE);
  const reached = provider.stats().accepted;
  const posting = inParallel(people, PEOPLE, async (person, index) => {
    const posted: Posted[] = [];
    for (let n = 0; n < LATER; n += 1)
      posted.push(await post(survivors[n % 3]!, workspace, orderTo(person, n, `later-${index}-${n}`)));
    return posted;
  });
  await provider.whenSent(reached + 2 * PEOPLE, (entry) => entry.accepted);
  await victim.end("SIGKILL");
  const killedAt = Date.now();
  const lost = await startedBy(victim);
  const later = (await posting).flat();
  const posted = [...first, ...later];
  expect(posted.map(({ reply }) => reply?.status)).toEqual(posted.map(() => 202));

  await vi.waitFor(
    async () => expect(await deployment.rows(workspace, "select from dispatch where state in (0, 1)")).toEqual([]),
    { timeout: SENT_WITHIN_MS, interval: 250 },
  );
  await expectSentOnce(posted, lost);
  const begunAfter = new Set([...[...after.unsent].map((id) => formatId("msg", id)), ...later.map(idOf)]);
  expectInOrder(posted, begunAfter);
  expectPaced(begunAfter, killedAt);
  await vi.waitFor(async () => expect(await deployment.rows(workspace, "select from deliver")).toEqual([]), {
    timeout: 20_000,
    interval: 250,
  });
  expect(expectHeardInOrder(after, begunAfter, lost)).toBeGreaterThan(PEOPLE * QUEUED);
  await expectOneContactEach(records);
});

/** The nth message to a person: to either form, from each of the numbers in turn. */
const orderTo = ({ forms, numbers }: Twin, n: number, mark: string): Order => ({
  to: forms[n % 2]!,
  from: numbers[Math.floor(n / 2) % numbers.length]!.phone,
  key: mark,
});

/** Neighbours in the list are different people, and forms. */
const shuffled = (orders: readonly Order[]): Order[] =>
  orders.map((_, n) => orders[(n * (2 * QUEUED + 1)) % orders.length]!);

/** True for the send that is the last of all people's first. */
function allReached(some: readonly Twin[]): (entry: { to: string | null; accepted: boolean }) => boolean {
  const missing = new Set(some.map(({ forms }) => forms[0]));
  return ({ to, accepted }) => accepted && missing.delete(to ?? "") && missing.size === 0;
}

/**
 * Keeps what arrives, and refuses every fifth event once until the records are one: then rows of both wait for a retry. Returns
 * what ends the refusing.
 */
function hearWithRefusals(): () => void {
  let refuses = true;
  const seen = new Set<string>();
  receiver.answer((response, { headers, body }) => {
    const id = String(headers["webhook-id"]);
    const ok = !refuses || seen.has(id) || seen.size % 5 !== 4;
    seen.add(id);
    heard.push({ id, kind: body.kind, message: body.data.message.id, ok });
    response.writeHead(ok ? 200 : 500).end();
  });
  return () => {
    refuses = false;
  };
}

const contactOf = async ({ key }: Workspace, to: string): Promise<string> =>
  (await survivors[0]!.call(key, "GET", `/v1/contacts?phone=${encodeURIComponent(to)}`)).body.data[0].id;

/**
 * Public ids of messages with an attempt of a killed process, whose outcome is not known. They are collected until others have all of
 * its lanes, because the first of these settle what they find at once.
 */
async function startedBy({ worker }: Worker): Promise<Set<string>> {
  const found = new Set<string>();
  const succeeded = async () => {
    const begun = "select message_id from dispatch where state = 1 and worker = $1";
    for (const { message_id } of await deployment.rows<{ message_id: string }>(workspace, begun, [worker]))
      found.add(formatId("msg", message_id));
    await ageAttempts(deployment, workspace, victim);
    expect((await deployment.owners()).has(worker)).toBe(false);
  };
  await vi.waitFor(succeeded, { timeout: 20_000, interval: 50 });
  return found;
}

/** Of the first message to each person the evidence said `delivered`. */
const REPORTED = new Set(["sent", "delivered"]);

async function expectSentOnce(posted: readonly Posted[], lost: ReadonlySet<string>): Promise<void> {
  const times = new Map(posted.map((one) => [idOf(one), 0]));
  for (const { message } of arrivals(deployment)) times.set(message, (times.get(message) ?? 0) + 1);
  expect([...times].filter(([, count]) => count > 1)).toEqual([]);
  expect([...times].filter(([id, count]) => count === 0 && !lost.has(id))).toEqual([]);
  const stored: { id: string; status: string }[] = [];
  for await (const message of messagesOf(survivors[0]!, workspace)) stored.push(message as never);
  expect(stored).toHaveLength(posted.length);
  const open = stored.filter(({ id, status }) => !REPORTED.has(status) && !(lost.has(id) && status === "unknown"));
  expect(open).toEqual([]);
}

/** Arrivals of each person at each sending number, in their order. */
function byConversation() {
  const personOf = new Map(people.flatMap((person, n) => person.forms.map((form) => [form, n] as const)));
  const found = new Map<string, ReturnType<typeof arrivals>>();
  for (const entry of arrivals(deployment)) {
    const name = `${personOf.get(entry.to ?? "")} ${entry.phone_number_id}`;
    found.set(name, [...(found.get(name) ?? []), entry]);
  }
  return found;
}

/** Of any two messages to a person from one number that both began when the records were one, the one accepted first came first. */
function expectInOrder(posted: readonly Posted[], begunAfter: ReadonlySet<string>): void {
  const sequences = new Map(posted.map((one) => [idOf(one), Number(one.reply?.body["sequence"])]));
  let checked = 0;
  for (const [name, entries] of byConversation()) {
    const order = entries
      .filter(({ message }) => begunAfter.has(message))
      .map(({ message }) => sequences.get(message)!);
    expect([name, order]).toEqual([name, order.toSorted((a, b) => a - b)]);
    checked += order.length;
  }
  expect(checked).toBeGreaterThan(PEOPLE * QUEUED);
}

/**
 * Each owner of a lane lets ten messages go at once, and one each 6 s: over both records together. What both had sent before
 * they were one counts as well, so that little or nothing may follow until the time has paid for it.
 */
function expectPaced(begunAfter: ReadonlySet<string>, killedAt: number): void {
  const own = new Set(victims.map(({ providerId }) => providerId));
  for (const [name, entries] of byConversation()) {
    const isKilled = own.has(entries[0]!.phone_number_id);
    const before = isKilled ? entries.filter(({ at }) => at <= killedAt) : entries;
    const early = before.filter(({ message }) => !begunAfter.has(message)).length;
    const late = before.filter(({ message }) => begunAfter.has(message));
    for (const [index, { at }] of late.entries()) {
      const allowed = Math.max(0, FIRST_BURST + (at - ownedAt) / PAIR_EVERY_MS - early) + 1;
      expect([name, "first owner", index + 1 <= allowed]).toEqual([name, "first owner", true]);
    }
    for (const [index, { at }] of entries.slice(before.length).entries()) {
      const allowed = FIRST_BURST + (at - killedAt) / PAIR_EVERY_MS + 1;
      expect([name, "next owner", index + 1 <= allowed]).toEqual([name, "next owner", true]);
    }
  }
}

/**
 * An ordered endpoint: what is known of a message is heard before anything of the next one to the same person from the same
 * number, for all events of after the merge and all messages that began after it: of two that were under way when the records became
 * one, neither waited for the other, and one's `sent` was seen to be stored while the acceptance of the other still waited for the
 * database. What was lost in the kill has no such order.
 */
function expectHeardInOrder(after: AfterMerge, begunAfter: ReadonlySet<string>, lost: ReadonlySet<string>): number {
  const first = new Map<string, number>();
  const taken = new Map<string, number>();
  for (const [place, { id, kind, message, ok }] of heard.entries()) {
    if (after.events.has(parseId("evt", id) ?? "")) continue;
    const name = `${kind} ${message}`;
    if (!first.has(name)) first.set(name, place);
    if (ok && !taken.has(name)) taken.set(name, place);
  }
  const wrong: string[] = [];
  let pairs = 0;
  for (const entries of byConversation().values()) {
    const sent = entries.map(({ message }) => message).filter((id) => !lost.has(id));
    for (const [index, next] of sent.entries()) {
      if (!begunAfter.has(next)) continue;
      for (const kind of ["accepted", "sent"])
        for (const earlier of sent.slice(0, index)) {
          const [place, bound] = [taken.get(`accepted ${earlier}`), first.get(`${kind} ${next}`)];
          if (place === undefined || bound === undefined) continue;
          pairs += 1;
          if (place > bound) wrong.push(`${kind} ${next} before accepted ${earlier}`);
        }
    }
  }
  expect(wrong).toEqual([]);
  return pairs;
}

/** Both ids and both forms answer as the older record. */
async function expectOneContactEach(records: readonly (readonly string[])[]): Promise<void> {
  for (const [index, ids] of records.entries()) {
    const survivor = ids.toSorted()[0];
    for (const id of ids) {
      const { body } = await survivors[0]!.call(workspace.key, "GET", `/v1/contacts/${id}`);
      expect([id, body.id]).toEqual([id, survivor]);
    }
    for (const form of people[index]!.forms) expect(await contactOf(workspace, form)).toBe(survivor);
  }
  const events = await deployment.rows(workspace, "select from event where kind = 'contact_merged'");
  expect(events).toHaveLength(PEOPLE);
}
