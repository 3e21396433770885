import { setTimeout as sleep } from "node:timers/promises";
import { subscribe, type Tenant } from "../bench/tenants.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../packages/server/src/testing/database-proxy.ts";
import { postText } from "./callbacks.ts";
import { type Experiment, none } from "./experiment.ts";
import { never } from "./kills.ts";
import type { Lab, Process } from "./lab.ts";
import { judge } from "./ledger.ts";
import { startLoad } from "./load.ts";
import { watchReadiness } from "./readiness.ts";

/** A lane in each slot: lanes are numbered in turn, those of numbers and those of endpoints. */
const TENANTS = 8;
const EACH = 8;
const MOST_PROCESSES = 4;
/** A sixth of the lease of 12 s. */
const BEAT_MS = 2_000;
/** Shorter than the lease, which would heal by its end what the cut did. */
const CUT_MS = 1_000;
/** From the question until everything has arrived that is worked at all. */
const ANSWER_WITHIN_MS = 5_000;

export const slots: Experiment = {
  promise:
    "whatever goes wrong while processes join and leave, two beats later each slot is worked by whom the table names",
  async run(lab) {
    const tenants = await lab.furnish(TENANTS, EACH);
    const wire = await openDatabaseProxy(lab.server.url);
    const first = await lab.serve({ DATABASE_URL: wire.url });
    const receivers = await listenEverywhere(lab, first, tenants);
    const readiness = watchReadiness(lab);
    const load = startLoad(lab, { tenants, perSecond: 24, perPerson: 4, through: lab.running });
    const steps = lab.short ? 1 : 20;
    for (let step = 0; step < steps; step += 1) await takeStep(lab, wire, step);
    await sleep(2 * BEAT_MS + 500);
    const wrong = await unworked(lab, tenants, receivers);
    await load.stop();
    const lies = await readiness.stop();
    for (const line of [...wrong.dispatch, ...wrong.others, ...lies].slice(0, 10)) lab.say(line);
    const [process] = lab.running();
    if (!process) throw new Error("no process is left");
    const judged = await judge(lab, process, load.placed, 30_000);
    await Promise.all(lab.running().map((one) => one.end("SIGKILL")));
    await wire.close();
    return {
      figures: judged,
      bounds: [
        none("dispatch slots that are not worked by the process in the table", wrong.dispatch.length),
        none("slots of other kinds that no process works", wrong.others.length),
        none("times that a process called itself ready and left its slots alone", lies.length),
        ...never(judged),
      ],
    };
  },
};

type Trouble = { words: string; commitsMs: number; away: "cut" | "stop" | "kill" | null };

const TROUBLES: readonly Trouble[] = [
  { words: "nothing else", commitsMs: 0, away: null },
  { words: "commits of 100 ms", commitsMs: 100, away: null },
  // Slow commits too, so that giving slots back takes long enough to be met.
  { words: "commits of 100 ms and a cut of 1 s while slots are given back", commitsMs: 100, away: "cut" },
  {
    words: "commits of 100 ms and a restart of the database while slots are given back",
    commitsMs: 100,
    away: "stop",
  },
  // Its successor waits for its children's end, which may outlast the leases.
  {
    words: "commits of 100 ms and kill -9 of the database while slots are given back",
    commitsMs: 100,
    away: "kill",
  },
];

async function takeStep(lab: Lab, wire: DatabaseProxy, step: number): Promise<void> {
  const running = lab.running();
  const joins = running.length < 2 || (running.length < MOST_PROCESSES && lab.random.next() < 0.5);
  // The short form has the worst one only.
  const trouble = lab.short ? (TROUBLES[2] as Trouble) : lab.random.pick(TROUBLES);
  lab.say(`${step + 1}. ${joins ? "join" : "leave"}, ${trouble.words}`);
  await lab.server.delayCommits(trouble.commitsMs);
  const before = await ownersOf(lab);
  const serve = (): Promise<Process> => lab.serve({ DATABASE_URL: wire.url });
  // A start that meets the restart fails, and the supervisor starts it again.
  const changing = joins ? serve().catch(serve) : lab.random.pick(running).end("SIGTERM");
  if (trouble.away !== null) {
    await givingBack(lab, before);
    // A start that failed would leave a worker behind whose end moves the slots once more.
    if (joins) await changing;
    await goAway(lab, wire, trouble.away);
  }
  await changing;
  await sleep(lab.random.between(BEAT_MS, 3 * BEAT_MS));
  await lab.server.delayCommits(0);
}

