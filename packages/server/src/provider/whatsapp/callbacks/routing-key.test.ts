import { expect, test } from "vitest";
import { goldenBytes } from "../testing/golden.ts";
import { routingKey } from "./routing-key.ts";

test.each([
  ["callback-message-text", "1055"],
  ["callback-status-failed", "1055"],
  ["callback-preferences-stop", "1055"],
  ["callback-batch-mixed", "1055"],
  ["callback-template-big-id", "9001"],
  // The partner's business: parsing finds the account in waba_info, the lane may be another one.
  ["callback-account-partner-removed", "7777"],
  ["vector-signature-escaped", "1055"],
  ["vector-needle-in-text", "1055"],
  ["vector-signature", null],
])("%s goes to %s", (name, key) => {
  expect(routingKey(goldenBytes(name))).toBe(key);
});

test.each([
  ["", null],
  ["no JSON", null],
  ['{"phone_number_id" : 1055}', "1055"],
  ['{"a":"phone_number_id","phone_number_id":"7"}', "7"],
  ['{"entry":[{"id":null,"x":{"id":"12"}}]}', "12"],
  [`{"phone_number_id":"${"9".repeat(40)}"}`, null],
  ['{"phone_number_id"', null],
])("%s goes to %s", (text, key) => {
  expect(routingKey(Buffer.from(text))).toBe(key);
});

test("a body that is a view into a larger buffer is read within its bounds", () => {
  const bytes = Buffer.from('{"phone_number_id":"1"}{"phone_number_id":"2"}');
  expect(routingKey(bytes.subarray(23))).toBe("2");
});

test("3 MiB without any key cost a search, not a parse", () => {
  const body = Buffer.from(`{"entry":[{"changes":["${'\\"id\\":'.repeat(400_000)}"]}]}`);
  expect(routingKey(body)).toBeNull();
});
