import { setTimeout as sleep } from "node:timers/promises";
import { Waypost } from "@waypost/sdk";
import type { Tenant } from "../bench/tenants.ts";
import { formatId, parseId } from "../packages/server/src/lib/ids.ts";
import { type Experiment, none } from "./experiment.ts";
import type { Lab, Process } from "./lab.ts";
import { startLoad } from "./load.ts";

const PROCESSES = 2;
/** Answers of the provider that are lost make these: a few in a hundred events. */
const RARE = "unknown";
/** Until something rare has happened, or a reader has all that was committed, on a busy machine. */
const WITHIN_MS = 60_000;
const AGAIN_AFTER_MS = 100;

/** What a reader got, in its order; `stop` waits for what is on its way. */
type Reader = { what: string; tenant: Tenant; kind: string | null; ids: string[]; stop(): Promise<void> };

export const feed: Experiment = {
  promise: "a reader of the feed that keeps its cursor has each event once, through kills and restarts of the database",
  async run(lab) {
    const tenants = await lab.furnish(2, 2);
    await lab.outside.behave({ answerMs: [20, 100], cutShare: 0.05 });
    for (let n = 0; n < PROCESSES; n += 1) await lab.serve();
    const readers = tenants.flatMap((tenant) =>
      [null, RARE].flatMap((kind) => [byPages(lab, tenant, kind), byStream(lab, tenant, kind)]),
    );
    const load = startLoad(lab, { tenants, perSecond: lab.short ? 40 : 120, perPerson: 4, through: lab.running });
    const rounds = lab.short ? 1 : 15;
    for (let round = 0; round < rounds; round += 1) {
      await sleep(lab.random.between(1_000, 3_000));
      await lab.random.pick(lab.running()).end("SIGKILL");
      await lab.serve();
      await sleep(lab.random.between(1_000, 2_000));
      await lab.server.stop();
      await lab.server.start();
    }
    await untilRareHappened(lab, tenants);
    await load.stop();
    const judged = await Promise.all(readers.map((reader) => judge(lab, reader)));
    const sum = (of: (one: (typeof judged)[number]) => number): number => judged.reduce((all, one) => all + of(one), 0);
    lab.say(`${rounds} kills and restarts, ${sum(({ read }) => read)} events read by ${readers.length} readers`);
    return {
      figures: { accepted: load.placed.length, lost: sum(({ lost }) => lost), doubled: sum(({ doubled }) => doubled) },
      bounds: [
        ...judged.flatMap(({ what, lost, doubled }) => [
          none(`${what}: events that a reader did not get`, lost),
          none(`${what}: events that it got twice`, doubled),
        ]),
        none("readers for whom nothing happened", judged.filter(({ read }) => read === 0).length),
      ],
    };
  },
};

/** A reader of what never happened would prove nothing: the load goes on until each workspace has an event of the rare kind. */
async function untilRareHappened(lab: Lab, tenants: Tenant[]): Promise<void> {
  const until = performance.now() + WITHIN_MS;
  for (const tenant of tenants) {
    while ((await idsOf(lab, tenant, RARE)).length === 0 && performance.now() < until) await sleep(AGAIN_AFTER_MS);
  }
}

/** Asks again and again behind its cursor, each time another process. */
function byPages(lab: Lab, tenant: Tenant, kind: string | null): Reader {
  const ids: string[] = [];
  let cursor: string | null = null;
  let stopped = false;
  const filter = kind === null ? "" : `&kind=${kind}`;
  const run = async (): Promise<void> => {
    while (!stopped) {
      const process: Process | undefined = lab.running()[ids.length % Math.max(1, lab.running().length)];
      const path: string = `/v1/events?limit=100${filter}${cursor === null ? "" : `&cursor=${cursor}`}`;
      const page = await process?.call(tenant.key, "GET", path).catch(() => null);
      if (page?.status === 200) {
        cursor = page.body.next_cursor;
        ids.push(...page.body.data.map(({ id }: { id: string }) => id));
      }
      if (page?.body.has_more !== true) await sleep(AGAIN_AFTER_MS);
    }
  };
  const running = run();
  return {
    what: `by pages, ${kind ?? "all kinds"}`,
    tenant,
    kind,
    ids,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

/** Follows the stream, by another process after each lost connection. */
function byStream(lab: Lab, tenant: Tenant, kind: string | null): Reader {
  const ids: string[] = [];
  const leave = new AbortController();
  let tries = 0;
  const through: typeof fetch = (input, init) => {
    const processes = lab.running();
    const process = processes[(tries += 1) % Math.max(1, processes.length)];
    if (process === undefined) return Promise.reject(new Error("no process runs"));
    const { pathname, search } = new URL(input instanceof Request ? input.url : input);
    return fetch(`${process.url}${pathname}${search}`, init);
  };
  const client = new Waypost({ apiKey: tenant.key, baseUrl: "http://any.example", fetch: through });
  const run = async (): Promise<void> => {
    const [first] = lab.running();
    // From the beginning of all, as the others.
    const page = await first?.call(tenant.key, "GET", `/v1/events?limit=1${kind === null ? "" : `&kind=${kind}`}`);
    ids.push(...page?.body.data.map(({ id }: { id: string }) => id));
    const query = { cursor: page?.body.next_cursor, ...(kind === null ? {} : { kind }) };
    for await (const { id } of client.events.stream(query, { signal: leave.signal })) ids.push(id);
  };
  const running = run();
  return {
    what: `by stream, ${kind ?? "all kinds"}`,
    tenant,
    kind,
    ids,
    async stop() {
      leave.abort();
      await running;
    },
  };
}

/** Waits until the reader has as many events as the table, or for as long as that may take, and compares them. */
async function judge(lab: Lab, reader: Reader) {
  const { what, ids, kind, tenant } = reader;
  const until = performance.now() + WITHIN_MS;
  let committed: string[] = [];
  do {
    await sleep(2 * AGAIN_AFTER_MS);
    committed = await idsOf(lab, tenant, kind);
  } while (new Set(ids).size < committed.length && performance.now() < until);
  await reader.stop();
  const seen = new Set(ids);
  return {
    what,
    read: ids.length,
    lost: committed.filter((id) => !seen.has(id)).length,
    doubled: ids.length - seen.size,
  };
}

/** The events of the workspace as the table has them. */
async function idsOf(lab: Lab, { numbers: [number = ""] }: Tenant, kind: string | null): Promise<string[]> {
  const rows = await lab.query<{ id: string }>(
    `select e.id from event e join phone_number n using (workspace_id)
     where n.id = $1 and e.sequence > 0 and ($2::text is null or e.kind = $2)`,
    [parseId("num", number), kind],
  );
  return rows.map(({ id }) => formatId("evt", id));
}
