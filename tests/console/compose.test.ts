import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { mine, setScene, visitor } from "./scene.ts";

// A message written by hand: checked while it is written, sent, and sent again.

setScene();

const expectShown = (what: Locator): Promise<void> => what.waitFor();

test("a template is filled, seen, checked and sent, and is sent again with what it had", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key, "/messages");
  await page.getByRole("link", { name: "New message" }).first().click();
  await page.getByLabel("To", { exact: true }).fill("+15551230021");
  await page.getByLabel("Template", { exact: true }).last().selectOption({ label: "order_update (en_US)" });
  await page.getByLabel("{{1}}").fill("Ana");
  await page.getByLabel("{{2}}").fill("A17");
  await expectShown(page.getByRole("figure").getByText("Hi Ana, your order A17 is on its way."));
  await expectShown(page.getByRole("status").getByText("It would be accepted now."));
  expect((await mine.call("GET", "/v1/messages?to=%2B15551230021")).body.data).toEqual([]);

  await page.getByRole("button", { name: "Copy as curl" }).click();
  await expect
    .poll(() => page.evaluate("navigator.clipboard.readText()"))
    .toContain('"parameters":[{"type":"text","text":"Ana"}');
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expectShown(page.getByRole("heading", { level: 1, name: "order_update to +1 555 123 0021" }));
  const [sent] = (await mine.call("GET", "/v1/messages?to=%2B15551230021")).body.data;
  expect(sent.preview).toBe("Hi Ana, your order A17 is on its way.");

  await page.getByRole("link", { name: "Send again" }).click();
  await expectShown(page.getByRole("heading", { level: 1, name: "Send again" }));
  await expect.poll(() => page.getByLabel("{{2}}").inputValue()).toBe("A17");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expectShown(page.getByRole("heading", { level: 1, name: "order_update to +1 555 123 0021" }));
  expect((await mine.call("GET", "/v1/messages?to=%2B15551230021")).body.data).toHaveLength(2);
});

test("free text is refused while the window is closed, and sent once the person has written", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key, "/messages/new?to=%2B15551230022");
  await page.getByLabel("Text", { exact: true }).check();
  await page.getByRole("textbox", { name: "Text" }).fill("On *our* way");
  await expectShown(page.getByRole("figure").getByText("our", { exact: true }));
  await expectShown(page.getByRole("status").getByText("It would be refused now."));
  await expectShown(page.getByText("Closed: only templates can be sent"));
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expectShown(page.getByRole("alert").getByText("The 24-hour window is closed"));

  await mine.inbound("+15551230022", "Where are you?");
  await page.getByRole("textbox", { name: "Text" }).fill("On our way");
  await expectShown(page.getByRole("status").getByText("It would be accepted now."));
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expectShown(page.getByRole("heading", { level: 1, name: "On our way to +1 555 123 0022" }));
});

test("a fault stands at its field, and what is not sent is not left by accident", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key, "/messages/new?to=12345");
  await page.getByLabel("Template", { exact: true }).last().selectOption({ label: "order_ready (en_US)" });
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const to = page.getByLabel("To", { exact: true });
  await expect.poll(() => to.getAttribute("aria-invalid")).toBe("true");
  await page.getByRole("link", { name: "Home" }).click();
  await expectShown(page.getByRole("alertdialog"));
});
