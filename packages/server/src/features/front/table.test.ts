import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sql } from "../../db/database.ts";
import type { Call } from "../../http/call.ts";
import { newUuid } from "../../lib/ids.ts";
import type { Reply } from "../../testing/call.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { digitsOfUuid } from "../media/digits.ts";
import { expectGraphError, textTo, VERSION } from "./testing/front.ts";

// Every call of the front, as the table has it.

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let calls: readonly Call[];
let foreign: Record<string, string>;
let unknown: Record<string, string>;

beforeAll(async () => {
  gateway = await startGateway({ FRONT_WAIT: "10" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  calls = gateway.features.calls;
  const { body } = await theirs.call("GET", "/v1/templates");
  const { body: accounts } = await theirs.call("GET", "/v1/business-accounts");
  const [template] = body.data;
  foreign = {
    number: theirs.account.providerPhoneNumberId,
    account: theirs.account.wabaId,
    template: template.provider_template_id,
    business: accounts.data[0].portfolio_id,
    id: theirs.account.providerPhoneNumberId,
  };
  unknown = Object.fromEntries(Object.entries(foreign).map(([name, id]) => [name, id.replaceAll(/\d/g, "7")]));
});
afterAll(() => gateway.stop());

/** A body with which most calls get as far as what they name. */
const BODIES: Record<string, object> = {
  "/{number}/messages": textTo("+15551230001"),
  "/{number}/marketing_messages": { ...textTo("+15551230001"), type: "template", template: {} },
};
/** Parts of a path that are looked for nowhere before what stands ahead of them. */
const OTHER_PART = "12345";

const pathOf = (call: Call, ids: Record<string, string>): string =>
  `/${VERSION}${call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? OTHER_PART)}`;

async function ask(of: Sender["call"], call: Call, ids: Record<string, string>): Promise<Reply> {
  const takesBody = call.method === "POST";
  const body = BODIES[call.path] ?? { messaging_product: "whatsapp", name: "a", fields: "id" };
  return await of(call.method, pathOf(call, ids), takesBody ? { body } : {});
}

/** What of a refusal may differ is left out: the request's id, and what was asked for. */
const shown = ({ status, text }: Reply, ids: Record<string, string>): unknown => [
  status,
  Object.values(ids).reduce((all, id) => all.replaceAll(id, "ID"), text.replace(/"fbtrace_id":"[^"]*"/, "")),
];

/** The statements that requests of a workspace ask of the database, until `stop`. */
function recordStatements(workspaceId: string): { texts: string[]; stop(): void } {
  const { db } = gateway.app;
  const texts: string[] = [];
  const { read, transaction } = db;
  const recording = (sql: Sql): Sql =>
    new Proxy(sql, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (typeof args[0] === "string") texts.push(args[0]);
          return Reflect.apply(value, target, args) as unknown;
        };
      },
    });
  db.read = (of, work) => read.call(db, of, (sql) => work(of === workspaceId ? recording(sql) : sql)) as never;
  db.transaction = (of, work) =>
    transaction.call(db, of, (sql) => work(of === workspaceId ? recording(sql) : sql)) as never;
  return { texts, stop: () => Object.assign(db, { read, transaction }) };
}

describe("the table", () => {
  test("has each call once, and says what it is for", () => {
    const names = calls.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    for (const { path, summary } of calls) {
      expect(path).toMatch(/^\/[^/]/);
      expect(summary.length).toBeGreaterThan(5);
    }
    expect(calls.length).toBeGreaterThan(60);
  });

  test("without a key, and with one that is not valid", async () => {
    for (const call of calls) {
      expectGraphError(await ask(gateway.as(null), call, unknown), 401, 104);
      expectGraphError(await ask(gateway.as("wp_live_wrong"), call, unknown), 401, 190);
      gateway.clock.advance(10_000); // an address has twenty refusals a minute
    }
  });

  test("with a key that has no scope", async () => {
    const { call: of } = await gateway.workspace(["audit:read"]);
    // Of a bare id its row is known once its kind is; whose key it is, every key may ask.
    const scoped = calls.filter((one) => ("row" in one || one.scope !== null) && one.path !== "/me");
    expect(scoped.length).toBeGreaterThan(50);
    for (const call of scoped) expectGraphError(await ask(of, call, unknown), 403, 10);
  });
});

test("what is another workspace's is like unknown: the same answer, after the same statements", async () => {
  const [{ workspace_id: id }] = (await mine.rows<{ workspace_id: string }>(
    "select workspace_id from phone_number limit 1",
  )) as [{ workspace_id: string }];
  const ofMedia = { ...unknown, id: digitsOfUuid(newUuid(gateway.clock.now())) };
  for (const call of calls) {
    // Whatever is cached of either is there.
    await ask(mine.call, call, unknown);
    const first = recordStatements(id);
    const one = await ask(mine.call, call, foreign);
    first.stop();
    const second = recordStatements(id);
    const other = await ask(mine.call, call, unknown);
    second.stop();
    expect([call.method, call.path, shown(one, foreign)]).toEqual([call.method, call.path, shown(other, unknown)]);
    expect([call.path, first.texts]).toEqual([call.path, second.texts]);
    expect([call.path, one.status >= 400]).toEqual([call.path, call.path !== "/me"]);
    expect(one.status).toBeLessThan(500);
    expect((await ask(mine.call, call, ofMedia)).status).toBeLessThan(500);
  }
});
