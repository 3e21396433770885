import { expect, test } from "vitest";
import { MESSAGE_ERRORS, REMEDY_WITHOUT_REASON } from "../../provider/message-errors.ts";
import { graphError, statusError } from "../../provider/whatsapp/errors.ts";
import { errorOfProvider, messageError, withoutProvider } from "./message-error.ts";

test.each([undefined, null, [], {}, 7, "x", [null], [[]], [{}]])(
  "a failure whose errors are %j is still a failure, and promises nothing",
  (errors) => {
    const error = statusError(errors);
    expect(error).toMatchObject({ class: "permanent", code: "provider_error", provider: null });
    expect(errorOfProvider(error)).toMatchObject({
      code: "provider_error",
      detail: "The provider reported the failure without a reason.",
      retryable: false,
      remedy: REMEDY_WITHOUT_REASON,
    });
  },
);

test.each([
  [[{ title: "Undeliverable" }], "Undeliverable"],
  [{ message: "(#1) Undeliverable" }, "Undeliverable"],
  [[null, { title: "Undeliverable", error_data: { details: "No such number." } }], "No such number."],
  [[{ code: "x", title: "Undeliverable" }], "Undeliverable"],
])("of the errors %j, which have no code, the sentence is kept", (errors, detail) => {
  expect(errorOfProvider(statusError(errors))).toEqual({
    ...messageError("provider_error", detail),
    retryable: false,
    remedy: REMEDY_WITHOUT_REASON,
  });
});

const UNDELIVERABLE = { code: 131026, title: "Message undeliverable", error_data: { details: "Unable to deliver." } };

test.each([
  [UNDELIVERABLE],
  [[UNDELIVERABLE]],
  [[null, "x", UNDELIVERABLE, { code: 131049 }]],
  [[{ title: "no code" }, UNDELIVERABLE]],
  [[{ code: null }, { ...UNDELIVERABLE, code: "131026" }]],
  [[{ ...UNDELIVERABLE, code: " 131026 " }]],
])("of the errors %j the first that has a code is the reason", (errors) => {
  expect(errorOfProvider(statusError(errors))).toMatchObject({
    code: "recipient_unreachable",
    detail: "Unable to deliver.",
    provider: { code: 131026, title: "Message undeliverable", details: "Unable to deliver." },
  });
});

test("the detail is the provider's most exact sentence, and the code only where it says nothing", () => {
  const detailOf = (more: object) => statusError([{ code: 131026, ...more }]).detail;
  expect(detailOf({ title: "A", message: "B", error_data: { details: "C" } })).toBe("C");
  expect(detailOf({ title: "A", message: "B", error_data: {} })).toBe("A");
  expect(detailOf({ message: "(#131026) B" })).toBe("B");
  expect(detailOf({ message: "(#131026)" })).toBe("provider code 131026");
  expect(detailOf({})).toBe("provider code 131026");
});

test("the provider's page about an error is kept where it names one", () => {
  const href = "https://developers.example/errors#131026";
  expect(errorOfProvider(statusError([{ ...UNDELIVERABLE, href }])).provider?.href).toBe(href);
  for (const none of [undefined, null, "", 7])
    expect(errorOfProvider(statusError([{ ...UNDELIVERABLE, href: none }])).provider).not.toHaveProperty("href");
});

test.each([
  [131061, "marketing_route_required", /Marketing Messages API/],
  [131063, "marketing_route_required", /Marketing Messages API/],
  [131065, "provider_rejected", /^Take the bid out, or send to another country\.$/],
  [131070, "thread_not_owned", /`take: true`/],
  [2494191, "thread_not_owned", /`take: true`/],
  [139200, "direct_send_unavailable", /approved template/],
  [131042, "payment_required", /1,000 service messages.*month/],
  [131062, "recipient_not_allowed", /phone number/],
  [131064, "messaging_limit_reached", /categories/],
])("%i is %s, and says what to do", (provider, code, remedy) => {
  const error = graphError({ error: { code: provider, message: "x" } }, 400, "EAATEST");
  expect(errorOfProvider(error!)).toMatchObject({ code, remedy: expect.stringMatching(remedy) });
  expect(Object.keys(MESSAGE_ERRORS)).toContain(code);
});

test("of an erased person nothing is left that the provider wrote", () => {
  const said = [{ title: "+15550001111", error_data: { details: "+15550001111 is not there" } }];
  for (const errors of [said, said.map((one) => ({ ...one, code: 131026 })), said.map((one) => ({ ...one, code: 2 }))])
    expect(JSON.stringify(withoutProvider(errorOfProvider(statusError(errors))))).not.toContain("5550001111");
  const expired = messageError("expired", "It was not sent before its expires_at.");
  expect(withoutProvider(expired)).toEqual(expired);
});
