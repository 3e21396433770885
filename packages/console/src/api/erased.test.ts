import type { Event } from "@waypost/sdk";
import { expect, test } from "vitest";
import { erasedBy, withoutPerson } from "./erased.ts";

const event = (id: string, kind: string, data: Event["data"]): Event => ({
  id,
  kind,
  category: "contact",
  workspace_id: "ws_1",
  created_at: "2026-01-31T09:30:00.000Z",
  sequence: 1,
  data,
});

test("of one who was erased only the erasure stays, and of others all", () => {
  const erasure = event("evt_3", "contact_deleted", { contact: { id: "con_1", deleted: true } });
  const others = [
    event("evt_2", "messages", { message: { id: "msg_2", contact_id: "con_12" } }),
    event("evt_0", "contact_deleted", { contact: { id: "con_2", deleted: true } }),
  ];
  const said = event("evt_1", "messages", { message: { id: "msg_1", contact_id: "con_1", from: "+15551230001" } });
  expect(withoutPerson([erasure, ...others, said], "con_1")).toEqual([erasure, ...others]);
  expect([erasure, ...others, said].map(erasedBy)).toEqual(["con_1", null, "con_2", null]);
});
