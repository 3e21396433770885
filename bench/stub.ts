// The provider at its fastest, and a subscriber beside it: answers each send after 5 ms, then reports `sent` and `delivered`
// when asked to; takes deliveries and counts them.
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CALLBACK_PATH, callbackBody, callbackHeaders, statusOf } from "./callback.ts";
import { monotonicMs } from "./monotonic.ts";
import { SUBSCRIBER } from "./settings.ts";

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
};
type Question = Reset | { kind: "report" };
export type StubReport = {
  sends: number;
  doubled: number;
  deliveries: number;
  /** Monotonic milliseconds of the machine at the last send and at the last delivery. */
  lastSendAt: number;
  lastDeliveryAt: number;
  /** By recipient, of the numbers that are timed. */
  times: Record<string, number>;
};

const agent = new Agent({ keepAlive: true, maxSockets: CALLBACKS_AT_ONCE });
let asked: Reset = { kind: "reset", callbackUrls: [], timed: [] };
let seen = new Set<string>();
let report = fresh();
let wamid = 0;
let callbacks = 0;

function fresh(): StubReport {
  return { sends: 0, doubled: 0, deliveries: 0, lastSendAt: 0, lastDeliveryAt: 0, times: {} };
}

const server = createServer((incoming, outgoing) => {
  const at = monotonicMs();
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", () => {
    if (incoming.url === SUBSCRIBER) return takeDelivery(at, outgoing);
    return takeSend(at, incoming, Buffer.concat(chunks).toString(), outgoing);
  });
}).listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
server.keepAliveTimeout = 60_000;

function takeDelivery(at: number, outgoing: ServerResponse): void {
  report.deliveries += 1;
  report.lastDeliveryAt = at;
  outgoing.end();
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
      if (asked.callbackUrls.length > 0)
        for (const status of ["sent", "delivered"]) callBack(number, id, status, to, opaque);
    },
    asked.slow?.includes(number) ? SLOW_ANSWER_MS : ANSWER_MS,
  );
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

/** Until it is answered 200, as the provider does: a connection that was idle for long may be closed as it is used. */
function postCallback(url: string, body: string): void {
  const again = (): void => void setTimeout(() => postCallback(url, body), REPEAT_MS);
  const outgoing = request(url, {
    method: "POST",
    agent,
    headers: { ...callbackHeaders(body), "content-length": Buffer.byteLength(body) },
  });
  outgoing.on("response", (answer) => {
    answer.resume();
    if (answer.statusCode !== 200) again();
  });
  outgoing.on("error", again);
  outgoing.end(body);
}

process.on("message", (question: Question) => {
  if (question.kind === "report") return void process.send?.(report);
  asked = question;
  seen = new Set();
  report = fresh();
  process.send?.({});
});
