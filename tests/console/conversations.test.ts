import type { Locator } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { PNG } from "../../packages/server/src/features/media/testing/files.ts";
import type { Sender } from "../../packages/server/src/testing/gateway.ts";
import { mine, setScene, stage, visitor } from "./scene.ts";
import { LOST } from "./stage.ts";

// Conversations: who wrote, what was answered, live, and to no other workspace.
let theirs: Sender;

setScene();
beforeAll(async () => {
  theirs = await stage.gateway.sender();
});

const expectShown = (what: Locator): Promise<void> => what.waitFor();

test("an answer is seen at once by a colleague, counts as read, and is nothing to another workspace", async () => {
  const { page } = visitor;
  const [colleague, stranger] = [await stage.open(), await stage.open()];
  await visitor.signIn(mine.key, "/conversations");
  await stranger.signIn(theirs.key, "/conversations");
  await expectShown(page.getByRole("status").getByText("Live"));
  await mine.inbound("+15551230031", "Where is my order?");
  await page.getByRole("link", { name: /Where is my order\?/ }).click();
  const thread = page.getByRole("log", { name: /^Messages with/ });
  await expectShown(thread.getByText("Where is my order?"));
  await expectShown(page.getByText(/^Window open for 2[34]/));
  await expect
    .poll(async () => (await mine.call("GET", "/v1/conversations?unread=true")).body.data.length, { timeout: 10_000 })
    .toBe(0);

  await colleague.signIn(mine.key, new URL(page.url()).pathname);
  const seen = colleague.page.getByRole("log", { name: /^Messages with/ });
  await expectShown(seen.getByText("Where is my order?"));
  await expectShown(colleague.page.getByRole("status").getByText("Live"));
  await page.getByRole("textbox", { name: "Reply" }).fill("It is on its way.");
  await page.getByRole("textbox", { name: "Reply" }).press("Enter");
  await expectShown(seen.getByText("It is on its way."));
  await expectShown(seen.getByText("Accepted", { exact: true }));
  await expect.poll(() => page.getByRole("textbox", { name: "Reply" }).inputValue()).toBe("");
  const [{ id }] = (await mine.call("GET", "/v1/messages?direction=outbound&to=%2B15551230031")).body.data;
  const { provider_message_id } = await mine.becomes(id, "accepted");
  stage.gateway.simulator.status({ id: provider_message_id, status: "delivered" });
  await expectShown(seen.getByText("Delivered", { exact: true }));

  await expectShown(stranger.page.getByRole("heading", { name: "No conversation yet" }));
  await stranger.go(new URL(page.url()).pathname);
  await expectShown(stranger.page.getByRole("heading", { name: "There is no such conversation" }));
  for (const other of [colleague, stranger]) {
    await other.leave();
  }
});

test("where the window is closed, the way leads to a template for this person", async () => {
  const { page } = visitor;
  await mine.send("+15551230032");
  await visitor.signIn(mine.key, "/conversations?filter=closed");
  await page.getByRole("link", { name: /\+1 555 123 0032/ }).click();
  await expectShown(page.getByText("Window closed"));
  expect(await page.getByRole("textbox", { name: "Reply" }).count()).toBe(0);
  await page.getByRole("link", { name: "Send template" }).click();
  await page.getByLabel("Template", { exact: true }).last().selectOption({ label: "promo_spring (en_US)" });
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expectShown(page.getByRole("heading", { level: 1, name: "promo_spring to +1 555 123 0032" }));
});

test("the list is narrowed by a name and by what is unread, and says so in its address", async () => {
  const { page } = visitor;
  await mine.inbound("+15551230033", "Hello from Kim");
  await visitor.signIn(mine.key, "/conversations?filter=unread");
  await expectShown(page.getByRole("link", { name: /Hello from Kim.*1 unread/ }));
  const box = page.getByRole("searchbox", { name: "Name or number" });
  await box.fill("no");
  await box.press("Enter");
  await expectShown(page.getByText("Three letters or digits at least."));
  await box.fill("nowhere");
  await box.press("Enter");
  await expectShown(page.getByRole("heading", { name: "No conversation fits" }));
  await expect.poll(() => new URL(page.url()).search).toBe("?filter=unread&q=nowhere");
  await page.getByRole("link", { name: "Show all" }).click();
  await expectShown(page.getByRole("link", { name: /Hello from Kim/ }));
});

test("a picture that a person sent is shown by itself, any other file once it is asked for, and a failure in its place", async () => {
  const { page, context } = visitor;
  const { gateway } = stage;
  const phone_number_id = mine.account.providerPhoneNumberId;
  const { id } = await gateway.simulator.addFile({ phone_number_id, mime_type: "image/png" }, PNG);
  const picture = { type: "image", image: { id, mime_type: "image/png" } };
  const received = async (type: "image" | "document"): Promise<string> => {
    const message = type === "image" ? picture : { sample: type };
    gateway.simulator.inbound({ phone_number_id, from: "+15551230034", ...message });
    const last = async () => (await mine.call("GET", `/v1/messages?type=${type}`)).body.data[0]?.contact_id ?? null;
    await expect.poll(last).not.toBeNull();
    return await last();
  };
  const contact = await received("image");
  await received("document");
  visitor.expects(LOST);
  let isBroken = true;
  await context.route("**/v1/media/*/content", (route) => (isBroken ? route.abort() : route.fallback()));
  await visitor.signIn(mine.key, `/conversations/${contact}/${mine.phoneNumberId}`);
  await expectShown(page.getByRole("log").getByText("The gateway does not answer"));
  isBroken = false;
  await page.getByRole("log").getByRole("button", { name: "Try again" }).click();
  const image = page.getByRole("img", { name: "Image in the message" });
  await expectShown(image);
  expect(await image.getAttribute("src")).toMatch(/^blob:/);
  await expect
    .poll(() => image.evaluate((shown) => (shown as unknown as { naturalWidth: number }).naturalWidth))
    .toBe(1);
  expect(await page.getByRole("link", { name: /^Save/ }).count()).toBe(1);
  await page.getByRole("button", { name: "Show" }).click();
  await expect.poll(() => page.getByRole("link", { name: /^Save/ }).count()).toBe(2);
});

test("a conversation that another program answers is taken over, and given back", async () => {
  const { page } = visitor;
  const person = "+15551230035";
  const phone_number_id = mine.account.providerPhoneNumberId;
  const { contact_id } = await mine.inbound(person);
  const owner = async () =>
    (await mine.call("GET", `/v1/conversations?contact_id=${contact_id}`)).body.data[0].owner.role;
  stage.gateway.simulator.thread({ phone_number_id, person, action: "take" });
  await expect.poll(owner).toBe("other");
  await visitor.signIn(mine.key, `/conversations/${contact_id}/${mine.phoneNumberId}`);
  await expectShown(page.getByText("Another program of the business answers this person."));
  await page.getByRole("button", { name: "Take over" }).click();
  await page.getByRole("button", { name: "Give back" }).click();
  await expect.poll(owner).not.toBe("self");
});
