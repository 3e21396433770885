import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATOR_PAGES, PAGES, type PageState } from "./pages.ts";
import { LOST, openStage, type Stage } from "./stage.ts";
import { openWorkspace, type TestWorkspace } from "./workspace.ts";

// Every page where there is nothing, or nothing for this key, and on the way back.
let stage: Stage;
let workspace: TestWorkspace;

beforeAll(async () => {
  stage = await openStage();
  workspace = await openWorkspace(stage);
});
afterAll(async () => {
  await workspace?.close();
  await stage?.stop();
});

/** Texts of the workspace that no other may see. */
const SECRETS = ["order-17", "Shop backend", "+1 555 123 0001", "Close ones"];

const HAS_SETTLED = `document.querySelector("main h1, main [role=alert]") !== null
  && ![...document.querySelectorAll("main [role=status]")].some((one) => one.textContent.trim() === "Loading")`;
// The policy of the pages refuses `waitForFunction`.
const expectSettled = async (page: Page): Promise<void> => {
  await expect.poll(() => page.evaluate(HAS_SETTLED)).toBe(true);
};

// The one walk opens each address, as a person to whom it was sent; the other turns to them.
describe.each([
  ["a key without the scopes", async () => (await keyOf(["media:write"])).key, true, "go"],
  ["a workspace that has nothing", async () => (await stage.gateway.workspace()).key, false, "turn"],
] as const)("%s", (_, makeKey, isMine, open) => {
  test("has every page, with its reason and nothing of others", { timeout: 300_000 }, async () => {
    const visitor = await stage.open();
    await visitor.signIn(await makeKey());
    for (const one of PAGES) {
      await visitor[open](workspace.addressOf(one));
      await expectSettled(visitor.page);
      const seen = await visitor.page.locator("main").innerText();
      expect([one.at, SECRETS.filter((secret) => seen.includes(secret))]).toEqual([one.at, []]);
      expect([one.at, isMine || !/lacks the scope/.test(seen)]).toEqual([one.at, true]);
    }
    await visitor.leave();
  });
});

const keyOf = async (scopes: string[]): Promise<{ key: string }> =>
  (await workspace.mine.call("POST", "/v1/api-keys", { body: { name: scopes.join(" "), scopes } })).body;

/** Pages whose call is copied, beside those whose journeys do it. */
const COPIED = [
  "/",
  "/messages/MESSAGE?tab=raw",
  "/messages/MESSAGE?tab=deliveries",
  "/endpoints/ENDPOINT?status=succeeded",
  "/segments/SEGMENT",
  "/signups/SIGNUP",
  "/failures",
  "/templates?status=rejected",
  "/endpoints",
  "/events?kind=sent",
  "/deliveries?status=succeeded",
  "/contacts/CONTACT",
].concat(["/contacts/imports/IMPORT", "/conversations/CONTACT/NUMBER", "/settings", "/settings/keys"]);

test("the command that a page gives is answered with what the page shows", { timeout: 300_000 }, async () => {
  const visitor = await stage.open();
  await visitor.signIn(workspace.mine.key);
  for (const at of COPIED) {
    await visitor.turn(workspace.addressOf({ at, role: "main", name: "" }));
    await visitor.page.getByRole("button", { name: "Copy as curl" }).first().click();
    await visitor.page.getByRole("status").getByText("Copied").waitFor();
    const command = String(await visitor.page.evaluate("navigator.clipboard.readText()"));
    const url = new URL(/^curl '([^']+)'/.exec(command)?.[1] ?? "");
    expect([at, (await workspace.mine.call("GET", url.pathname + url.search)).status]).toEqual([at, 200]);
  }
  await visitor.leave();
});

test("Back leads through the pages as they were", { timeout: 300_000 }, async () => {
  const visitor = await stage.open();
  await visitor.signIn(workspace.mine.key);
  const seen = PAGES.slice(0, 12);
  const arrive = async (one: PageState): Promise<void> => {
    await visitor.page.getByRole(one.role, { name: one.name }).first().waitFor();
    await expect.poll(() => visitor.page.url()).toBe(stage.gateway.url + workspace.addressOf(one));
  };
  for (const one of seen) {
    await visitor.go(workspace.addressOf(one));
    await arrive(one);
  }
  for (const one of seen.slice(0, -1).toReversed()) {
    await visitor.page.goBack();
    await arrive(one);
  }
  await visitor.leave();
});

test("the operator's pages have nothing for a workspace's key", async () => {
  const visitor = await stage.open();
  await visitor.signIn(workspace.mine.key);
  for (const one of OPERATOR_PAGES) {
    await visitor.turn(workspace.addressOf(one));
    await expectSettled(visitor.page);
    expect([one.at, await visitor.page.getByRole(one.role, { name: one.name }).count()]).toEqual([one.at, 0]);
  }
  await visitor.leave();
});

test("says that the gateway does not answer, and goes on when it does", async () => {
  const visitor = await stage.open();
  await visitor.signIn(workspace.mine.key);
  await visitor.page
    .getByRole("table", { name: "Messages" })
    .or(visitor.page.getByRole("heading", { level: 1 }))
    .first()
    .waitFor();
  visitor.expects(LOST);
  await visitor.context.route("**/v1/**", (route) => route.abort());
  await visitor.page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Messages" }).click();
  await visitor.page.getByRole("alert").getByText("The gateway does not answer").waitFor();
  await visitor.context.unroute("**/v1/**");
  await visitor.page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => visitor.page.getByRole("table", { name: "Messages" }).count()).toBe(1);
  await visitor.leave();
});
