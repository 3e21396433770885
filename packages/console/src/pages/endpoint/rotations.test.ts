import { expect, test } from "vitest";
import { endsOfOlder } from "./rotations.ts";

test("each secret that was replaced has the end that its rotation promised, until it has come", () => {
  const rotation = (at: string, overlap_seconds: number) => ({ at, changes: { overlap_seconds } });
  const rotations = [
    rotation("2026-01-31T09:00:00Z", 3_600),
    rotation("2026-01-31T08:00:00Z", 86_400),
    { at: "2026-01-31T08:00:00Z", changes: null },
    rotation("2026-01-31T07:00:00Z", 0),
    rotation("2026-01-31T06:00:00Z", 3_600),
  ];
  const now = Date.parse("2026-01-31T09:30:00Z");
  expect(endsOfOlder(rotations, now).map((end) => new Date(end).toISOString())).toEqual([
    "2026-01-31T10:00:00.000Z",
    "2026-02-01T08:00:00.000Z",
  ]);
});
