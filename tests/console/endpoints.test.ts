import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Sender } from "../../packages/server/src/testing/gateway.ts";
import { openStage, type Stage, type Visitor } from "./stage.ts";

// Where events are posted, as a person sets it up and repairs it.
let stage: Stage;
let mine: Sender;
let visitor: Visitor;

beforeAll(async () => {
  stage = await openStage();
  mine = await stage.gateway.sender();
});
afterAll(() => stage?.stop());
beforeEach(async () => {
  visitor = await stage.open();
  return async () => {
    await visitor.context.close();
    expect(visitor.faults).toEqual([]);
  };
});

test("an endpoint is created: faults stand at their fields, what is not saved is not left by accident, its secret is shown once", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key, "/endpoints");
  await page.getByRole("link", { name: "New endpoint" }).first().click();
  const sheet = page.getByRole("dialog", { name: "New endpoint" });
  const submit = sheet.getByRole("button", { name: "New endpoint" });
  await submit.click();
  const url = sheet.getByRole("textbox", { name: "Address" });
  await expect.poll(() => url.getAttribute("aria-invalid")).toBe("true");
  await url.fill("https://user@example.com/hooks");
  await sheet.getByRole("checkbox", { name: "delivered", exact: true }).check();
  await submit.click();
  await expect.poll(() => url.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
  expect(await url.getAttribute("aria-invalid")).toBe("true");

  await sheet.getByRole("button", { name: "Close" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Stay" }).click();
  await page.goBack();
  await page.getByRole("alertdialog").getByRole("button", { name: "Stay" }).click();
  expect(await url.inputValue()).toBe("https://user@example.com/hooks");

  await url.fill("https://example.com/hooks");
  await sheet.getByRole("textbox", { name: "Time for an answer" }).fill("7");
  await submit.click();
  const once = page.getByRole("alertdialog", { name: "The endpoint's secret" });
  const secret = await once.getByText(/^whsec_/).innerText();
  await page.keyboard.press("Escape");
  await once.getByRole("button", { name: "I have stored it" }).click();
  await page.getByRole("cell", { name: "https://example.com/hooks" }).waitFor();
  const { body } = await mine.call("GET", "/v1/webhook-endpoints");
  expect(body.data).toMatchObject([{ url: "https://example.com/hooks", events: ["delivered"], timeout_seconds: 7 }]);
  expect(await page.content()).not.toContain(secret);
});

test("a key that may only read sees why it can create none", async () => {
  const { page } = visitor;
  const { body } = await mine.call("POST", "/v1/api-keys", { body: { name: "reader", scopes: ["webhooks:read"] } });
  await visitor.signIn(body.key, "/endpoints");
  const button = page.getByRole("button", { name: "New endpoint" }).first();
  await button.waitFor();
  expect(await button.getAttribute("title")).toContain("webhooks:write");
});
