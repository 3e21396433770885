// Public client libraries as the receivers of a gateway's endpoints in the provider's format: what the simulator reports reaches each,
// part by part, as it was said.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { FOREIGN, startGateway, until } from "./gateway.mjs";
import { collectStatuses, happenBesideSends, happenToAccount, TEMPLATE } from "./happenings.mjs";
import { isPassedOn } from "./operations.mjs";
import { emptyAround, partsOf } from "./parts.mjs";
import { ACCOUNT, NUMBER, PERSON } from "./people.mjs";
import { VERIFY_TOKEN } from "./world.mjs";

/** An endpoint's own, brought to it: as an app secret that the receiver has already. */
const SECRET = "the-app-secret-that-receivers-know";
const ERASED = "+15550007777";
const ERASURE = "a person who is erased";
const DELIVERED_WITHIN_MS = 60_000;

/** Runs the receivers `{name, command}` at one gateway; resolves to what each has to report, by its name. */
export async function receive(receivers, simulatorModule, serverModule) {
  const gateway = await startGateway(simulatorModule, serverModule);
  const running = [];
  const tap = await startTap(gateway.url);
  try {
    gateway.simulator.setCallbackUrl(tap.url);
    const fields = await fieldsOf(gateway);
    for (const receiver of receivers) running.push(await startReceiver(receiver, gateway.mine, fields));
    await happen(gateway, simulatorModule, tap, running);
    const isDue = (part) => part.account === ACCOUNT && part.name !== ERASURE && fields.includes(part.field);
    const due = tap.parts.filter((part) => isDue(part) && isPassedOn(part));
    const isAll = () => running.every(({ lines }) => due.every(({ key }) => readIn(lines).has(key)));
    // What is late is reported as what never came.
    await until(isAll, "all deliveries", DELIVERED_WITHIN_MS).catch(() => undefined);
    const results = new Map();
    for (const one of running) results.set(one.name, await judge(one, due));
    return results;
  } finally {
    for (const { child } of running) child.kill("SIGTERM");
    await gateway.stop();
    await tap.close();
  }
}

/** All that an endpoint can ask for, as the gateway documents it. */
async function fieldsOf({ url }) {
  const document = await (await fetch(`${url}/openapi.json`)).json();
  return document.components.schemas.NewWebhookEndpoint.properties.fields.items.enum;
}

/** Stands between the simulator and the gateway, and keeps the parts of what passes, each with the name of what happened. */
async function startTap(target) {
  const parts = [];
  const tap = { parts, name: "", texts: [] };
  const server = createServer((request, response) => void handle(request, response));
  const handle = async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const text = body.toString("utf8");
    tap.texts.push(text);
    for (const part of partsOf(JSON.parse(text))) parts.push({ ...part, name: tap.name });
    const { "content-type": type, "x-hub-signature-256": signature } = request.headers;
    const headers = { "content-type": type, "x-hub-signature-256": signature };
    const answer = await fetch(`${target}/webhooks/receive`, { method: "POST", headers, body });
    response.writeHead(answer.status).end();
  };
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  tap.url = `http://127.0.0.1:${server.address().port}/callbacks`;
  tap.close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return tap;
}

/** Starts a receiver, and has the gateway subscribe it, which asks for its handshake. */
async function startReceiver({ name, command: [program, ...args] }, api, fields) {
  const env = { ...process.env, RECEIVER_SECRET: SECRET, VERIFY_TOKEN };
  const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "pipe"] });
  const receiver = { name, child, lines: [], heard: null, complaint: "" };
  let ended = null;
  child.once("exit", (code) => (ended = code));
  child.stderr
    .setEncoding("utf8")
    .on("data", (text) => (receiver.complaint = (receiver.complaint + text).slice(-2_000)));
  let url = null;
  createInterface({ input: child.stdout }).on("line", (line) => {
    const said = JSON.parse(line);
    if (said.listening !== undefined) url = said.listening;
    else if (said.heard !== undefined) receiver.heard = said.heard;
    else receiver.lines.push(said);
  });
  await until(() => {
    if (ended !== null) throw new Error(`the receiver ${name} has ended\n${receiver.complaint}`);
    return url !== null;
  }, `the receiver ${name}`);
  const endpoint = { url, format: "provider", fields, verify_token: VERIFY_TOKEN, secret: SECRET };
  receiver.endpoint = await api("POST", "/v1/webhook-endpoints", endpoint);
  return receiver;
}

async function happen({ simulator, mine }, kinds, tap, receivers) {
  const collect = async (name, run) => {
    tap.name = name;
    const before = tap.parts.length;

    await run();
    await simulator.idle();
    if (tap.parts.length === before) throw new Error(`the simulator posted nothing of ${name}`);
  };
  await collect("two workspaces", () => shareCallback(simulator, tap));
  await collect("unknown parts", () => sayUnknown(simulator));
  await collect(ERASURE, () => erase(simulator, mine, receivers));
  simulator.setSettings({ updatesPerCallback: 1, accountsPerCallback: 1 });
  // Ahead of what changes the person's number, whose window is then another one.
  await collectStatuses(collect, simulator, (to, content = TEMPLATE) => send(mine, to, content));
  await happenBesideSends(collect, simulator, kinds);
  await happenToAccount(collect, simulator, kinds);
}

