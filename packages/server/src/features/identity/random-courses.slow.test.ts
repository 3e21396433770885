import fc from "fast-check";
import { expect, it } from "vitest";
import { statusOf, textFrom } from "../../testing/callback.ts";
import { sized } from "../../testing/size.ts";
import { sendObserved, takeAlone } from "../messages/testing/observing.ts";
import { startSenders } from "../messages/testing/senders.ts";
import { IdentityResolver } from "./resolver.ts";
import { changeOf, PATIENCE, peopleOf } from "./testing/people.ts";
import { waitingEvidence } from "./testing/waiting-evidence.ts";

// People who move between numbers that others have had and will have, and whose every report names their user id, as the provider's
// do. Reports come in any order, several at once, some again, while contacts are being merged by two processes' resolvers.

const { gateway, mine } = await startSenders({ API_RATE_LIMIT: "off" }, { roles: ["api", "ingress", "maintenance"] });
const { post, seconds } = peopleOf(gateway, mine);
const resolvers = [new IdentityResolver(gateway.app), new IdentityResolver(gateway.app)] as const;

/** One more of the aftermaths of merges is due after this. */
const AFTERMATH_MS = 20_000;
const PEOPLE = 3;
const NUMBERS = 5;
/** The provider's times are whole seconds, and ours are compared with two of them to spare. */
const STEP_SECONDS = 5;
let runs = 0;

/**
 * What somebody does next. `gets`: what was written to their number. `writes`: perhaps as a reply to that, or without a visible
 * number. `moves`: to the first number that is free from `to` on.
 */
type Step = {
  who: number;
  does: "gets" | "writes" | "moves" | "new id";
  to: number;
  replies: boolean;
  hidden: boolean;
  again: boolean;
};
const step = fc.record<Step>({
  who: fc.integer({ min: 0, max: PEOPLE - 1 }),
  does: fc.constantFrom("gets", "gets", "writes", "writes", "writes", "moves", "moves", "moves", "new id"),
  to: fc.integer({ min: 0, max: NUMBERS - 1 }),
  replies: fc.boolean(),
  hidden: fc.boolean(),
  again: fc.boolean(),
});

/** `wamid`: of a message, which has to be filed with `who`. */
type Report = { value: object; who: number; wamid: string | null };

/**
 * The reports of a course in the order of their times. A number that changes makes a new user id (Cloud API documentation). What is
 * written to people is accepted before anything is reported.
 */
async function reportsOf(steps: readonly Step[]): Promise<Report[]> {
  runs += 1;
  const run = runs;
  const numbers = Array.from({ length: NUMBERS }, (_, n) => `1555${String(run).padStart(5, "0")}${n}0`);
  const people = Array.from({ length: PEOPLE }, (_, n) => ({ number: n, ids: 0, got: "" }));
  const start = seconds() - 1_000;
  const reports: Report[] = [];
  for (const [index, { who, does, to, replies, hidden, again }] of steps.entries()) {
    const person = people[who] as (typeof people)[number];
    const idNow = (): string => `US.${run}x${who}v${person.ids}`;
    const at = start + index * STEP_SECONDS;
    const [from, old] = [numbers[person.number] as string, idNow()];
    const names = { ...(!hidden && { wa_id: from }), user_id: old };
    if (does === "gets") {
      person.got = (await sendObserved(gateway, mine, from)).wamid;
      for (const status of again ? ["delivered", "sent"] : ["sent"]) {
        const more = { recipient_id: hidden ? undefined : from, recipient_user_id: old };
        const value = { contacts: [names], ...statusOf(person.got, status, at * 1_000, more) };
        reports.push({ who, wamid: null, value });
      }
    } else if (does === "writes") {
      const wamid = `wamid.course.${run}.${index}`;
      const { messages } = textFrom(from, wamid, "Hello", at * 1_000) as { messages: object[] };
      const message = {
        ...messages[0],
        from: hidden ? undefined : from,
        from_user_id: old,
        ...(replies && person.got && { context: { id: person.got } }),
      };
      const said = { who, wamid, value: { contacts: [{ profile: { name: "Ana" }, ...names }], messages: [message] } };
      reports.push(...(again ? [said, said] : [said]));
    } else {
      person.ids += 1;
      if (does === "moves") {
        const taken = new Set(people.map(({ number }) => number));
        person.number = numbers.map((_, n) => (to + n) % NUMBERS).find((n) => !taken.has(n)) as number;
      }
      const change =
        does === "moves"
          ? changeOf(from, numbers[person.number] as string, at, { old, new: idNow() })
          : idChangeOf(old, idNow(), at);
      for (const suffix of again ? ["", ".again"] : [""])
        reports.push({ who, wamid: null, value: withId(change, suffix) });
    }
  }
  return reports;
}

