import { expect, test } from "vitest";
import { eventsSearch } from "./search.ts";

test("an end and a number stand only beside a beginning: the tail has neither", () => {
  const given = { kind: "sent", since: "2026-01-31T09:00:00Z", until: "2026-01-31T10:00:00Z", number: "num_1" };
  expect(eventsSearch(given)).toEqual(given);
  expect(eventsSearch({ ...given, since: undefined })).toEqual({ kind: "sent" });
});
