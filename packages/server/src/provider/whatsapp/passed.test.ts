import { createHmac } from "node:crypto";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import type { PassedRequest } from "../passed-calls.ts";
import { httpAnswer } from "./testing/hostile.ts";
import { sendingTools } from "./testing/sending.ts";

const { peer, whatsapp } = sendingTools();

const TOKEN = "EAADEMO";
const PROOF = createHmac("sha256", "demo-app-secret").update(TOKEN).digest("hex");
const call: PassedRequest = {
  accessToken: TOKEN,
  providerAccountId: "9001",
  method: "GET",
  segments: ["1055", "message_qrdls"],
  query: {},
  body: null,
  withinMs: 5_000,
};

/** What arrives of a call, and its result. */
async function passTo(answer: (socket: Socket) => void, given: Partial<PassedRequest> = {}) {
  const server = await peer((socket) => answer(socket));
  const result = await whatsapp(server.url).pass({ ...call, ...given });
  return { result, requests: server.requests, request: server.requests[0] ?? "", bytes: server.bytes };
}
const answering = (status: number, body: string, headers?: string) => (socket: Socket) => {
  socket.write(httpAnswer(status, body, headers));
};
const OK = answering(200, '{"success":true}');

describe("a passed call is built here", () => {
  test("version, token and proof are ours; each part of the path and of the query is encoded", async () => {
    const { request, result } = await passTo(OK, {
      method: "DELETE",
      segments: ["1055", "message_qrdls", "A?b=c&d#e %2F é"],
      query: { fields: "code,x", after: "a&access_token=EAAOTHER" },
    });
    const [line = "", ...headers] = request.split("\r\n");
    expect(line).toBe(
      `DELETE /v26.0/1055/message_qrdls/A%3Fb%3Dc%26d%23e%20%252F%20%C3%A9?fields=code%2Cx&after=a%26access_token%3DEAAOTHER&appsecret_proof=${PROOF} HTTP/1.1`,
    );
    expect(headers).toContain(`authorization: Bearer ${TOKEN}`);
    const secrets = [TOKEN, PROOF];
    expect(result).toEqual({ ok: true, answer: { status: 200, body: { success: true } }, secrets });
  });

  test.each(["", ".", "..", "a/b", "a\\b"])(
    "a part %j of a path would lead elsewhere: nothing is sent",
    async (part) => {
      const server = await peer(OK);
      await expect(whatsapp(server.url).pass({ ...call, segments: ["1055", part] })).rejects.toThrow("elsewhere");
      expect(server.connections).toBe(0);
    },
  );

  test("a proof in the query gives way to ours", async () => {
    const { request } = await passTo(OK, { query: { appsecret_proof: "theirs" } });
    expect(request).toContain(`appsecret_proof=${PROOF} `);
    expect(request).not.toContain("theirs");
  });

  test.each(["POST", "DELETE"] as const)("JSON is written again, also with %s", async (method) => {
    const value = { block_users: [{ user: "+15550001111" }], text: "é" };
    const { request } = await passTo(OK, { method, body: { kind: "json", value } });
    const [head = "", body = ""] = request.split("\r\n\r\n");
    expect(head).toContain("content-type: application/json");
    expect(JSON.parse(Buffer.from(body, "latin1").toString("utf8"))).toEqual(value);
  });

  test("a form has our boundary; names and types of its files end no line", async () => {
    const file = { name: 'a".json\r\nx: y', type: "application/json\r\nx: y", bytes: Buffer.from('{"é":1}') };
    const { request } = await passTo(OK, {
      method: "POST",
      body: {
        kind: "form",
        parts: [
          { name: "asset_type", value: "FLOW_JSON" },
          { name: "file", file },
        ],
      },
    });
    const boundary = /multipart\/form-data; boundary=(waypost-[0-9a-f]{36})\r\n/.exec(request)?.[1];
    const body = Buffer.from(request.slice(request.indexOf("\r\n\r\n") + 4), "latin1").toString("utf8");
    expect(body).toBe(
      [
        `--${boundary}`,
        'content-disposition: form-data; name="asset_type"',
        "",
        "FLOW_JSON",
        `--${boundary}`,
        'content-disposition: form-data; name="file"; filename="a%22.json%0D%0Ax: y"',
        "content-type: application/octet-stream",
        "",
        '{"é":1}',
        `--${boundary}--`,
        "",
      ].join("\r\n"),
    );
    expect(request).toContain(`content-length: ${Buffer.byteLength(body)}`);
  });
});

describe("what came of a passed call", () => {
  const REFUSAL = { error: { message: "(#100) No", type: "OAuthException", code: 100, fbtrace_id: "A" } };

  test("a refusal with the provider's own body and status: nothing was done", async () => {
    const { result } = await passTo(answering(404, JSON.stringify(REFUSAL)));
    expect(result).toMatchObject({ ok: false, lost: false, answer: { status: 404, body: REFUSAL } });
  });

  test("an error that only reports a failure: it may have been done", async () => {
    const body = { error: { ...REFUSAL.error, code: 2 } };
    const { result } = await passTo(answering(503, JSON.stringify(body)), { method: "POST" });
    expect(result).toMatchObject({ ok: false, lost: true, answer: { status: 503, body } });
  });

  test("a redirect is not followed", async () => {
    const other = await peer(OK);
    const to = `location: ${other.url}/v26.0/1055\r\ncontent-type: application/json\r\n`;
    const { result, requests } = await passTo(answering(302, "", to));
    expect(result).toMatchObject({ ok: false, lost: true, answer: null });
    expect([requests.length, other.connections]).toEqual([1, 0]);
  });

  test.each([
    ["a page", 200, "<html>EAADEMO</html>"],
    ["a file", 200, "\u0089PNG"],
    ["nothing", 200, ""],
    ["a page of an edge", 502, "<html></html>"],
  ])("%s is not passed on", async (_what, status, body) => {
    const { result } = await passTo(answering(status, body, "content-type: text/html\r\n"));
    expect(result).toMatchObject({ ok: false, lost: true, answer: null });
  });

  test("an answer that is too large, or late, or cut off", async () => {
    const large = answering(200, JSON.stringify({ data: "x".repeat(4_194_304) }));
    expect((await passTo(large)).result).toMatchObject({ ok: false, lost: true, answer: null });
    expect((await passTo(() => {}, { withinMs: 50 })).result).toMatchObject({
      ok: false,
      lost: true,
      answer: null,
      error: { bytesSent: true },
    });
    expect((await passTo((socket) => socket.destroy())).result).toMatchObject({ ok: false, lost: true, answer: null });
  });

  test("no connection, or a token that no header carries: not sent, not lost", async () => {
    const nothing = { ok: false, lost: false, answer: null, error: { bytesSent: false } };
    expect(await whatsapp("http://graph.invalid").pass(call)).toMatchObject(nothing);
    const { result, bytes } = await passTo(OK, { accessToken: "a\r\nb: c" });
    expect([result, bytes]).toMatchObject([nothing, 0]);
  });

  test("a quota that is used up keeps the next call here", async () => {
    const full = { error: { message: "(#80008) Too many", type: "OAuthException", code: 80008 } };
    const server = await peer((socket) => socket.write(httpAnswer(400, JSON.stringify(full))));
    const provider = whatsapp(server.url);
    expect(await provider.pass(call)).toMatchObject({ ok: false, answer: { status: 400, body: full } });
    expect(await provider.pass(call)).toMatchObject({
      ok: false,
      lost: false,
      answer: null,
      error: { code: "rate_limited", bytesSent: false, retryAfterMs: expect.any(Number) },
    });
    expect(server.requests).toHaveLength(1);
  });
});
