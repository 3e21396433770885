import { expect, test } from "vitest";
import { mine, setScene, visitor } from "./scene.ts";

// What happens is shown at once, in every tab, and moves nothing.

setScene();

const PILL = { name: /new messages?$/ };

test("a message that came is announced by the lists whose filters let it through, and by no other", async () => {
  const { page, context } = visitor;
  await visitor.signIn(mine.key, "/messages?to=%2B15551230002");
  await page.getByRole("heading", { name: "No message fits these filters" }).waitFor();
  const inbound = await context.newPage();
  await inbound.goto("/messages?direction=inbound");
  await inbound.getByRole("heading", { name: "No message fits these filters" }).waitFor();
  // The second tab has what the first one reads.
  for (const tab of [page, inbound]) await visitor.live(tab);
  await mine.inbound("+15551230003", "Good morning");
  await inbound.getByRole("button", PILL).waitFor();
  expect(await page.getByRole("button", PILL).count()).toBe(0);
  await mine.inbound("+15551230002", "Here too");
  const { body } = await mine.send("+15551230002");
  await page.getByRole("button", { name: "1 new message" }).click();
  await page.locator(`a[href$="${body.id}"]`).first().waitFor();
  await inbound.getByRole("button", { name: "2 new messages" }).waitFor();
  expect(await page.getByRole("button", PILL).count()).toBe(0);
});

test("a tab goes on reading when the one that read for all is closed", async () => {
  const { page, context } = visitor;
  await visitor.signIn(mine.key, "/messages");
  await visitor.live(page);
  const other = await context.newPage();
  await other.goto("/messages?from=%2B15551230004");
  await other.getByRole("heading", { name: "No message fits these filters" }).waitFor();
  await visitor.live(other);
  await mine.inbound("+15551230004", "Hello?");
  await other.getByRole("button", { name: "1 new message" }).waitFor();
  await page.close();
  // Whoever reads next begins behind what the tabs have.
  await mine.inbound("+15551230004", "Is it still there?");
  await other.getByRole("button", { name: "2 new messages" }).click();
  await other.getByRole("table", { name: "Messages" }).getByText("Is it still there?").waitFor();
  expect(await other.getByRole("button", PILL).count()).toBe(0);
});
