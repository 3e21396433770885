import { setTimeout as sleep } from "node:timers/promises";
import type { Simulator } from "@waypost/simulator";
import { monotonicMs } from "../bench/monotonic.ts";
import { strangers } from "../tests/process/posting.ts";
import { atLeast, type Bound, type Experiment, none } from "./experiment.ts";
import type { Lab, Process } from "./lab.ts";
import { type BilledNumber, diffOf, monthStart, SERVICE_FREE, usageOf } from "./month-bill.ts";
import { openMonth } from "./month-world.ts";

/** A message is to one of so many people for each number, twenty to each, below what one person may get. */
const MESSAGES = { full: 20_000, short: 500 };
const MESSAGES_A_PERSON = 20;
const BATCH = 100;
const MINUTE_MS = 60_000;
const GIVE_UP_AFTER_MS = 300_000;

export const month: Experiment = {
  promise:
    "a month is billed alike by the provider, in usage and in the allowance of each number, whatever statuses are doubled, late or out of order",
  async run(lab) {
    const world = await openMonth(lab);
    try {
      return await judged(lab, world);
    } finally {
      await world.simulator.close();
    }
  },
};

type World = Awaited<ReturnType<typeof openMonth>>;

async function judged(lab: Lab, world: World): ReturnType<Experiment["run"]> {
  const { simulator, process, numbers } = world;
  const total = lab.short ? MESSAGES.short : MESSAGES.full;
  // In the short form other partners have used most of the free thousand.
  const others = lab.short ? SERVICE_FREE - 20 : 0;
  const people = new Map(numbers.map((number) => [number, openWindows(simulator, number, total)]));
  await simulator.idle();
  await caughtUp(lab, simulator, 0);
  let accepted = 0;
  for (const [index, at] of phasesOf(numbers).entries()) {
    simulator.setClock(at === null ? null : new Date(at).toISOString());
    for (const number of numbers) simulator.setServiceUse(number.providerId, others);
    setMood(simulator, numbers, index);
    accepted += await postAll(lab, process, people, Math.ceil(total / 3 / numbers.length));
    await caughtUp(lab, simulator, accepted);
    lab.say(`${accepted} messages, ${simulator.stats().callbacks.posts} callbacks`);
  }
  await countNow(lab);
  const reached = new Set(simulator.sent({ accepted: true, limit: 100_000 }).data.map(({ id }) => id));
  const bounds = [none("messages that the provider did not get", accepted - reached.size)];
  for (const number of numbers) bounds.push(...(await boundsOf(process, simulator, number, others)));
  const kinds = new Set(
    simulator.bills().flatMap((bill) => bill.charges.map(({ category, type }) => `${category} ${type}`)),
  );
  bounds.push(atLeast("kinds of prices", kinds.size, 5));
  return { figures: { accepted, lost: accepted - reached.size }, bounds };
}

/**
 * When messages are delivered: before the month began at any of the numbers, when it had begun at the first of them, and now. What was
 * delivered then is reported now: a phone that was off, or a callback that was delayed.
 */
function phasesOf(numbers: readonly BilledNumber[]): (number | null)[] {
  const starts = numbers.map(({ timeZone }) => monthStart(timeZone, Date.now())).toSorted((a, b) => a - b);
  return [(starts[0] ?? 0) - MINUTE_MS, (starts.at(-1) ?? 0) - MINUTE_MS, null];
}

/** What else differs in the phases: who would pay, whether prices have the field that will go, who is exempt. */
function setMood(simulator: Simulator, numbers: readonly BilledNumber[], phase: number): void {
  simulator.setSettings({ billableField: phase < 2 });
  for (const [index, { wabaId }] of numbers.entries())
    simulator.setAccount(wabaId, {
      payment_method: phase !== 0 || index !== 0,
      paid_exempt: phase === 1 && index === 1,
    });
}

/** People who have just written to the number, some of them from an advertisement. */
function openWindows(simulator: Simulator, number: BilledNumber, total: number): string[] {
  const people = strangers(Math.ceil(total / MESSAGES_A_PERSON / 2));
  for (const [index, from] of people.entries()) {
    const referral =
      index % 10 === 0 ? { referral: { source_type: "ad", source_id: "1", source_url: "https://fb.example/1" } } : {};
    simulator.inbound({ phone_number_id: number.providerId, from, text: "Hello", ...referral });
  }
  return people;
}

