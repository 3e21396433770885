import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { patternFaultOf } from "../../packages/server/src/http/schema-types.ts";
import { type Gateway, OPERATOR_KEY, type Sender, startGateway } from "../../packages/server/src/testing/gateway.ts";
import { wholeDocument } from "../../packages/server/src/testing/whole-document.ts";
import { examplesOf, type Ids, idsOf } from "./examples.ts";
import {
  type ApiDocument,
  bodiesOf,
  curlOf,
  type Media,
  type Operation,
  operationsOf,
  validatorOf,
} from "./operations.ts";

// What the reference's pages offer for copying is sent, as it stands, and gets what the document says.
const run = promisify(execFile);
let gateway: Gateway;
let mine: Sender;
let ids: Ids;
let document: ApiDocument;
let operations: Operation[];
let faults: ReturnType<typeof validatorOf>;
let base: string;
beforeAll(async () => {
  gateway = await startGateway();
  mine = await gateway.sender();
  // The account that the examples connect: the one of the simulator that `npm start` runs.
  gateway.simulator.addAccount({
    waba_id: "9001",
    name: "Demo Shop",
    business_id: "7001",
    token: "EAASIMDEMO",
    phone_numbers: [{ id: "1055", display_phone_number: "+1 555-999-0000", verified_name: "Demo Shop" }],
    templates: [],
  });
  await mine.inbound("+15551230001"); // the recipient of the examples: the window is open
  ids = await idsOf(mine, gateway);
  const from = `${gateway.url}/openapi.json`;
  document = wholeDocument((await (await fetch(from)).json()) as ApiDocument);
  operations = operationsOf(document);
  faults = validatorOf(document);
  base = new URL(document.servers[0]?.url ?? "", from).href.replace(/\/$/, "");
});
afterAll(() => gateway.stop());

type Answer = { status: string; type: string; body: unknown; text: string };

/** The command on the page of an operation, with the file that it names. */
async function commandOf({ operationId }: Operation): Promise<string> {
  const page = await (await fetch(`${gateway.url}/docs/${operationId}.md`)).text();
  const [, command = ""] = /```sh\n(curl .*?)\n```/s.exec(page) ?? [];
  return command.replace("photo.jpg", PICTURE).replace(" \\\n  --output file", "");
}
const PICTURE = fileURLToPath(new URL("../../docs/pictures/phone.png", import.meta.url));

/** Runs a command of the reference with the reader's key. */
async function send(curl: string, operation: Operation): Promise<Answer> {
  const key = operation.security.some((one) => "operatorKey" in one) ? OPERATOR_KEY : mine.key;
  const command = `${curl.replace("YOUR_SECRET_TOKEN", key)} --silent --show-error --write-out '\\n%{http_code} %{content_type}'`;
  // A stream does not end by itself, and curl says by 28 that its time was over.
  const { stdout } = await run(
    "sh",
    ["-c", isStream(operation) ? `${command} --max-time 1 || [ $? -eq 28 ]` : command],
    { env: { ...process.env, WAYPOST_API_KEY: mine.key, WAYPOST_OPERATOR_KEY: OPERATOR_KEY } },
  );
  const end = stdout.lastIndexOf("\n");
  const [, status = "", type = ""] = /^(\d{3}) ?([^;]*)/.exec(stdout.slice(end + 1)) ?? [];
  const text = stdout.slice(0, end);
  return { status, type, text, body: /[/+]json/.test(type) ? JSON.parse(text) : text };
}

const isStream = ({ responses }: Operation): boolean => responses["200"]?.content?.["text/event-stream"] !== undefined;
/** A file has the type that it has; the document says that it is one. */
const typeIn = ({ responses }: Operation, { status, type }: Answer): string =>
  responses[status]?.content?.["application/octet-stream"] === undefined ? type : "application/octet-stream";
const mediaOf = (operation: Operation, answer: Answer): Media | undefined =>
  operation.responses[answer.status]?.content?.[typeIn(operation, answer)];

