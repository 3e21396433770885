// What the simulator is prepared with, and the callbacks that it posts.
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { collectPrices, collectStatuses, happenBesideSends, happenToAccount, TEMPLATE } from "./happenings.mjs";
import { ACCOUNT, NUMBER, PERSON } from "./people.mjs";

export const APP_SECRET = "clients-app-secret";
export const VERIFY_TOKEN = "clients-verify-token";
const TOKEN = "EAASIMDEMO";
export const QUICK = { sentMs: 0, deliveredMs: 0, readMs: 0, playedMs: 0, reviewMs: null };

export const TEMPLATES = [
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
export async function liveCallbacks({ startSimulator, ...kinds }) {
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
  await happenBesideSends(collect, simulator, kinds);
  const sendTo = (to, content = TEMPLATE) => send(simulator, world, to, content);
  await collectStatuses(collect, simulator, sendTo);
  await collectPrices(collect, simulator, sendTo);
  await happenToAccount(collect, simulator, kinds);
  await simulator.close();
  await receiver.close();
  return found;
}

/** Sends a message to a person, and resolves with its id. */
async function send(simulator, { token }, to, content) {
  const body = JSON.stringify({ messaging_product: "whatsapp", to, biz_opaque_callback_data: "o", ...content });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(`${simulator.url}/v26.0/${NUMBER}/messages`, { method: "POST", headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`a send to ${to} was refused: ${text}`);
  return JSON.parse(text).messages[0].id;
}
