// The load generator. `closed`: so many connections, each with one request under way; `open`: so many requests a second,
// whatever the answers take; `callbacks` and `open callbacks`: inbound messages as the provider posts them, in either way.
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { CALLBACK_PATH, callbackBody, callbackHeaders, POISON, textFrom } from "./callback.ts";
import { MIXED } from "./contents.ts";
import { monotonicMs } from "./monotonic.ts";
import { type Tenant, templateTo } from "./tenants.ts";

/** Requests go to the gateways in turn. `mixed`: of all kinds in turn, not templates alone. `front`: by the provider's own API. */
type Common = {
  urls: string[];
  tenants: Tenant[];
  firstRecipient: number;
  recipients: number;
  mixed?: boolean;
  front?: boolean;
};
export type Question = Common &
  (
    | { kind: "closed"; connections: number; seconds?: number; amount?: number }
    | { kind: "open"; perSecond: number; seconds: number }
    | { kind: "callbacks"; connections: number; seconds?: number; amount?: number }
    | OpenCallbacks
  );
/** `poisoned`: each second one has a text that the database refuses. */
type OpenCallbacks = { kind: "open callbacks"; perSecond: number; seconds: number; poisoned?: boolean };
export type LoadReport = {
  done: number;
  failed: number;
  seconds: number;
  perSecond: number;
  /** Monotonic milliseconds of the machine. */
  startedAt: number;
  /** By recipient: when the request left and when its 202 was here. */
  times: Record<string, [number, number]>;
};

const recipientOf = (question: Common, n: number): string =>
  `+1415${String(question.firstRecipient + (n % question.recipients)).padStart(7, "0")}`;

const urlOf = ({ urls }: Common, n: number): string => urls[n % urls.length] as string;

function messageOf(question: Common, n: number): { key: string; body: string } {
  const tenant = question.tenants[n % question.tenants.length] as Tenant;
  const turn = Math.floor(n / question.tenants.length);
  const from = tenant.numbers[turn % tenant.numbers.length] as string;
  const to = recipientOf(question, n);
  const content = (question.mixed ? MIXED[turn % MIXED.length] : undefined) ?? templateTo;
  return { key: tenant.key, body: JSON.stringify(content(to, from)) };
}

/**
 * So many clients, each with one connection and one request under way. They do what programs do: read each answer, parse it
 * and look at it. The generator shares the machine's cores with what it measures, in the bound's runs too.
 */
async function drive(
  question: Common & { connections: number; seconds?: number; amount?: number },
  call: (n: number) => Call,
): Promise<LoadReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: question.connections });
  const startedAt = monotonicMs();
  const until = question.seconds === undefined ? Number.POSITIVE_INFINITY : startedAt + question.seconds * 1_000;
  const amount = question.amount ?? Number.POSITIVE_INFINITY;
  let next = 0;
  let done = 0;
  let failed = 0;
  const client = async (): Promise<void> => {
    while (next < amount && monotonicMs() < until) {
      const n = next++;
      if (await succeeds(agent, urlOf(question, n), call(n))) done += 1;
      else failed += 1;
    }
  };
  await Promise.all(Array.from({ length: question.connections }, client));
  agent.destroy();
  const seconds = (monotonicMs() - startedAt) / 1_000;
  return { done, failed, seconds, perSecond: done / seconds, startedAt, times: {} };
}

type Call = { path: string; headers: Record<string, string>; body: string; expect: number };

/** By Node's own client, which most programs have under whatever they use. */
function succeeds(agent: Agent, url: string, { path, headers, body, expect }: Call): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url + path,
      { method: "POST", headers: { ...headers, "content-length": String(Buffer.byteLength(body)) }, agent },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => {
          text += chunk;
        });
        answer.on("end", () => {
          resolve(answer.statusCode === expect && (expect !== 202 || JSON.parse(text).status === "queued"));
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const closed = (question: Extract<Question, { kind: "closed" }>): Promise<LoadReport> =>
  drive(question, (n) => sendOf(question, n));

function sendOf(question: Common, n: number): Call {
  if (question.front) return frontCall(question, n);
  const { key, body } = messageOf(question, n);
  return { path: "/v1/messages", headers: headersOf(key), body, expect: 202 };
}

/** As a client of the Cloud API sends the same message; the answer comes when the provider has the message. */
function frontCall(question: Common, n: number): Call {
  const tenant = question.tenants[n % question.tenants.length] as Tenant;
  const turn = Math.floor(n / question.tenants.length);
  const number = tenant.providerNumbers[turn % tenant.providerNumbers.length] as string;
  const { from: _, ...message } = templateTo(recipientOf(question, n), "") as { from: string; to: string };
  const body = JSON.stringify({
    messaging_product: "whatsapp",
    recipient_type: "individual",
    ...message,
    to: message.to.slice(1),
  });
  return { path: `/v23.0/${number}/messages`, headers: headersOf(tenant.key), body, expect: 200 };
}

const headersOf = (key: string): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  "content-type": "application/json",
  "x-idempotency-key": randomUUID(),
});

const open = (question: Extract<Question, { kind: "open" }>): Promise<LoadReport> =>
  driveOpen(question, (n) => ({ ...sendOf(question, n), person: recipientOf(question, n).slice(1) }));

async function driveOpen(
  question: Common & { perSecond: number; seconds: number },
  call: (n: number) => Call & { person: string },
): Promise<LoadReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const times: LoadReport["times"] = {};
  const startedAt = monotonicMs();
  const total = question.perSecond * question.seconds;
  let failed = 0;
  const one = async (n: number): Promise<void> => {
    const { person, ...request } = call(n);
    const left = monotonicMs();
    if (!(await succeeds(agent, urlOf(question, n), request))) failed += 1;
    times[person] = [left, monotonicMs()];
  };
  const running: Promise<void>[] = [];
  for (let n = 0; n < total; n += 1) {
    const early = startedAt + (n * 1_000) / question.perSecond - monotonicMs();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    running.push(one(n));
  }
  await Promise.all(running);
  agent.destroy();
  const seconds = (monotonicMs() - startedAt) / 1_000;
  return { done: total - failed, failed, seconds, perSecond: total / seconds, startedAt, times };
}

function callbacks(question: Extract<Question, { kind: "callbacks" }>): Promise<LoadReport> {
  const inbound = inboundOf(question);
  return drive(question, (n) => inbound(n, "On my way"));
}

function openCallbacks(question: Common & OpenCallbacks): Promise<LoadReport> {
  const inbound = inboundOf(question);
  return driveOpen(question, (n) => inbound(n, question.poisoned && n % 2 === 1 ? POISON : "On my way"));
}

/** The callback of the n-th message, and who wrote it. */
function inboundOf(question: Common): (n: number, text: string) => Call & { person: string } {
  const run = randomUUID();
  return (n, text) => {
    const tenant = question.tenants[n % question.tenants.length] as Tenant;
    const number = tenant.providerNumbers[n % tenant.providerNumbers.length] as string;
    const person = recipientOf(question, n).slice(1);
    const body = callbackBody(number, textFrom(person, `wamid.in.${run}.${n}`, text));
    return { path: CALLBACK_PATH, headers: callbackHeaders(body), body, expect: 200, person };
  };
}

process.on("message", (question: Question) => {
  void answer(question).then((report) => process.send?.(report));
});

function answer(question: Question): Promise<LoadReport> {
  switch (question.kind) {
    case "closed":
      return closed(question);
    case "open":
      return open(question);
    case "callbacks":
      return callbacks(question);
    case "open callbacks":
      return openCallbacks(question);
  }
}
process.send?.({});
