import { afterAll, beforeAll, expect, test } from "vitest";
import type { Sender } from "../../packages/server/src/testing/gateway.ts";
import { openStage, type Stage } from "./stage.ts";

// What a person does in the first minutes, from the page that a new installation opens.
let stage: Stage;
let mine: Sender;

beforeAll(async () => {
  stage = await openStage();
  mine = await stage.gateway.sender();
});
afterAll(() => stage?.stop());

test("five steps that tick themselves off: sent, answered, replied to, received, broken", async () => {
  stage.gateway.simulator.setDelays({ statuses: true, sentMs: 0 });
  const visitor = await stage.open();
  const { page } = visitor;
  await visitor.signIn(mine.key);
  const card = page.getByRole("region", { name: /^First steps/ });
  const step = (name: string) => card.getByRole("listitem").filter({ hasText: name });
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

  expect(await step("Answer it").getByRole("link").getAttribute("href")).toContain(stage.gateway.simulator.url);
  await mine.inbound("+15551230001", "Thank you");
  await step("Answer it").getByText("Done").waitFor();

  await step("Receive a webhook").getByRole("button", { name: "Receive here" }).click();
  await step("Receive a webhook").getByRole("link", { name: "See what it got" }).waitFor();
  await mine.inbound("+15551230001", "Still there?");
  await step("Receive a webhook")
    .getByText(/^It got /)
    .click();
  await step("Receive a webhook").getByText("webhook-signature: v1,").waitFor();
  await step("Receive a webhook").getByText("Done").waitFor();

  const { status } = await mine.call("POST", "/v1/messages", {
    body: { to: "+15551230001", type: "text", text: { body: "We are here." } },
  });
  expect(status).toBe(202);
  await step("Reply within").getByText("Done").waitFor();

  await step("Break something").getByRole("link", { name: "Not on WhatsApp" }).click();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("recipient_unreachable").first().waitFor();
  await isDone("Break something");
  await card.getByRole("heading", { name: "First steps: all done" }).waitFor();

  await card.getByRole("button", { name: "Hide" }).click();
  await page.reload();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  expect(await card.count()).toBe(0);
  expect(visitor.faults).toEqual([]);
  await visitor.context.close();
});
