import { expect, test } from "vitest";
import { changesOf, parseLists } from "./testing/changes.ts";

test("sent, with our value and the price", () => {
  expect(changesOf("callback-status-sent")).toEqual([
    {
      kind: "status",
      providerPhoneNumberId: "1055",
      providerMessageId: "wamid.SIM0001",
      status: "sent",
      at: 1_790_000_003_000,
      correlationToken: "m_01J9Z",
      error: null,
      pricing: { billable: true, pricing_model: "PMP", type: "regular", category: "utility" },
      conversation: null,
      recipient: { waId: "15550001111", userId: "US.13490000000000000001", parentUserId: null },
    },
  ]);
});

test.each(["sent", "delivered", "read", "played", "failed", "deleted", "warning"])("%s", (status) => {
  expect(changesOf(`callback-status-${status}`)).toMatchObject([{ kind: "status", status }]);
});

test("failures carry their reason, and no opaque value is needed", () => {
  expect(changesOf("callback-status-failed")).toMatchObject([
    {
      correlationToken: null,
      error: {
        class: "recipient",
        code: "recipient_unreachable",
        provider: { code: 131026, details: "Unable to deliver." },
      },
    },
  ]);
  expect(changesOf("callback-status-failed-short-error")).toMatchObject([
    { error: { class: "later", code: "marketing_capped" } },
  ]);
  expect(changesOf("callback-status-failed-no-errors")).toMatchObject([
    { error: { class: "permanent", provider: null } },
  ]);
});

test("milliseconds are not taken for seconds", () => {
  expect(changesOf("callback-status-milliseconds")).toMatchObject([{ at: 1_790_000_003_123 }]);
});

test("the opaque value and conversation are optional", () => {
  expect(changesOf("callback-status-without-opaque")).toMatchObject([{ correlationToken: null, status: "delivered" }]);
  expect(changesOf("callback-status-conversation")).toMatchObject([{ conversation: { id: "c1d2" } }]);
  expect(changesOf("callback-status-user-id")).toMatchObject([{ providerMessageId: "wamid.SIM0004" }]);
});

test.each(["group", "group-user-id"])("one of a %s is set aside: it has one for each participant", (name) => {
  expect(changesOf(`callback-status-${name}`)).toMatchObject([
    { kind: "unrecognized", reason: "status of a group", providerPhoneNumberId: "1055" },
  ]);
});

test.each([
  [{ recipient_participant_id: "15550001111" }, "status of a group"],
  [{ status: "teleported" }, "unknown status"],
  [{ status: null }, "unknown status"],
  [{ id: null }, "status without message id"],
  [{ timestamp: null }, "status without readable time"],
])("%j is set aside whole", (fields, reason) => {
  const status = { id: "wamid.SIM1", status: "sent", timestamp: "1790000001", recipient_id: "15550001111", ...fields };
  expect(parseLists({ statuses: [status] })).toMatchObject([
    { kind: "unrecognized", reason, value: { field: "messages", value: { statuses: [status] } } },
  ]);
});
