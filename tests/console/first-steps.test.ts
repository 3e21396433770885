import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { mine, setScene, stage, visitor } from "./scene.ts";

// What a person does in the first minutes, from the page that a new installation opens.

setScene({ leadsToSimulator: true });

const stepsOn = (page: Page) => {
  const card = page.getByRole("region", { name: /^First steps/ });
  return { card, step: (name: string) => card.getByRole("listitem").filter({ hasText: name }) };
};

test("five steps that tick themselves off: sent, answered, replied to, received, broken", async () => {
  stage.gateway.simulator.setDelays({ statuses: true, sentMs: 0 });
  const { page } = visitor;
  await visitor.signIn(mine.key);
  const { card, step } = stepsOn(page);
  const isDone = async (name: string): Promise<void> => {
    await visitor.go("/");
    await step(name).getByText("Done").waitFor();
  };
  await card.getByRole("heading", { name: "First steps, 0 of 5" }).waitFor();

  await step("Send a message").getByRole("link").click();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page
    .getByRole("heading", { name: /to \+1 555 123 0001$/ })
    .first()
    .waitFor();
  await isDone("Send a message");

  // Before an answer no conversation is known.
  await step("Reply within").getByRole("link").click();
  await page.getByRole("textbox", { name: "Text" }).waitFor();
  await page.goBack();

  const opened = visitor.context.waitForEvent("page");
  await card.getByRole("link", { name: "Open the phone beside this window" }).click();
  const phone = await opened;
  await phone.goto(`${stage.gateway.simulator.url}/sim#15551230001/${mine.account.providerPhoneNumberId}`);
  await phone.getByRole("status").getByText("Live").waitFor();
  await phone.getByRole("textbox", { name: "Message", exact: true }).fill("Thank you");
  await phone.keyboard.press("Enter");
  await step("Answer it").getByText("Done").waitFor();

  await step("Reply within").getByRole("link").click();
  await page
    .getByRole("log", { name: /^Messages with/ })
    .getByText("Thank you")
    .waitFor();
  await expect.poll(() => page.evaluate("document.activeElement?.getAttribute('aria-label')")).toBe("Reply");
  await page.keyboard.type("We are here.");
  await page.keyboard.press("Enter");
  await phone.getByRole("log", { name: "Messages" }).getByText("We are here.").waitFor();
  await isDone("Reply within");

  await step("Receive a webhook").getByRole("button", { name: "Receive here" }).click();
  await step("Receive a webhook").getByRole("link", { name: "See what it got" }).waitFor();
  await mine.inbound("+15551230001", "Still there?");
  await step("Receive a webhook").getByText("webhook-signature: v1,").waitFor();
  await step("Receive a webhook").getByRole("tab", { name: "Python" }).click();
  await step("Receive a webhook").getByText("import hmac").waitFor();
  await step("Receive a webhook").getByText("Done").waitFor();

  await step("Break something").getByRole("link", { name: "Not on WhatsApp" }).click();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("recipient_unreachable").first().waitFor();
  await isDone("Break something");
  await card.getByRole("heading", { name: "First steps: all done" }).waitFor();

  expect(await card.getByRole("link", { name: "Connect a real number" }).getAttribute("href")).toBe("/numbers/connect");

  await page.reload();
  await page.getByRole("heading", { name: "Needs you" }).waitFor();
  expect(await card.count()).toBe(0);
});

test("a key with few scopes sees the steps, each with the scope that it lacks, and can hide them", async () => {
  const { body } = await mine.call("POST", "/v1/api-keys", { body: { name: "few", scopes: ["messages:read"] } });
  const { page } = visitor;
  await visitor.signIn(body.key);
  const { card, step } = stepsOn(page);
  await card.getByText("This key lacks webhooks:read").waitFor();
  for (const [name, way, scope] of [
    ["Send a message", "Write it", "messages:write"],
    ["Reply within", "Write a reply", "messages:write"],
    ["Receive a webhook", "Receive here", "webhooks:read"],
  ] as const) {
    const button = step(name).getByRole("button", { name: way });
    expect([name, await button.isDisabled(), await button.getAttribute("title")]).toEqual([
      name,
      true,
      expect.stringContaining(scope),
    ]);
  }
  await card.getByRole("button", { name: "Hide" }).click();
  await page.reload();
  await page.getByRole("heading", { name: "Needs you" }).waitFor();
  expect(await card.count()).toBe(0);
});
