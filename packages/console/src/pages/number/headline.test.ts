import { expect, test } from "vitest";
import { type Check, remedyOf, worstOf } from "./headline.ts";

const check = (
  name: Check["name"],
  ok: boolean | null,
  remedy: string | null = ok === true ? null : "Do it.",
): Check => ({
  name,
  ok,
  detail: "",
  remedy,
  checked_at: "2026-01-31T09:00:00.000Z",
});
const named = (checks: Check[]) => {
  const worst = worstOf(checks);
  return [worst?.name ?? null, remedyOf(worst)];
};

test("what is bad comes before what is not known, and of both the first", () => {
  expect(named([check("token", true), check("quality", null), check("limit", false)])).toEqual(["limit", "look"]);
  expect(named([check("token", false), check("access", false)])).toEqual(["token", "connect"]);
  expect(named([check("token", true), check("callback_seen", null)])).toEqual(["callback_seen", "test"]);
});

test("a provider that cannot be asked is no reason to connect again", () => {
  expect(named([check("token", null), check("access", null)])).toEqual(["token", "look"]);
});

test("what is not known and needs nothing leaves all well", () => {
  expect(named([check("token", true), check("quality", null, null)])).toEqual([null, "look"]);
});
