import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATOR_KEY, type Sender } from "../../packages/server/src/testing/gateway.ts";
import { openStage, type Stage } from "./stage.ts";

// Every page as readers of screens and people with weak eyes have it, in its forms; and that no page scrolls sideways.
let stage: Stage;
let mine: Sender;
let messageId: string;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

beforeAll(async () => {
  stage = await openStage();
  mine = await stage.gateway.sender();
  const { body } = await mine.send("+15551230001", { reference: "order-17" });
  await mine.becomes(body.id, "accepted");
  messageId = body.id;
  await mine.inbound("+15551230001");
});
afterAll(() => stage?.stop());

/** The pages, by the role and name of what is there once they are. */
const PAGES = [
  ["/", "heading", "Home"],
  ["/messages", "table", "Messages"],
  ["/messages?status=failed", "heading", "No message fits these filters"],
  ["/messages/MESSAGE", "figure", "The message as the person sees it"],
  ["/messages/MESSAGE?tab=raw", "region", "Raw"],
  ["/nothing-here", "heading", "There is no such page"],
] as const;

describe.each(["light", "dark"] as const)("%s", (scheme) => {
  test.each([1280, 390])("at %d pixels", async (width) => {
    const visitor = await stage.open({ scheme, width });
    const { page } = visitor;
    await visitor.go("/sign-in");
    await page.getByLabel("Key", { exact: true }).waitFor();
    await expectAccessible(page, "/sign-in");
    await visitor.signIn(mine.key);
    for (const [path, role, name] of PAGES) {
      await visitor.go(path.replace("MESSAGE", messageId));
      await page.getByRole(role, { name }).first().waitFor();
      await expectAccessible(page, path);
    }
    await visitor.go("/messages");
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("menuitem").first().waitFor();
    await expectAccessible(page, "the menu of filters");
    expect(visitor.faults).toEqual([]);
    await visitor.context.close();
  });

  test("as the operator", async () => {
    const visitor = await stage.open({ scheme });
    await visitor.signIn(OPERATOR_KEY);
    await visitor.page.getByRole("table", { name: "Workspaces" }).waitFor();
    await expectAccessible(visitor.page, "/operator/workspaces");
    await visitor.context.close();
  });
});

async function expectAccessible(page: Page, what: string): Promise<void> {
  await page.evaluate(AXE);
  // Without the layout's exceptions: all rules, of any impact.
  const found = await page.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`))",
  );
  expect([what, found]).toEqual([what, []]);
  const wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  expect([what, wide]).toEqual([what, 0]);
}