async function goAway(lab: Lab, wire: DatabaseProxy, how: "cut" | "stop" | "kill"): Promise<void> {
  if (how === "cut") {
    wire.cut();
    await sleep(CUT_MS);
    wire.mend();
    return;
  }
  if (how === "kill") lab.server.kill();
  else await lab.server.stop();
  await lab.server.start();
}

/** Resolves when the first slot has changed hands since, or when none does. */
async function givingBack(lab: Lab, before: ReadonlyMap<string, string | null>): Promise<void> {
  const until = performance.now() + 4 * BEAT_MS;
  while (performance.now() < until) {
    for (const [key, owner] of await ownersOf(lab)) if (before.get(key) !== owner) return;
    await sleep(5);
  }
}

/** An endpoint in each slot; they hear of inbound messages alone, which come at the end. */
async function listenEverywhere(lab: Lab, { url }: Process, tenants: readonly Tenant[]): Promise<string[]> {
  const receivers: string[] = [];
  for (const tenant of tenants)
    for (let n = 0; n < EACH; n += 1) {
      receivers.push(`e${receivers.length}`);
      await subscribe(url, [tenant], lab.outside.receiverUrl(receivers.at(-1) as string), ["messages"]);
    }
  return receivers;
}

/** What the table says and what is so: a message from each number, and one to each. */
async function unworked(lab: Lab, tenants: readonly Tenant[], receivers: readonly string[]) {
  const names = new Set(lab.running().map(({ name }) => name));
  const before = await ownersOf(lab);
  const numbers = tenants.flatMap((tenant) =>
    tenant.numbers.map((from, index) => ({
      tenant: { ...tenant, numbers: [from] },
      id: tenant.providerNumbers[index] as string,
    })),
  );
  const seen = (await lab.outside.counts()).sends;
  const asked = startLoad(lab, {
    tenants: numbers.map(({ tenant }) => tenant),
    perSecond: 500,
    most: numbers.length,
    through: lab.running,
  });
  const [{ url } = { url: "" }] = lab.running();
  for (const { id } of numbers) await postText(url, id);
  await asked.stop();
  await sleep(ANSWER_WITHIN_MS);
  const marks = new Set(asked.placed.map(({ mark }) => mark));
  const sends = new Map(
    (await lab.outside.sends(seen)).filter(({ mark }) => marks.has(mark)).map((sent) => [sent.number, sent]),
  );
  const heard = new Set((await lab.outside.deliveries()).map(({ receiver }) => receiver));
  const after = await ownersOf(lab);
  const rows = await lab.query<{ id: string; slot: number }>(
    "select provider_phone_number_id as id, lane % 64 as slot from phone_number",
  );
  const slotOf = new Map(rows.map(({ id, slot }) => [id, slot]));
  const dispatch = numbers.flatMap(({ id }) => {
    const key = `1 ${slotOf.get(id)}`;
    const via = sends.get(id)?.via;
    // Who takes a slot over in these seconds may send too.
    if (via !== undefined && (before.get(key) === via || after.get(key) === via)) return [];
    return [`slot ${key}: the table names ${after.get(key)}, ${via === undefined ? "no process" : via} sends`];
  });
  const orphans = [...after]
    .filter(([, owner]) => owner === null || !names.has(owner))
    .map(([key]) => `slot ${key} has no owner`);
  const deaf = receivers
    .filter((receiver) => !heard.has(receiver))
    .map((receiver) => `receiver ${receiver} heard nothing`);
  return { dispatch, others: [...orphans, ...deaf] };
}

/** The process that the table names, by kind and slot. */
async function ownersOf(lab: Lab): Promise<Map<string, string | null>> {
  const rows = await lab.query<{ key: string; process: string | null }>(
    "select s.kind || ' ' || s.slot as key, w.process from slot s left join worker w on w.id = s.owner",
  );
  return new Map(rows.map(({ key, process }) => [key, process]));
}
