import { describe, expect, it } from "vitest";
import { monthOf } from "./time-zone.ts";

const month = (now: string, zone: string | null) => {
  const { start, end } = monthOf(Date.parse(now), zone);
  return [new Date(start).toISOString(), new Date(end).toISOString()];
};

describe("monthOf", () => {
  it.each([
    [null, "2026-11-15T12:00:00Z", "2026-11-01T00:00:00.000Z", "2026-12-01T00:00:00.000Z"],
    ["Mars/Olympus", "2026-11-15T12:00:00Z", "2026-11-01T00:00:00.000Z", "2026-12-01T00:00:00.000Z"],
    ["America/Los_Angeles", "2026-11-15T12:00:00Z", "2026-11-01T07:00:00.000Z", "2026-12-01T08:00:00.000Z"],
    ["America/Los_Angeles", "2026-12-01T07:59:59.999Z", "2026-11-01T07:00:00.000Z", "2026-12-01T08:00:00.000Z"],
    ["America/Los_Angeles", "2026-12-01T08:00:00Z", "2026-12-01T08:00:00.000Z", "2027-01-01T08:00:00.000Z"],
    ["Asia/Kathmandu", "2026-11-30T18:15:00Z", "2026-11-30T18:15:00.000Z", "2026-12-31T18:15:00.000Z"],
    ["Pacific/Kiritimati", "2026-11-30T10:00:00Z", "2026-11-30T10:00:00.000Z", "2026-12-31T10:00:00.000Z"],
    ["Etc/GMT+12", "2026-12-01T11:59:59Z", "2026-11-01T12:00:00.000Z", "2026-12-01T12:00:00.000Z"],
    // Its clocks went from 23:59 to 01:00.
    ["America/Asuncion", "2023-10-01T12:00:00Z", "2023-10-01T04:00:00.000Z", "2023-11-01T03:00:00.000Z"],
    ["Europe/London", "2028-02-29T23:59:59Z", "2028-02-01T00:00:00.000Z", "2028-03-01T00:00:00.000Z"],
  ])("of %s at %s is from %s to %s", (zone, now, start, end) => {
    expect(month(now, zone)).toEqual([start, end]);
  });
});
