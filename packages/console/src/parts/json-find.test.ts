import { expect, test } from "vitest";
import { foundIn } from "./json-find.ts";

const EVENT = { id: "evt_1", data: { message: { to: "+1555", tags: ["Vip", null], "content-type": "text" } } };

test.each([
  ["vip", [{ path: "data.message.tags[0]", value: "Vip" }]],
  ["NULL", [{ path: "data.message.tags[1]", value: null }]],
  ["type", [{ path: 'data.message["content-type"]', value: "text" }]],
  ["tags", [{ path: "data.message.tags", value: ["Vip", null] }]],
  ["nowhere", []],
])("%s is found by names and texts, with its path", (sought, found) => {
  expect(foundIn(EVENT, sought, 10)).toEqual(found);
});

test("no more than asked for are found, and a text alone has no path", () => {
  expect(foundIn(Array(50).fill("same"), "same", 3).map(({ path }) => path)).toEqual(["[0]", "[1]", "[2]"]);
  expect(foundIn("Not JSON", "json", 3)).toEqual([{ path: "", value: "Not JSON" }]);
});
