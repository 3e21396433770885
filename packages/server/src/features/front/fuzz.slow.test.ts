import { request } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";

// Whatever is sent to the front, its answer is in the provider's envelope, and never a fault of ours.

let gateway: Gateway;
let mine: Sender;
beforeAll(async () => {
  gateway = await startGateway({ FRONT_WAIT: "0.2", API_RATE_LIMIT: "off" });
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());

const RUNS = 300;
const SEED = 20_261_128;

type Asked = { method: string; path: string; headers: Record<string, string>; body: Buffer };

/** As written: fetch would tidy the path. */
function ask({ method, path, headers, body }: Asked): Promise<{ status: number; type: string; text: string }> {
  const { hostname, port } = new URL(gateway.url);
  return new Promise((resolve, reject) => {
    const length = body.length === 0 ? {} : { "content-length": String(body.length) };
    const outgoing = request({ hostname, port, method, path, headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          type: answer.headers["content-type"] ?? "",
          text: Buffer.concat(chunks).toString(),
        }),
      );
      answer.on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

const segment = fc.oneof(
  fc.constantFrom("messages", "media", "message_templates", "phone_numbers", "subscribed_apps", "me", "uploads"),
  fc.constantFrom("..", ".", "%2e%2e", "%2f", "%00", "%", "%zz", "{number}", "upload:x", "v1", "0", "-1", "1e9"),
  fc.string({ maxLength: 20 }).map(encodeURIComponent),
  fc.bigInt({ min: 0n, max: 10n ** 40n }).map(String),
  fc.constant("own"),
);
const json = fc.json({ maxDepth: 4 });
const named = fc.dictionary(
  fc.constantFrom(
    "to",
    "type",
    "text",
    "image",
    "template",
    "context",
    "status",
    "message_id",
    "fields",
    "limit",
    "pin",
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
const body = fc.oneof(
  json.map((text) => Buffer.from(text)),
  named.map((value) => Buffer.from(JSON.stringify(value))),
  named.map((value) =>
    Buffer.from(
      new URLSearchParams(
        Object.entries(value).map(([name, one]): [string, string] => [name, JSON.stringify(one)]),
      ).toString(),
    ),
  ),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(Buffer.from('--x\r\ncontent-disposition: form-data; name="to"\r\n\r\n1\r\n--x--\r\n')),
  fc.constant(Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n1\r\n--x')),
  fc.constant(Buffer.alloc(0)),
);
const type = fc.constantFrom(
  "application/json",
  "application/json; charset=utf-16",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "multipart/form-data",
  "text/plain",
  "nonsense",
  "",
);
const asked = fc.record({
  method: fc.constantFrom("GET", "POST", "DELETE", "PUT", "PATCH", "OPTIONS"),
  version: fc.constantFrom("/v23.0", "/v23", "//v99.9", "/%7623.0", "http://any.example/v23.0"),
  segments: fc.array(segment, { maxLength: 4 }),
  slashes: fc.constantFrom("", "/", "//"),
  query: fc.oneof(
    fc.constant(""),
    fc.string({ maxLength: 30 }).map((text) => `?${encodeURI(text).replaceAll("#", "")}`),
  ),
  type,
  body,
});

test("any request", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(asked, async ({ method, version, segments, slashes, query, type: contentType, body: bytes }) => {
      const ids = segments.map((one, index) =>
        one === "own" ? (index === 0 ? mine.account.providerPhoneNumberId : mine.account.wabaId) : one,
      );
      const path = `${version}/${ids.join("/")}${slashes}${query}`.replaceAll(/[^\x21-\x7e]/g, "");
      const headers = {
        authorization: `Bearer ${mine.key}`,
        ...(contentType === "" ? {} : { "content-type": contentType }),
      };
      const answer = await ask({ method, path, headers, body: method === "GET" ? Buffer.alloc(0) : bytes });
      expect([path, answer.status < 500]).toEqual([path, true]);
      if (answer.status < 400) return;
      expect([path, answer.type]).toEqual([path, expect.stringMatching(/^application\/json/)]);
      const { error } = JSON.parse(answer.text);
      expect([path, typeof error.message, typeof error.code, typeof error.fbtrace_id]).toEqual([
        path,
        "string",
        "number",
        "string",
      ]);
    }),
    { numRuns: RUNS, seed: SEED },
  );
});
