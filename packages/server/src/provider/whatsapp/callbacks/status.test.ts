import { describe, expect, test } from "vitest";
import { changesOf, parseLists } from "../testing/changes.ts";

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
      recipient: {
        waId: "15550001111",
        userId: "US.13490000000000000001",
        parentUserId: null,
        username: null,
        profileName: "Ana",
      },
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

const STATUS = { id: "wamid.SIM1", status: "sent", timestamp: "1790000001", recipient_id: "15550001111" };
const changesOfStatus = (fields: object) => parseLists({ statuses: [{ ...STATUS, ...fields }] });

test.each([
  [{ status: "teleported" }, "unknown status"],
  [{ status: null }, "unknown status"],
  [{ id: null }, "status without message id"],
  [{ timestamp: null }, "status without readable time"],
])("%j is set aside whole", (fields, reason) => {
  expect(changesOfStatus(fields)).toMatchObject([
    { kind: "unrecognized", reason, value: { field: "messages", value: { statuses: [{ ...STATUS, ...fields }] } } },
  ]);
});

test.each(["group", "group-failed", "group-participants", "group-sent", "group-user-id"])(
  "one of a %s says nothing of a message between two",
  (name) => {
    expect(changesOf(`callback-status-${name}`)).toEqual([]);
  },
);

test.each([
  { recipient_type: "group" },
  { recipient_type: "GROUP", status: "teleported" },
  { recipient_participant_id: "15550001111" },
  { recipient_participant_user_id: "US.1", timestamp: null },
  { recipient_type: "group", type: "payment", status: "captured" },
])("nor does %j", (fields) => {
  expect(changesOfStatus(fields)).toEqual([]);
});

test.each([undefined, null, "", "message", "MESSAGE", " message "])("type %j is of the message", (type) => {
  for (const status of ["sent", "failed"])
    expect(changesOfStatus({ type, status })).toMatchObject([{ kind: "status", status }]);
});

test.each(["call", "order", "refund", 7, true, {}, [], ["message"], { message: 1 }, "messages"])(
  "type %j is never of the message",
  (type) => {
    for (const status of ["sent", "failed", "captured", null])
      expect(changesOfStatus({ type, status, payment: { reference_id: "r" } })).toEqual([]);
  },
);

describe("of a payment", () => {
  const payment = { reference_id: "order-17", amount: { value: 21_000, offset: 100 }, currency: "INR" };
  const read = { kind: "payment", providerMessageId: "wamid.SIM1", at: 1_790_000_001_000, reference: "order-17" };

  test.each(["captured", "pending", "failed", "sent", "read", "refunded"])("%s is the payment's alone", (status) => {
    for (const type of ["payment", "PAYMENT", undefined, null])
      expect(changesOfStatus({ type, status, payment })).toMatchObject([{ ...read, status }]);
  });

  test.each([
    [{ payment: [payment] }, { reference: "order-17" }],
    [{ payment: { reference_id: 17 } }, { reference: "17" }],
    [{ payment: { reference_id: "x".repeat(5_000) } }, { reference: "x".repeat(512) }],
    [{ payment: null }, { reference: null }],
    [{ payment: "order-17" }, { reference: null }],
    [{ payment: {} }, { reference: null }],
    [
      { payment, timestamp: null },
      { reference: "order-17", at: null },
    ],
    [{ payment, status: "CAPTURED" }, { status: "captured" }],
  ])("%j is taken as far as it can be read", (fields, expected) => {
    expect(changesOfStatus({ type: "payment", status: "captured", ...fields })).toMatchObject([
      { kind: "payment", ...expected },
    ]);
  });

  test("without a word it says nothing, and without a message's id it is set aside", () => {
    expect(changesOfStatus({ type: "payment", status: null, payment })).toEqual([]);
    expect(changesOfStatus({ type: "payment", status: "captured", payment, id: null })).toMatchObject([
      { kind: "unrecognized", reason: "status without message id" },
    ]);
  });
});
