import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { startReceiver } from "../../packages/server/src/features/webhooks/testing/receiver.ts";
import { mine, setScene, stage, visitor } from "./scene.ts";

// Messages: found, read beside their list, and followed while they are tried again.

setScene();

/** A minute and a half less than a session lives without use. */
const NEARLY_MS = 12 * 3_600_000 - 90_000;

const expectAt = async (path: string): Promise<void> => {
  await expect.poll(() => visitor.page.url()).toBe(stage.gateway.url + path);
};
const expectShown = (what: Locator): Promise<void> => what.waitFor();

test("the provider's id leads to its message, and an error's code to its rows", async () => {
  const { page } = visitor;
  const sent = await mine.send("+15551230011");
  const message = await mine.becomes(sent.body.id, "accepted");
  stage.gateway.simulator.addFault({ kind: "refuse", code: 131026, recipient: "+15551230012" });
  const refused = await mine.send("+15551230012");
  await mine.becomes(refused.body.id, "failed");

  await visitor.signIn(mine.key, "/messages");
  await expectShown(page.getByRole("cell", { name: "order_ready Your order is ready." }).first());
  const box = page.getByRole("searchbox", { name: "Id or phone number" });
  await box.fill(message.provider_message_id);
  await box.press("Enter");
  await expectAt(`/messages/${message.id}`);

  await visitor.go("/messages?error_code=recipient_unreachable");
  const rows = page.getByRole("table", { name: "Messages" }).getByRole("row");
  await expect.poll(() => rows.count()).toBe(2);
  await expectShown(page.getByRole("cell", { name: "Failed recipient_unreachable" }));
  await visitor.go(`/messages/${refused.body.id}`);
  const code = page.getByRole("list", { name: "What happened" }).getByRole("link", { name: "recipient_unreachable" });
  await expect.poll(() => code.getAttribute("href")).toMatch(/\/docs\/errors\/recipient_unreachable$/);
});

test("a message opens beside its list under its own address; keys lead to the neighbour and back to the row", async () => {
  const { page } = visitor;
  const [older, newer] = [
    await mine.send("+15551230013", { reference: "beside" }),
    await mine.send("+15551230014", { reference: "beside" }),
  ];
  await visitor.signIn(mine.key, "/messages?reference=beside");
  const list = page.getByRole("table", { name: "Messages" });
  await list.getByRole("link", { name: "+1 555 123 0014" }).click();
  await expectAt(`/messages/${newer.body.id}`);
  await expectShown(page.getByRole("heading", { level: 2, name: "order_ready to +1 555 123 0014" }));
  await expectShown(list.getByRole("link", { name: "+1 555 123 0013" }));

  await page.keyboard.press("j");
  await expectShown(page.getByRole("heading", { level: 2, name: "order_ready to +1 555 123 0013" }));
  await expectAt(`/messages/${older.body.id}`);
  await page.getByRole("tab", { name: "Raw" }).click();
  await expectAt(`/messages/${older.body.id}?tab=raw`);
  await page.reload();
  await expectShown(page.getByRole("heading", { level: 2, name: "order_ready to +1 555 123 0013" }));
  await page.getByRole("heading", { level: 2, name: "order_ready to +1 555 123 0013" }).focus();
  await page.keyboard.press("Escape");
  await expectAt("/messages?reference=beside");
  const row = list.getByRole("link", { name: "+1 555 123 0013" });
  await expect.poll(() => row.evaluate((link) => link.ownerDocument.activeElement === link)).toBe(true);

  // The address alone, as another person opens it, is a page.
  await visitor.go(`/messages/${newer.body.id}`);
  await expectShown(page.getByRole("heading", { level: 1, name: "order_ready to +1 555 123 0014" }));
});

test("what was exchanged with the provider is shown to keys that may read it", async () => {
  const { page } = visitor;
  const sent = await mine.send("+15551230015");
  await mine.becomes(sent.body.id, "accepted");
  const { body: reader } = await mine.call("POST", "/v1/api-keys", {
    body: { name: "reader", scopes: ["messages:read"] },
  });
  await visitor.signIn(reader.key, `/messages/${sent.body.id}?tab=raw`);
  await expectShown(page.getByText("Your key lacks the scope audit:read."));
  await expectShown(page.getByRole("region", { name: "Raw" }));

  const other = await stage.open();
  await other.signIn(mine.key, `/messages/${sent.body.id}?tab=raw`);
  await expectShown(other.page.getByRole("region", { name: "Request to the provider" }).getByText("15551230015"));
  await expectShown(other.page.getByRole("region", { name: "Attempts" }).getByText('"accepted"'));
  await other.leave();
});

test("a message that is tried again says why and when, and its tries are one line", async () => {
  const { page } = visitor;
  const to = "+15551230016";
  stage.gateway.simulator.addFault({ kind: "refuse", code: 131016, recipient: to, count: 20 });
  const { body } = await mine.send(to);
  await visitor.signIn(mine.key, `/messages/${body.id}`);
  const story = page.getByRole("list", { name: "What happened" });
  await expectShown(story.getByText(/^Tried again in .*: provider_error 131016$/));
  const tries = async (): Promise<number> => {
    stage.gateway.clock.advance(20_000);
    return (await mine.call("GET", `/v1/messages/${body.id}`)).body.history.length;
  };
  await expect.poll(tries).toBeGreaterThanOrEqual(3);
  await page.reload();
  await expectShown(story.getByText(/^\d+ tries, provider_error 131016$/));
  await story.getByRole("button", { name: "Show each" }).click();
  await expect.poll(() => story.getByRole("list").getByRole("listitem").count()).toBeGreaterThanOrEqual(3);
});