/** The answer is one that the document has, and its body fits the schema there. */
function expectDocumented(operation: Operation, answer: Answer): void {
  const { name, method, path, responses } = operation;
  const about = [name, answer.status, answer.text.slice(0, 200)];
  const { content } = responses[answer.status] ?? {};
  const type = typeIn(operation, answer);
  const steps = ["paths", path, method.toLowerCase(), "responses", answer.status, "content", type, "schema"];
  const found = {
    status: responses[answer.status] !== undefined,
    type: answer.text === "" ? content === undefined : content?.[type] !== undefined,
    faults: answer.text === "" ? [] : faults(steps, answer.body),
  };
  expect([about, found]).toEqual([about, { status: true, type: true, faults: [] }]);
}

/** What needs the provider's secrets is refused without them. */
const NEEDS_SECRETS: Record<string, string> = { "GET /webhooks/receive": "403", "POST /webhooks/receive": "401" };
/** The body names a resource, which must be the reader's own too. */
const NAMES_ANOTHER = new Set(["POST /v1/contacts/{id}/merge", "POST /v1/conversations/{contact_id}/control"]);
const inOrder = (): Operation[] =>
  operations.toSorted((one, other) => Number(one.method === "DELETE") - Number(other.method === "DELETE"));

describe("each command of the reference", () => {
  it("sent as it stands, is answered as the document says; those that name no resource succeed, with the fields of the example", async () => {
    for (const operation of operations) {
      for (const [index, [named, body]] of bodiesOf(operation).entries()) {
        const command = index === 0 ? await commandOf(operation) : curlOf(operation, base, body);
        const answer = await send(command, operation);
        expectDocumented(operation, answer);
        const expected = operation.path.includes("{") ? "404" : (NEEDS_SECRETS[operation.name] ?? /^2/);
        expect([operation.name, named, answer.status]).toEqual([
          operation.name,
          named,
          expect.stringMatching(expected),
        ]);
        if (!answer.status.startsWith("2")) continue;
        const media = mediaOf(operation, answer);
        expectSameFields(operation, answer, media?.examples?.[named]?.value ?? media?.example);
      }
    }
    expect(operations.length).toBeGreaterThan(35);
  });

  it("succeeds with ids of the reader's own, with the fields of the example", async () => {
    for (const operation of inOrder().filter(({ path }) => path.includes("{"))) {
      const { params, body: given } = (await examplesOf(gateway.features.routes)[operation.name]?.(mine, ids)) ?? {};
      const [id] = Object.values(params ?? {});
      const own = id === undefined ? ids : { ...ids, [id.split("_")[0] ?? ""]: id };
      const [[, documented] = ["", null]] = bodiesOf(operation);
      const body = NAMES_ANOTHER.has(operation.name) ? given : documented;
      const answer = await send(curlOf(operation, base, body, own), operation);
      expectDocumented(operation, answer);
      expect([operation.name, answer.status]).toEqual([operation.name, expect.stringMatching(/^2/)]);
      const media = mediaOf(operation, answer);
      expectSameFields(operation, answer, media?.example ?? Object.values(media?.examples ?? {})[0]?.value);
    }
  });

  it("takes each optional parameter that has an example", async () => {
    let tried = 0;
    for (const operation of operations) {
      for (const { name, in: place, required, example } of operation.parameters ?? []) {
        if (required || place !== "query" || example === undefined) continue;
        const curl = curlOf(operation, base, null, ids).replace(
          /^curl '([^']*)'/,
          `curl '$1?${name}=${String(example)}'`,
        );
        const answer = await send(curl, operation);
        expect([operation.name, name, answer.status]).toEqual([operation.name, name, "200"]);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(4);
  });
});

