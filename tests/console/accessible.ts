import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** That readers of screens and people with weak eyes can use a page, and that it does not scroll sideways. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  // Reading the half megabyte again takes twice as long as a check.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(AXE);
  // Without the layout's exceptions: all rules, of any impact. What is in order is not written out, which takes a sixth of the time.
  const found = await page.evaluate(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`))",
  );
  expect([what, found]).toEqual([what, []]);
  const wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  expect([what, wide]).toEqual([what, 0]);
}
