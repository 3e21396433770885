import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import {
  addAccount,
  begin,
  codeFor,
  failed,
} from "../../packages/server/src/features/accounts/signup/testing/signups.ts";
import { allow, freePort } from "./dialog.ts";
import { mine, setScene, stage, visitor } from "./scene.ts";

// How numbers come, and what a person sees and does when one is not well.
setScene({
  // The dialog returns to an address, which the gateway must know before it listens.
  settings: async () => ({ PORT: String(await freePort()) }),
  leadsToSimulator: true,
});

const expectShown = (what: Locator): Promise<void> => what.waitFor();

test("a number is connected by a token: what the provider refuses is said in its place", async () => {
  const { page } = visitor;
  const workspace = await stage.gateway.workspace();
  const { wabaId } = addAccount(stage, { numbers: [{ status: "CONNECTED" }] });
  await visitor.signIn(workspace.key, "/numbers");
  await page.getByRole("link", { name: "Connect a number" }).first().click();
  await page.getByRole("textbox", { name: "Id of the WhatsApp Business Account" }).fill(wabaId);
  await page.getByRole("textbox", { name: "Token" }).fill("wrong");
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expectShown(page.getByRole("alert").filter({ hasText: "The provider refused the request" }));
  await page.getByRole("textbox", { name: "Token" }).fill(`EAASIMX${wabaId}`);
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expectShown(page.getByRole("table", { name: "Numbers" }).getByText("Connected"));
  expect(await page.content()).not.toContain("EAASIMX");
});

test("a number is connected by the provider's dialog, in a window of its own", async () => {
  const { page } = visitor;
  const workspace = await stage.gateway.workspace();
  const { wabaId } = addAccount(stage);
  await visitor.signIn(workspace.key, "/numbers/connect");
  const opened = page.waitForEvent("popup");
  await page.getByRole("button", { name: "Log in with the provider" }).click();
  await expectShown(page.getByText("The dialog is open in another window."));
  await allow(stage, await opened, wabaId);
  await expectShown(page.getByRole("status").filter({ hasText: "The account is connected." }));
  expect(await page.getByRole("listitem").filter({ hasText: "Done" }).count()).toBe(6);
  await page.getByRole("link", { name: "To the numbers" }).click();
  await expectShown(page.getByRole("table", { name: "Business accounts" }).getByText(wabaId));
});

test("where the browser opens no window, the dialog takes the place of the page and leads back; leaving it connects nothing", async () => {
  const { page } = visitor;
  const workspace = await stage.gateway.workspace();
  const { wabaId } = addAccount(stage);
  await page.addInitScript("globalThis.open = () => null");
  await visitor.signIn(workspace.key, "/numbers/connect");
  const open = page.getByRole("button", { name: "Log in with the provider" });
  await open.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expectShown(page.getByText("The dialog was left without an account."));
  await open.click();
  await page.waitForURL(/dialog/);
  await allow(stage, page, wabaId);
  await expectShown(page.getByRole("status").filter({ hasText: "The account is connected." }));
  expect(page.url()).not.toContain("code=");
});

test("a dead token is the headline of its number, with the way to a new one", async () => {
  const { page } = visitor;
  const sender = await stage.gateway.sender();
  await sender.inbound("+15551239001");
  await visitor.signIn(sender.key, `/numbers/${sender.phoneNumberId}`);
  await expectShown(page.getByText("All is well."));
  stage.gateway.clock.advance(120_000);
  stage.gateway.simulator.setTokenDeath(sender.account.wabaId, 460);
  await page.getByRole("button", { name: "Look again" }).click();
  await expectShown(page.getByRole("link", { name: "Connect the account again" }));
  await expectShown(page.getByRole("listitem").filter({ hasText: "The token" }).getByText("Needs you"));
  await page.getByRole("link", { name: "Connect the account again" }).click();
  const id = page.getByRole("textbox", { name: "Id of the WhatsApp Business Account" });
  expect(await id.inputValue()).toBe(sender.account.wabaId);
});

test("a signup that failed at a number's PIN says so, and is resumed with the right one", async () => {
  const { page } = visitor;
  const workspace = await stage.gateway.workspace();
  const account = addAccount(stage, { numbers: [{ status: "PENDING", pin: "445566" }] });
  const id = await begin(workspace, { code: codeFor(stage, [account]) });
  await failed(workspace, id);
  await visitor.signIn(workspace.key, `/signups/${id}`);
  const step = page.getByRole("listitem").filter({ hasText: "Register its numbers" });
  await expectShown(step.getByText("Failed"));
  const sheet = page.getByRole("dialog", { name: "Resume with other values" });
  const resumeWith = async (pin: string): Promise<void> => {
    await page.getByRole("link", { name: "Resume with other values" }).click();
    await sheet.getByRole("textbox", { name: "Two-step PIN" }).fill(pin);
    await sheet.getByRole("button", { name: "Resume" }).click();
    await sheet.waitFor({ state: "hidden" });
  };
  await resumeWith("000000");
  await failed(workspace, id);
  await expectShown(step.getByText("Failed"));
  await resumeWith("445566");
  await expectShown(page.getByRole("status").filter({ hasText: "The account is connected." }));
  expect(await page.content()).not.toContain("445566");
  await page.getByRole("link", { name: "To the numbers" }).click();
  await expectShown(page.getByRole("table", { name: "Business accounts" }).getByText(account.wabaId));
});

test("what people see of the business is changed, and a note is kept", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key, `/numbers/${mine.phoneNumberId}`);
  await page.getByRole("link", { name: "Edit the profile" }).click();
  await page.getByRole("textbox", { name: "Email" }).fill("not an address");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => page.getByRole("textbox", { name: "Email" }).getAttribute("aria-invalid")).toBe("true");
  await page.getByRole("textbox", { name: "Email" }).fill("hello@shop.example");
  await page.getByRole("textbox", { name: "Websites" }).fill("https://shop.example\nhttps://cakes.example");
  await page.getByRole("combobox", { name: "Industry" }).selectOption("RETAIL");
  await page.getByRole("button", { name: "Save" }).click();
  await expectShown(page.getByRole("definition").filter({ hasText: "https://shop.example, https://cakes.example" }));
  await page.getByRole("link", { name: "Edit the note" }).click();
  await page.getByRole("textbox", { name: "Note" }).fill("Front desk");
  await page.getByRole("button", { name: "Save" }).click();
  await expectShown(page.getByRole("definition").filter({ hasText: "Front desk" }));
  const { body } = await mine.call("GET", `/v1/phone-numbers/${mine.phoneNumberId}/profile`);
  expect(body).toMatchObject({ email: "hello@shop.example", vertical: "RETAIL", about: null });
});

test("a key that may only read sees what it lacks, and an account is disconnected after a question in numbers", async () => {
  const { page } = visitor;
  const sender = await stage.gateway.sender();
  const { body } = await sender.call("POST", "/v1/api-keys", { body: { name: "reader", scopes: ["accounts:read"] } });
  await visitor.signIn(body.key, "/numbers");
  const button = page.getByRole("button", { name: "Connect a number" });
  await button.waitFor();
  expect([await button.isDisabled(), await button.getAttribute("title")]).toEqual([
    true,
    expect.stringContaining("accounts:write"),
  ]);
  const other = await stage.open();
  await other.signIn(sender.key, "/numbers");
  await other.page.getByRole("button", { name: "Disconnect" }).click();
  await expectShown(other.page.getByText("its number stops sending"));
  await other.page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
  await expectShown(other.page.getByRole("link", { name: "Connect again" }));
  await other.leave();
});
