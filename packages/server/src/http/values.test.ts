import { describe, expect, test } from "vitest";
import { formatId, newUuid } from "../lib/ids.ts";
import { isoTime } from "../lib/iso-time.ts";
import { idSchema, uuidOfBody, uuidOfFilter, uuidOfPath } from "./ids.ts";
import { page, pageRequest } from "./pagination.ts";
import { timeOf } from "./timestamps.ts";

const code = (code: string) => expect.objectContaining({ code });

describe("pages", () => {
  const rows = Array.from({ length: 5 }, (_, index) => ({ id: newUuid(1_000 + index) })).reverse();

  test("walk through all rows once, newest first", () => {
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const request = pageRequest({ limit: 2, ...(cursor ? { cursor } : {}) });
      const found = rows.filter((row) => request.before === null || row.id < request.before).slice(0, request.fetch);
      const { data, next_cursor } = page(found, request, (row) => row.id);
      seen.push(...data);
      if (next_cursor === null) break;
      cursor = next_cursor;
    }
    expect(seen).toEqual(rows.map((row) => row.id));
  });

  test("a full last page has no next one", () => {
    expect(page(rows.slice(0, 2), pageRequest({ limit: 2 }), (row) => row.id).next_cursor).toBeNull();
  });
});

test("an id of another kind is 404 in a path, 422 in a body, nothing in a filter", () => {
  const uuid = newUuid(1_000);
  const id = formatId("msg", uuid);
  const { pattern } = idSchema("msg") as { pattern?: string };
  expect(new RegExp(String(pattern)).test(id)).toBe(true);
  expect(uuidOfPath("msg", id)).toBe(uuid);
  for (const bad of [
    formatId("con", uuid),
    id.slice(0, -1),
    id.toUpperCase(),
    `msg_8${id.slice(5)}`,
    `msg_${"u".repeat(26)}`,
  ]) {
    expect(new RegExp(String(pattern)).test(bad)).toBe(false);
    expect(() => uuidOfPath("msg", bad)).toThrow(code("not_found"));
    expect(() => uuidOfBody("msg", bad, "/reply_to")).toThrow(code("reference_not_found"));
    expect(uuidOfFilter("msg", bad)).toBeNull();
  }
});

test("a time has an offset and a real day", () => {
  expect(isoTime(timeOf("2026-01-31T11:30:00.5+02:00", "/at"))).toBe("2026-01-31T09:30:00.500Z");
  expect(timeOf("2026-01-31t09:30:00z", "/at")).toBe(Date.UTC(2026, 0, 31, 9, 30));
  for (const bad of [
    "2026-01-31T09:30:00",
    "2026-13-01T00:00:00Z",
    "1969-12-31T23:59:59Z",
    "2026-01-31",
    "now",
    "+010000-01-01T00:00:00Z",
    "9999-12-31T23:59:59-23:59",
  ]) {
    expect(() => timeOf(bad, "/at")).toThrow(code("invalid_request"));
  }
});