const TEXT = { type: "text", text: { body: "On our way." } };
const template = (name: string) => ({ type: "template", template: { name, language: { code: "en_US" } } });
const MIX = [TEXT, TEXT, TEXT, template("order_ready"), template("promo_spring")];

/** So many messages of each number, to its people in turn, of all kinds. How many were accepted. */
async function postAll(
  lab: Lab,
  process: Process,
  people: ReadonlyMap<BilledNumber, readonly string[]>,
  each: number,
): Promise<number> {
  let accepted = 0;
  for (const [number, persons] of people)
    for (let from = 0; from < each; from += BATCH) {
      const messages = Array.from({ length: Math.min(BATCH, each - from) }, (_, index) => ({
        to: persons[(from + index) % persons.length],
        from: number.id,
        ...lab.random.pick(MIX),
      }));
      const { status, body, text } = await process.call(number.key, "POST", "/v1/messages/batch", {
        body: { messages },
      });
      if (status !== 202) throw new Error(`a batch was refused: ${text}`);
      const refused = body.data.find((row: { error?: unknown }) => row.error !== undefined);
      if (refused !== undefined) throw new Error(`a message was refused: ${JSON.stringify(refused)}`);
      accepted += messages.length;
    }
  return accepted;
}

/** Resolves when the provider has got so many messages and every callback about them is applied. */
async function caughtUp(lab: Lab, simulator: Simulator, accepted: number): Promise<void> {
  const until = monotonicMs() + GIVE_UP_AFTER_MS;
  for (;;) {
    await simulator.idle();
    const [row] = await lab.query<{ open: number }>(
      "select ((select count(*) from ingest) + (select count(*) from dispatch) + (select count(*) from parked_status))::int as open",
    );
    if (row?.open === 0 && simulator.stats().accepted >= accepted) return;
    if (monotonicMs() > until)
      throw new Error(`${simulator.stats().accepted} of ${accepted} came, ${row?.open} rows wait`);
    await sleep(200);
  }
}

/** Has everything counted now that is counted again in minutes, and waits until it is. */
async function countNow(lab: Lab): Promise<void> {
  const tables = ["usage_slice", "service_slice"];
  for (const table of tables) await lab.query(`update ${table} set due = now() - interval '1 second'`);
  const until = monotonicMs() + GIVE_UP_AFTER_MS;
  const waits = tables
    .map((table) => `select from ${table} where due < now() - interval '500 milliseconds'`)
    .join(" union all ");
  while (monotonicMs() < until) {
    if ((await lab.query(waits)).length === 0) return;
    await sleep(200);
  }
  throw new Error("not all was counted");
}

async function boundsOf(
  process: Process,
  simulator: Simulator,
  number: BilledNumber,
  others: number,
): Promise<Bound[]> {
  const bills = simulator.bills({ phone_number_id: number.providerId });
  const usage = await usageOf(process, number);
  const { service_allowance: allowance } = (await process.call(number.key, "GET", `/v1/phone-numbers/${number.id}`))
    .body;
  // Only the running month is shown.
  const running = bills.find((bill) => bill.month === number.month());
  const charged = (running?.charges ?? [])
    .filter(({ category, type, subtype }) => category === "service" && type === "regular" && subtype === undefined)
    .reduce((sum, { count }) => sum + count, 0);
  const billable = bills.reduce((sum, bill) => sum + bill.billable, 0);
  const { timeZone: zone } = number;
  return [
    none(`${zone}: categories of usage, from the bill`, diffOf(usage, bills)),
    none(`${zone}: used of the allowance, from the bill`, Math.abs(allowance.used - (running?.allowance.used ?? 0))),
    none(
      `${zone}: beyond the allowance, from what is charged`,
      Math.abs(Math.max(0, allowance.used + others - SERVICE_FREE) - charged),
    ),
    atLeast(`${zone}: charged messages`, billable, 1),
    atLeast(`${zone}: months`, bills.length, 2),
  ];
}
