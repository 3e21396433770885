import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { phoneKey } from "../../lib/phone/variants.ts";
import { sized } from "../../testing/size.ts";
import { type Observation, observe, type SentMessage, sendObserved } from "../messages/testing/observing.ts";
import { startSenders } from "../messages/testing/senders.ts";
import { IdentityResolver } from "./resolver.ts";
import { PATIENCE } from "./testing/people.ts";
import { waitingEvidence } from "./testing/waiting-evidence.ts";

// No process dispatches here: the test reports what lanes and ingress would, in any order, several at once, and two resolvers work at
// the same time, as those of two processes do, beside the one that learns by a timer.
const { gateway, mine } = await startSenders({ API_RATE_LIMIT: "off" }, { roles: ["api", "maintenance"] });
const resolvers = [new IdentityResolver(gateway.app), new IdentityResolver(gateway.app)] as const;

/** One more of the aftermaths of merges is due after this. */
const AFTERMATH_MS = 20_000;
let runs = 0;

/** Numbers of one line, by how their forms are related; `n` has 7 digits. */
const LINES: readonly ((n: number) => readonly string[])[] = [
  (n) => [`55119${80_000_000 + n}`, `5511${80_000_000 + n}`], // the same
  (n) => [`54911${20_000_000 + n}`, `5411${20_000_000 + n}`], // one by evidence
  (n) => [`571${n}`, `57601${n}`], // one by evidence
  (n) => [`1415${n}`], // no other form
];
const FORMS = 2;

/** People of a run: each has a line and a user id of their own. */
type World = { people: { forms: readonly string[]; userId: string }[]; sent: SentMessage[][] };

async function newWorld(lines: readonly number[]): Promise<World> {
  runs += 1;
  const people = lines.map((line, index) => ({
    forms: (LINES[line] as (n: number) => readonly string[])(2_000_000 + runs * 10 + index),
    userId: `US.${runs}x${index}`,
  }));
  const sent: SentMessage[][] = [];
  // The people are strangers before: each form that evidence alone joins is a contact of its own.
  for (const { forms } of people) sent.push(await Promise.all(forms.map((form) => sendObserved(gateway, mine, form))));
  return { people, sent };
}

/** Something true of one of the people, by numbers that name its parts. */
type Truth = {
  by: "answer" | "status" | "inbound" | "quote" | "stray";
  who: number;
  one: number;
  other: number;
  named: boolean;
};

const PEOPLE = 3;
const form = fc.integer({ min: 0, max: FORMS - 1 });
const truth = fc.record<Truth>({
  by: fc.constantFrom("answer", "status", "inbound", "quote", "stray"),
  who: fc.integer({ min: 0, max: PEOPLE - 1 }),
  one: form,
  other: form,
  named: fc.boolean(),
});
const line = fc.integer({ min: 0, max: LINES.length - 1 });
const size = fc.integer({ min: 1, max: 5 });

/** What the provider reports, and the identifiers that it proves to be one person's. */
function saidBy(world: World, { by, who, one, other, named }: Truth, id: string) {
  const { forms, userId } = world.people[who] as World["people"][number];
  const [written, seen] = [one % forms.length, other % forms.length];
  const message = world.sent[who]?.[written] as SentMessage;
  const waId = forms[seen] as string;
  const said = named ? userId : null;
  const atMs = gateway.clock.now();
  const names = [phoneKey(waId), ...(said === null ? [] : [said])];
  if (by === "inbound") return { observation: { by, waId, userId: said, quotes: null, id, atMs } as const, names };
  const all = [phoneKey(forms[written] as string), ...names];
  if (by === "quote")
    return { observation: { by: "inbound", waId, userId: said, quotes: message, id, atMs } as const, names: all };
  if (by !== "stray") return { observation: { by, message, waId, userId: said } as const, names: all };
  // A number of a plan with rules that is another line: the provider's mistake, which teaches nothing.
  return {
    observation: { by: "answer", message, waId: `54911${70_000_000 + runs}`, userId: null } as const,
    names: [],
  };
}

