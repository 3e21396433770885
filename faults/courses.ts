import { setTimeout as sleep } from "node:timers/promises";
import { callbackBody, statusOf, textFrom } from "../bench/callback.ts";
import { monotonicMs } from "../bench/monotonic.ts";
import { inParallel, strangers } from "../tests/process/posting.ts";
import { postCallback } from "./callbacks.ts";
import { atLeast, type Experiment, none } from "./experiment.ts";
import type { Lab } from "./lab.ts";
import { startLoad } from "./load.ts";
import type { Sent } from "./outside.ts";

const KINDS = ["sent", "delivered", "read"];
/** More changes than a callback may have that is applied before its 200: these go through the queue. */
const BUNDLE = 60;
const AT_ONCE = 32;
const AGAIN_AFTER_MS = 100;
const GIVE_UP_AFTER_MS = 120_000;

/** A callback of a number, and what it reports: kind and provider id of each event. */
type Callback = { number: string; body: string; reports: string[] };

export const courses: Experiment = {
  promise:
    "thousands of callbacks in order, shuffled, doubled and with kills, over two processes, have the same effect once",
  async run(lab) {
    const tenants = await lab.furnish(2, 2);
    await lab.serve();
    await lab.serve();
    const rounds: Round[] = [];
    for (const course of COURSES) {
      const before = await lab.outside.counts();
      const most = lab.short ? 300 : 2_000;
      await startLoad(lab, { tenants, perSecond: 300, most, through: lab.running }).stop();
      await lab.outside.reached("sends", before.sends + most);
      const callbacks = callbacksOf(lab, await lab.outside.sends(before.sends));
      await course.post(lab, callbacks);
      await drained(lab);
      const judged = await judge(lab, callbacks);
      lab.say(`${course.words}: ${callbacks.length} callbacks, ${judged.reports} reports`);
      rounds.push({ course, callbacks: callbacks.length, ...judged });
    }
    const sum = (of: (round: Round) => number): number => rounds.reduce((total, round) => total + of(round), 0);
    return {
      figures: {
        accepted: sum(({ callbacks }) => callbacks),
        lost: sum(({ missing }) => missing),
        doubled: sum(({ doubled }) => doubled),
        inversions: sum(({ inversions, course }) => (course.ordered ? inversions : 0)),
      },
      bounds: [
        ...rounds.flatMap(({ course, missing, doubled, unread, strange, inversions }) => [
          none(`${course.words}: reports without an event`, missing),
          none(`${course.words}: reports with two`, doubled),
          none(`${course.words}: messages that are not read in the end`, unread),
          none(`${course.words}: people who are not one contact with one event`, strange),
          ...(course.ordered ? [none(`${course.words}: inversions of a number`, inversions)] : []),
        ]),
        atLeast(
          "callbacks of a course",
          Math.min(...rounds.map(({ callbacks }) => callbacks)),
          lab.short ? 300 : 5_000,
        ),
      ],
    };
  },
};

type Round = { course: Course; callbacks: number } & Awaited<ReturnType<typeof judge>>;

type Course = { words: string; ordered: boolean; post(lab: Lab, callbacks: readonly Callback[]): Promise<void> };

const COURSES: readonly Course[] = [
  { words: "in order", ordered: true, post: inOrder },
  { words: "shuffled", ordered: false, post: (lab, all) => atOnce(lab, shuffled(lab, all)) },
  { words: "doubled", ordered: false, post: (lab, all) => atOnce(lab, shuffled(lab, [...all, ...all])) },
  { words: "doubled, with kills", ordered: false, post: withKills },
];

/** Each number's callbacks one after the other, each after the 200 of the one before, through either process. */
async function inOrder(lab: Lab, callbacks: readonly Callback[]): Promise<void> {
  await Promise.all(
    [...byNumber(callbacks).values()].map(async (own) => {
      for (const callback of own) await untilTaken(lab, callback);
    }),
  );
}

const atOnce = async (lab: Lab, callbacks: readonly Callback[]): Promise<void> =>
  void (await inParallel(callbacks, AT_ONCE, (callback) => untilTaken(lab, callback)));

async function withKills(lab: Lab, callbacks: readonly Callback[]): Promise<void> {
  let done = false;
  const killing = (async () => {
    while (!done) {
      await sleep(lab.random.between(300, 1_200));
      await lab.random.pick(lab.running()).end("SIGKILL");
      await lab.serve();
    }
  })();
  await atOnce(lab, shuffled(lab, [...callbacks, ...callbacks]));
  done = true;
  await killing;
}

function byNumber<T extends { number: string }>(items: readonly T[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) found.set(item.number, [...(found.get(item.number) ?? []), item]);
  return found;
}

/** Posts as the provider does: again until it is answered 200. */
async function untilTaken(lab: Lab, { body }: Callback): Promise<void> {
  const until = monotonicMs() + GIVE_UP_AFTER_MS;
  while (monotonicMs() < until) {
    if ((await postCallback(lab.random.pick(lab.running()).url, body)) === 200) return;
    await sleep(AGAIN_AFTER_MS);
  }
  throw new Error("a callback was never answered 200");
}

