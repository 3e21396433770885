import { describe, expect, it } from "vitest";
import type { Sender } from "../../testing/gateway.ts";
import { reconcileDue } from "./reconcile.ts";
import { startSignups } from "./signup/testing/signups.ts";

const { gateway, provider } = await startSignups();
const PATIENCE = { timeout: 30_000, interval: 20 };

/** The periodic check, while the provider answers so; resolves when it has ended or is to be tried again. */
async function checkedWith(status: number, error?: object): Promise<{ account: string; events: string[] }> {
  const mine: Sender = await gateway.sender();
  provider.fail(new RegExp(`GET /${mine.account.wabaId}$`), { status, body: error === undefined ? {} : { error } });
  gateway.clock.advance(7 * 3_600_000);
  await reconcileDue(gateway.app);
  const tried = "select from job where kind = 'account.reconcile' and (error is not null or completed_at is not null)";
  await expect.poll(() => mine.rows(tried), PATIENCE).toHaveLength(1);
  const { data } = (await mine.call("GET", "/v1/business-accounts")).body;
  const events = await mine.rows<{ kind: string }>("select kind from event");
  return { account: data[0].status, events: events.map(({ kind }) => kind) };
}

describe("a check of an account", () => {
  it.each([
    ["a page instead of an answer", 403, undefined],
    ["an unknown path", 404, undefined],
    ["a proxy that asks for a password", 407, undefined],
    ["a wrong app secret", 400, { code: 100, message: "Invalid appsecret_proof provided in the API argument" }],
    ["a field that is gone", 400, { code: 100, message: "(#100) Tried accessing nonexisting field (health_status)" }],
    ["an unknown version", 400, { code: 2500, message: "Unknown path components: /1" }],
    ["a code that is not documented", 400, { code: 1675030, message: "A server error" }],
  ])("concludes nothing from %s", async (_name, status, error) => {
    expect(await checkedWith(status, error)).toEqual({ account: "connected", events: [] });
  });

  it.each([
    ["a dead token", 401, { code: 190, message: "Session has expired" }],
    ["a missing permission", 403, { code: 10, message: "(#10) Permission denied" }],
    [
      "an account that the token does not see",
      400,
      { code: 100, error_subcode: 33, message: "Unsupported get request." },
    ],
    ["the same without its subcode", 400, { code: 100, message: "Object with ID '1' does not exist" }],
    ["an unknown alias", 404, { code: 803, message: "(#803) Cannot query users by their username" }],
  ])("ends the connection at %s", async (_name, status, error) => {
    expect(await checkedWith(status, error)).toEqual({ account: "disconnected", events: ["signup_revoked"] });
  });
});
