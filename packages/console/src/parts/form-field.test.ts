import { expect, test } from "vitest";
import { timeGiven, timeInput } from "./form-field.ts";

const AT = "2026-01-31T09:30:00.000Z";

test("a field for times has the zone that is shown, and is read in it", () => {
  expect(timeInput(AT, "utc")).toBe("2026-01-31T09:30");
  expect(timeGiven("2026-01-31T09:30", "utc")).toBe(AT);
  expect(timeGiven(timeInput(AT, "local"), "local")).toBe(AT);
});
