import { mkdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Receiver, startReceiver } from "../../packages/server/src/features/webhooks/testing/receiver.ts";
import { OPERATOR_KEY, type Sender } from "../../packages/server/src/testing/gateway.ts";
import { expectAccessible } from "./accessible.ts";
import { FORMS, isWhole, OPERATOR_PAGES, PAGES, type PageState } from "./pages.ts";
import { openStage, type Stage, type Visitor } from "./stage.ts";

// Every page as readers of screens and people with weak eyes have it, in its forms; and that no page scrolls sideways.
let stage: Stage;
let mine: Sender;
let receiver: Receiver;
/** What stands for the names in addresses of pages. */
const named: Record<string, string> = {};

/** Where pictures go, to be looked at; they are compared with nothing. */
const PICTURES = "dist/console-pictures";

beforeAll(async () => {
  stage = await openStage();
  mine = await stage.gateway.sender();
  const { body } = await mine.send("+15551230001", { reference: "order-17" });
  await mine.becomes(body.id, "accepted");
  named.MESSAGE = body.id;
  await mine.inbound("+15551230001");
  receiver = await startReceiver();
  const { body: endpoint } = await mine.call("POST", "/v1/webhook-endpoints", {
    body: {
      url: receiver.url,
      events: ["messages", "delivered"],
      description: "Shop backend",
      headers: { "x-shop": "7" },
    },
  });
  named.ENDPOINT = endpoint.id;
  const { body: delivery } = await mine.call("POST", `/v1/webhook-endpoints/${endpoint.id}/test`);
  named.DELIVERY = delivery.id;
  await receiver.got(1);
  const { body: replay } = await mine.call("POST", `/v1/webhook-endpoints/${endpoint.id}/replays`, {
    body: { created_after: new Date(stage.gateway.clock.now() - 60_000).toISOString() },
  });
  named.REPLAY = replay.id;
  if (isWhole) mkdirSync(PICTURES, { recursive: true });
});
afterAll(async () => {
  await receiver?.close();
  await stage?.stop();
});

describe.each(FORMS)("$scheme at $width pixels", ({ scheme, width }) => {
  const look = async (visitor: Visitor, what: string): Promise<void> => {
    await expectAccessible(visitor.page, what);
    if (!isWhole) return;
    const file = `${what.replaceAll(/[^\w]+/g, "-").replaceAll(/^-|-$/g, "") || "home"}-${scheme}-${width}.png`;
    await visitor.page.screenshot({ path: `${PICTURES}/${file}`, fullPage: true });
  };
  const each = async (visitor: Visitor, pages: readonly PageState[]): Promise<void> => {
    for (const { at, role, name } of pages) {
      await visitor.go(at.replaceAll(/[A-Z_]{3,}/g, (key) => named[key] ?? key));
      await visitor.page.getByRole(role, { name }).first().waitFor();
      await look(visitor, at);
    }
    await visitor.context.close();
  };

  test("the pages of a workspace", { timeout: 120_000 }, async () => {
    const visitor = await stage.open({ scheme, width });
    await visitor.go("/sign-in");
    await visitor.page.getByLabel("Key", { exact: true }).waitFor();
    await look(visitor, "/sign-in");
    await visitor.signIn(mine.key);
    await visitor.go("/messages");
    await visitor.page.getByRole("button", { name: "Filter", exact: true }).click();
    await visitor.page.getByRole("menuitem").first().waitFor();
    await look(visitor, "the menu of filters");
    await each(visitor, PAGES);
    expect(visitor.faults).toEqual([]);
  });

  test("the pages of the operator", { timeout: 120_000 }, async () => {
    const visitor = await stage.open({ scheme, width });
    await visitor.signIn(OPERATOR_KEY);
    await each(visitor, OPERATOR_PAGES);
    expect(visitor.faults).toEqual([]);
  });
});
