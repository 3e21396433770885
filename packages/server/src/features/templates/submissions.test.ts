import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { upload } from "../media/testing/uploading.ts";
import { FAULTY, GOOD, HANDLE, type SubmissionCase } from "./testing/submissions.ts";

let gateway: Gateway;
let mine: Sender;
/** At the simulator alone: what is submitted there has not passed our rules. */
let theirs: Sender;
let handle: string;
let made = 0;

beforeAll(async () => {
  gateway = await startGateway({ PROVIDER_APP_ID: "42", API_RATE_LIMIT: "off" });
  gateway.simulator.setDelays({ reviewMs: null });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  const content = Buffer.from("a sample");
  const sample = { name: "sample.png", type: "image/png", bytes: content.length, content: Readable.from([content]) };
  const answer = await gateway.app.provider.uploadSample({ accessToken: mine.account.token, sample });
  if (!answer.ok) throw new Error(answer.error.detail);
  handle = answer.value;
});
afterAll(() => gateway.stop());

const withHandle = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value).replaceAll(`"${HANDLE}"`, JSON.stringify(handle)));

function submissionOf({ what: _what, language, category = "utility", ...definition }: SubmissionCase) {
  made += 1;
  const { name = `case_${made}`, ...more } = definition as Omit<SubmissionCase, "language"> & { name?: string };
  return withHandle({ name, language: { code: language ?? "en_US" }, category, ...more });
}

const validate = (body: object, of: { call: Sender["call"] } = mine) =>
  of.call("POST", "/v1/templates/validate", { body });

/** The same definition without our gateway. */
async function submitDirectly({ language, category, parameter_format, ...more }: ReturnType<typeof submissionOf>) {
  const answer = await fetch(`${gateway.simulator.url}/v26.0/${theirs.account.wabaId}/message_templates`, {
    method: "POST",
    headers: { authorization: `Bearer ${theirs.account.token}`, "content-type": "application/json" },
    body: JSON.stringify({
      ...more,
      language: language.code,
      category: category.toUpperCase(),
      ...(parameter_format === undefined ? {} : { parameter_format: String(parameter_format).toUpperCase() }),
    }),
  });
  return { status: answer.status, body: (await answer.json()) as { error?: { code: number } } };
}

describe("what the provider accepts is submitted", () => {
  it.each(GOOD.map((one) => [one.what, one] as const))("%s", async (_what, one) => {
    const body = submissionOf(one);
    expect((await validate(body)).body).toEqual({ valid: true, problems: [] });
    const answer = await mine.call("POST", "/v1/templates", { body });
    expect([answer.status, answer.body.errors, answer.body.provider]).toEqual([201, undefined, undefined]);
    expect(answer.body).toMatchObject({ name: body.name, status: "pending", category: body.category });
    expect((await submitDirectly(body)).status).toBe(200);
  });
});

describe("what the provider documents as wrong is refused with its place, and by the provider", () => {
  it.each(FAULTY.map((one) => [one.what, one] as const))("%s", async (_what, { pointers, ...one }) => {
    const body = submissionOf(one);
    const answer = await mine.call("POST", "/v1/templates", { body });
    const { valid, problems } = (await validate(body)).body;
    expect([valid, ...problems]).toEqual([false, { ...answer.body, request_id: expect.any(String) }]);
    expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual(pointers);
    for (const { detail } of answer.body.errors) expect(detail).toMatch(/^[A-Z{`].*[.`}]$/);
    expect((await submitDirectly(body)).body.error).toMatchObject({ code: 100, error_user_msg: expect.any(String) });
  });

  it("is told in few words, whatever its size", async () => {
    const names = Array.from({ length: 60 }, (_, n) => `n${n}_${"x".repeat(4_000)}`);
    const text = `Dear ${names.map((one) => `{{${one}}}`).join(" ")}, welcome.`;
    for (const parameter_format of ["positional", "named"] as const) {
      const body = submissionOf({ what: "", parameter_format, components: [{ type: "BODY", text }] });
      const answer = await mine.call("POST", "/v1/templates", { body });
      expect([answer.status, answer.text.length < 16_384]).toEqual([400, true]);
    }
  });

  it("leaves nothing behind, here or at the provider", async () => {
    expect(await mine.rows("select 1 from template_submission")).toEqual([]);
    const { body } = await mine.call("GET", "/v1/templates?limit=100");
    expect(body.data.map((one: { name: string }) => one.name)).not.toContain("Big_Name");
  });
});

describe("validating a template", () => {
  const PLAIN = { type: "BODY", text: "Your order is ready." };
  const newOne = (more: object = {}) => ({ ...submissionOf({ what: "", components: [PLAIN] }), ...more });
  const problemsOf = async (body: object, of: { call: Sender["call"] } = mine) =>
    (await validate(body, of)).body.problems.map((one: { code: string; errors?: { pointer: string }[] }) => [
      one.code,
      ...(one.errors ?? []).map(({ pointer }) => pointer),
    ]);

  it("writes nothing, and leaves its key free", async () => {
    const body = newOne();
    const headers = { "idempotency-key": "dry", "x-request-id": "dry-run" };
    expect((await mine.call("POST", "/v1/templates/validate", { body, headers })).status).toBe(200);
    expect(await mine.rows("select 1 from template where name = $1", [body.name])).toEqual([]);
    await gateway.audited();
    expect(await mine.rows("select action, status from audit where request_id = 'dry-run'")).toEqual([
      { action: "template.validate", status: 200 },
    ]);
    expect((await mine.call("POST", "/v1/templates", { body, headers })).status).toBe(201);
  });

  it("names the template of the account that has the name, until it is deleted", async () => {
    const body = newOne();
    const { id } = (await mine.call("POST", "/v1/templates", { body })).body;
    const { problems } = (await validate(body)).body;
    expect(problems).toMatchObject([{ code: "conflict", resource_id: id, errors: [{ pointer: "/name" }] }]);
    expect(await problemsOf({ ...body, language: { code: "de" } })).toEqual([]);
    expect(await problemsOf(body, theirs)).toEqual([]);
    expect((await mine.call("DELETE", `/v1/templates/${id}`)).status).toBe(204);
    expect((await validate(body)).body.valid).toBe(true);
  });

  it("finds all that speaks against it at once, of this workspace alone", async () => {
    const [account] = (await theirs.call("GET", "/v1/business-accounts")).body.data;
    const { id } = (await upload(gateway, theirs, "theirs", { filename: "a.txt", type: "text/plain" })).body;
    const header = { type: "HEADER", format: "DOCUMENT", example: { header_handle: [id] } };
    const faulty = newOne({ name: "Big", components: [header, PLAIN], business_account_id: account.id });
    const found = [
      ["invalid_request", "/name"],
      ["media_not_found", "/components/0/example/header_handle/0"],
    ];
    expect(await problemsOf(faulty)).toEqual([...found, ["reference_not_found", "/business_account_id"]]);
    expect(await problemsOf(faulty, theirs)).toEqual([found[0]]);
    expect(await problemsOf(newOne(), await gateway.workspace())).toEqual([["sender_unavailable"]]);
  });

  it("needs the scope of a submission", async () => {
    const reader = await gateway.workspace(["templates:read"]);
    expect((await validate(newOne(), reader)).status).toBe(403);
  });
});