/** One callback of two workspaces, of which each has a person. */
async function shareCallback(simulator, tap) {
  simulator.setSettings({ callbacksInFlight: 0 });
  simulator.inbound({ phone_number_id: NUMBER, from: PERSON, text: "To the one, with ünïcode 👋" });
  simulator.inbound({ phone_number_id: FOREIGN.number, from: PERSON, text: "To the other" });
  const posted = tap.texts.length;
  simulator.setSettings({ callbacksInFlight: 20 });
  await simulator.idle();
  const accounts = JSON.parse(tap.texts[posted]).entry.map(({ id }) => id);
  if (accounts.length !== 2) throw new Error(`the callback is of ${accounts}`);
}

/** What no version knows yet, at every level. */
async function sayUnknown(simulator) {
  const metadata = { display_phone_number: "15559990000", phone_number_id: NUMBER, added: "metadata" };
  const message = { from: PERSON.slice(1), id: "wamid.UNKNOWN", timestamp: "1790000001", type: "text" };
  const value = {
    messaging_product: "whatsapp",
    metadata,
    contacts: [{ profile: { name: "Ana", added: 1 }, wa_id: PERSON.slice(1), user_id: "US.13490000000000000001" }],
    messages: [{ ...message, text: { body: "Hi", added: [1.5] }, added: { of: ["next", "year"] } }],
    added: { beside: true },
  };
  const changes = [{ field: "messages", value, added: "change" }];
  const entry = [{ id: ACCOUNT, time: 1_790_000_001, changes, added: "entry" }];
  simulator.rawCallback({ body: JSON.stringify({ object: "whatsapp_business_account", entry, added: "envelope" }) });
}

/** A person who is erased while what they wrote waits for its receivers. */
async function erase(simulator, api, receivers) {
  const enable = async (enabled) => {
    for (const { endpoint } of receivers) await api("PATCH", `/v1/webhook-endpoints/${endpoint.id}`, { enabled });
  };
  await enable(false);
  simulator.inbound({ phone_number_id: NUMBER, from: ERASED, text: "Forget me" });
  await simulator.idle();
  const found = async () => (await api("GET", `/v1/contacts?phone=${encodeURIComponent(ERASED)}`)).data[0];
  await until(found, "the person to be erased");
  await api("DELETE", `/v1/contacts/${(await found()).id}`);
  await enable(true);
}

/** Sends through the gateway; resolves with the provider's id. */
async function send(api, to, content) {
  const { id } = await api("POST", "/v1/messages", { to, ...content });
  let message;
  await until(async () => {
    message = await api("GET", `/v1/messages/${id}`);
    return message.provider_message_id !== null;
  }, `the message to ${to} to be sent`);
  return message.provider_message_id;
}

/** The last line of each part that was delivered. */
const readIn = (lines) => new Map(lines.map((line) => [partsOf(JSON.parse(line.delivery))[0].key, line]));

/** What a receiver has to report: of each part that it was due, and of each of its handlers. */
async function judge(receiver, due) {
  const { child, lines } = receiver;
  child.stdin.end();
  await new Promise((resolve) => (child.exitCode === null ? child.once("exit", resolve) : resolve()));
  const counts = new Map();
  const reports = [];
  const report = (operation, outcome, detail) => reports.push({ operation, outcome, detail });
  const found = readIn(lines);
  for (const part of due) {
    const nth = (counts.get(part.name) ?? 0) + 1;
    counts.set(part.name, nth);
    const line = found.get(part.key);
    if (line === undefined) report(`parse gateway: ${part.name} ${nth}`, "failed", `it never came: ${part.key}`);
    else report(`parse gateway: ${part.name} ${nth}`, line.outcome, line.detail);
  }
  report("receive nothing else", ...surplusOf([...found], due));
  for (const [handler, count] of Object.entries(receiver.heard ?? {}))
    report(`hear at the gateway ${handler}`, count > 0 ? "ok" : "failed", "it got no delivery that could be read");
  return reports;
}

/** Deliveries that are due to no receiver, and names in them that are empty. */
function surplusOf(found, due) {
  const known = new Set(due.map(({ key }) => key));
  const wrong = found.flatMap(([key, { delivery }]) => {
    const envelope = JSON.parse(delivery);
    const parts = partsOf(envelope);
    return [
      ...(parts.length === 1 ? [] : [`${parts.length} parts: ${delivery}`]),
      ...(known.has(key) ? [] : [`not due: ${key}`]),
      ...(/^[\0-~]*$/.test(delivery) ? [] : [`not escaped: ${delivery}`]),
      ...(envelope.entry[0].id === FOREIGN.account ? [`foreign: ${delivery}`] : []),
      ...emptyAround(envelope, parts[0]).map((path) => `empty ${path}: ${delivery}`),
    ];
  });
  return wrong.length === 0 ? ["ok"] : ["failed", wrong.slice(0, 10).join("\n  ")];
}
