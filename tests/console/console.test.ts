import type { Locator } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { OPERATOR_KEY, type Workspace } from "../../packages/server/src/testing/gateway.ts";
import { mine, setScene, stage, visitor } from "./scene.ts";
import { LOST } from "./stage.ts";

// The built console in a real browser, on the real gateway. Each test has a window of its own; what its console says is a fault.
let theirs: Workspace;

const PERSON = "+15551230001";
const SHOWN = "+1 555 123 0001";

setScene();
beforeAll(async () => {
  theirs = await stage.gateway.workspace();
});

const expectAt = async (path: string): Promise<void> => {
  await expect.poll(() => visitor.page.url()).toBe(stage.gateway.url + path);
};
/** Waits until it is there. */
const expectShown = (what: Locator): Promise<void> => what.waitFor();

test("a link signs in once, and its code is in no address afterwards", async () => {
  const { page, go } = visitor;
  const { body } = await mine.call("POST", "/console/codes");
  await go(`/#enter=${body.code}`);
  await expectShown(page.getByRole("heading", { level: 1, name: "Home" }));
  await expectAt("/");
  expect(await page.evaluate("history.length + document.documentElement.outerHTML")).not.toContain(body.code);

  const other = await stage.open();
  await other.go(`/#enter=${body.code}`);
  await other.page.getByText("This link was used before").waitFor();
  await other.leave();
});

test("a key signs in, to the page that was asked for, and is kept nowhere in the browser", async () => {
  const { page, context, go } = visitor;
  await go("/messages?status=failed");
  await expectAt("/sign-in?to=%2Fmessages%3Fstatus%3Dfailed");
  await page.getByLabel("Key", { exact: true }).fill("wp_live_wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expectShown(page.getByRole("alert").getByText("This is no valid key"));
  await page.getByLabel("Key", { exact: true }).fill(mine.key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expectShown(page.getByRole("heading", { name: "No message fits these filters" }));
  await expectAt("/messages?status=failed");

  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
  const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
  expect(kept).not.toContain(mine.key);
});

test("from the list to a message; a filter survives a reload, and Back leads to it", async () => {
  const { page } = visitor;
  const sent = await mine.send(PERSON, { reference: "order-17" });
  await mine.becomes(sent.body.id, "accepted");
  await mine.send("+15551230002", { reference: "order-18" });
  await visitor.signIn(mine.key, "/messages");
  const rows = page.getByRole("table", { name: "Messages" }).getByRole("row");
  await expect.poll(() => rows.count()).toBe(3);

  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("menuitem", { name: "Reference" }).click();
  await page.getByLabel("Reference").fill("order-17");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => rows.count()).toBe(2);
  await expectAt("/messages?reference=order-17");
  await page.reload();
  await expect.poll(() => rows.count()).toBe(2);

  await page.getByRole("link", { name: SHOWN }).click();
  await expectShown(page.getByRole("heading", { level: 2, name: `order_ready to ${SHOWN}` }));
  const story = page.getByRole("list", { name: "What happened" });
  await expectShown(story.getByText("Accepted by the provider"));
  await expectShown(page.getByRole("figure").getByText("Your order is ready."));
  await page.getByRole("tab", { name: "Raw" }).click();
  await expectAt(`/messages/${sent.body.id}?tab=raw`);
  await expectShown(page.getByText(`"${sent.body.id}"`));

  await page.goBack();
  await expectAt("/messages?reference=order-17");
  await page.getByRole("button", { name: "Remove the filter Reference" }).click();
  await expect.poll(() => rows.count()).toBe(3);
});

test("the search box leads to an id and filters by a number", async () => {
  const { page } = visitor;
  const { body } = await mine.send("+15551230003");
  await visitor.signIn(mine.key, "/messages");
  const box = page.getByRole("searchbox", { name: "Id or phone number" });
  await box.fill("what?");
  await box.press("Enter");
  await expectShown(page.getByRole("alert").getByText("Understood are ids"));
  await box.fill("+1 (555) 123-0003");
  await box.press("Enter");
  await expectAt("/messages?to=%2B15551230003");
  await box.fill(body.id);
  await box.press("Enter");
  await expectAt(`/messages/${body.id}`);
});

test("what happens is shown at once: a status in its row, and a new message by a pill that moves nothing", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key, "/messages?to=%2B15551230004");
  await expectShown(page.getByRole("status").getByText("Live"));
  const { body } = await mine.send("+15551230004", {
    send_at: new Date(stage.gateway.clock.now() + 3_600_000).toISOString(),
  });
  await page.reload();
  await expectShown(page.getByRole("cell", { name: "Scheduled" }));
  await visitor.live(page);
  expect((await mine.call("POST", `/v1/messages/${body.id}/cancel`)).status).toBe(200);
  await expectShown(page.getByRole("cell", { name: "Canceled" }));

  await visitor.live(page);
  await mine.send("+15551230004");
  await expectShown(page.getByRole("button", { name: "1 new message" }));
  expect(await page.getByRole("row").count()).toBe(2);
});

test("a message that waits is canceled after a question", async () => {
  const { page } = visitor;
  const later = new Date(stage.gateway.clock.now() + 3_600_000).toISOString();
  const { body } = await mine.send("+15551230005", { send_at: later });
  await visitor.signIn(mine.key, `/messages/${body.id}`);
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  const dialog = page.getByRole("alertdialog", { name: "Cancel this message?" });
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "hidden" });
  await expectShown(page.getByRole("list", { name: "What happened" }).getByText("Canceled"));
  expect((await mine.call("GET", `/v1/messages/${body.id}`)).body.status).toBe("canceled");
});