/** An example that the gateway could not have given would have other fields. Lists are compared by a row of the same type. */
function expectSameFields(operation: Operation, { body, text, status }: Answer, example: unknown): void {
  if (text === "") return;
  const about = `${operation.name} ${status}`;
  const type = rowsOf(example)[0]?.type;
  expect([about, typeof body, fieldsOf(body, type)]).toEqual([about, typeof example, fieldsOf(example, type)]);
}

/** Of a list; the `data` of an event is an object. */
function rowsOf(value: unknown): { type?: string }[] {
  const { data } = value as { data?: unknown };
  return Array.isArray(data) ? data : [];
}

function fieldsOf(value: unknown, type: string | undefined): string[] {
  if (typeof value !== "object" || value === null) return [];
  const row = rowsOf(value).find((one) => one.type === type) ?? {};
  return [...Object.keys(value), ...Object.keys(row).map((field) => `data.${field}`)].toSorted();
}

describe("each example of the document", () => {
  it("fits the schema that it stands at", () => {
    let tried = 0;
    const check = (steps: string[], media: Media): void => {
      const values = media.examples
        ? Object.values(media.examples).map(({ $ref, value }) =>
            $ref === undefined ? value : document.components.examples[$ref.split("/").at(-1) ?? ""]?.value,
          )
        : [media.example];
      for (const value of values) {
        expect([steps, value !== undefined, faults([...steps, "schema"], value)]).toEqual([steps, true, []]);
        tried += 1;
      }
    };
    for (const { path, method, requestBody, responses, parameters } of operations) {
      const root = ["paths", path, method.toLowerCase()];
      for (const [type, media] of Object.entries(requestBody?.content ?? {}))
        check([...root, "requestBody", "content", type], media);
      for (const [status, { content }] of Object.entries(responses))
        for (const [type, media] of Object.entries(content ?? {}))
          check([...root, "responses", status, "content", type], media);
      for (const [index, { example, required }] of (parameters ?? []).entries()) {
        const steps = [...root, "parameters", String(index), "schema"];
        const found = example === undefined ? [] : faults(steps, example);
        expect([steps, found, required && example === undefined]).toEqual([steps, [], false]);
      }
    }
    expect(tried).toBeGreaterThan(300);
  });

  it("of a refusal has the status and the text of its code", () => {
    for (const { responses } of operations) {
      for (const [status, { content }] of Object.entries(responses)) {
        for (const code of Object.keys(content?.["application/problem+json"]?.examples ?? {})) {
          const value = document.components.examples[code]?.value as { code: string; status: number };
          expect([code, value.code, String(value.status)]).toEqual([code, code, status]);
        }
      }
    }
  });
});

it("each pattern of what is sent has a sentence, so that no refusal quotes a regular expression", () => {
  const sent = operations.filter(({ path }) => /^\/(?:v1|admin)\//.test(path));
  const unexplained = new Set<string>();
  const seen = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { pattern, $ref } = value as { pattern?: unknown; $ref?: string };
    if (typeof pattern === "string" && patternFaultOf(pattern) === undefined) unexplained.add(pattern);
    for (const inner of Object.values(value)) look(inner);
    const name = $ref?.split("/").at(-1);
    if (name === undefined || seen.has(name)) return;
    seen.add(name);
    look(document.components.schemas[name]);
  };
  for (const { parameters, requestBody } of sent) look([parameters, requestBody]);
  expect([...unexplained]).toEqual([]);
  expect(seen.size).toBeGreaterThan(50);
});

