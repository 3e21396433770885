import type { ServerResponse } from "node:http";
import type { Locator } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Receiver, startReceiver } from "../../packages/server/src/features/webhooks/testing/receiver.ts";
import { expectAccessible } from "./accessible.ts";
import { mine, setScene, stage, visitor } from "./scene.ts";

// Where events are posted, as a person sets it up and repairs it.
let receiver: Receiver;

setScene();
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver?.close());

/** Waits until it is there. */
const expectShown = (what: Locator): Promise<void> => what.waitFor();

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
  await sheet.getByRole("checkbox", { name: "Message delivered" }).check();
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
  await sheet.getByRole("button", { name: "Copy as curl" }).click();
  await sheet.getByRole("status").getByText("Copied").waitFor();
  const command = String(await page.evaluate("navigator.clipboard.readText()"));
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await submit.click();
  expect(command).toContain(`/v1/webhook-endpoints' -H "Authorization: Bearer $WAYPOST_API_KEY"`);
  expect(command).toContain(` -d '${(await sent).postData()}'`);
  const once = page.getByRole("alertdialog", { name: "The endpoint's secret" });
  const secret = await once.getByText(/^whsec_/).innerText();
  await page.keyboard.press("Escape");
  await once.getByRole("button", { name: "I have stored it" }).click();
  await expectShown(page.getByRole("heading", { level: 1, name: "https://example.com/hooks" }));
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

/** An endpoint that the receiver takes, and one delivery to it that the receiver refuses until it answers otherwise. */
async function refused(kinds: string[]): Promise<string> {
  const { body } = await mine.call("POST", "/v1/webhook-endpoints", { body: { url: receiver.url, events: kinds } });
  receiver.answer((response) => void response.writeHead(500).end("no room"));
  const before = receiver.received.length;
  await mine.call("POST", `/v1/webhook-endpoints/${body.id}/test`);
  await receiver.got(before + 1);
  return body.id;
}

test("a delivery that failed is found and tried again in four clicks, and what was posted can be seen", async () => {
  const { page } = visitor;
  await refused(["failed"]);
  await visitor.signIn(mine.key);
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("link", { name: receiver.url }).first().click();
  await page.getByRole("link", { name: "Test of an endpoint endpoint_test" }).first().click();
  // On a machine that has much to do, the next attempt may have come by itself.
  await expectShown(page.getByText("Status 500").first());
  await expect.poll(() => page.url()).toContain("/deliveries/dlv_");
  await expectShown(page.getByText("no room").first());
  await expectShown(page.getByRole("rowheader", { name: "x-service-event" }));
  receiver.answer((response) => void response.end("taken"));
  await page.getByRole("button", { name: "Try again now" }).click();
  await expectShown(page.getByText("Attempt 2", { exact: true }));
  await expectShown(page.getByText("taken"));
  await page.getByText("How to verify a delivery").click();
  await page.getByRole("tab", { name: "Go", exact: true }).click();
  await expectShown(page.getByText("func Verify("));
  await page.keyboard.press("Escape");
  await expect.poll(() => page.url()).toContain("/endpoints/whe_");
});

test("deliveries to all endpoints are one list, which is narrowed to an endpoint by its id", async () => {
  const { page } = visitor;
  receiver.answer((response) => void response.end());
  const other = await startReceiver();
  const { body } = await mine.call("POST", "/v1/webhook-endpoints", { body: { url: other.url, events: ["expired"] } });
  await mine.call("POST", `/v1/webhook-endpoints/${body.id}/test`);
  const first = await refused(["expired"]);
  await visitor.signIn(mine.key, "/endpoints");
  await page.getByRole("link", { name: "All deliveries" }).click();
  const table = page.getByRole("table", { name: "Deliveries" });
  await expectShown(table.getByRole("link", { name: other.url }));
  await expectShown(table.getByRole("link", { name: receiver.url }).first());
  const box = page.getByRole("searchbox", { name: "Find by id" });
  await box.fill(first);
  await box.press("Enter");
  await expect.poll(() => table.getByRole("link", { name: other.url }).count()).toBe(0);
  expect(new URL(page.url()).search).toBe(`?webhook_endpoint_id=${first}`);
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByRole("menuitem", { name: "Event", exact: true }).click();
  await page.getByRole("combobox", { name: "Event" }).selectOption({ label: "Message expired · expired" });
  await expectShown(page.getByRole("heading", { name: "No delivery fits these filters" }));
  await page.getByRole("button", { name: /^Event Message expired/ }).click();
  await page.getByRole("combobox", { name: "Event" }).selectOption({ label: "Test of an endpoint · endpoint_test" });
  await table.getByRole("link", { name: "endpoint_test" }).click();
  await expectShown(page.getByText("Status 500").first());
  await expectShown(page.getByRole("link", { name: "Webhooks" }).and(page.locator("[aria-current=page]")));
  await other.close();
});