test("what the key may not is disabled, and names the scope", async () => {
  const { page } = visitor;
  const later = new Date(stage.gateway.clock.now() + 3_600_000).toISOString();
  const { body } = await mine.send("+15551230006", { send_at: later });
  const { body: reader } = await mine.call("POST", "/v1/api-keys", {
    body: { name: "reader", scopes: ["messages:read"] },
  });
  await visitor.signIn(reader.key, `/messages/${body.id}`);
  const button = page.getByRole("button", { name: "Cancel", exact: true });
  await button.waitFor();
  expect(await button.isDisabled()).toBe(true);
  expect(await button.getAttribute("title")).toContain("messages:write");
});

test("signing out in one tab signs out the others, and nothing of before is shown", async () => {
  const { page, context } = visitor;
  await visitor.signIn(mine.key, "/messages");
  const second = await context.newPage();
  await second.goto("/messages");
  await expectShown(second.getByRole("link", { name: SHOWN }).first());
  const account = page.getByRole("button", { name: /^Signed in with/ });
  visitor.expects(LOST);
  await page.route("**/console/session", (route) => route.abort());
  await account.press("Enter");
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expectShown(page.getByRole("alert").getByText("The gateway does not answer"));
  await page.unroute("**/console/session");
  await account.click();
  await page.getByRole("alert").waitFor({ state: "detached" });
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  for (const tab of [page, second]) await tab.getByLabel("Key", { exact: true }).waitFor();
  expect(await context.cookies()).toEqual([]);
  await page.goBack();
  await expectShown(page.getByLabel("Key", { exact: true }));
  expect(await page.getByText(SHOWN).count()).toBe(0);
});

test("a session that is ended elsewhere leads to the sign-in", async () => {
  const { page } = visitor;
  const { body } = await mine.call("POST", "/v1/api-keys", { body: { name: "short", scopes: ["*"] } });
  await visitor.signIn(body.key, "/messages");
  await expectShown(page.getByRole("status").getByText("Live"));
  await mine.call("DELETE", `/v1/api-keys/${body.id}`);
  stage.gateway.clock.advance(6_000);
  await expectShown(page.getByLabel("Key", { exact: true }));
});

test("the operator enters a workspace, says so over every page, and leaves it", async () => {
  const { page, context } = visitor;
  await visitor.signIn(OPERATOR_KEY);
  await expectAt("/operator/workspaces");
  const row = page.getByRole("row").filter({ has: page.getByTitle(`Copy ${mine.id}`) });
  await row.getByRole("button", { name: /^Enter/ }).click();
  const bar = page.getByRole("region", { name: "Operator" });
  await bar.waitFor();
  await expectAt("/");
  await expectShown(page.getByRole("heading", { level: 1, name: "Home" }));
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Messages" }).click();
  await expectShown(page.getByRole("link", { name: SHOWN }).first());
  const second = await context.newPage();
  await second.goto("/messages");
  await expectShown(second.getByRole("link", { name: SHOWN }).first());
  await bar.getByRole("button", { name: "Leave" }).click();
  await expectShown(page.getByRole("heading", { level: 1, name: "Workspaces" }));
  await expectShown(second.getByRole("heading", { level: 1, name: "Workspaces" }));
  expect(await second.getByText(SHOWN).count()).toBe(0);
});

test("another workspace's message is none", async () => {
  const { body } = await mine.send(PERSON);
  await visitor.signIn(theirs.key, `/messages/${body.id}`);
  await expectShown(visitor.page.getByRole("heading", { name: "There is no such message" }));
  await visitor.go("/messages");
  await expectShown(visitor.page.getByRole("heading", { name: "No messages yet" }));
});

test("markup in stored texts stays text", async () => {
  const { page } = visitor;
  const markup = `<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=1</script>`;
  const { id } = await mine.inbound("+15551230007", markup);
  await visitor.signIn(mine.key, "/messages?to=%2B15551230007");
  await visitor.go("/messages?from=%2B15551230007");
  await expectShown(page.getByRole("cell", { name: "<img src=x" }));
  await visitor.go(`/messages/${id}`);
  await expectShown(page.getByRole("figure").getByText(markup));
  await page.getByRole("tab", { name: "Content" }).click();
  await expectShown(page.getByText("onerror").first());
  expect(await page.evaluate("globalThis.ran")).toBeUndefined();
});

test("no page of another site shows it in a frame", async () => {
  const { page } = visitor;
  await page.setContent(`<iframe src="${stage.gateway.url}/sign-in"></iframe>`);
  await expect.poll(() => visitor.faults.some((fault) => /frame-ancestors/.test(fault))).toBe(true);
  visitor.expects(/frame-ancestors/);
});

test("rows that were made compact and a bar that was collapsed are so at the next visit", async () => {
  const { page } = visitor;
  await mine.send("+15551230061");
  await visitor.signIn(mine.key, "/messages");
  const row = page.getByRole("table", { name: "Messages" }).getByRole("row").nth(1);
  const bar = page.getByRole("navigation", { name: "Pages", exact: true });
  const sizes = async () => [(await row.boundingBox())?.height, (await bar.boundingBox())?.width];
  await expectShown(row);
  expect(await sizes()).toEqual([36, 216]);
  await page.getByRole("button", { name: /^Signed in with/ }).click();
  await page.getByRole("menuitemradio", { name: "Compact" }).click();
  await page.keyboard.press("Escape");
  await bar.getByRole("button", { name: "Collapse the bar" }).click();
  await expect.poll(sizes).toEqual([28, 52]);
  await page.reload();
  await expectShown(row);
  expect(await sizes()).toEqual([28, 52]);
  expect(await bar.getByRole("link", { name: "Templates" }).getAttribute("title")).toBe("Templates");
  await bar.getByRole("button", { name: "Expand the bar" }).click();
  await expect.poll(sizes).toEqual([28, 216]);
});
