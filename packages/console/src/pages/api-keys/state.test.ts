import { expect, test } from "vitest";
import { stateOf } from "./state.ts";

const NOW = Date.parse("2026-02-01T00:00:00.000Z");
const [PAST, SOON, LATER] = ["2026-01-31T00:00:00.000Z", "2026-02-02T00:00:00.000Z", "2026-03-01T00:00:00.000Z"];

test.each([
  [{ revoked_at: null, expires_at: null }, "active", null],
  [{ revoked_at: null, expires_at: LATER }, "active", LATER],
  [{ revoked_at: null, expires_at: SOON, replaced_by: "key_2" }, "ending", SOON],
  [{ revoked_at: PAST, expires_at: LATER }, "revoked", PAST],
  [{ revoked_at: null, expires_at: PAST }, "expired", PAST],
])("%o is %s", (key, state, ends) => {
  expect(stateOf({ replaced_by: null, ...key }, NOW)).toEqual({ state, ends });
});