test("events are counted, then sent again; on other pages and after a reload the tray has how far it is, until it was seen", async () => {
  const { page } = visitor;
  const id = await refused(["contact_created"]);
  receiver.answer((response) => void response.end());
  await mine.call("POST", "/v1/contacts", { body: { phone: "+15552000001" } });
  await mine.call("POST", "/v1/contacts", { body: { phone: "+15552000002" } });
  const path = `/v1/webhook-endpoints/${id}/deliveries?status=succeeded&kind=contact_created`;
  await expect.poll(async () => (await mine.call("GET", path)).body.data.length).toBe(2);
  await visitor.signIn(mine.key, `/endpoints/${id}?tab=replays`);
  await page.getByLabel("Which").selectOption({ label: "Both, and those that succeeded" });
  await page.getByRole("button", { name: "Count them" }).click();
  await expectShown(page.getByRole("heading", { name: "2 events fit" }));
  const counted = receiver.received.length;
  const held: ServerResponse[] = [];
  receiver.answer((response) => void held.push(response)); // it goes on until this page was left
  await page.getByRole("button", { name: "Send 2 again" }).click();
  await receiver.got(counted + 2);
  await expectShown(page.getByRole("heading", { name: /^Send events again/ }));
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Numbers" }).click();
  await page.getByRole("heading", { level: 1, name: "Numbers" }).waitFor();
  await page.reload();
  const tray = page.getByRole("banner").getByRole("button", { name: /^1 (?:running|done)$/ });
  expect(await tray.innerText()).toBe("1 running");
  receiver.answer((response) => void response.end());
  for (const response of held) response.end();
  const ends = async (): Promise<string> => {
    stage.gateway.clock.advance(1_000);
    return await tray.innerText();
  };
  await expect.poll(ends, { timeout: 15_000 }).toBe("1 done");
  await tray.click();
  const work = page.getByRole("dialog", { name: "What you began" }).getByRole("listitem");
  await expectShown(work.getByText("2 found, 2 scheduled, 2 succeeded, 0 failed"));
  await expectAccessible(page, "the tray");
  await work.getByRole("link", { name: "Send events again" }).click();
  await expectShown(page.getByRole("status").filter({ hasText: "2 found, 2 scheduled, 2 succeeded, 0 failed" }));
  await expect.poll(() => tray.count()).toBe(0);
  expect(await page.evaluate("sessionStorage.getItem('waypost-works')")).toBeNull();
});

test("of two tabs that edit the same, the later sees both versions, and keeps its own without undoing the rest", async () => {
  const { page, context } = visitor;
  const { body } = await mine.call("POST", "/v1/webhook-endpoints", {
    body: { url: "https://example.com/other", events: ["sent"] },
  });
  const at = `/endpoints/${body.id}?tab=settings&open=edit`;
  await visitor.signIn(mine.key, at);
  const sheet = page.getByRole("dialog", { name: "Edit" });
  await sheet.getByRole("textbox", { name: "Description" }).fill("Shop");
  await sheet.getByRole("checkbox", { name: "Message delivered" }).check();
  stage.gateway.clock.advance(1_000);
  const other = await context.newPage();
  await other.goto(at);
  const theirs = other.getByRole("dialog", { name: "Edit" });
  await theirs.getByRole("textbox", { name: "Description" }).fill("Cakes");
  await theirs.getByRole("textbox", { name: "Time for an answer" }).fill("20");
  await theirs.getByRole("button", { name: "Save" }).click();
  await theirs.waitFor({ state: "hidden" });

  await sheet.getByRole("button", { name: "Save" }).click();
  const versions = sheet.getByRole("region", { name: "Both versions" });
  await versions.getByRole("row").nth(3).waitFor();
  expect(await versions.getByRole("row").allInnerTexts()).toEqual([
    "Field\tTheirs, now\tYours",
    "Description\tCakes\tShop",
    "Events\tMessage sent\tMessage sent, Message delivered",
    "Time for an answer, in seconds\t20\tYou did not change it: theirs stays",
  ]);
  await versions.getByRole("button", { name: "Keep mine and save" }).click();
  await sheet.waitFor({ state: "hidden" });
  await expectShown(page.getByRole("definition").filter({ hasText: "Shop" }));
  expect((await mine.call("GET", `/v1/webhook-endpoints/${body.id}`)).body).toMatchObject({
    description: "Shop",
    timeout_seconds: 20,
    events: ["sent", "delivered"],
  });
});

