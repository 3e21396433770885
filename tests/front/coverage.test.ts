import { Waypost, WaypostOperator } from "@waypost/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { derivedCodesOf, errorCodesOf } from "../../packages/server/src/http/openapi/refusals.ts";
import { PROBLEMS, type ProblemCode } from "../../packages/server/src/http/problem.ts";
import type { AnyRoute } from "../../packages/server/src/http/route.ts";
import { NIL_WORKSPACE } from "../../packages/server/src/lib/ids.ts";
import type { Call, Method, Reply } from "../../packages/server/src/testing/call.ts";
import { type Gateway, type Sender, startGateway } from "../../packages/server/src/testing/gateway.ts";
import {
  EXAMPLES,
  type Example,
  examplesOf,
  type Ids,
  idsOf,
  prefixOf,
  typeOfText,
  unknownId,
  wordOf,
} from "./examples.ts";

// Forgetting is a failing test: every route of the real table is walked, with two workspaces.

/** Operations without an SDK method, each with its reason. This list may only shrink. */
const WITHOUT_SDK: Record<string, string> = {};

/**
 * The second part of an audit action, with the verbs that function and summary may have for it. Actions are stored and filtered
 * by clients, so a word that is not the function's stays; a summary is for people.
 */
const VERBS: Record<string, string[]> = {
  ...Object.fromEntries(
    "list get update cancel validate preview connect control disconnect rotate replay retry resume stream sync export"
      .split(" ")
      .map((verb) => [verb, [verb]]),
  ),
  read: ["get"],
  update: ["update", "edit"],
  create: ["create", "send", "submit"],
  rotate_secret: ["rotate"],
  mark_read: ["mark"],
  test: ["test", "send"],
  upsert: ["upsert", "create"],
  merge: ["merge"],
  delete: ["delete", "revoke", "erase"],
  add_tags: ["add"],
  remove_tag: ["remove"],
  list_errors: ["list"],
  read_content: ["read"],
  list_contacts: ["list"],
};

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let ids: Ids;
let foreign: Ids;
let routes: AnyRoute[];
let document: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;

beforeAll(async () => {
  gateway = await startGateway();
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  [ids, foreign] = [await idsOf(mine, gateway), await idsOf(theirs, gateway)];
  const order = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  routes = gateway.features.routes.toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method));
  const answer = await fetch(`${gateway.url}/openapi.json`);
  ({ paths: document } = (await answer.json()) as { paths: typeof document });
});
afterAll(() => gateway.stop());

const nameOf = (row: AnyRoute): string => `${row.method} ${row.path}`;
const documented = (row: AnyRoute) => document[row.path]?.[row.method.toLowerCase()];

/** The path with each parameter filled in by its prefix. */
const pathOf = (
  row: AnyRoute,
  idOf: (prefix: string) => string | undefined,
  params: Record<string, string> = {},
): string =>
  row.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const id = params[name] ?? wordOf(row, name) ?? idOf(prefixOf(row, name));
    if (id === undefined)
      throw new Error(`${nameOf(row)}: examples.ts has no resource with the prefix ${prefixOf(row, name)}`);
    return id;
  });

async function exampleOf(row: AnyRoute): Promise<Example> {
  const example = await examplesOf(routes)[nameOf(row)]?.(mine, ids);
  if (row.body && !example?.body)
    throw new Error(`${nameOf(row)} takes a body, whose schema has no example and examples.ts neither`);
  return example ?? {};
}

const verbFunctionOf = (row: AnyRoute) =>
  row.kind === "rows" ? row.rows.pages : row.kind === "stream" ? row.stream.open : row.verb;

let requests = 0;
/** One call, with an id of its own to find its audit row by. The answer must be one that the route declares. */
async function ask(
  row: AnyRoute,
  call: Call,
  path: string,
  body?: object | string,
): Promise<Reply & { requestId: string }> {
  const requestId = `walk-${(requests += 1)}`;
  const file = typeof body === "string" ? { "content-type": typeOfText(body) } : {};
  const headers = { "x-request-id": requestId, ...file };
  const reply = await call(row.method as Method, path, { headers, ...(body ? { body } : {}) });
  const code = reply.status >= 400 ? (reply.body.code as ProblemCode) : null;
  const declared = {
    route: nameOf(row),
    status: reply.status,
    code,
    codeDeclared: code === null || errorCodesOf(row).includes(code),
    statusOfCode: code === null || PROBLEMS[code].status === reply.status,
    statusDeclared: code !== null || [row.status, ...(row.otherStatuses ?? [])].includes(reply.status),
    documented: documented(row)?.responses[String(reply.status)] !== undefined,
    limitTold: !row.path.startsWith("/v1/") || tellsLimit(reply),
    placeTold: !makes(row, reply) || reply.headers["location"]?.startsWith("/") === true,
  };
  expect(declared).toEqual({
    ...declared,
    codeDeclared: true,
    statusOfCode: true,
    statusDeclared: true,
    documented: true,
    limitTold: true,
    placeTold: true,
  });
  expect(reply.headers["x-request-id"]).toBe(requestId);
  return { ...reply, requestId };
}

