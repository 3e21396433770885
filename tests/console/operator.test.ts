import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { OPERATOR_KEY } from "../../packages/server/src/testing/gateway.ts";
import { setScene, stage, visitor } from "./scene.ts";
import { LOST } from "./stage.ts";

// The operator's workspaces: made, entered, suspended and resumed.

setScene();

const expectShown = (what: Locator): Promise<void> => what.waitFor();
/** What a call with the key is answered, once what processes remember of it is old. */
const answerOf = async (key: string): Promise<number> => {
  stage.gateway.clock.advance(5_000);
  return (await stage.gateway.as(key)("GET", "/v1/workspace")).status;
};

test("the operator creates a workspace, copies its key, enters and leaves, suspends it and resumes it", async () => {
  const { page } = visitor;
  await visitor.signIn(OPERATOR_KEY, "/operator/workspaces");
  await page.getByRole("link", { name: "New workspace" }).first().click();
  const sheet = page.getByRole("dialog", { name: "New workspace" });
  await sheet.getByRole("button", { name: "New workspace" }).click();
  const name = sheet.getByRole("textbox", { name: "Name" });
  await expect.poll(() => name.getAttribute("aria-invalid")).toBe("true");
  await name.fill("Acme North");
  await sheet.getByRole("button", { name: "New workspace" }).click();
  const once = page.getByRole("alertdialog", { name: "The first key of Acme North" });
  await once.getByRole("button", { name: "Copy the secret" }).click();
  await expectShown(once.getByText("Copied"));
  const key = await page.evaluate("navigator.clipboard.readText()").then(String);
  await once.getByRole("button", { name: "I have stored it" }).click();

  await expectShown(page.getByRole("heading", { level: 1, name: "Acme North" }));
  await expectShown(page.getByRole("row").filter({ hasText: "First key" }).getByText("Everything"));
  expect(await answerOf(key)).toBe(200);
  expect(await page.content()).not.toContain(key);
  await page.getByRole("button", { name: "Enter Acme North" }).click();
  await expectShown(page.getByRole("heading", { level: 1, name: "Home" }));
  await page.getByRole("region", { name: "Operator" }).getByRole("button", { name: "Leave" }).click();
  await page.getByRole("link", { name: "Acme North" }).click();

  await page.getByRole("button", { name: "Suspend" }).click();
  const question = page.getByRole("alertdialog", { name: "Suspend Acme North?" });
  await expectShown(question.getByText("1 key is refused within 5 seconds"));
  await question.getByRole("button", { name: "Suspend" }).click();
  await expectShown(page.getByText("Suspended", { exact: true }));
  expect(await answerOf(key)).toBe(403);
  await page.getByRole("button", { name: "Resume" }).click();
  await expectShown(page.getByRole("button", { name: "Suspend" }));
  expect(await answerOf(key)).toBe(200);
});

test("an answer that is lost leaves one workspace with one key, which the repeat shows", async () => {
  const { page } = visitor;
  await visitor.signIn(OPERATOR_KEY, "/operator/workspaces?open=new");
  const sheet = page.getByRole("dialog", { name: "New workspace" });
  visitor.expects(LOST);
  await page.route("**/api-keys", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await sheet.getByRole("textbox", { name: "Name" }).fill("Acme South");
  await sheet.getByRole("button", { name: "New workspace" }).click();
  await expectShown(sheet.getByText("The gateway does not answer"));
  await page.unroute("**/api-keys");
  await sheet.getByRole("textbox", { name: "Name" }).fill("Acme South Ltd");
  await sheet.getByRole("button", { name: "New workspace" }).click();
  const once = page.getByRole("alertdialog", { name: "The first key of Acme South Ltd" });
  const key = await once.getByText(/^wp_live_/).innerText();
  await once.getByRole("button", { name: "I have stored it" }).click();
  await expectShown(page.getByRole("heading", { level: 1, name: "Acme South Ltd" }));
  const { body: all } = await stage.gateway.operator("GET", "/admin/v1/workspaces?limit=100");
  const made = all.data.filter((workspace: { name: string }) => workspace.name.startsWith("Acme South"));
  expect(made).toMatchObject([{ name: "Acme South Ltd" }]);
  const { body: keys } = await stage.gateway.operator("GET", `/admin/v1/workspaces/${made[0].id}/api-keys`);
  expect(keys.data).toHaveLength(1);
  expect(await answerOf(key)).toBe(200);
});

test("a workspace is renamed, and gets a further key with what it may do", async () => {
  const { page } = visitor;
  const { id } = await stage.gateway.workspace();
  await visitor.signIn(OPERATOR_KEY, `/operator/workspaces/${id}`);
  await page.getByRole("link", { name: "Rename" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Acme West");
  await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click();
  await expectShown(page.getByRole("heading", { level: 1, name: "Acme West" }));
  await page.getByRole("link", { name: "New key" }).click();
  const sheet = page.getByRole("dialog", { name: "New key" });
  await sheet.getByRole("textbox", { name: "Name" }).fill("Reports");
  await sheet.getByRole("checkbox", { name: "messages:read" }).check();
  await sheet.getByRole("button", { name: "New key" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "I have stored it" }).click();
  await expectShown(page.getByRole("row").filter({ hasText: "Reports" }).getByText("1 scope"));
  await visitor.go("/operator/workspaces/ws_01jd0000000000000000000000");
  await expectShown(page.getByRole("heading", { name: "There is no such workspace" }));
});

test("a way out of a workspace that fails says so in its place; the command of an operator's page names the operator's key", async () => {
  const { page } = visitor;
  const { id } = await stage.gateway.workspace();
  await visitor.signIn(OPERATOR_KEY, `/operator/workspaces/${id}`);
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await expect
    .poll(() => page.evaluate("navigator.clipboard.readText()"))
    .toBe(`curl '${stage.gateway.url}/admin/v1/workspaces/${id}' -H "Authorization: Bearer $WAYPOST_OPERATOR_KEY"`);
  await page.getByRole("button", { name: /^Enter / }).click();
  await expectShown(page.getByRole("heading", { level: 1, name: "Home" }));
  const bar = page.getByRole("region", { name: "Operator" });
  visitor.expects(LOST);
  await page.route("**/sessions", (route) => route.abort());
  await bar.getByRole("button", { name: "Leave" }).click();
  await expectShown(bar.getByRole("alert").getByText("The gateway does not answer"));
  await page.unroute("**/sessions");
  await bar.getByRole("button", { name: "Leave" }).click();
  await expectShown(page.getByRole("heading", { level: 1, name: "Workspaces" }));
  expect(await bar.count()).toBe(0);
});
