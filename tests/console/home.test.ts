import { beforeAll, expect, test } from "vitest";
import { countAllMessages } from "../../packages/server/src/features/metrics/counting.ts";
import { startReceiver } from "../../packages/server/src/features/webhooks/testing/receiver.ts";
import type { Sender } from "../../packages/server/src/testing/gateway.ts";
import { mine, setScene, stage, visitor } from "./scene.ts";

// Home: each figure leads to as many rows as it counts, of all numbers and of one.
let second: Sender;

setScene();
beforeAll(async () => {
  second = await stage.gateway.connect(mine);
});

const HOUR_MS = 3_600_000;

/** As a field for local times takes it. */
const localInput = (at: number): string =>
  new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** Sends a message and has the provider report these statuses of it. */
async function sendTo(from: Sender, to: string, statuses: readonly ("sent" | "delivered" | "read")[]): Promise<void> {
  const { body } = await from.send(to, { from: from.phoneNumberId });
  const { provider_message_id: id } = await from.becomes(body.id, "accepted");
  for (const status of statuses) {
    stage.gateway.simulator.status({ id, status });
    await from.becomes(body.id, status);
  }
}

test("a figure leads to as many rows as it counts, also of messages that have gone on since, and of one number", async () => {
  await sendTo(mine, "+15551230001", ["sent", "delivered", "read"]);
  await sendTo(mine, "+15551230002", ["sent", "delivered"]);
  await sendTo(second, "+15551230003", ["sent"]);
  stage.gateway.simulator.addFault({ kind: "refuse", code: 131026, recipient: "15551230008" });
  const { body } = await mine.send("+15551230008");
  await mine.becomes(body.id, "failed");
  await mine.inbound("+15551230001");
  await second.inbound("+15551230003");
  const counted = async (): Promise<number> => {
    await countAllMessages(stage.gateway.app);
    const { data } = (await mine.call("GET", "/v1/metrics/messages?group_by=status&interval=1d")).body;
    return data.reduce((sum: number, { status, count }: { status: string; count: number }) => {
      return status === "accepted" ? sum : sum + count;
    }, 0);
  };
  await expect.poll(counted).toBe(9);

  const { page } = visitor;
  await visitor.signIn(mine.key);
  const tiles = page.getByRole("list", { name: "Figures of the range" }).getByRole("listitem");
  const expectRows = async (name: string, count: number, list: string): Promise<void> => {
    await tiles.filter({ hasText: name }).getByText(String(count), { exact: true }).waitFor();
    await tiles.getByRole("link", { name }).click();
    // One row of them is the table's head.
    await expect.poll(() => page.getByRole("table", { name: list }).getByRole("row").count()).toBe(count + 1);
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  };
  await tiles.getByText("67% of sent").waitFor();
  await expectRows("Sent", 3, "Events");
  await expectRows("Delivered", 2, "Events");
  await expectRows("Read", 1, "Events");
  await expectRows("Failed", 1, "Events");
  await expectRows("Received", 2, "Messages");

  await page
    .getByRole("region", { name: "Failures by error" })
    .getByRole("link", { name: "recipient_unreachable" })
    .click();
  await page.getByRole("table", { name: "Messages" }).getByText("+1 555 123 0008").waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "All failures" }).click();
  const failures = page.getByRole("table", { name: "Failures" });
  await failures.getByRole("link", { name: "recipient_unreachable", exact: true }).waitFor();
  await page.goBack();

  await page.getByRole("combobox", { name: "Number" }).selectOption(second.phoneNumberId);
  await expectRows("Sent", 1, "Events");
  await expectRows("Received", 1, "Messages");
  expect(new URL(page.url()).searchParams.get("number")).toBe(second.phoneNumberId);

  await page.getByRole("link", { name: "Custom" }).click();
  const own = page.getByRole("form", { name: "Custom" });
  const show = async (from: number, until: number): Promise<void> => {
    await own.getByLabel("From").fill(localInput(from));
    await own.getByLabel("Until").fill(localInput(until));
    await own.getByRole("button", { name: "Show" }).click();
  };
  const current = stage.gateway.clock.now();
  await show(current, current - HOUR_MS);
  await own.getByRole("alert").getByText("It ends before it begins").waitFor();
  expect(await tiles.count()).toBe(0);
  await show(current - 3 * HOUR_MS, current - 2 * HOUR_MS);
  await page.getByRole("heading", { name: "Nothing happened in this time" }).waitFor();
  expect(await own.locator(":focus").innerText()).toBe("Show");
  await show(current - 2 * HOUR_MS, current + HOUR_MS);
  await expectRows("Sent", 1, "Events");

  const since = `/events?kind=sent&since=${new Date(current - 3 * HOUR_MS).toISOString()}`;
  await visitor.go(`${since}&until=${new Date(current - 2 * HOUR_MS).toISOString()}`);
  await page.getByRole("heading", { name: "No event fits these filters" }).waitFor();
  await visitor.go(`${since}&until=${new Date(current + HOUR_MS).toISOString()}`);
  await expect.poll(() => page.getByRole("table", { name: "Events" }).getByRole("row").count()).toBe(4);
});

