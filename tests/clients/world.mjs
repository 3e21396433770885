// What the simulator is prepared with, and the callbacks that it posts.
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

export const APP_SECRET = "clients-app-secret";
export const VERIFY_TOKEN = "clients-verify-token";
const TOKEN = "EAASIMDEMO";
const NUMBER = "1055";
const ACCOUNT = "9001";
const PERSON = "+15550001111";
const QUICK = { sentMs: 0, deliveredMs: 0, readMs: 0, playedMs: 0, reviewMs: null };

const TEMPLATES = [
  {
    name: "client_photo",
    category: "UTILITY",
    components: [
      { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::sample"] } },
      { type: "BODY", text: "Hi {{1}}, your order is on its way.", example: { body_text: [["Ana"]] } },
      {
        type: "BUTTONS",
        buttons: [
          { type: "URL", text: "Track", url: "https://shop.example/t/{{1}}", example: ["A17"] },
          { type: "QUICK_REPLY", text: "Not mine" },
        ],
      },
    ],
  },
  {
    name: "client_code",
    category: "AUTHENTICATION",
    components: [
      { type: "BODY", add_security_recommendation: true },
      { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copy code" }] },
    ],
  },
];

/** A simulator for one client: templates of every form, an open window and a message to answer. */
export async function startWorld(startSimulator, callbackUrl) {
  const simulator = await startSimulator({
    appSecret: APP_SECRET,
    verifyToken: VERIFY_TOKEN,
    callbackUrl,
    delays: QUICK,
    // Dozens of messages to one person within seconds are no fault of a client.
    settings: { pairLimit: false, updatesPerCallback: 1, accountsPerCallback: 1 },
  });
  for (const one of TEMPLATES) simulator.addTemplate({ waba_id: ACCOUNT, language: "en_US", ...one });
  const { id } = simulator.inbound({ phone_number_id: NUMBER, from: PERSON, text: "Hi" });
  const world = { token: TOKEN, number: NUMBER, account: ACCOUNT, business: "7001", person: PERSON, inbound: id };
  return { simulator, world };
}

/** A receiver that keeps each POST, and answers the handshake. */
export async function startReceiver() {
  const posts = [];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url, "http://localhost");
    const challenge = searchParams.get("hub.challenge");
    if (challenge !== null) {
      const isOurs = searchParams.get("hub.verify_token") === VERIFY_TOKEN;
      response.writeHead(isOurs ? 200 : 403).end(isOurs ? challenge : "");
      return;
    }
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      posts.push({
        body: Buffer.concat(chunks).toString("utf8"),
        signature: request.headers["x-hub-signature-256"],
      });
      response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}/callbacks`;
  return { url, posts, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** The documented callbacks of `fixtures/provider`, signed: `{name, body, signature}`. */
export function fixtureCallbacks(folder) {
  const files = readdirSync(folder).filter((file) => file.startsWith("callback-"));
  return files.map((file) => {
    const { raw, payload } = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const body = raw ?? JSON.stringify(payload).replace(/[/\u0080-\uffff]/g, escaped);
    const signature = `sha256=${createHmac("sha256", APP_SECRET).update(body).digest("hex")}`;
    return { name: file.replace(/^callback-|\.json$/g, ""), body, signature };
  });
}

/** As the provider writes its callbacks, and signs them: clients count on it. */
function escaped(char) {
  return char === "/" ? "\\/" : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** What the simulator posts of everything that it can report, as it came in; `live: ` before each name. */
export async function liveCallbacks({ startSimulator, INBOUND_SAMPLES, ACCOUNT_EVENTS, ACCOUNT_FIELDS }) {
  const receiver = await startReceiver();
  const { simulator, world } = await startWorld(startSimulator, receiver.url);
  const found = [];
  const collect = async (name, run) => {
    receiver.posts.length = 0;
    await run();
    await simulator.idle();
    if (receiver.posts.length === 0) throw new Error(`the simulator posted nothing of ${name}`);
    found.push(...receiver.posts.map((post, index) => ({ name: `live: ${name} ${index + 1}`, ...post })));
  };
  await simulator.idle();
  const number = { phone_number_id: NUMBER };
  for (const sample of INBOUND_SAMPLES) {
    await collect(sample, () => simulator.inbound({ ...number, from: PERSON, sample }));
  }
  await collect("hidden number", () => simulator.inbound({ ...number, from: PERSON, text: "x", number_hidden: true }));
  await collectStatuses(collect, simulator, world);
  await collect("call", () => simulator.call({ ...number, person: PERSON }));
  await collect("echo", () => simulator.echo({ ...number, to: PERSON, text: { body: "From the phone" } }));
  await collect("history", () => simulator.history({ ...number, threads: [{ person: PERSON }] }));
  await collect("app state", () => simulator.appState({ ...number, contacts: [{ person: PERSON, full_name: "Ana" }] }));
  await collect("errors", () => simulator.errors(number));
  await collect("marketing", () => simulator.setMarketing({ ...number, person: PERSON, value: "stop" }));
  await collect("number change", () => simulator.changeNumber({ ...number, person: PERSON, to: "+15550003333" }));
  for (const event of Object.keys(ACCOUNT_EVENTS)) {
    await collect(event, () => simulator.accountEvent({ waba_id: ACCOUNT, event }));
  }
  for (const field of Object.keys(ACCOUNT_FIELDS)) {
    await collect(field, () => simulator.accountEvent({ waba_id: ACCOUNT, field }));
  }
  await collectTemplateNews(collect, simulator);
  await simulator.close();
  await receiver.close();
  return found;
}

async function collectStatuses(collect, simulator, { token }) {
  const send = async (to) => {
    const template = { name: "order_ready", language: { code: "en_US" } };
    const response = await fetch(`${simulator.url}/v26.0/${NUMBER}/messages`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({
        messaging_product: "whatsapp",
        to,
        type: "template",
        template,
        biz_opaque_callback_data: "o",
      }),
    });
    if (!response.ok) throw new Error(`a send to ${to} was refused: ${await response.text()}`);
  };
  const recipients = { statuses: PERSON, failed: "+12025550101", "failed late": "+12025550137" };
  for (const [name, to] of Object.entries(recipients)) await collect(`status ${name}`, () => send(to));
  await collect("status played", () => send("+12025550138"));
  await collect("status deleted", () => send("+12025550139"));
  await collect("status warning", () => send("+12025550140"));
}

async function collectTemplateNews(collect, simulator) {
  const id = "1689556908129832";
  await collect("template quality", () => simulator.changeQuality(id, { score: "YELLOW" }));
  await collect("template category", () => simulator.changeCategory(id, { category: "MARKETING" }));
  await collect("template components", () => simulator.changeComponents(id));
  for (const status of ["PAUSED", "REJECTED", "APPROVED", "DISABLED"]) {
    await collect(`template ${status}`, () => simulator.decideTemplate(id, { status }));
  }
}
