import { describe, expect, it } from "vitest";
import { timeZoneOfId } from "./time-zones.ts";

describe("timeZoneOfId", () => {
  it.each([
    ["1", "America/Los_Angeles"],
    [7, "America/New_York"],
    ["58", "Europe/London"],
    [71, "Asia/Kolkata"],
    ["137", "Europe/Kiev"],
    ["144", "Australia/Melbourne"],
    ["302", "Arctic/Longyearbyen"],
    ["474", "UTC"],
    ["475", "WET"],
    ["476", null],
    ["0", null],
    [0, null],
    ["01", null],
    ["-1", null],
    [1.5, null],
    ["1e2", null],
    ["", null],
    [null, null],
    [undefined, null],
    [{ id: 1 }, null],
    ["America/Los_Angeles", null],
  ])("of %j is %j", (id, zone) => {
    expect(timeZoneOfId(id)).toBe(zone);
  });

  it("names zones that can be computed with, each once", () => {
    const names = Array.from({ length: 475 }, (_, index) => timeZoneOfId(index + 1));
    expect(new Set(names).size).toBe(475);
    for (const name of names) expect(() => new Intl.DateTimeFormat("en", { timeZone: name ?? "" })).not.toThrow();
  });
});
