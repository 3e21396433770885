// The provider at its fastest, and a subscriber beside it: answers each send after 5 ms, then reports `sent` and `delivered`
// when asked to, or `delivered` of all that it has kept at once; takes deliveries and counts them.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CALLBACK_PATH, callbackBody, callbackHeaders, statusOf } from "./callback.ts";
import { monotonicMs } from "./monotonic.ts";
import { HANGING, SUBSCRIBER } from "./settings.ts";

const ANSWER_MS = 5;
const SLOW_ANSWER_MS = 20_000;
/** Callbacks under way at once: the provider's own number is unknown; more only wait in the gateway. */
const CALLBACKS_AT_ONCE = 64;
const REPEAT_MS = 100;

/** Numbers are the provider's ids. */
export type Reset = {
  kind: "reset";
  /** The gateways, called in turn; none: statuses are not reported. */
  callbackUrls: string[];
  /** Of these numbers' sends the times are kept. */
  timed: readonly string[];
  /** Sends of these are answered late. */
  slow?: readonly string[];
  /** Sends of these are refused. */
  refused?: readonly string[];
  /** The sends are kept for `deliver`. */
  keeps?: boolean;
  /** `sent` follows the answer after so many milliseconds, and `delivered` after twice as many; by default both come at once. */
  reportsAfterMs?: number;
  /** The times of deliveries are kept, by the person who wrote. */
  timesDeliveries?: boolean;
  /** Deliveries to `HANGING` are not answered. */
  hangs?: boolean;
  /** Deliveries are refused with 503. */
  unavailable?: boolean;
};
/** Reports the kept sends as delivered, so many in a callback; answered when all callbacks are. */
export type Deliver = { kind: "deliver"; urls: string[]; inCallback: number; connections: number };
export type DeliverReport = { done: number; startedAt: number; perSecond: number };
type Question = Reset | Deliver | { kind: "report" } | { kind: "hang" };
export type StubReport = {
  sends: number;
  doubled: number;
  /** Taken. */
  deliveries: number;
  /** Of these, those that were not for `HANGING`. */
  healthy: number;
  firstDeliveryAt: number;
  /** Monotonic milliseconds of the machine at the last send and at the last delivery. */
  lastSendAt: number;
  lastDeliveryAt: number;
  /** By recipient, of the numbers that are timed, or by the person whose message was delivered. */
  times: Record<string, number>;
};

const agent = new Agent({ keepAlive: true, maxSockets: CALLBACKS_AT_ONCE });
let asked: Reset = { kind: "reset", callbackUrls: [], timed: [] };
let seen = new Set<string>();
let kept: Kept[] = [];
let report = fresh();
let wamid = 0;
let callbacks = 0;

type Kept = { number: string; id: string; to: string; opaque: string };

function fresh(): StubReport {
  return {
    sends: 0,
    doubled: 0,
    deliveries: 0,
    healthy: 0,
    firstDeliveryAt: 0,
    lastSendAt: 0,
    lastDeliveryAt: 0,
    times: {},
  };
}

const server = createServer((incoming, outgoing) => {
  const at = monotonicMs();
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", () => {
    if (incoming.url?.startsWith(SUBSCRIBER)) return takeDelivery(at, incoming.url === HANGING, chunks, outgoing);
    return takeSend(at, incoming, Buffer.concat(chunks).toString(), outgoing);
  });
}).listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
server.keepAliveTimeout = 60_000;

function takeDelivery(at: number, isHanging: boolean, chunks: Buffer[], outgoing: ServerResponse): void {
  if (isHanging && asked.hangs) return;
  if (asked.unavailable) return void outgoing.writeHead(503).end();
  report.deliveries += 1;
  if (!isHanging) report.healthy += 1;
  report.firstDeliveryAt ||= at;
  report.lastDeliveryAt = at;
  outgoing.end();
  if (!asked.timesDeliveries) return;
  const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { message: { from: string } } };
  report.times[data.message.from.replace("+", "")] = at;
}

