import { beforeAll, expect, test } from "vitest";
import { mine, setScene, stage, visitor } from "./scene.ts";
import { LOST } from "./stage.ts";

// The console without a mouse.
const ids: string[] = [];

setScene();
beforeAll(async () => {
  for (const to of ["+15551230001", "+15551230002"]) ids.unshift((await mine.send(to)).body.id);
});
const expectAt = async (path: string): Promise<void> => {
  await expect.poll(() => visitor.page.url()).toBe(stage.gateway.url + path);
};

test("the palette leads to a page by its name, to a message by its id, and gives the focus back", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key);
  await page.getByRole("button", { name: "Go to a page, an id or a number" }).focus();
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: "Go to a page, an id or a number" });
  await box.fill("mess");
  expect(await page.getByRole("option").allTextContents()).toEqual(["Messages", "New message"]);
  await page.keyboard.press("Enter");
  await expectAt("/messages");

  await page.keyboard.press("Control+k");
  await box.fill(ids[0]!);
  await page.keyboard.press("Enter");
  await expectAt(`/messages/${ids[0]}`);

  const [template] = (await mine.call("GET", "/v1/templates?name=order_ready")).body.data;
  await page.keyboard.press("Control+k");
  await box.fill(template.provider_template_id);
  await page.getByRole("option", { name: "Template order_ready · en_US" }).waitFor();
  await page.keyboard.press("Enter");
  await expectAt(`/templates/${template.id}`);

  await page.keyboard.press("Control+k");
  await box.fill("zzz");
  await page.getByRole("status").getByText("Nothing is called so").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => box.count()).toBe(0);
});

test("the palette begins things and leaves; what the key lacks is named and does nothing", async () => {
  const { page, context } = visitor;
  const scopes = ["messages:read", "webhooks:read", "webhooks:write"];
  const { body } = await mine.call("POST", "/v1/api-keys", { body: { name: "receiver's", scopes } });
  await visitor.signIn(body.key);
  const box = page.getByRole("combobox", { name: "Go to a page, an id or a number" });
  // Also one that is closed and not gone yet, in which moment it cannot be opened.
  const windows = page.locator("dialog");
  const choose = async (given: string): Promise<void> => {
    await page.keyboard.press("Control+k");
    await box.fill(given);
    await page.keyboard.press("Enter");
  };
  await choose("new key");
  const lacking = page.getByRole("option", { name: "New key Your key lacks the scope keys:write." });
  expect([await lacking.getAttribute("aria-disabled"), await box.inputValue()]).toEqual(["true", "new key"]);
  await page.keyboard.press("Escape");
  await expect.poll(() => windows.count()).toBe(0);
  await choose("new endpoint");
  await page.getByRole("dialog", { name: "New endpoint" }).getByRole("textbox", { name: "Address" }).waitFor();
  await page.keyboard.press("Escape");
  await expectAt("/endpoints");

  const opened = context.waitForEvent("page");
  await choose("reference");
  await expect.poll(async () => (await opened).url()).toBe(`${stage.gateway.url}/docs`);
  await (await opened).close();
  await page.bringToFront();

  visitor.expects(LOST);
  await page.route("**/console/session", (route) => route.abort());
  await choose("sign out");
  const palette = page.getByRole("dialog", { name: "Go to a page, an id or a number" });
  await palette.getByRole("alert").getByText("The gateway does not answer").waitFor();
  await page.unroute("**/console/session");
  await box.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  await page.getByLabel("Key", { exact: true }).fill(mine.key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  expect(await palette.count()).toBe(0);
});

test("the search box of the messages leads to anything by its id, and says what it understands", async () => {
  const { page } = visitor;
  const { body: call } = await mine.call("POST", "/v1/contacts", { body: { phone: "+15552000001" } });
  await stage.gateway.audited();
  const [{ id }] = (await mine.call("GET", `/v1/audit/activity?resource=${call.id}`)).body.data;
  await visitor.signIn(mine.key, "/messages");
  const box = page.getByRole("searchbox");
  await box.fill("xyz_1");
  await box.press("Enter");
  await page.getByText("Understood are ids").waitFor();
  await box.fill(`"${id}",`);
  await box.press("Enter");
  await page.getByRole("heading", { level: 2, name: "Contact: create" }).waitFor();
  expect(page.url()).toContain(id);
});

test("single keys lead to pages and rows, and do nothing while a person types or has switched them off", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("m");
  await expectAt("/messages");
  await page.getByRole("row").nth(2).waitFor();
  for (const key of ["j", "j", "k", "j", "j"]) await page.keyboard.press(key);
  await page.keyboard.press("Enter");
  await expectAt(`/messages/${ids[1]}`);

  await visitor.go("/messages");
  await page.getByRole("row").nth(2).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("gh?");
  await expect.poll(() => page.getByRole("searchbox").inputValue()).toBe("gh?");
  await expectAt("/messages");

  await page.getByRole("heading", { level: 1 }).focus();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.getByLabel("Shortcuts of single keys").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await page.keyboard.press("?");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await expectAt("/messages");
});
