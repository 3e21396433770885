import { expect, test } from "vitest";
import { OPERATOR_KEY } from "../../packages/server/src/testing/gateway.ts";
import { mine, setScene, stage, visitor } from "./scene.ts";

// The console on a phone: what its bar has, and that all of it can be hit with a finger.

setScene({ look: { width: 360, height: 740 }, leadsToSimulator: true });

const bar = () => visitor.page.getByRole("navigation", { name: "Pages", exact: true });
const places = () => bar().getByRole("listitem").allInnerTexts();

test("the bar has four pages and the way to all others, to the virtual phone and to the reference", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key);
  await expect.poll(places).toEqual(["Home", "Messages", "Chats", "Events", "More"]);
  await bar().getByRole("link", { name: "Chats" }).click();
  await page.getByRole("heading", { level: 1, name: "Conversations" }).waitFor();
  await bar().getByRole("button", { name: "More" }).click();
  const all = page.getByRole("listbox", { name: "Places" });
  for (const name of ["Segments", "Import contacts", "Virtual phone", "API reference", "Sign out"])
    await all.getByRole("option", { name, exact: true }).waitFor();
  const opened = visitor.context.waitForEvent("page");
  await all.getByRole("option", { name: "Virtual phone" }).click();
  await expect.poll(async () => (await opened).url()).toContain(`${stage.gateway.simulator.url}/sim`);
});

test("the operator's pages are in it, and inside of a workspace that workspace's", async () => {
  await visitor.signIn(OPERATOR_KEY, `/operator/workspaces/${mine.id}`);
  await expect.poll(places).toEqual(["Workspaces", "Quarantine", "Audit", "System", "More"]);
  await visitor.page.getByRole("button", { name: /^Enter / }).click();
  await expect.poll(places).toEqual(["Home", "Messages", "Chats", "Events", "More"]);
});

test("filters are in a sheet, whose button counts those that hold", async () => {
  const { page } = visitor;
  await visitor.signIn(mine.key, "/messages");
  const sheet = page.getByRole("dialog", { name: "Filters" });
  await page.getByRole("button", { name: "Filters", exact: true }).click();
  await sheet.getByRole("combobox", { name: "Status" }).selectOption("failed");
  await sheet.getByRole("textbox", { name: "Template" }).fill("order_ready");
  await sheet.getByRole("button", { name: "Show" }).click();
  await page.getByRole("heading", { name: "No message fits these filters" }).waitFor();
  await expect.poll(() => page.url()).toMatch(/\/messages\?status=failed&template=order_ready$/);
  await page.getByRole("button", { name: "Filters (2)" }).click();
  // Once it has the focus it also keeps Back to itself.
  await expect.poll(() => sheet.evaluate((one) => one.contains(one.ownerDocument.activeElement))).toBe(true);
  await page.goBack();
  await expect.poll(() => sheet.count()).toBe(0);
  // The browser is sent forward again after it has gone back.
  await expect.poll(() => page.url()).toMatch(/\/messages\?status=failed&template=order_ready$/);
  await page.getByRole("button", { name: "Filters (2)" }).click();
  await sheet.getByRole("button", { name: "Clear" }).click();
  await expect.poll(() => page.url()).toMatch(/\/messages$/);

  // What is not changed stays as it was, though no option, and no field for minutes, has it.
  const held = { tag: "no_such_tag", created_after: "2026-01-31T09:30:15.250Z" };
  await visitor.go(`/contacts?${new URLSearchParams(held).toString()}`);
  await page.getByRole("button", { name: "Filters (2)" }).click();
  await sheet.getByRole("textbox", { name: "Text" }).fill("north");
  await sheet.getByRole("button", { name: "Show" }).click();
  const searched = (): object => Object.fromEntries(new URL(page.url()).searchParams);
  await expect.poll(searched).toEqual({ q: "north", ...held });
});

/** Names of what a finger misses: of which less than 44 pixels, one above the other, lead to it. Those in sentences are as large as their text. */
const SMALL = `[...document.querySelectorAll("main :is(a, button, select, input, summary)")]
  .filter((one) => one.checkVisibility() && one.closest("p, pre, .visually-hidden") === null)
  .filter((one) => {
    one.scrollIntoView({ block: "center" });
    const { x, y, width, height } = one.getBoundingClientRect();
    const isHit = (by) => {
      const at = document.elementFromPoint(x + width / 2, y + height / 2 + by);
      return at !== null && (one.contains(at) || at.closest("label")?.contains(one) === true);
    };
    const reach = (step) => {
      let by = 0;
      while (Math.abs(by) < 60 && isHit(by)) by += step;
      return Math.abs(by);
    };
    return reach(1) + reach(-1) < 44;
  })
  .map((one) => one.localName + " " + (one.getAttribute("aria-label") ?? one.textContent))`;

test("a finger hits what it is meant for", async () => {
  const { page } = visitor;
  const { body } = await mine.send("+15551230051");
  await mine.becomes(body.id, "accepted");
  const { contact_id: contact } = await mine.inbound("+15551230051");
  await visitor.signIn(mine.key);
  for (const [at, role, name] of [
    ["/failures", "navigation", "Range"],
    ["/templates", "table", "Templates"],
    [`/messages/${body.id}?tab=raw`, "region", "Request to the provider"],
    [`/contacts/${contact}`, "heading", "Open to write"],
    ["/conversations", "link", /Hello/],
    [`/conversations/${contact}/${mine.phoneNumberId}`, "textbox", "Reply"],
    [`/numbers/${mine.phoneNumberId}`, "heading", "Business profile"],
  ] as const) {
    await visitor.go(at);
    await page.getByRole(role, { name }).first().waitFor();
    expect([at, await page.evaluate(SMALL)]).toEqual([at, []]);
  }
});
