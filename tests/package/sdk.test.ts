import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as sdk from "@waypost/sdk";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startGateway } from "../../packages/server/src/testing/gateway.ts";
import { findChromium } from "../console/chromium.ts";
import { type Elsewhere, elsewhere, ROOT } from "./packed.ts";

// The SDK as it is published, in a folder that knows nothing of this repository.

let there: Elsewhere;
beforeAll(async () => {
  there = await elsewhere();
});
afterAll(() => there?.remove());

const installed = (path: string): string => join(there.folder, "node_modules/@waypost/sdk", path);

type Vector = { valid: boolean; secret: string; now: number; headers: Record<string, string>; body: string };
const [VECTOR] = (
  JSON.parse(readFileSync(join(ROOT, "fixtures/webhooks/deliveries.json"), "utf8")) as { deliveries: Vector[] }
).deliveries;
const EVENT = JSON.parse(Buffer.from(VECTOR?.body ?? "", "base64").toString());

test("the package has code and types of both formats, its page and its licence, and nothing else", async () => {
  const paths = (await there.run("tar", "-tf", there.tarball)).trimEnd().split("\n");
  const others = paths.map((path) => path.replace("package/", "")).filter((path) => !path.endsWith(".d.ts"));
  expect(others.toSorted()).toEqual([
    "LICENSE",
    "README.md",
    "dist/cjs/index.js",
    "dist/cjs/package.json",
    "dist/esm/index.js",
    "package.json",
  ]);
  expect(readFileSync(installed("LICENSE"))).toEqual(readFileSync(join(ROOT, "LICENSE")));
  const { dependencies, sideEffects, scripts } = JSON.parse(readFileSync(installed("package.json"), "utf8"));
  expect({ dependencies, sideEffects, installs: scripts.install ?? scripts.postinstall }).toEqual({
    sideEffects: false,
  });
  // Types of one file, and none that compilers before 5.7 do not know.
  const types = paths
    .filter((path) => path.endsWith(".d.ts"))
    .map((path) => readFileSync(installed(path.replace("package/", "")), "utf8"));
  expect(
    types.filter((text) => /Uint8Array<|\.ts"|from "node:|import\("/.test(text.replaceAll(/\/\*\*.*?\*\//gs, ""))),
  ).toEqual([]);
});

describe.each([
  ["import", "mjs", 'import * as sdk from "@waypost/sdk";'],
  ["require", "cjs", 'const sdk = require("@waypost/sdk");'],
])("by %s", (_way, extension, load) => {
  test("everything is there, a webhook is verified, and what fails is of its class", async () => {
    const program = `${load}
const { verifyWebhook, Waypost, ConnectionError, WebhookVerificationError } = sdk;
const { secret, now, headers, body } = ${JSON.stringify(VECTOR)};
const bytes = Buffer.from(body, "base64");
async function main() {
  const event = await verifyWebhook(bytes, headers, secret, { now });
  const forged = await verifyWebhook(Buffer.concat([bytes, bytes]), headers, secret, { now }).catch((error) => error);
  const client = new Waypost({ apiKey: "wp_live_a", baseUrl: "http://127.0.0.1:1", maxRetries: 0 });
  const lost = await client.messages.send({ to: "+15551230001", type: "text", text: { body: "a" } }).catch((error) => error);
  const errors = [forged instanceof WebhookVerificationError, lost instanceof ConnectionError];
  console.log(JSON.stringify({ names: Object.keys(sdk).filter((name) => name !== "default").sort(), event, errors }));
}
main();
`;
    await there.write({ [`program.${extension}`]: program });
    const said = JSON.parse(await there.run(process.execPath, `program.${extension}`));
    expect(said).toEqual({ names: Object.keys(sdk).toSorted(), event: EVENT, errors: [true, true] });
  });
});

const PROGRAM = `
import { ApiError, type Message, type MessageTemplate, verifyWebhook, Waypost, type WebhookEvent } from "@waypost/sdk";

const waypost = new Waypost({ apiKey: "wp_live_a", baseUrl: "https://waypost.example.com" });
const template: MessageTemplate = { name: "order_ready", language: { code: "en_US" } };

export async function send(to: string): Promise<Message> {
  try {
    return await waypost.messages.send({ to, type: "template", template }, { idempotencyKey: "order-17" });
  } catch (error) {
    if (error instanceof ApiError && error.code === "window_closed") throw new Error(error.requestId ?? "");
    throw error;
  }
}

export async function all(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of waypost.messages.list({ direction: "outbound" })) ids.push(id);
  return ids;
}

export async function take(body: Uint8Array, headers: Record<string, string>): Promise<string | undefined> {
  const event: WebhookEvent = await verifyWebhook(body, headers, "whsec_a");
  if (event.kind === "delivered") return event.data.message?.id;
  return undefined;
}

export const upload = (content: Uint8Array) => waypost.media.create({ content, filename: "hours.txt" });

export const refused = [
  // @ts-expect-error -- there is no such type
  () => waypost.messages.send({ to: "+15551230001", type: "fax" }),
  // @ts-expect-error -- ids are texts
  (message: Message): number => message.id,
  // @ts-expect-error -- there is no such filter
  () => waypost.messages.list({ colour: "red" }),
];
`;

const NODE_TYPES = { types: ["node"], typeRoots: [join(ROOT, "node_modules/@types")] };
const MODERN = "node_modules/@typescript/native/bin/tsc";
/** Knows the old ways of resolving, with a word about each. */
const OLDER = "node_modules/typescript/bin/tsc6";
const OLD = { target: "es2018", module: "commonjs", moduleResolution: "node10", ignoreDeprecations: "6.0" };

test.concurrent.each([
  ["a module of Node", "program.mts", MODERN, { module: "nodenext", lib: ["es2022"], ...NODE_TYPES }],
  ["CommonJS of Node", "program.cts", MODERN, { module: "nodenext", lib: ["es2022"], ...NODE_TYPES }],
  [
    "a bundler for browsers",
    "program.ts",
    MODERN,
    { module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom"], types: [] },
  ],
  ["an old program, as ES2018", "node10.ts", OLDER, { ...OLD, lib: ["es2018", "dom"], types: [] }],
])("the types compile in %s", async (_where, file, compiler, options) => {
  const config = `tsconfig.${file}.json`;
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipDefaultLibCheck: true,
    noEmit: true,
    ...options,
  };
  await there.write({ [file]: PROGRAM, [config]: JSON.stringify({ compilerOptions, files: [file] }) });
  const listed = await there.run(process.execPath, join(ROOT, compiler), "-p", config, "--listFiles");
  const format = file.endsWith(".mts") || file === "program.ts" ? "esm" : "cjs";
  expect(listed).toContain(`@waypost/sdk/dist/${format}/index.d.ts`);
});

test("the file for modules runs in a browser as it is: a call, a refusal, a webhook", async () => {
  const gateway = await startGateway();
  onTestFinished(() => gateway.stop());
  const { key, id } = await gateway.workspace();
  const page = await startPage(readFileSync(installed("dist/esm/index.js"), "utf8"), gateway.url);
  onTestFinished(page.close);
  const { path, env } = await findChromium();
  const browser = await chromium.launch({
    executablePath: path,
    env: { ...(process.env as Record<string, string>), ...env },
    args: ["--no-sandbox"],
  });
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  await tab.goto(page.url);
  // As text, since the test's own compiler would rewrite the import.
  const said = await tab.evaluate(`(async () => {
    const { Waypost, NotFoundError, verifyWebhook } = await import("/sdk.js");
    const client = new Waypost({ apiKey: ${JSON.stringify(key)}, baseUrl: location.origin });
    const { id } = await client.workspace.get();
    const lost = await client.messages.get("msg_00000000000000000000000000").catch((error) => error);
    const { secret, now, headers, body } = ${JSON.stringify(VECTOR)};
    const bytes = Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
    const event = await verifyWebhook(bytes, headers, secret, { now });
    return { id, isLost: lost instanceof NotFoundError, event };
  })()`);
  expect(said).toEqual({ id, isLost: true, event: EVENT });
});

/** A page with the file, and the gateway behind the same origin. */
async function startPage(code: string, gateway: string): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    if (request.url === "/") return response.setHeader("content-type", "text/html").end("<!doctype html>");
    if (request.url === "/sdk.js") return response.setHeader("content-type", "text/javascript").end(code);
    const headers = { authorization: request.headers.authorization ?? "" };
    void fetch(`${gateway}${request.url}`, { headers }).then(async (answer) => {
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      response.end(await answer.text());
    });
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens at a port
  return { url: `http://127.0.0.1:${port}/`, close: () => void server.close() };
}
