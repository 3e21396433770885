import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { postCallback } from "../../packages/server/src/testing/callback.ts";
import { OPERATOR_KEY } from "../../packages/server/src/testing/gateway.ts";
import { CATALOGUES } from "./named.ts";
import { mine, setScene, stage, visitor } from "./scene.ts";

// Keys, keywords and the log of calls, and what the operator sees of the installation.

setScene();

const expectShown = (what: Locator): Promise<void> => what.waitFor();

test("a key is created, shown once and used; rotated; and revoked after a question, which ends its calls", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key, "/settings/keys");
  await page.getByRole("link", { name: "New key" }).click();
  const sheet = page.getByRole("dialog", { name: "New key" });
  await sheet.getByRole("textbox", { name: "Name" }).fill("Shop backend");
  await sheet.getByRole("checkbox", { name: "messages:read" }).check();
  await sheet.getByRole("checkbox", { name: /\+1 555/ }).check();
  await sheet.getByRole("button", { name: "New key" }).click();
  const once = page.getByRole("alertdialog", { name: "The key" });
  const key = await once.getByText(/^wp_live_/).innerText();
  await once.getByRole("button", { name: "I have stored it" }).click();
  const row = page.getByRole("row").filter({ hasText: "Shop backend" });
  await expectShown(row.getByText("1 number"));
  const asked = () => stage.gateway.as(key)("GET", "/v1/messages");
  expect((await asked()).status).toBe(200);

  await row.getByRole("link", { name: "Rotate" }).click();
  await page.getByRole("button", { name: "Make a new key" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "I have stored it" }).click();
  await expectShown(page.getByText("Ending"));
  const newer = page.getByRole("row").filter({ hasText: "Shop backend" }).filter({ hasText: "Active" });
  await newer.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click();
  await expectShown(page.getByText("Revoked"));
  expect(await page.content()).not.toContain(key);
});

test("a key without the scope sees why it manages no keys", async () => {
  const { page } = visitor;
  const { body } = await mine.call("POST", "/v1/api-keys", { body: { name: "reader", scopes: ["messages:read"] } });
  await visitor.signIn(body.key, "/settings/keys");
  const button = page.getByRole("button", { name: "New key" });
  await button.waitFor();
  expect(await button.getAttribute("title")).toContain("keys:write");
  await expectShown(page.getByRole("alert").getByText(/keys:write/));
});

test("keywords are set by language; what is refused stands at its field, and no line sets the defaults again", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key, "/settings");
  await page.getByRole("link", { name: "Edit the keywords" }).click();
  const field = page.getByRole("textbox", { name: "Stop marketing" });
  const defaults = await field.inputValue();
  await field.fill("not a language: STOP");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
  await field.fill("en: STOP, NO MORE\nes: BAJA");
  await page.getByRole("button", { name: "Save" }).click();
  await expectShown(page.getByRole("definition").filter({ hasText: "STOP, NO MORE" }));
  const keywords = async () => (await mine.call("GET", "/v1/workspace")).body.opt_out_keywords;
  expect(await keywords()).toEqual({ en: ["STOP", "NO MORE"], es: ["BAJA"] });
  await page.getByRole("link", { name: "Edit the keywords" }).click();
  await field.fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await field.waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Edit the keywords" }).click();
  expect(await field.inputValue()).toBe(defaults);
});

test("every call that is audited has a name", async () => {
  const { routes, rowsOfCalls, rawRoutes, calls } = stage.gateway.features;
  const ofCalls = calls.flatMap((call) => ("action" in call ? call.action : []));
  const actions = [...[...routes, ...rowsOfCalls, ...rawRoutes].flatMap(({ action }) => action ?? []), ...ofCalls];
  expect(actions.length).toBeGreaterThan(100);
  const { things, verbs } = (await CATALOGUES.en()).actions;
  const isNamed = (action: string) => {
    const [thing = "", verb = ""] = action.split(".");
    return Object.hasOwn(things, thing) && Object.hasOwn(verbs, verb);
  };
  expect(actions.filter((action) => !isNamed(action))).toEqual([]);
});

test("calls are found, and one shows what it changed; a refused one is marked", async () => {
  const { page } = visitor;
  await mine.call("PATCH", `/v1/phone-numbers/${mine.phoneNumberId}`, { body: { is_default: true } });
  const { body } = await mine.call("POST", "/v1/contacts", { body: { phone: "+15553330001", tags: ["one"] } });
  await mine.call("PATCH", `/v1/contacts/${body.id}`, { body: { marketing_consent: "opted_in" } });
  await mine.call("GET", "/v1/messages/msg_01jd0000000000000000000000");
  await stage.gateway.audited();
  await visitor.signIn(mine.key, "/activity");
  await page.getByRole("searchbox").fill("contact.update");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Contact: change contact.update" }).click();
  await expectShown(page.getByText(/^PATCH \/v1\/contacts\//));
  await page.reload();
  await expectShown(page.getByRole("heading", { level: 2, name: "Contact: change" }));
  await visitor.go("/activity?status=404");
  await expectShown(page.getByRole("row").filter({ hasText: "message.read" }).getByText("404"));
  await visitor.go("/activity?action=none.such");
  await expectShown(page.getByRole("heading", { name: "No call fits these filters" }));
});

test("the operator sees who works, takes again what waits in quarantine, and finds the own calls", async () => {
  const { page } = visitor;
  const change = { field: "messages", value: { metadata: { phone_number_id: "404404", display_phone_number: "1" } } };
  const entry = [{ id: "404", changes: [change] }];
  await postCallback(stage.gateway, { object: "whatsapp_business_account", entry });
  const waiting = async () => (await stage.gateway.operator("GET", "/admin/v1/quarantine")).body.data;
  await expect.poll(async () => (await waiting()).length).toBe(1);
  const [{ reason }] = await waiting();
  await visitor.signIn(OPERATOR_KEY, "/operator/system");
  await expectShown(page.getByRole("row").filter({ hasText: "Sending" }).getByText("64 of 64"));
  await expectShown(page.getByText(/^api, ingress, dispatch, deliver, maintenance$/));
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Quarantine" }).click();
  await page.getByRole("row").filter({ hasText: reason }).getByRole("link").first().click();
  const detail = page.locator("section").filter({ has: page.getByRole("heading", { name: "In quarantine" }) });
  await expectShown(detail.getByRole("region", { name: "The callback as it was posted" }).getByText('"404404"'));
  await detail.getByRole("link", { name: reason }).click();
  await detail.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Take all of this reason again" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Take all of this reason again" }).click();
  await expectShown(page.getByRole("status").filter({ hasText: /taken again/ }));
  await stage.gateway.audited();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Audit" }).click();
  await expectShown(page.getByRole("link", { name: /quarantine\.\w+$/ }).first());
});
