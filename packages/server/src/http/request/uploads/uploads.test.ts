import { createConnection, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Type } from "typebox";
import { afterEach, beforeAll, expect, test } from "vitest";
import { newUuid } from "../../../lib/ids.ts";
import { Problem } from "../../problem.ts";
import { route } from "../../route.ts";
import { testApp, useServer, WORKSPACE } from "../../testing/server.ts";

const WORKSPACES: Record<string, string> = { mine: WORKSPACE, theirs: newUuid(7), third: newUuid(8) };
/** What the store waits for before it reads on. */
let hold: Promise<void> | null = null;

const server = useServer("mine", ({ log }) => ({
  app: testApp({ now: () => performance.now(), env: { API_RATE_LIMIT: "off" }, log }),
  routes: [
    route({
      kind: "write",
      auth: "workspace",
      scope: null,
      tag: "Workspace",
      method: "POST",
      path: "/v1/files",
      summary: "Keep",
      description: "For tests.",
      action: "file.keep",
      upload: {
        types: { "text/csv": "a\n" },
        fields: {},
        maxBytes: 10_000_000,
        async receive(_ctx, _asked, file) {
          let bytes = 0;
          for await (const piece of file.bytes) {
            bytes += piece.length;
            await hold;
          }
          throw new Problem("conflict", `${bytes} bytes are here.`); // there is no database to keep them
        },
      },
      status: 202,
      response: Type.Null(),
      verb: () => Promise.reject(new Error("not in this test")),
    }),
  ],
  authenticate: (bearer) =>
    Promise.resolve({
      workspaceId: WORKSPACES[bearer] ?? WORKSPACE,
      actor: { type: "api_key", id: newUuid(9), name: "k", scopes: ["*"], phoneNumberIds: null },
    }),
  uploadLimits: { places: 3, placesOfOne: 2, slowest: { bytes: 1_000, withinMs: 400 } },
}));

let port: number;
beforeAll(async () => {
  ({ port } = await server.http.listen());
});
const open: Client[] = [];
afterEach(() => {
  hold = null;
  for (const { socket, drips } of open.splice(0)) {
    clearInterval(drips);
    socket.destroy();
  }
});

type Client = { socket: Socket; text: string; drips?: NodeJS.Timeout };
function upload(key: string, length: number | "chunked", first: string, ...more: string[]): Client {
  const client: Client = { socket: createConnection(port, "127.0.0.1"), text: "" };
  client.socket.on("data", (bytes) => (client.text += bytes.toString()));
  client.socket.on("error", () => undefined);
  const headers = [
    "POST /v1/files HTTP/1.1",
    "Host: a",
    `Authorization: Bearer ${key}`,
    length === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${length}`,
    ...more,
  ];
  client.socket.write(`${headers.join("\r\n")}\r\n\r\n${first}`);
  open.push(client);
  return client;
}
const csv = (key: string, length: number, first: string) => upload(key, length, first, "Content-Type: text/csv");
/** Keeps a connection busy, at some bytes a second. */
const drip = (client: Client): void => void (client.drips = setInterval(() => client.socket.write("x"), 50));
const expectAnswer = async (client: Client, text: RegExp): Promise<void> =>
  await expect.poll(() => client.text).toMatch(text);
const FORM = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n';

test("a file that drips, or does not come at all, is 408, as a body and in a form", async () => {
  const dripping = csv("mine", 1_000_000, "a");
  const form = upload("theirs", 1_000_000, `${FORM}a`, "Content-Type: multipart/form-data; boundary=b");
  const silent = csv("mine", 1_000_000, "");
  drip(dripping);
  drip(form);
  for (const client of [dripping, form, silent]) {
    await expect.poll(() => client.socket.destroyed).toBe(true);
    expect(client.text).toMatch(/^HTTP\/1\.1 408 [^]*"detail":"The file arrives too slowly: 1000 bytes must come/);
  }
  // Their places are free.
  await expectAnswer(csv("mine", 3, "abc"), /^HTTP\/1\.1 409 [^]*3 bytes are here/);
});

test("a form without a length has an end, whatever is around its file", async () => {
  const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
  const whole = `${FORM}abc\r\n--b--\r\n`;
  const type = "Content-Type: multipart/form-data; boundary=b";
  await expectAnswer(upload("mine", "chunked", `${chunk(whole)}0\r\n\r\n`, type), /3 bytes are here/);
  const padding = chunk("x".repeat(1_000_000)).repeat(11);
  await expectAnswer(
    upload("mine", "chunked", `${padding}${chunk("x".repeat(100_000))}`, type),
    /^HTTP\/1\.1 413 [^]*"pointer":"\/file"/,
  );
});

test("a file is not too slow while the gateway itself is", async () => {
  hold = pause(700);
  await expectAnswer(csv("mine", 5_000_000, "x".repeat(5_000_000)), /5000000 bytes are here/);
  hold = pause(700);
  const form = `${FORM}${"x".repeat(3_000_000)}\r\n--b--\r\n`;
  const client = upload("mine", form.length, form, "Content-Type: multipart/form-data; boundary=b");
  await expectAnswer(client, /3000000 bytes are here/);
});

test("a workspace has so many at once, the process too, and a place is free when one ends", async () => {
  const first = csv("mine", 3, "ab");
  csv("mine", 3, "ab");
  await expectAnswer(csv("mine", 3, "ab"), /^HTTP\/1\.1 429 [^]*retry-after: 5\r\n[^]*"code":"rate_limited"/i);
  csv("theirs", 3, "ab");
  await expectAnswer(csv("third", 3, "ab"), /^HTTP\/1\.1 503 [^]*retry-after: 5\r\n[^]*"code":"unavailable"/i);
  first.socket.write("c");
  await expectAnswer(first, /3 bytes are here/);
  await expectAnswer(csv("third", 3, "abc"), /3 bytes are here/);
});
