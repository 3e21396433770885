import { expect, test } from "vitest";
import { countAllMessages } from "../../packages/server/src/features/metrics/counting.ts";
import { mine, setScene, stage, visitor } from "./scene.ts";

// What happens in a workspace, as a person watches it.

setScene();

test("events arrive as they happen, stand still on Space and go on with what came meanwhile; each opens as it is posted", async () => {
  const { page } = visitor;
  await mine.inbound("+15551230001", "Good morning");
  await visitor.signIn(mine.key, "/events");
  const rows = page.getByRole("table", { name: "Events" }).getByRole("row");
  await page.getByRole("cell", { name: "Good morning" }).waitFor();
  await page.getByRole("status").getByText("Live").waitFor();
  await mine.inbound("+15551230001", "Is it ready?");
  await page.getByRole("cell", { name: "Is it ready?" }).waitFor();
  expect(await rows.nth(1).innerText()).toContain("Is it ready?");

  await page.keyboard.press("Space");
  await page.getByRole("button", { name: /^Go on/ }).waitFor();
  const before = await rows.count();
  const { id } = await mine.inbound("+15551230002", "Hello?");
  await page.getByRole("button", { name: /^\d+ new$/ }).waitFor();
  expect(await rows.count()).toBe(before);
  await page.keyboard.press("Space");
  await page.getByRole("cell", { name: "Hello?" }).waitFor();

  const opened = (): string | null => new URL(page.url()).searchParams.get("open");
  await rows.filter({ hasText: "Hello?" }).getByRole("link").click();
  await page.getByRole("heading", { level: 2, name: "Message received" }).waitFor();
  const event = opened();
  await page.keyboard.press("j");
  await expect.poll(opened).not.toBe(event);
  await page.keyboard.press("k");
  await expect.poll(opened).toBe(event);

  const body = page.getByRole("region", { name: "The event as it is posted" });
  await body.getByRole("searchbox", { name: "Find a field or value" }).fill("hello?");
  await body.getByRole("button", { name: "data.message.text.body" }).click();
  await body.getByRole("status").getByText("Copied").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe("data.message.text.body");

  // Without room for both it is over the list.
  await page.setViewportSize({ width: 1000, height: 800 });
  const sheet = page.getByRole("dialog");
  await sheet.getByRole("region", { name: "The event as it is posted" }).waitFor();
  await sheet.getByRole("button", { name: "Close" }).press("j");
  await expect.poll(opened).not.toBe(event);
  await sheet.getByRole("button", { name: "Close" }).press("k");
  await expect.poll(opened).toBe(event);
  await sheet.getByRole("link", { name: "Go to the message" }).click();
  await expect.poll(() => page.url()).toBe(`${stage.gateway.url}/messages/${id}`);

  await visitor.go(`/events?message_id=${id}`);
  await page.getByRole("cell", { name: "Hello?" }).waitFor();
  expect(await page.getByRole("cell", { name: "Good morning" }).count()).toBe(0);
});

test("events of another workspace do not arrive", async () => {
  const theirs = await stage.gateway.workspace();
  await visitor.signIn(theirs.key, "/events");
  await visitor.page.getByRole("status").getByText("Live").waitFor();
  await visitor.page.getByRole("heading", { name: "Nothing has happened yet" }).waitFor();
  await mine.inbound("+15551230003", "For another");
  await theirs.call("POST", "/v1/contacts", { body: { phone: "+15552000009", name: "Customer 9" } });
  await visitor.page.getByRole("cell", { name: "Customer 9" }).waitFor();
  expect(await visitor.page.getByRole("table", { name: "Events" }).getByRole("row").count()).toBe(2);
});

test("what failed is counted by its error, which leads to its messages, and to what it means", async () => {
  const { page } = visitor;
  stage.gateway.simulator.addFault({ kind: "refuse", code: 131026, recipient: "15551230008" });
  const { body } = await mine.send("+15551230008");
  const { error } = await mine.becomes(body.id, "failed");
  const counted = async (): Promise<number> => {
    await countAllMessages(stage.gateway.app);
    return (await mine.call("GET", "/v1/metrics/messages?group_by=error_code")).body.data.length;
  };
  await expect.poll(counted).toBe(1);
  await visitor.signIn(mine.key, "/failures");
  const [reference] = await Promise.all([
    page.context().waitForEvent("page"),
    page.getByRole("link", { name: `What it means ${error.code}` }).click(),
  ]);
  await reference.getByRole("heading", { level: 1, name: error.code }).waitFor();
  await reference.close();
  await page.getByRole("link", { name: error.code, exact: true }).click();
  await page.getByRole("table", { name: "Messages" }).getByText("+1 555 123 0008").waitFor();
  expect(new URL(page.url()).searchParams.get("error_code")).toBe(error.code);
});