function shuffled<T>(lab: Lab, items: readonly T[]): T[] {
  const all = [...items];
  for (let last = all.length - 1; last > 0; last--) {
    const other = lab.random.between(0, last);
    [all[last], all[other]] = [all[other] as T, all[last] as T];
  }
  return all;
}

/** Of each number, by kind: a bundle of statuses, the others one by one, and between them messages of people. */
function callbacksOf(lab: Lab, sends: readonly Sent[]): Callback[] {
  const callbacks: Callback[] = [];
  for (const [number, mine] of byNumber(sends)) {
    const people = strangers(10).map((phone) => phone.slice(1));
    for (const kind of KINDS) {
      const of = (some: readonly Sent[]): Callback => ({
        number,
        body: callbackBody(number, { statuses: some.map(({ id, to, opaque }) => statusOf(id, kind, to, opaque)) }),
        reports: some.map(({ id }) => `${kind} ${id}`),
      });
      const from = lab.random.between(0, mine.length);
      callbacks.push(...mine.slice(0, from).map((sent) => of([sent])));
      if (mine.length > from) callbacks.push(of(mine.slice(from, from + BUNDLE)));
      callbacks.push(...mine.slice(from + BUNDLE).map((sent) => of([sent])));
      callbacks.push(...people.map((person) => textOf(number, person)));
    }
  }
  return callbacks;
}

let texts = 0;
function textOf(number: string, person: string): Callback {
  const id = `wamid.course.${(texts += 1)}`;
  return { number, body: callbackBody(number, textFrom(person, id, id)), reports: [`messages ${id}`] };
}

async function drained(lab: Lab): Promise<void> {
  const until = monotonicMs() + GIVE_UP_AFTER_MS;
  while (monotonicMs() < until) {
    const [row] = await lab.query<{ open: number }>("select count(*)::int as open from ingest");
    if (row?.open === 0) return;
    await sleep(50);
  }
}

/** Lays what was reported beside events, states and contacts. */
async function judge(lab: Lab, callbacks: readonly Callback[]) {
  const reports = callbacks.flatMap((callback) => callback.reports);
  const ids = [...new Set(reports.map((report) => report.slice(report.indexOf(" ") + 1)))];
  const events = await lab.query<{ what: string; number: string }>(
    `select e.kind || ' ' || s.provider_message_id as what, n.provider_phone_number_id as number
     from event e join message_state s on s.workspace_id = e.workspace_id and s.id = e.message_id
     join message m on m.workspace_id = e.workspace_id and m.id = e.message_id
     join phone_number n on n.workspace_id = m.workspace_id and n.id = m.phone_number_id
     where s.provider_message_id = any($1) and e.kind <> 'accepted' order by e.sequence`,
    [ids],
  );
  const times = new Map<string, number>();
  for (const { what } of events) times.set(what, (times.get(what) ?? 0) + 1);
  const [states] = await lab.query<{ unread: number }>(
    `select count(*)::int as unread from message_state s
     where s.provider_message_id = any($1) and s.provider_message_id not like 'wamid.course.%'
       and (s.rank <> 7 or s.read_at is null or s.delivered_at is null or s.sent_at is null
         or (select count(*) from history h where h.workspace_id = s.workspace_id and h.message_id = s.id) <> 4)`,
    [ids],
  );
  const [people] = await lab.query<{ strange: number }>(
    `select count(*)::int as strange from (
       select c.workspace_id, c.phone from contact c
       join message m on m.workspace_id = c.workspace_id and m.contact_id = c.id and not m.outbound
       join message_state s on s.workspace_id = m.workspace_id and s.id = m.id and s.provider_message_id = any($1)
       left join event e on e.workspace_id = c.workspace_id and e.contact_id = c.id and e.kind = 'contact_created'
       group by 1, 2 having count(distinct c.id) <> 1 or count(distinct e.id) <> 1) x`,
    [ids],
  );
  return {
    reports: reports.length,
    missing: reports.filter((report) => !times.has(report)).length,
    doubled: [...times.values()].filter((count) => count > 1).length,
    unread: states?.unread ?? -1,
    strange: people?.strange ?? -1,
    inversions: inversionsOf(callbacks, events),
  };
}

/** Events of a number that come before one that was reported before them. */
function inversionsOf(callbacks: readonly Callback[], events: readonly { what: string; number: string }[]): number {
  let inversions = 0;
  for (const [number, own] of byNumber(callbacks)) {
    const places = new Map(own.flatMap(({ reports }) => reports).map((report, place) => [report, place]));
    const found = events.filter((event) => event.number === number).map(({ what }) => places.get(what) ?? -1);
    inversions += found.filter((place, index) => index > 0 && place < (found[index - 1] ?? -1)).length;
  }
  return inversions;
}