const tellsLimit = ({ headers }: Reply): boolean =>
  /;r=\d+/.test(headers["ratelimit"] ?? "") && /;q=\d+;w=\d+/.test(headers["ratelimit-policy"] ?? "");
const makes = (row: AnyRoute, { status }: Reply): boolean =>
  status === 201 || (status === 202 && row.kind === "own" && row.each === undefined);

/** What the audit log has of a request. */
async function audited(requestId: string, workspaceUuid: string) {
  await gateway.audited();
  return await gateway.app.db.read(workspaceUuid, (sql) =>
    sql.query<{ action: string; status: number; code: string | null }>(
      "select action, status, code from audit where request_id = $1",
      [requestId],
    ),
  );
}

const workspaceOf = (row: AnyRoute): string => (row.auth === "operator" ? NIL_WORKSPACE : mine.uuid);
const callOf = (row: AnyRoute): Call => (row.auth === "operator" ? gateway.operator : mine.call);
const ofWorkspace = (): AnyRoute[] => routes.filter((row) => row.auth === "workspace");
const withIds = (): AnyRoute[] => routes.filter((row) => row.path.includes("{"));

describe("every route", () => {
  it("is in the document, and every operation of it is in the table", () => {
    const known = routes.map((row) => `${row.method.toLowerCase()} ${row.path}`);
    const raws = gateway.features.rawRoutes.filter((raw) => raw.document !== undefined);
    const others = [...raws, ...["/healthz", "/readyz"].map((path) => ({ method: "GET", path }))];
    const all = [...known, ...others.map((row) => `${row.method.toLowerCase()} ${row.path}`)].toSorted();
    const shown = Object.entries(document).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(shown.filter((operation) => !/ (\/console|\/)$/.test(operation)).toSorted()).toEqual(all);
    expect(routes.length).toBeGreaterThan(30);
  });

  it("has an operation id of its own, `<resource>.<method>`", () => {
    const names = routes.map((row) => `${row.auth} ${documented(row)?.operationId}`);
    expect(names.filter((name) => !/^\w+ [a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(name))).toEqual([]);
    expect(names.length).toBe(new Set(names).size);
  });

  it("names its function, audit action and summary by the same verbs", () => {
    const verbOf = (row: AnyRoute): string => verbFunctionOf(row).name;
    const odd = routes.filter((row) => {
      const { action, summary } = row;
      const verb = verbOf(row);
      const [noun = "", done = ""] = action.split(".");
      const verbs = VERBS[done] ?? [];
      const named = verbs.some((word) => new RegExp(`^${word}[A-Z]`).test(verb));
      const titled = verbs.some((word) => summary.toLowerCase().startsWith(`${word} `));
      return !(/^[a-z]+(_[a-z]+)*$/.test(noun) && named && titled);
    });
    expect(odd.map((row) => [nameOf(row), verbOf(row), row.action, row.summary])).toEqual([]);
  });

  it("declares only errors that do not follow from the row itself", () => {
    const derived = routes.flatMap((row) => {
      const codes = (row.errors ?? []).filter((code) => derivedCodesOf(row).includes(code));
      return codes.map((code) => `${nameOf(row)}: ${code}`);
    });
    expect(derived).toEqual([]);
  });

  it("has a method in the SDK", () => {
    const options = { baseUrl: gateway.url };
    const clients = {
      workspace: new Waypost({ ...options, apiKey: mine.key }) as unknown as Record<string, Record<string, unknown>>,
      operator: new WaypostOperator({ ...options, operatorKey: "x" }) as unknown as Record<
        string,
        Record<string, unknown>
      >,
    };
    const missing = routes.flatMap((row) => {
      const id = documented(row)?.operationId ?? "";
      const [resource = "", method = ""] = id.split(".");
      return typeof clients[row.auth][resource]?.[method] === "function" ? [] : [id];
    });
    expect(missing.toSorted()).toEqual(Object.keys(WITHOUT_SDK).toSorted());
  });

  it("requires a key: 401 without one, audited without a workspace", async () => {
    for (const [index, row] of routes.entries()) {
      if (index % 6 === 0) gateway.clock.advance(60_001); // 20 refusals a minute and address
      const { body } = await exampleOf(row);
      const path = pathOf(row, (prefix) => ids[prefix]);
      const reply = await ask(row, gateway.as(null), path, body);
      expect([nameOf(row), reply.status, reply.body.code]).toEqual([nameOf(row), 401, "unauthorized"]);
      expect(reply.headers["www-authenticate"]).toMatch(/^Bearer/);
      const [entry] = await audited(reply.requestId, NIL_WORKSPACE);
      expect(entry).toEqual({ action: row.action, status: 401, code: "unauthorized" });
      // A key of the other API is invalid here.
      const other = row.auth === "operator" ? mine.call : gateway.operator;
      expect([nameOf(row), (await ask(row, other, path, body)).status]).toEqual([nameOf(row), 401]);
      // A letter that need not be encoded makes no other path of it.
      const encoded = path.replace(/^\/./, (start) => `/%${start.charCodeAt(1).toString(16)}`);
      expect([encoded, (await ask(row, gateway.as(null), encoded, body)).status]).toEqual([encoded, 401]);
    }
    gateway.clock.advance(60_001);
  });

  it("asks for its scope: 403 without, audited in the workspace, and nothing is done", async () => {
    const scoped = ofWorkspace().filter((row) => row.auth === "workspace" && row.scope !== null);
    for (const row of scoped) {
      const scope = row.auth === "workspace" ? row.scope : null;
      const others = ["media:read", "audit:read"].filter((other) => other !== scope);
      const narrow = await mine.call("POST", "/v1/api-keys", { body: { name: "narrow", scopes: others } });
      const { body } = await exampleOf(row);
      const reply = await ask(
        row,
        gateway.as(narrow.body.key),
        pathOf(row, (prefix) => ids[prefix]),
        body,
      );
      expect([nameOf(row), reply.status, reply.body.code]).toEqual([nameOf(row), 403, "forbidden"]);
      expect(reply.body.detail).toContain(scope);
      expect(await audited(reply.requestId, mine.uuid)).toEqual([
        { action: row.action, status: 403, code: "forbidden" },
      ]);
    }
    // Only routes about the caller itself have no scope.
    expect(
      ofWorkspace()
        .filter((row) => !scoped.includes(row))
        .map(nameOf),
    ).toEqual(["GET /v1/workspace"]);
  });

  it("answers another workspace's id exactly like an unknown one, and like another kind of id: 404", async () => {
    for (const row of withIds()) {
      const { body } = await exampleOf(row);
      const shapes = new Set<string>();
      const wrong = (prefix: string) => (ids[prefix] ?? "").replace(prefix, prefix === "msg" ? "con" : "msg");
      const choices = [unknownId, wrong, ...(row.auth === "workspace" ? [(prefix: string) => foreign[prefix]] : [])];
      for (const idOf of choices) {
        const path = pathOf(row, idOf);
        const reply = await ask(row, callOf(row), path, body);
        expect([nameOf(row), path, reply.status, reply.body.code]).toEqual([nameOf(row), path, 404, "not_found"]);
        const { date: _d, "x-request-id": _i, ratelimit: _r, ...headers } = reply.headers;
        shapes.add(JSON.stringify([headers, { ...reply.body, request_id: null }]));
        const log = await audited(reply.requestId, workspaceOf(row));
        expect(log).toEqual([{ action: row.action, status: 404, code: "not_found" }]);
      }
      expect([nameOf(row), shapes.size]).toEqual([nameOf(row), 1]);
    }
  });

  it("refuses unknown query parameters and, with a body, unknown fields: 400", async () => {
    for (const row of routes) {
      const { body, params } = await exampleOf(row);
      const path = pathOf(row, (prefix) => ids[prefix], params);
      const query = await ask(row, callOf(row), `${path}?surely_unknown=1`, body);
      expect([nameOf(row), query.status, query.body.errors?.[0]?.pointer]).toEqual([
        nameOf(row),
        400,
        "?surely_unknown",
      ]);
      if (row.method === "GET" || typeof body === "string") continue;
      const field = await ask(row, callOf(row), path, { ...body, surely_unknown: 1 });
      expect([nameOf(row), field.status, field.body.code]).toEqual([nameOf(row), 400, "invalid_request"]);
    }
  });

  // Last, because it ends the resources that it names.
  it("succeeds with its example, as declared, and leaves an audit row", async () => {
    for (const row of routes) {
      const { body, params } = await exampleOf(row);
      const reply = await ask(
        row,
        callOf(row),
        pathOf(row, (prefix) => ids[prefix], params),
        body,
      );
      expect(reply.status, `${nameOf(row)}: ${reply.text.slice(0, 300)}`).toBeLessThan(300);
      const log = await audited(reply.requestId, workspaceOf(row));
      expect([nameOf(row), log]).toEqual([
        nameOf(row),
        [{ action: row.action, status: expect.any(Number), code: null }],
      ]);
    }
  });
});

it("no example is left of a route that was removed", () => {
  const known = new Set(routes.map(nameOf));
  expect(Object.keys(EXAMPLES).filter((name) => !known.has(name))).toEqual([]);
});