it("a body of `Send a message` is of one type, distinguished by `type`, and its faults are reported at their place", async () => {
  const { oneOf, discriminator } = document.components.schemas["SendMessage"] ?? {};
  const names = ["Template", "Text", "Image", "Video", "Audio", "Document", "Sticker", "Location"].concat([
    "Contacts",
    "Interactive",
    "Reaction",
  ]);
  const references = names.map((name) => `#/components/schemas/Send${name}Message`);
  expect(oneOf).toEqual(references.map(($ref) => ({ $ref })));
  expect(discriminator).toEqual({
    propertyName: "type",
    mapping: Object.fromEntries(names.map((name, index) => [name.toLowerCase(), references[index]])),
  });
  const to = "+15551230001";
  const template = { name: "order_ready", language: { code: "en_US" } };
  for (const [body, pointer, code] of [
    [{ to, template }, "/type", "required"],
    [{ to, type: "fax", template }, "/type", "enum"],
    [{ to, type: 1, template }, "/type", "type"],
    [{ to, type: "template" }, "/template", "required"],
    [{ to, type: "template", template, text: { body: "Hi" } }, "/text", "unknown_field"],
    [{ to, type: "text", text: { body: "Hi" }, template }, "/template", "unknown_field"],
    [{ to, type: "template", template: { ...template, foo: 1 } }, "/template/foo", "unknown_field"],
    [
      { to, type: "template", template: { ...template, language: { code: "e" } } },
      "/template/language/code",
      "minLength",
    ],
    [{ to, type: "template", template: { ...template, components: ["x"] } }, "/template/components/0", "type"],
    [{ to, type: "text", text: { body: "" } }, "/text/body", "minLength"],
    [{ to, type: "interactive", interactive: { body: { text: "Hi" } } }, "/interactive/type", "required"],
    [{ to, type: "interactive", interactive: { type: "list" } }, "/interactive/body", "required"],
    [{ to, type: "text", text: { body: "Hi", previewUrl: true } }, "/text/previewUrl", "unknown_field"],
    [{ type: "text", text: { body: "Hi" } }, "/to", "required"],
    [{ to, type: "text", text: { body: "Hi" }, colour: "red" }, "/colour", "unknown_field"],
    [{ to, type: "text", text: { body: "Hi" }, send_at: "soon" }, "/send_at", expect.any(String)],
    [[], "", "type"],
  ] as const) {
    const reply = await mine.call("POST", "/v1/messages", { body: JSON.stringify(body) });
    const [first, ...more] = reply.body.errors;
    expect([body, reply.status, first.pointer, first.code, more]).toEqual([body, 400, pointer, code, []]);
  }
  const unknown = await mine.call("POST", "/v1/messages", { body: { to, type: "fax" } });
  expect(unknown.body.errors[0].detail).toBe(
    "must be one of template, text, image, video, audio, document, sticker, location, contacts, interactive, reaction",
  );
});

it("content that may be of other kinds is a union of the known ones and of objects with any other tag", () => {
  const { anyOf } = document.components.schemas["Interactive"] as { anyOf: Record<string, unknown>[] };
  const references = anyOf.map(({ $ref }) => $ref).slice(0, -1);
  expect(references).toEqual(expect.arrayContaining(["#/components/schemas/InteractiveList"]));
  const names = references.map(
    (reference) =>
      (document.components.schemas[String(reference).split("/").at(-1) ?? ""] as Tagged).properties.type.const,
  );
  expect(anyOf.at(-1)).toMatchObject({
    type: "object",
    required: ["type"],
    properties: { type: { type: "string", not: { enum: names } } },
    additionalProperties: true,
  });
});
type Tagged = { properties: { type: { const: string } } };

it("answers are JSON whatever `Accept` asks for where the document names no other type", async () => {
  const lists = operations.filter(({ responses }) => responses["200"]?.description === "A page of results.");
  for (const operation of lists) {
    const curl = `${curlOf(operation, base, null, ids)} --header 'Accept: text/csv'`;
    const answer = await send(curl, operation);
    const streams = operation.responses["200"]?.content?.["text/csv"] !== undefined;
    const type = streams ? "text/csv" : "application/json";
    expect([operation.name, answer.status, answer.type]).toEqual([operation.name, "200", type]);
    expectDocumented(operation, answer);
  }
  expect(lists.length).toBeGreaterThan(8);
  const { description } = (document as unknown as { info: { description: string } }).info;
  expect(description).toContain("`text/csv`");
  expect(operations.find(({ path }) => path === "/v1/audit/activity")?.description).toContain("`text/csv`");
});
