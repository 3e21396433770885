import { afterAll, beforeAll, expect, it } from "vitest";
import { type Gateway, startGateway, type Workspace } from "../../../testing/gateway.ts";
import { MOST_ACTIVE } from "./schema.ts";

let gateway: Gateway;
let mine: Workspace;
let theirs: Workspace;
beforeAll(async () => {
  gateway = await startGateway({}, { roles: ["api"] }); // no import ends
  [mine, theirs] = [await gateway.workspace(), await gateway.workspace()];
});
afterAll(() => gateway.stop());

const upload = (of: Workspace, body: string, key?: string) =>
  of.call("POST", "/v1/contacts/imports", {
    headers: { "content-type": "text/csv", ...(key === undefined ? {} : { "idempotency-key": key }) },
    body,
  });
const activeOf = async (of: Workspace): Promise<number> =>
  (await of.rows("select 1 from contact_import where completed_at is null")).length;

it("a workspace has 20 imports that have not ended, also of uploads that arrive at once", async () => {
  const first = await upload(mine, "phone\n+15552010001\n", "first");
  expect(first.status).toBe(202);
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, n) => upload(mine, `phone\n+155520200${String(n).padStart(2, "0")}\n`)),
  );
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(MOST_ACTIVE - 1);
  const refused = answers.filter(({ status }) => status !== 202);
  expect(refused).toHaveLength(6);
  for (const { status, body, headers } of refused)
    expect([status, body.code, headers["retry-after"]]).toEqual([429, "rate_limited", "60"]);
  expect(await activeOf(mine)).toBe(MOST_ACTIVE);
  expect((await upload(theirs, "phone\n+15552010001\n")).status).toBe(202);

  const again = await upload(mine, "phone\n+15552010001\n", "first");
  expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([202, first.text, "true"]);
  const other = await upload(mine, "phone\n+15552010002\n", "first");
  expect([other.status, other.body.code]).toEqual([422, "idempotency_key_reused"]);
  expect((await upload(mine, "phone\n+15552010001\n", "second")).status).toBe(429);
  expect((await upload(theirs, "phone\n+15552010001\n", "first")).headers["idempotent-replayed"]).toBeUndefined();
  expect(await activeOf(mine)).toBe(MOST_ACTIVE);
});
