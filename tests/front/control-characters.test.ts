import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../packages/server/src/testing/gateway.ts";
import { examplesOf, idsOf } from "./examples.ts";
import { rowsOf } from "./requests.ts";

// Names and descriptions are shown in pages, terminals and tables: a control character in them is an order to those.
type Schema = { $ref?: string; type?: unknown; properties?: Record<string, Schema> };
type Operation = { requestBody?: { content: Record<string, { schema: Schema }> } };

let gateway: Gateway;
let mine: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());

const CONTROLS = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, index) => 0x7f + index)].map((code) =>
  String.fromCharCode(code),
);

/** The ends of their ranges, and those that terminals and pages mind most. */
const EDGES = new Set(["\0", "\n", "\u001b", "\u001f", "\u007f", "\u0080", "\u0085", "\u009f"]);

/**
 * Texts with this character. What a field refuses is one rule of its schema, for all characters and places: the first field of its name
 * tries each character in each place, others that a rule is there and has both ranges.
 */
const textsWith = (control: string, isFirst: boolean): string[] => {
  if (isFirst) return [control, `a${control}b`, `${control}a`, `a${control}`];
  return EDGES.has(control) ? [`a${control}b`] : [];
};

/** Every name and description that a body of ours takes, by the document: a new one is tested by being there. */
async function fields(): Promise<{ method: string; path: string; field: string }[]> {
  const document = await (await fetch(`${gateway.url}/openapi.json`)).json();
  const { paths, components } = document as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  };
  const resolved = (schema: Schema | undefined): Schema =>
    schema?.$ref === undefined ? (schema ?? {}) : (components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  // A business profile has lines of text for people, in the provider's app: the provider says what may be in it.
  const ours = Object.entries(paths).filter(([path]) => !path.endsWith("/profile"));
  return ours.flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      Object.keys(resolved(requestBody?.content["application/json"]?.schema).properties ?? {})
        .filter((field) => ["name", "description", "title"].includes(field))
        .map((field) => ({ method: method.toUpperCase(), path, field })),
    ),
  );
}

const PREFIXES = [
  ["/v1/phone-numbers/", "num"],
  ["/v1/webhook-endpoints/", "whe"],
  ["/v1/contacts/", "con"],
  ["/v1/segments/", "seg"],
] as const;

describe("control characters in names and descriptions", () => {
  it("are 400 with their pointer in every such field, and nothing is written", async () => {
    const ids = await idsOf(mine, gateway);
    const before = await rowsOf(gateway);
    const found = await fields();
    expect(found.map(({ method, path, field }) => `${method} ${path} ${field}`)).toEqual(
      expect.arrayContaining([
        "POST /v1/api-keys name",
        "POST /v1/webhook-endpoints description",
        "PATCH /v1/webhook-endpoints/{id} description",
        "PATCH /v1/phone-numbers/{id} description",
        "POST /admin/v1/workspaces name",
        "PATCH /admin/v1/workspaces/{id} name",
        "POST /admin/v1/workspaces/{id}/api-keys name",
      ]),
    );
    for (const [index, { method, path, field }] of found.entries()) {
      const first = found.findIndex((one) => one.field === field) === index;
      const { body } = (await examplesOf(gateway.features.routes)[`${method} ${path}`]?.(mine, ids)) ?? {};
      const prefix = PREFIXES.find(([collection]) => path.startsWith(collection))?.[1] ?? "ws";
      // People read it in the app, which shows its lines.
      const isOfLines = path.endsWith("/profile");
      const call = path.startsWith("/admin/") ? gateway.operator : mine.call;
      for (const control of CONTROLS.filter((one) => !(isOfLines && one === "\n"))) {
        for (const text of textsWith(control, first)) {
          const reply = await call(method as "POST", path.replace("{id}", ids[prefix] ?? ""), {
            body: { ...(body as object | undefined), [field]: text },
          });
          const [error] = reply.body.errors ?? [];
          expect([path, JSON.stringify(text), reply.status, reply.body.code, error?.pointer, error?.code]).toEqual([
            path,
            JSON.stringify(text),
            400,
            "invalid_request",
            `/${field}`,
            "invalid_text",
          ]);
          expect(error.detail).toMatch(control === "\0" ? "NUL" : "no control characters");
        }
      }
    }
    const after = await rowsOf(gateway);
    for (const table of ["workspace", "api_key", "webhook_endpoint", "idempotency_key"])
      expect([table, after[table]]).toEqual([table, before[table]]);
  });

  it("are no letters, blanks or signs of any script", async () => {
    for (const name of ["Käse & Brot", "ร้านค้า", "店", "a b", "👩‍👧 shop", "‏שלום"]) {
      const made = await gateway.operator("POST", "/admin/v1/workspaces", { body: { name } });
      expect([name, made.status, made.body.name]).toEqual([name, 201, name]);
      const description = ` ${name} `;
      const reply = await mine.call("PATCH", `/v1/phone-numbers/${mine.phoneNumberId}`, { body: { description } });
      expect([reply.status, reply.body.description]).toEqual([200, description]);
    }
    for (const name of ["", " ", "  "])
      expect((await gateway.operator("POST", "/admin/v1/workspaces", { body: { name } })).status).toBe(400);
  });
});