/** Groups of names, each sorted, as a list. */
function groupsOf(pairs: readonly (readonly string[])[]): string[] {
  const groups: Set<string>[] = [];
  for (const names of pairs) {
    const touched = groups.filter((group) => names.some((name) => group.has(name)));
    const joined = new Set([...names, ...touched.flatMap((group) => [...group])]);
    groups.splice(0, groups.length, ...groups.filter((group) => !touched.includes(group)), joined);
  }
  return groups
    .filter(({ size: count }) => count > 0)
    .map((group) => [...group].toSorted().join(" "))
    .toSorted();
}

/** Reports all, in groups of these sizes, each group at once and in turns by the two processes. */
async function report(observations: readonly Observation[], sizes: readonly number[]): Promise<void> {
  let next = 0;
  for (let round = 0; next < observations.length; round += 1) {
    const group = observations.slice(next, next + (sizes[round % sizes.length] ?? 1));
    next += group.length;
    await Promise.all(
      group.map(async (one, index) => {
        if (await observe(gateway, mine, one)) void resolvers[(round + index) % 2]?.resolve();
      }),
    );
  }
  await Promise.all(resolvers.map((identityResolver) => identityResolver.resolve()));
  gateway.clock.advance(AFTERMATH_MS);
  await Promise.all(resolvers.map((identityResolver) => identityResolver.resolve()));
  // What one of them skipped because the other had it, and what met a lock.
  await expect
    .poll(async () => {
      await Promise.all(resolvers.map((identityResolver) => identityResolver.resolve()));
      return await waitingEvidence(gateway.database.url);
    }, PATIENCE)
    .toEqual([]);
}

type Identifier = { kind: string; value: string; contact_id: string; merged: boolean | null };
const identifiersOf = (names: readonly string[]): Promise<Identifier[]> =>
  mine.rows(
    `select i.kind, i.value, i.contact_id, c.merged_into is not null as merged from identifier i
     left join contact c on c.workspace_id = i.workspace_id and c.id = i.contact_id
     where i.until is null and i.value = any($1)`,
    [names],
  );

async function storedGroups({ people }: World, names: readonly string[]): Promise<string[]> {
  const all = people.flatMap(({ forms, userId }) => [...forms, ...forms.map(phoneKey), userId]);
  const found = await identifiersOf(all);
  expect(found.filter(({ merged }) => merged !== false)).toEqual([]);
  const named = new Set(names);
  const byContact = new Map<string, string[]>();
  for (const { kind, value, contact_id } of found) {
    const name = kind === "phone" ? phoneKey(value) : value;
    if (named.has(name)) byContact.set(contact_id, [...(byContact.get(contact_id) ?? []), name]);
  }
  return groupsOf([...byContact.values()]);
}

/** Counts of the workspace. */
async function totals(): Promise<{ contacts: number; identifiers: number }> {
  const rows = await mine.rows<{ contacts: number; identifiers: number }>(
    "select (select count(*) from contact)::int as contacts, (select count(*) from identifier)::int as identifiers",
  );
  return rows[0] as (typeof rows)[number];
}

/** Found by earlier runs, so that a run that fails can be shrunk. */
let stray: { what: string; of: string }[] = [];
/** What must never be: one contact of two user ids, names of what is gone, contacts without a name, groups without a head. */
async function strays(): Promise<{ what: string; of: string }[]> {
  return await mine.rows(
    `select 'two user ids' as what, i.contact_id::text as of from identifier i
     where i.kind = 'user_id' and i.until is null group by i.contact_id, i.scope having count(*) > 1
     union all select 'names no contact', i.value from identifier i
     left join contact c on c.workspace_id = i.workspace_id and c.id = i.contact_id
     where i.until is null and (c.id is null or c.merged_into is not null)
     union all select 'has no name', c.id::text from contact c
     where c.merged_into is null and not exists (
       select from identifier i where i.workspace_id = c.workspace_id and i.contact_id = c.id)
     union all select 'merged into a merged one', c.id::text from contact c
     join contact s on s.workspace_id = c.workspace_id and s.id = c.merged_into where s.merged_into is not null
     union all select 'wrong column', c.id::text from contact c
     cross join lateral (values (c.user_id), (c.wa_id), (substr(c.phone, 2))) v(value)
     where c.merged_into is null and v.value is not null and not exists (
       select from identifier i where i.workspace_id = c.workspace_id and i.contact_id = c.id and i.value = v.value
         and i.until is null)`,
  );
}

