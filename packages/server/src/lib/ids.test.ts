import { expect, test } from "vitest";
import { formatId, newUuid, parseId, timeOfUuid, uuidBefore } from "./ids.ts";

// The last one is from the specification of TypeID.
test.each([
  ["00000000-0000-0000-0000-000000000000", "msg_00000000000000000000000000"],
  ["ffffffff-ffff-ffff-ffff-ffffffffffff", "msg_7zzzzzzzzzzzzzzzzzzzzzzzzz"],
  ["01890a5d-ac96-774b-bcce-b302099a8057", "msg_01h455vb4pex5vsknk084sn02q"],
])("the public id of %s is %s, and back", (uuid, id) => {
  expect(formatId("msg", uuid)).toBe(id);
  expect(parseId("msg", id)).toBe(uuid);
});

test("uuids are of version 7 and of their time, and grow", () => {
  const now = Date.UTC(2026, 6, 1);
  const uuids = Array.from({ length: 1_000 }, () => newUuid(now));
  for (const uuid of uuids) {
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(parseId("msg", formatId("msg", uuid))).toBe(uuid);
  }
  expect(timeOfUuid(uuids[0] ?? "")).toBe(now);
  expect(uuids).toEqual([...new Set(uuids)].toSorted());
});

test.each([
  ["01890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-bcce-b302099a8056"],
  ["01890a5d-ac96-774b-8000-000000000000", "01890a5d-ac96-774b-7fff-ffffffffffff"],
])("the uuid before %s is %s", (uuid, before) => {
  expect(uuidBefore(uuid)).toBe(before);
});
