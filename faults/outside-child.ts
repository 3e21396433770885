// What lies outside the gateway, in a process of its own: the provider, and receivers of webhooks. It keeps a record of all that
// arrives, in order of arrival, and hangs or cuts where it is instructed to. See outside.ts.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { monotonicMs } from "../bench/monotonic.ts";
import type { Delivered, Manners, OutsideQuestion, Sent } from "./outside.ts";
import { randomOf } from "./random.ts";

const sends: Sent[] = [];
const deliveries: Delivered[] = [];
let random = randomOf(0);
let manners: Manners = { answerMs: [5, 5], cutShare: 0, hangingNumbers: [], hangingReceivers: [] };
let hanging = { numbers: new Set<string>(), receivers: new Set<string>() };

const server = createServer((incoming, outgoing) => {
  const at = monotonicMs();
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("error", () => {}); // a killed gateway; what did not arrive whole did not arrive
  incoming.on("end", () => {
    const path = (incoming.url ?? "").split("?")[0]?.split("/").slice(1) ?? [];
    const text = Buffer.concat(chunks).toString();
    if (path[0] === "receiver") takeDelivery(at, path[1] ?? "", incoming, text, outgoing);
    else takeSend(at, path, incoming, text, outgoing);
  });
}).listen(0, "127.0.0.1", () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
server.keepAliveTimeout = 60_000;

type Body = {
  to: string;
  biz_opaque_callback_data: string;
  template: { components: { parameters: { text: string }[] }[] };
};

// `/via/<process>/<version>/<number>/messages`
function takeSend(at: number, path: string[], incoming: IncomingMessage, text: string, outgoing: ServerResponse): void {
  const [, via = "", , number = "", call] = path;
  if (incoming.method !== "POST" || call !== "messages") return void outgoing.writeHead(500).end();
  const body = JSON.parse(text) as Body;
  const id = `wamid.${sends.length}`;
  sends.push({
    mark: body.template.components[0]?.parameters[0]?.text ?? "",
    to: body.to.replace("+", ""),
    number,
    via,
    at,
    id,
    opaque: body.biz_opaque_callback_data,
  });
  if (hanging.numbers.has(number)) return;
  if (random.next() < manners.cutShare) return void incoming.socket.destroy();
  answerLater(outgoing, {
    messaging_product: "whatsapp",
    contacts: [{ input: body.to, wa_id: body.to.replace("+", "") }],
    messages: [{ id, message_status: "accepted" }],
  });
}

type Event = {
  kind: string;
  data: { message?: { reference: string | null; text?: { body: string }; sequence: number } | null };
};
/** Statuses in the provider's format. */
type Report = {
  entry: {
    changes: { value: { statuses?: { id: string; status: string; biz_opaque_callback_data?: string }[] } }[];
  }[];
};

const isReport = (body: Event | Report): body is Report => "entry" in body;

/** What a delivery says, in either format. */
function saidOf(body: Event | Report): Pick<Delivered, "kind" | "mark" | "id"> {
  if (!isReport(body)) {
    const { kind, data } = body;
    return { kind, mark: data.message?.reference ?? data.message?.text?.body ?? "" };
  }
  // One update each.
  const status = body.entry[0]?.changes[0]?.value.statuses?.[0];
  return { kind: status?.status ?? "", mark: status?.biz_opaque_callback_data ?? "", id: status?.id ?? "" };
}

function takeDelivery(
  at: number,
  receiver: string,
  incoming: IncomingMessage,
  text: string,
  outgoing: ServerResponse,
): void {
  deliveries.push({
    receiver,
    ...saidOf(JSON.parse(text) as Event | Report),
    event: String(incoming.headers["webhook-id"]),
    at,
  });
  if (hanging.receivers.has(receiver)) return;
  answerLater(outgoing, {});
}

function answerLater(outgoing: ServerResponse, answer: object): void {
  const text = JSON.stringify(answer);
  setTimeout(
    () => {
      outgoing.setHeader("content-type", "application/json");
      outgoing.end(text);
    },
    random.between(...manners.answerMs),
  );
}

function answerTo(question: OutsideQuestion): object {
  switch (question.kind) {
    case "manners":
      manners = question.manners;
      hanging = { numbers: new Set(manners.hangingNumbers), receivers: new Set(manners.hangingReceivers) };
      return {};
    case "seed":
      random = randomOf(question.seed);
      return {};
    case "sends":
      return sends.slice(question.from);
    case "deliveries":
      return deliveries.slice(question.from);
    case "counts":
      return { sends: sends.length, deliveries: deliveries.length };
  }
}

process.on("message", (question: OutsideQuestion) => process.send?.(answerTo(question)));
process.on("disconnect", () => process.exit());