describe("whatever the order of what the provider says", () => {
  it("the same identifiers are one contact, by what was proven and nothing else", {
    timeout: sized(120_000, 3_600_000),
  }, async () => {
    const course = fc.tuple(
      fc.tuple(line, line, line),
      fc.array(truth, { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat(), { minLength: 24, maxLength: 24 }),
      fc.array(size, { minLength: 1, maxLength: 24 }),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(course, async ([lines, truths, order, sizes, repeated]) => {
        const world = await newWorld(lines);
        const said = truths.map((one, index) => saidBy(world, one, `wamid.said.${runs}.${index}`));
        // Each once or twice, in any order: a repetition must not be needed either.
        const all = (repeated ? [...said, ...said] : said)
          .map(({ observation }, index) => ({ observation, at: order[index] ?? 0 }))
          .toSorted((a, b) => a.at - b.at);
        await report(
          all.map(({ observation }) => observation),
          sizes,
        );
        const known = world.people.flatMap(({ forms }) => forms.map((digits) => [phoneKey(digits)]));
        const proven = [...known, ...said.map(({ names }) => names)];
        expect(await storedGroups(world, proven.flat())).toEqual(groupsOf(proven));
        expect(await strays()).toEqual([]);
      }),
      { numRuns: sized(15, 600), endOnFailure: true },
    );
  });
});

describe("hostile reports", () => {
  /** Who claims which number, when: each person writes with numbers of the others, and statuses name them too. */
  type Claim = {
    by: "inbound" | "status" | "answer" | "quote";
    user: number;
    number: number;
    form: number;
    to: number;
    atMs: number;
  };
  const CIRCLE = 4;
  const place = fc.integer({ min: 0, max: CIRCLE - 1 });
  const claim = fc.record<Claim>({
    by: fc.constantFrom("inbound", "status", "answer", "quote"),
    user: place,
    number: place,
    form,
    to: place,
    atMs: fc.integer({ min: 0, max: 60_000 }),
  });

  it("never make one contact of two user ids, leave nothing behind, and add no more than they name", {
    timeout: sized(120_000, 3_600_000),
  }, async () => {
    const course = fc.tuple(
      fc.tuple(line, line, line, line),
      fc.array(claim, { minLength: 8, maxLength: 24 }),
      fc.array(size, { minLength: 1, maxLength: 24 }),
    );
    await fc.assert(
      fc.asyncProperty(course, async ([lines, claims, sizes]) => {
        const world = await newWorld(lines);
        const before = await totals();
        const startMs = gateway.clock.now() - 60_000;
        const observations = claims.map(({ by, user, number, form: variant, to, atMs }, index): Observation => {
          const { forms } = world.people[number] as World["people"][number];
          const waId = forms[variant % forms.length] as string;
          const { userId } = world.people[user] as World["people"][number];
          const message = world.sent[to]?.[0] as SentMessage;
          if (by === "answer" || by === "status") return { by, message, waId, userId };
          const quotes = by === "quote" ? message : null;
          return { by: "inbound", waId, userId, quotes, id: `wamid.hostile.${runs}.${index}`, atMs: startMs + atMs };
        });
        await report([...observations, ...observations], sizes);
        const now = await strays();
        const known = new Set(stray.map(({ of }) => of));
        stray = now;
        expect(now.filter(({ of }) => !known.has(of))).toEqual([]);
        const after = await totals();
        // A contact for each form that was written to is there; each user id may bring one more.
        expect(after.contacts - before.contacts).toBeLessThanOrEqual(CIRCLE);
        expect(after.identifiers - before.identifiers).toBeLessThanOrEqual(CIRCLE * (FORMS + 2));
      }),
      { numRuns: sized(15, 600), endOnFailure: true },
    );
  });
});
