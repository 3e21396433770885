import { mkdirSync } from "node:fs";
import { afterAll, beforeAll, test } from "vitest";
import type { Sender } from "../../packages/server/src/testing/gateway.ts";
import { openStage, type Stage } from "./stage.ts";

// The README's pictures, of the real thing: `npm run pictures` makes them anew. They are looked at, and compared with nothing.
const FOLDER = "docs/pictures";
const isWanted = process.env.WAYPOST_PICTURES === "1";
const PERSON = "+15551230001";

let stage: Stage;
let mine: Sender;

beforeAll(async () => {
  if (!isWanted) return;
  mkdirSync(FOLDER, { recursive: true });
  stage = await openStage();
  mine = await stage.gateway.sender();
  const { simulator } = stage.gateway;
  simulator.setDelays({ statuses: true, sentMs: 0, deliveredMs: 0, readMs: 0 });
  simulator.setPerson({ person: PERSON, name: "Ann" });
  for (const to of ["+15551230002", "+15551230003", "+12025550101"])
    await mine.send(to, { reference: `order-${to.slice(-2)}` });
  const { body } = await mine.send(PERSON, { reference: "order-17" });
  await mine.becomes(body.id, "read");
  await mine.inbound(PERSON, "Great, I am on my way!");
  const text = { to: PERSON, type: "text", text: { body: "See you soon. We are open until *6 pm*." } };
  await mine.becomes((await mine.call("POST", "/v1/messages", { body: text })).body.id, "read");
});
afterAll(() => stage?.stop());

test.runIf(isWanted)("the console", async () => {
  const visitor = await stage.open({ width: 1280, height: 720 });
  await visitor.signIn(mine.key, "/messages");
  await visitor.page.getByRole("table", { name: "Messages" }).getByRole("link").first().click();
  const heading = visitor.page.getByRole("heading", { level: 2, name: /to \+1 555 123 0001$/ });
  await heading.waitFor();
  await visitor.page.mouse.move(0, 0);
  await visitor.page.screenshot({ path: `${FOLDER}/console.png` });
  await visitor.leave();
});

test.runIf(isWanted)("the virtual phone", async () => {
  const visitor = await stage.open({ origin: stage.gateway.simulator.url, width: 900, height: 720 });
  await visitor.go(`/sim#${PERSON.slice(1)}/${mine.account.providerPhoneNumberId}`);
  await visitor.page.getByRole("log", { name: "Messages" }).getByText("See you soon").waitFor();
  await visitor.page.screenshot({ path: `${FOLDER}/phone.png` });
  await visitor.leave();
});