function takeSend(at: number, incoming: IncomingMessage, text: string, outgoing: ServerResponse): void {
  if (incoming.method !== "POST") return void outgoing.writeHead(500).end();
  const { to, biz_opaque_callback_data: opaque } = JSON.parse(text) as { to: string; biz_opaque_callback_data: string };
  const number = incoming.url?.split("/")[2] ?? "";
  report.sends += 1;
  report.lastSendAt = at;
  if (seen.has(opaque)) report.doubled += 1;
  seen.add(opaque);
  if (asked.timed.includes(number)) report.times[to.replace("+", "")] = at;
  wamid += 1;
  const id = `wamid.${wamid}`;
  setTimeout(
    () => {
      if (asked.refused?.includes(number)) return refuse(outgoing);
      outgoing.setHeader("content-type", "application/json");
      outgoing.end(
        JSON.stringify({
          messaging_product: "whatsapp",
          contacts: [{ input: to, wa_id: to.replace("+", "") }],
          messages: [{ id, message_status: "accepted" }],
        }),
      );
      if (asked.keeps) kept.push({ number, id, to: to.replace("+", ""), opaque });
      if (asked.callbackUrls.length > 0) reportAll(number, id, to, opaque);
    },
    asked.slow?.includes(number) ? SLOW_ANSWER_MS : ANSWER_MS,
  );
}

function reportAll(number: string, id: string, to: string, opaque: string): void {
  for (const [index, status] of ["sent", "delivered"].entries()) {
    const tell = (): void => callBack(number, id, status, to, opaque);
    if (asked.reportsAfterMs === undefined) tell();
    else setTimeout(tell, (index + 1) * asked.reportsAfterMs);
  }
}

function refuse(outgoing: ServerResponse): void {
  outgoing.writeHead(400, { "content-type": "application/json" });
  const error = {
    message: "(#131026) Message undeliverable",
    type: "OAuthException",
    code: 131026,
    fbtrace_id: "bench",
  };
  outgoing.end(JSON.stringify({ error }));
}

function callBack(number: string, id: string, status: string, to: string, opaque: string): void {
  const body = callbackBody(number, { statuses: [statusOf(id, status, to.replace("+", ""), opaque)] });
  callbacks += 1;
  const { callbackUrls } = asked;
  postCallback(`${callbackUrls[callbacks % callbackUrls.length]}${CALLBACK_PATH}`, body);
}

async function deliverKept({ urls, inCallback, connections }: Deliver): Promise<void> {
  const bodies = callbacksOf(kept, inCallback);
  const done = kept.length;
  kept = [];
  const startedAt = monotonicMs();
  let next = 0;
  const connection = async (): Promise<void> => {
    while (next < bodies.length) {
      const n = next++;
      await new Promise<void>((resolve) => {
        postCallback(`${urls[n % urls.length]}${CALLBACK_PATH}`, bodies[n] as string, resolve);
      });
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const answer: DeliverReport = { done, startedAt, perSecond: (done * 1_000) / (monotonicMs() - startedAt) };
  process.send?.(answer);
}

/** Statuses of one number in each. */
function callbacksOf(sends: readonly Kept[], inCallback: number): string[] {
  const bodies: string[] = [];
  for (const number of new Set(sends.map((send) => send.number))) {
    const statuses = sends
      .filter((send) => send.number === number)
      .map(({ id, to, opaque }) => statusOf(id, "delivered", to, opaque));
    for (let at = 0; at < statuses.length; at += inCallback)
      bodies.push(callbackBody(number, { statuses: statuses.slice(at, at + inCallback) }));
  }
  return bodies;
}

/** Until it is answered 200, as the provider does: a connection that was idle for long may be closed as it is used. */
function postCallback(url: string, body: string, taken: () => void = () => undefined): void {
  const again = (): void => void setTimeout(() => postCallback(url, body, taken), REPEAT_MS);
  const outgoing = request(url, {
    method: "POST",
    agent,
    headers: { ...callbackHeaders(body), "content-length": Buffer.byteLength(body) },
  });
  outgoing.on("response", (answer) => {
    answer.resume();
    if (answer.statusCode !== 200) again();
    else answer.on("end", taken);
  });
  outgoing.on("error", again);
  outgoing.end(body);
}

process.on("message", (question: Question) => {
  if (question.kind === "report") return void process.send?.(report);
  if (question.kind === "deliver") return void deliverKept(question);
  if (question.kind === "hang") {
    asked.hangs = true;
    return void process.send?.({});
  }
  asked = question;
  kept = [];
  seen = new Set();
  report = fresh();
  process.send?.({});
});
