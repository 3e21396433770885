import { setTimeout as sleep } from "node:timers/promises";
import { callAs } from "../packages/server/src/testing/call.ts";
import { quantile } from "./figures.ts";
import { inboundDelays } from "./inbound.ts";
import { delaysOf, numbersOf } from "./latency.ts";
import type { Part, Run } from "./part.ts";
import { memoryOf } from "./processes.ts";
import type { Tenant } from "./tenants.ts";
import { resetStub, sendAll } from "./work.ts";

/** A million rows unless BENCH_ROWS says otherwise; the bound of time is for so many. */
const MILLION = 1_000_000;
const ROWS = Number(process.env["BENCH_ROWS"] ?? MILLION);
const ROWS_A_SECOND = MILLION / 600;
/** Endpoints of the neighbour that listen to its messages: one that is measured, the others beside it. */
const ENDPOINTS = 20;
const SENDS = { perSecond: 20, seconds: 20 };
const LOOK_EVERY_MS = 250;

/** A file of contacts is read beside a neighbour who sends and receives now and then. */
export const imports: Part = {
  name: "import",
  title: `a CSV file of ${ROWS.toLocaleString("en-US")} contacts beside a quiet workspace with ${ENDPOINTS} endpoints`,
  events: ["messages"],
  workspaces: 2,
  rounds: 1,
  onlyNamed: true,
  bounds: {
    "rows/s": { atLeast: ROWS_A_SECOND },
    "gateway peak MiB": { atMost: 400 },
    "p99 ms to the subscriber, beside it": { atMost: 2_000 },
    "send p99, beside ÷ alone": { atMost: 2 },
  },
  work: sendAll,
  async round(run) {
    const [quiet, importer] = run.tenants as [Tenant, Tenant];
    await listen(run, quiet);
    const before = await measured(run, quiet);
    const began = performance.now();
    const id = await upload(run, importer);
    const uploadedMs = performance.now() - began;
    const reading = progressOf(run, importer, id);
    const beside = await measured(run, quiet);
    const { rows, created, ms } = await reading;
    if (rows !== ROWS || created !== ROWS) throw new Error(`${rows} rows were read and ${created} contacts created`);
    return {
      "rows/s": (ROWS / ms) * 1_000,
      "s to upload": uploadedMs / 1_000,
      "gateway peak MiB": memoryOf(run.gateways.map(({ pid }) => pid)).peak,
      "p99 ms to the subscriber, alone": before.webhook,
      "p99 ms to the subscriber, beside it": beside.webhook,
      "send p99 ms, alone": before.send,
      "send p99 ms, beside it": beside.send,
      "send p99, beside ÷ alone": beside.send / before.send,
    };
  },
};

async function measured(run: Run, quiet: Tenant): Promise<{ webhook: number; send: number }> {
  const webhook = quantile(await inboundDelays(run, quiet), 0.99);
  await resetStub(run.bench, { timed: numbersOf([quiet]) });
  const { sinceRequest } = await delaysOf(run, [quiet], SENDS.perSecond, SENDS.seconds);
  return { webhook, send: quantile(sinceRequest, 0.99) };
}

/** More endpoints of the same messages, whose deliveries are not timed: the address is one that refuses at once. */
async function listen({ urls }: Run, { key }: Tenant): Promise<void> {
  for (let n = 1; n < ENDPOINTS; n++) {
    const body = { url: `http://127.0.0.1:9/${n}`, events: ["messages"] };
    await callAs(urls[0] ?? "", key)("POST", "/v1/webhook-endpoints", { body });
  }
}

async function upload({ urls }: Run, { key }: Tenant): Promise<string> {
  const answer = await fetch(`${urls[0]}/v1/contacts/imports`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "text/csv" },
    body: ReadableStream.from(file()),
    duplex: "half",
  } as RequestInit);
  if (answer.status !== 202) throw new Error(`the upload was answered with ${answer.status}`);
  return ((await answer.json()) as { id: string }).id;
}

const LINES_A_CHUNK = 1_000;

function* file(): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode("phone,name,email,tags,attributes.city\n");
  for (let first = 0; first < ROWS; first += LINES_A_CHUNK) {
    let text = "";
    for (let n = first; n < Math.min(ROWS, first + LINES_A_CHUNK); n++)
      text += `+1212${2_000_000 + n},Person ${n},person${n}@example.com,vip;group ${n % 50},City ${n % 1_000}\n`;
    yield encoder.encode(text);
  }
}

async function progressOf({ urls }: Run, { key }: Tenant, id: string) {
  const began = performance.now();
  for (;;) {
    const { body } = await callAs(urls[0] ?? "", key)("GET", `/v1/contacts/imports/${id}`);
    if (body.completed_at !== null) return { ...body.progress, ms: performance.now() - began };
    await sleep(LOOK_EVERY_MS);
  }
}
