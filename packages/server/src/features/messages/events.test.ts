import { expect, it } from "vitest";
import { newUuid } from "../../lib/ids.ts";
import { REPORTS } from "../threads/status.ts";
import { STATUS_EVENTS } from "./events.ts";

const AT = Date.parse("2026-01-31T09:30:00.000Z");

/** An event of a message that failed and was delivered all the same. */
const eventOf = (kind: string) =>
  STATUS_EVENTS.data({
    kind,
    occurredAt: AT,
    resourceId: null,
    state: {
      seen: REPORTS.failed.bit | REPORTS.delivered.bit,
      rank: REPORTS.delivered.rank,
      error: { code: "undeliverable" },
      failed_at: new Date(AT + 1_000).toISOString(),
    },
    message: {
      id: newUuid(AT),
      outbound: true,
      phone_number_id: newUuid(AT),
      contact_id: newUuid(AT),
      recipient: "+15551230001",
      sender: "+15550000000",
      type: "text",
      reply_to: null,
      reference: null,
      category: null,
      send_at: null,
      expires_at: null,
      estimated_dispatch_at: null,
      content: { body: "Hello" },
      sequence: 1,
      created_at: new Date(AT).toISOString(),
    },
    contact: null,
    isErased: false,
  });

it("has the error of a message with the statuses that it belongs to, and with no other", () => {
  expect(eventOf("failed")).toMatchObject({ status: "failed", error: { code: "undeliverable" } });
  expect(eventOf("delivered")).toMatchObject({ status: "delivered", error: null });
});

it("gives a status the time that its message has for it, when that is later", () => {
  expect(eventOf("failed")).toMatchObject({ occurred_at: "2026-01-31T09:30:01.000Z" });
  expect(eventOf("delivered")).toMatchObject({ occurred_at: "2026-01-31T09:30:00.000Z" });
});