test("what endpoints were posted stands in the story, with its tries as one line, for keys that may see it", async () => {
  const { page } = visitor;
  const receiver = await startReceiver();
  receiver.answer((response) => void response.writeHead(503).end("busy"));
  const { body: endpoint } = await mine.call("POST", "/v1/webhook-endpoints", {
    body: { url: receiver.url, events: ["accepted"] },
  });
  const { body } = await mine.send("+15551230017");
  await mine.becomes(body.id, "accepted");
  await receiver.got(1);
  await visitor.signIn(mine.key, `/messages/${body.id}`);
  const story = page.getByRole("list", { name: "What happened" });
  const line = story.getByRole("listitem").filter({ hasText: receiver.url });
  await expectShown(line.getByRole("link", { name: "The webhook “Message accepted” was not accepted yet" }));
  await expectShown(line.getByText(/^Tried again in/));
  receiver.answer((response) => void response.end());
  const [{ id }] = (await mine.call("GET", `/v1/deliveries?message_id=${body.id}`)).body.data;
  await mine.call("POST", `/v1/deliveries/${id}/retry`);
  await expect.poll(async () => (await mine.call("GET", `/v1/deliveries/${id}`)).body.status).toBe("succeeded");
  await page.reload();
  await expectShown(line.getByRole("link", { name: "The webhook “Message accepted” was accepted" }));
  await expectShown(line.getByText("Receiver", { exact: true }));
  await line.getByRole("button", { name: "Show each" }).click();
  await expectShown(line.getByRole("list").getByText("Status 503"));
  await expect.poll(() => line.getByRole("list").getByRole("listitem").count()).toBe(2);
  await mine.call("DELETE", `/v1/webhook-endpoints/${endpoint.id}`);
  await receiver.close();

  const { body: key } = await mine.call("POST", "/v1/api-keys", { body: { name: "few", scopes: ["messages:read"] } });
  const other = await stage.open();
  await other.signIn(key.key, `/messages/${body.id}`);
  await expectShown(other.page.getByText("Webhooks are not shown here. Your key lacks the scope webhooks:read."));
  await other.leave();
});

test("a session that nobody uses says so two minutes ahead, and a click extends it", async () => {
  const { page } = visitor;
  await page.clock.install({ time: stage.gateway.clock.now() });
  await visitor.signIn(mine.key, "/messages?reference=none");
  await expectShown(page.getByRole("heading", { name: "No message fits these filters" }));
  const warning = page.getByRole("status").filter({ hasText: "Your session ends in" });
  // It was used since its end was read, which is read again; from then on nobody uses it.
  const read = page.waitForResponse("**/console/session");
  stage.gateway.clock.advance(NEARLY_MS);
  await page.clock.fastForward(NEARLY_MS);
  await read;
  expect(await warning.count()).toBe(0);
  await page.clock.fastForward(NEARLY_MS);
  await expectShown(warning.filter({ hasText: "Any click or key extends it." }));
  stage.gateway.clock.advance(NEARLY_MS);
  await page.getByRole("heading", { level: 1 }).click();
  await warning.waitFor({ state: "detached" });
});

test("a code that signs a person in is dots on every page that has its message", async () => {
  const { page } = visitor;
  const { body: template } = await mine.call("POST", "/v1/templates", {
    body: {
      name: "sign_in",
      language: { code: "en_US" },
      category: "authentication",
      components: [
        { type: "BODY", add_security_recommendation: false },
        { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copy code" }] },
      ],
    },
  });
  stage.gateway.simulator.decideTemplate(template.provider_template_id, { status: "APPROVED" });
  await expect
    .poll(async () => (await mine.call("GET", `/v1/templates/${template.id}`)).body.status, { timeout: 30_000 })
    .toBe("approved");
  const parameters = [{ type: "text", text: "739104" }];
  const components = [
    { type: "body", parameters },
    { type: "button", sub_type: "url", index: "0", parameters },
  ];
  const { body: sent } = await mine.call("POST", "/v1/messages", {
    body: {
      to: "+15551230019",
      type: "template",
      template: { name: "sign_in", language: { code: "en_US" }, components },
    },
  });
  await mine.becomes(sent.id, "accepted");
  expect((await mine.call("GET", `/v1/messages/${sent.id}`)).text).toContain("739104");
  const [event] = (await mine.call("GET", `/v1/events?message_id=${sent.id}`)).body.data;
  await visitor.signIn(mine.key);
  const shown = "document.documentElement.outerHTML + [...document.querySelectorAll('input')].map((one) => one.value)";
  const drawn = [
    [`/messages/${sent.id}`, "figure", "The message as the person sees it"],
    [`/conversations/${sent.contact_id}/${mine.phoneNumberId}`, "log", /./],
    [`/messages/new?again=${sent.id}`, "button", "Send"],
  ] as const;
  for (const [at, role, name] of drawn) {
    await visitor.go(at);
    await expectShown(page.getByRole(role, { name }).first());
    expect([at, String(await page.evaluate(shown)).includes("739104")]).toEqual([at, false]);
  }
  const asJson = [
    [`/messages/${sent.id}?tab=content`, "Content"],
    [`/messages/${sent.id}?tab=raw`, "Raw"],
    [`/events?message_id=${sent.id}&open=${event.id}`, "The event as it is posted"],
  ] as const;
  for (const [at, name] of asJson) {
    await visitor.go(at);
    await page.getByRole("region", { name, exact: true }).getByRole("button", { name: "Copy" }).first().click();
    const copied = await page.evaluate("navigator.clipboard.readText()").then(String);
    expect([at, copied.includes("739104"), copied.includes("••••••")]).toEqual([at, false, true]);
  }
});
