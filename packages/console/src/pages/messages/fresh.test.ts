import type { Message } from "@waypost/sdk";
import { expect, test } from "vitest";
import { freshOn } from "./fresh.ts";

const messageOf = (id: string, at: string, more: Partial<Message> = {}): Message =>
  ({
    id,
    created_at: `2026-03-01T${at}:00.000Z`,
    direction: "outbound",
    status: "sent",
    to: "+15551230001",
    ...more,
  }) as Message;
const rows = [messageOf("b", "10:00"), messageOf("a", "09:00")];

test("new is what is not on the page and belongs there", () => {
  const page = { rows, isFull: true, filters: {} };
  expect(freshOn(page, [messageOf("c", "10:01"), messageOf("b", "10:00", { status: "read" })])).toBe(1);
  // A status of a message of an older page.
  expect(freshOn(page, [messageOf("0", "08:00")])).toBe(0);
  expect(freshOn({ ...page, isFull: false }, [messageOf("0", "08:00")])).toBe(1);
  expect(freshOn({ rows: [], isFull: false, filters: {} }, [messageOf("0", "08:00")])).toBe(1);
});

test("what the filters of the page do not let through is not counted", () => {
  const failed = messageOf("c", "10:01", { status: "failed", error: { code: "provider_error" } as Message["error"] });
  const inbound = messageOf("d", "10:02", {
    direction: "inbound",
    status: "received",
    from: "+15551230002",
    to: null,
    contact_id: "con_1",
  });
  const count = (filters: Parameters<typeof freshOn>[0]["filters"]): number =>
    freshOn({ rows, isFull: true, filters }, [failed, inbound, messageOf("e", "10:03")]);
  expect(count({})).toBe(3);
  expect(count({ status: "failed" })).toBe(1);
  expect(count({ error_code: "provider_error" })).toBe(1);
  expect(count({ direction: "inbound", contact_id: "con_1" })).toBe(1);
  expect(count({ to: "+15551230001" })).toBe(2);
  expect(count({ from: "con_1" })).toBe(1);
  expect(count({ to: "con_1" })).toBe(0);
  expect(count({ template: "order_ready" })).toBe(0);
  expect(count({ created_after: "2026-03-01T11:01:30+01:00" })).toBe(2);
  expect(count({ created_before: "2026-03-01T10:02:00Z", direction: "outbound" })).toBe(1);
});
