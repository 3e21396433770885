import { afterAll, expect, it } from "vitest";
import { REPORTED_PATIENCE, reportingOf } from "../../messages/testing/reported.ts";
import { startSenders } from "../../messages/testing/senders.ts";
import { coexistenceOf, DAY_S } from "../testing/coexistence.ts";

// As much as a busy shop has in one callback.
const { gateway, mine } = await startSenders({ API_RATE_LIMIT: "off" });
const { tell, text, close } = reportingOf(gateway);
afterAll(close);
const { past, chunk, book, post, settled, messagesWith } = coexistenceOf(gateway);

it("a history of thousands of messages in 3 MiB holds up neither the number's own nor anybody else's", async () => {
  const people = Array.from({ length: 30 }, (_, index) => `1555770${String(index).padStart(4, "0")}`);
  const threads = people.map((person, at) => ({
    id: person,
    messages: Array.from({ length: 100 }, (_, n) =>
      past({ from: person, id: `wamid.big.${at}.${n}`, ago: (n + 1) * DAY_S + at, body: "x".repeat(800) }),
    ),
  }));
  await post(chunk(mine, ...threads));
  // While that is stored somebody writes to the same number.
  await tell(mine, text("15557600009", "wamid.meanwhile"));
  await expect.poll(() => messagesWith(mine, "+15557600009"), REPORTED_PATIENCE).toHaveLength(1);
  expect(await mine.rows("select from job where kind = 'ingress.later' and completed_at is null")).toHaveLength(1);
  await settled(mine);
  const [{ count }] = (await mine.rows<{ count: number }>(
    "select count(*)::int as count from message where provided->>'origin' = 'history' and sender like '+1555770%'",
  )) as [{ count: number }];
  expect(count).toBe(3_000);
});

it("a phone book of 1,500 people is taken in steps", async () => {
  const many = Array.from({ length: 1_500 }, (_, n) => ({
    phone_number: `1555900${String(n).padStart(4, "0")}`,
    full_name: `Ana ${n}`,
  }));
  await post(book(mine, ...many));
  await settled(mine);
  const rows = await mine.rows<{ count: number }>(
    "select count(*)::int as count from contact where phone like '+1555900%'",
  );
  expect(rows[0]?.count).toBe(1_500);
});