test("what a key cannot see is said, and what does not lead anywhere names the scope", async () => {
  const { body } = await mine.call("POST", "/v1/api-keys", { body: { name: "few", scopes: ["messages:read"] } });
  const { page } = visitor;
  await visitor.signIn(body.key);
  await page.getByText("This key lacks accounts:read, webhooks:read, templates:read").waitFor();
  const tiles = page.getByRole("list", { name: "Figures of the range" });
  await tiles.getByTitle("webhooks:read", { exact: false }).first().waitFor();
  expect(await tiles.getByRole("link").allInnerTexts()).toEqual(["Received"]);
  expect(await page.getByText("Nothing needs you.").count()).toBe(0);
});

test("what does not get better by itself is named once the figures are there, each with the way to it", async () => {
  const owner = await stage.gateway.sender();
  const receiver = await startReceiver();
  receiver.answer((response) => void response.writeHead(410).end());
  const endpoint = { url: receiver.url, events: ["account_changed", "rejected"] };
  const { body: made } = await owner.call("POST", "/v1/webhook-endpoints", { body: endpoint });
  const { body: template } = await owner.call("POST", "/v1/templates", {
    body: {
      name: "buy_more",
      language: { code: "en_US" },
      category: "utility",
      components: [{ type: "BODY", text: "Buy another!" }],
    },
  });
  const reason = "TAG_CONTENT_MISMATCH";
  stage.gateway.simulator.decideTemplate(template.provider_template_id, { status: "REJECTED", reason });
  await expect
    .poll(async () => (await owner.call("GET", `/v1/webhook-endpoints/${made.id}`)).body.status)
    .toBe("disabled");
  const { body: accounts } = await owner.call("GET", "/v1/business-accounts");
  await owner.call("DELETE", `/v1/business-accounts/${accounts.data[0].id}`);

  const { page } = visitor;
  await visitor.signIn(owner.key);
  const needs = page.getByRole("region", { name: "Needs you" });
  await needs.getByText(`Webhooks to ${receiver.url} were stopped`).waitFor();
  await needs.getByText("1 template is rejected").waitFor();
  await needs.getByRole("link", { name: "Connect again" }).click();
  const id = page.getByRole("textbox", { name: "Id of the WhatsApp Business Account" });
  await expect.poll(() => id.inputValue()).toBe(owner.account.wabaId);
  await page.goBack();
  const rejected = needs.getByRole("listitem").filter({ hasText: "1 template is rejected" });
  await rejected.getByRole("link", { name: "Look" }).click();
  await page.getByRole("heading", { level: 1, name: "buy_more" }).waitFor();
  await receiver.close();
});

test("a portfolio's line has how many people were written to, and says when there is no room", async () => {
  const owner = await stage.gateway.sender({ business_id: "91001", messaging_limit: "TIER_2" });
  await owner.send("+15551230041");
  const { page } = visitor;
  await visitor.signIn(owner.key);
  const limits = page.getByRole("region", { name: "Messaging limits" });
  await limits.getByText("1 of 2 people in 24 hours").waitFor();
  expect(await limits.getByText("No room").count()).toBe(0);
  await owner.send("+15551230042");
  await page.reload();
  await limits.getByText("2 of 2 people in 24 hours").waitFor();
  await limits.getByText("No room").waitFor();
  await limits.getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: "Numbers" }).waitFor();
});
