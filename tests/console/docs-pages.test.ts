import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { expectAccessible } from "./accessible.ts";
import { mine, setScene, stage, visitor } from "./scene.ts";

// The reference in a real browser. Its texts and links are looked at without one (tests/front/reference.test.ts).

setScene({});

const LOOKS = [
  { scheme: "light", width: 1280 },
  { scheme: "dark", width: 390 },
] as const;
const PAGES = [
  "/docs",
  "/docs/messages.send",
  "/docs/errors/window_closed",
  "/docs/events/delivered",
  "/docs/guides/webhooks",
  "/docs/schemas/Message",
  "/docs/nothing",
];

test("each kind of page can be read by all, in light and dark, on a desk and a phone", async () => {
  const { page } = visitor;
  for (const path of PAGES) {
    await visitor.go(path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    // Nothing but their styles knows the two: they are seen in the page that is there.
    for (const { scheme, width } of LOOKS) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 800 });
      await expectAccessible(page, `${path} ${scheme}`);
    }
  }
});

test("the index is searched as one types, and is whole without a script", async () => {
  const { page } = visitor;
  await visitor.go("/docs");
  const rows = page.getByRole("main").getByRole("row");
  const all = await rows.count();
  await page.getByLabel("Search").fill("cancel message");
  await page
    .getByRole("status")
    .getByText(/^\d+ found$/)
    .waitFor();
  expect(await rows.filter({ visible: true }).filter({ hasText: "/v1/messages/{id}/cancel" }).count()).toBe(1);
  expect(await rows.filter({ visible: true }).count()).toBeLessThan(all / 10);
  await page.getByLabel("Search").fill("no such thing");
  await page.getByRole("status").getByText("Nothing fits.").waitFor();
  expect(await page.getByRole("heading", { level: 2 }).filter({ visible: true }).count()).toBe(0);
  await page.getByLabel("Search").fill("window_closed");
  await page.getByRole("link", { name: "window_closed" }).click();
  await page.getByRole("heading", { level: 1, name: "window_closed" }).waitFor();

  const plain = await stage.browser.newContext({ javaScriptEnabled: false, baseURL: stage.gateway.url });
  const without = await plain.newPage();
  await without.goto("/docs");
  expect(await without.getByRole("main").getByRole("row").count()).toBe(all);
  expect(await without.getByLabel("Search").isVisible()).toBe(false);
  await plain.close();
});

test("calls are made from Try it with the one kind of key; that of the demo workspace is there on this machine alone", async () => {
  const { page } = visitor;
  const file = join(stage.gateway.app.config.WAYPOST_DATA_DIR, "dev.json");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ api_key: mine.key }));
  const offered = async (headers: Record<string, string>): Promise<unknown> =>
    ((await (await fetch(`${stage.gateway.url}/docs/try/key`, { headers })).json()) as { key: unknown }).key;
  expect(await offered({ "sec-fetch-site": "same-origin" })).toBe(mine.key);
  for (const headers of [
    {},
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-origin", "x-forwarded-for": "192.0.2.1" },
  ])
    expect(await offered(headers as Record<string, string>)).toBe(null);

  // What it says of itself; a fault or a warning is none of these.
  visitor.expects(/^info: /);
  await visitor.go("/docs/messages.list");
  await page.getByRole("link", { name: "GET /v1/messages", exact: true }).click();
  const main = page.locator("#app");
  await main.getByText("Authentication").first().waitFor();
  // Both kinds of keys are given as one: there is nothing to choose.
  expect(await main.getByRole("button", { name: /basic|oauth|api key in/i }).count()).toBe(0);
  await main
    .getByRole("button", { name: /Test Request/ })
    .first()
    .click();
  const answer = page.waitForResponse((response) => new URL(response.url()).pathname === "/v1/messages");
  await page.getByRole("dialog").getByRole("button", { name: /^Send/ }).first().click();
  expect((await answer).status()).toBe(202);
});
