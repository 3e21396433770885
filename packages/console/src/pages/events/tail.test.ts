import type { Event } from "@waypost/sdk";
import { expect, test } from "vitest";
import { fits, joined, kindsIn } from "./tail.ts";

const event = (id: string, kind = "sent", data: Event["data"] = {}): Event => ({
  id,
  kind,
  category: "message_status",
  workspace_id: "ws_1",
  created_at: "2026-01-31T09:30:00.000Z",
  sequence: 1,
  data,
});

test("what was read and what came since is one list, each event once, the newest first, and no longer than allowed", () => {
  const all = joined([event("evt_3"), event("evt_2")], [event("evt_2"), event("evt_1"), event("evt_0")], 3);
  expect(all.map(({ id }) => id)).toEqual(["evt_3", "evt_2", "evt_1"]);
});

test("filters take what the API would", () => {
  const one = event("evt_1", "read", { message: { id: "msg_1", contact_id: "con_1" } });
  for (const good of [{}, { kind: "read" }, { message_id: "msg_1", contact_id: "con_1" }])
    expect(fits(one, good)).toBe(true);
  for (const bad of [{ kind: "sent" }, { message_id: "msg_" }, { message_id: "msg_1", contact_id: "con_2" }])
    expect(fits(one, bad)).toBe(false);
});

test("kinds are counted, the most first", () => {
  expect(kindsIn([event("1"), event("2", "read"), event("3", "read")])).toEqual([
    { kind: "read", count: 2 },
    { kind: "sent", count: 1 },
  ]);
});