test("a secret is rotated, and an endpoint deleted after a question in numbers", async () => {
  const { page } = visitor;
  const id = await refused(["expired"]);
  await visitor.signIn(mine.key, `/endpoints/${id}`);
  await page.getByRole("link", { name: "Rotate the secret" }).click();
  await page.getByRole("button", { name: "Make a new secret" }).click();
  const once = page.getByRole("alertdialog", { name: "The new secret" });
  await once.getByText(/^whsec_/).waitFor();
  await once.getByRole("button", { name: "I have stored it" }).click();
  await expectShown(page.getByRole("definition").getByText(/^until .*, for another (24h|1d)$/));
  await page.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog", { name: `Delete ${receiver.url}?` });
  await question.getByText("1 delivery waits for it and is dropped.").waitFor();
  await question.getByRole("button", { name: "Delete" }).click();
  await expectShown(page.getByRole("heading", { level: 1, name: "Webhooks" }));
  expect((await mine.call("GET", `/v1/webhook-endpoints/${id}`)).status).toBe(404);
});

test("another workspace's endpoint and delivery are none", async () => {
  const { page } = visitor;
  const id = await refused(["expired"]);
  const { body } = await mine.call("GET", `/v1/webhook-endpoints/${id}/deliveries`);
  const theirs = await stage.gateway.workspace();
  await visitor.signIn(theirs.key, `/endpoints/${id}`);
  await expectShown(page.getByRole("heading", { name: "There is no such endpoint" }));
  await visitor.go(`/deliveries/${body.data[0].id}`);
  await expectShown(page.getByRole("heading", { name: "There is no such delivery" }));
  await visitor.go("/deliveries");
  await expectShown(page.getByRole("heading", { name: "No delivery yet" }));
  await visitor.live(page);
  const own = { url: receiver.url, events: ["contact_created"] };
  await theirs.call("POST", "/v1/webhook-endpoints", { body: own });
  await theirs.call("POST", "/v1/contacts", { body: { phone: "+15552000031" } });
  await expectShown(page.getByRole("link", { name: "Contact created contact_created" }));
});

test("a disabled endpoint is enabled by a click, unless another has changed it meanwhile", async () => {
  const { page } = visitor;
  const { body } = await mine.call("POST", "/v1/webhook-endpoints", {
    body: { url: receiver.url, events: ["delivered"], enabled: false },
  });
  const path = `/v1/webhook-endpoints/${body.id}`;
  await visitor.signIn(mine.key, `/endpoints/${body.id}`);
  const enable = page.getByRole("button", { name: "Enable", exact: true });
  await enable.waitFor();
  await mine.call("PATCH", path, { body: { description: "Changed meanwhile" } });
  await enable.click();
  await expectShown(page.getByRole("alert").getByText("changed it meanwhile"));
  expect((await mine.call("GET", path)).body.status).toBe("disabled");
  await enable.click();
  await expect.poll(async () => (await mine.call("GET", path)).body.status).toBe("active");
  await expect.poll(() => page.getByRole("button", { name: /^Enabl/ }).count()).toBe(0);
  expect((await mine.call("GET", path)).body.description).toBe("Changed meanwhile");
});
