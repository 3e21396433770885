import { quantile } from "./figures.ts";
import { CONTACTS, fillContacts } from "./filled-contacts.ts";
import type { Part, Run } from "./part.ts";

/** Questions of each kind in a round, for each second that a timed one lasts. */
const A_SECOND = 20;
const PAGES_DEEP = 20;

const vip = (tag: string) => ({ field: "tags", op: "contains", value: tag });
const within = (value: string) => ({ field: "last_inbound_at", op: "within_last", value });
const attribute = (name: string, value: unknown) => ({ field: `attributes.${name}`, op: "eq", value });

/** Segments by tag, attribute and last message: from most contacts to none. */
const SEGMENTS = [
  { all: [vip("half"), attribute("plan", "pro"), within("P7D")] },
  { all: [vip("tenth"), attribute("plan", "pro"), within("P7D")] },
  { all: [vip("percent"), attribute("member", true), within("P30D")] },
  { all: [vip("half"), attribute("city", "City 77"), within("P7D")] },
  { all: [vip("rare"), attribute("member", true), within("P30D")] },
  { all: [vip("tenth"), attribute("plan", "gold"), within("P7D")] },
];
const TEXTS = ["ana", "helene", "ana a", "city 77", "R-765", "2000123", "zzzqqq", "234567@example.com"];

/** Searches of a workspace with a million contacts, one after another. */
export const contacts: Part = {
  name: "contacts",
  title: `lists of ${CONTACTS.toLocaleString("en-US")} contacts, beside 1,000 workspaces of ten`,
  bounds: {
    "segment p99 ms": { atMost: 100 },
    "segment, deep p99 ms": { atMost: 100 },
    "q p99 ms": { atMost: 150 },
    "q, deep p99 ms": { atMost: 150 },
  },
  timed: true,
  onlyNamed: true,
  async prepare(run) {
    await fillContacts(run.databaseUrl);
    for (const [index, filter] of SEGMENTS.entries())
      await call(run, "POST", "/v1/segments", { name: `Segment ${index}`, filter });
    return { items: 0, figures: {} };
  },
  async work(run, extent) {
    const asks = "seconds" in extent ? extent.seconds * A_SECOND : extent.amount;
    const segments = (await call(run, "GET", "/v1/segments")).data.map(({ id }) => `/v1/segments/${id}/contacts?`);
    const texts = TEXTS.map((text) => `/v1/contacts?q=${encodeURIComponent(text)}&`);
    const figures = { ...(await timed(run, "segment", segments, asks)), ...(await timed(run, "q", texts, asks)) };
    return { items: 2 * asks, figures };
  },
};

/** First pages of the lists in turn, and as many some pages deep. */
async function timed(run: Run, name: string, lists: readonly string[], asks: number): Promise<Record<string, number>> {
  const deep = await Promise.all(lists.map((list) => deepPageOf(run, list)));
  const times = { first: [] as number[], deep: [] as number[] };
  for (let asked = 0; asked < asks; asked += 1)
    for (const [kind, pages] of [
      ["first", lists],
      ["deep", deep],
    ] as const) {
      const begun = performance.now();
      await call(run, "GET", pages[asked % pages.length] ?? "");
      times[kind].push(performance.now() - begun);
    }
  return {
    [`${name} p50 ms`]: quantile(times.first, 0.5),
    [`${name} p99 ms`]: quantile(times.first, 0.99),
    [`${name}, deep p99 ms`]: quantile(times.deep, 0.99),
  };
}

async function deepPageOf(run: Run, list: string): Promise<string> {
  let page = list;
  for (let n = 0; n < PAGES_DEEP; n += 1) {
    const { next_cursor: cursor } = await call(run, "GET", page);
    if (cursor === null) break;
    page = `${list}cursor=${cursor}`;
  }
  return page;
}

type Answer = { data: { id: string }[]; next_cursor: string | null };

async function call({ urls, tenants }: Run, method: string, path: string, body?: object): Promise<Answer> {
  const reply = await fetch(`${urls[0]}${path}`, {
    method,
    headers: { authorization: `Bearer ${tenants[0]?.key}`, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!reply.ok) throw new Error(`${method} ${path} was answered with ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as Answer;
}