const idChangeOf = (old: string, now: string, at: number): { messages: object[] } => ({
  messages: [
    {
      from_user_id: old,
      id: `wamid.id.${now}`,
      timestamp: String(at),
      type: "system",
      system: { type: "user_changed_user_id", user_id: now, previous_user_id: old },
    },
  ],
});

/** As another of our numbers reports it. */
const withId = (change: { messages: object[] }, suffix: string): object => ({
  messages: change.messages.map((message) => ({ ...message, id: `${(message as { id: string }).id}${suffix}` })),
});

const learnAll = (): Promise<unknown> => Promise.all(resolvers.map((identityResolver) => identityResolver.resolve()));

/** Resolves when all is learned, also what one resolver skipped because another had it. */
async function learned(): Promise<void> {
  await learnAll();
  gateway.clock.advance(AFTERMATH_MS);
  await expect
    .poll(async () => {
      await learnAll();
      return await waitingEvidence(gateway.database.url);
    }, PATIENCE)
    .toEqual([]);
}

/** Each message's contact, with the one who wrote it. */
async function filed(reports: readonly Report[]): Promise<string[]> {
  const wrote = new Map(reports.flatMap(({ wamid, who }) => (wamid === null ? [] : [[wamid, who] as const])));
  const rows = await mine.rows<{ wamid: string; contact: string }>(
    `select s.provider_message_id as wamid, coalesce(c.merged_into, c.id) as contact
     from message_state s join contact c on c.workspace_id = s.workspace_id and c.id = s.contact_id
     where s.provider_message_id = any($1)`,
    [[...wrote.keys()]],
  );
  expect(rows).toHaveLength(wrote.size);
  return rows.map(({ contact, wamid }) => `${wrote.get(wamid)} ${contact}`);
}

it("files what everybody writes with one contact each, whoever had the numbers before", {
  timeout: sized(120_000, 3_600_000),
}, async () => {
  const course = fc.tuple(
    fc.array(step, { minLength: 6, maxLength: 16 }),
    fc.array(fc.nat(), { minLength: 32, maxLength: 32 }),
    fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 16 }),
    // Posted to this process, or each taken by itself, as processes do that do not know of each other's.
    fc.boolean(),
  );
  await fc.assert(
    fc.asyncProperty(course, async ([steps, order, sizes, apart]) => {
      const reports = (await reportsOf(steps))
        .map((report, index) => ({ ...report, place: order[index] ?? 0 }))
        .toSorted((a, b) => a.place - b.place);
      for (let next = 0, round = 0; next < reports.length; round += 1) {
        const group = reports.slice(next, next + (sizes[round % sizes.length] ?? 1));
        next += group.length;
        await Promise.all(group.map(({ value }) => (apart ? takeAlone(gateway, mine, value) : post(value))));
        if (apart) void resolvers[round % 2]?.resolve();
      }
      await learned();
      const pairs = [...new Set(await filed(reports))];
      const each = (part: 0 | 1) => new Set(pairs.map((pair) => pair.split(" ")[part])).size;
      expect({ people: each(0), contacts: each(1) }).toEqual({ people: pairs.length, contacts: pairs.length });
    }),
    { numRuns: sized(25, 1_000), endOnFailure: true },
  );
});
