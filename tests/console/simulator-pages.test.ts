import { mkdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Sender } from "../../packages/server/src/testing/gateway.ts";
import { expectAccessible } from "./accessible.ts";
import { FORMS, isWhole } from "./pages.ts";
import { openStage, type Stage } from "./stage.ts";

// The simulator's pages in their forms, as those of the console in access.test.ts.
let stage: Stage;
let mine: Sender;
const PERSON = "+15551230001";
const PICTURES = "dist/console-pictures";

beforeAll(async () => {
  stage = await openStage();
  mine = await stage.gateway.sender();
  const { simulator } = stage.gateway;
  simulator.setPerson({ person: PERSON, name: "Ann" });
  const { body } = await mine.send(PERSON);
  await mine.becomes(body.id, "accepted");
  await mine.inbound(PERSON);
  simulator.addFault({ kind: "refuse", code: 131016, recipient: "12025550199" });
  if (isWhole) mkdirSync(PICTURES, { recursive: true });
});
afterAll(() => stage?.stop());

type PageOf = { at: string; name: string };
const PAGES: readonly PageOf[] = [
  { at: "/sim", name: "Virtual phone" },
  { at: "/sim#15551230001", name: "Ann" },
  { at: "/sim/provider", name: "Templates" },
  { at: "/sim/provider#accounts", name: "Accounts and numbers" },
  { at: "/sim/provider#faults", name: "Active faults" },
  { at: "/sim/provider#callbacks", name: "Callbacks" },
  { at: "/sim/provider#sent", name: "Sent" },
];

test.each(["phone", "provider"])("the script and style of %s are small", (name) => {
  const file = (kind: string) =>
    readFileSync(new URL(`../../packages/simulator/dist/web/${name}.${kind}`, import.meta.url));
  expect(gzipSync(file("js")).length + gzipSync(file("css")).length).toBeLessThanOrEqual(30 * 1024);
});

describe.each(FORMS)("$scheme at $width pixels", ({ scheme, width }) => {
  test.each(PAGES)("$at", async ({ at, name }) => {
    const visitor = await stage.open({ scheme, width, origin: stage.gateway.simulator.url });
    const { page } = visitor;
    await visitor.go(at);
    await page.getByRole("status").getByText("Live").waitFor();
    await page.getByRole("heading", { name }).waitFor();
    await expectAccessible(page, at);
    if (isWhole) await page.screenshot({ path: `${PICTURES}/${at.replaceAll(/\W+/g, "-")}-${scheme}-${width}.png` });
    await visitor.leave();
  });
});
