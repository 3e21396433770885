import { expect, test } from "vitest";
import { type OutgoingMessage, readBody, sendBody } from "./payloads.ts";
import { golden, goldenNames } from "./testing/golden.ts";

test("request-read is what we send", () => {
  const body = readBody({ providerMessageId: "wamid.IN1", typing: true });
  expect(body).toEqual(golden("request-read").payload);
  const { typing_indicator: _without, ...receipt } = body;
  expect(readBody({ providerMessageId: "wamid.IN1", typing: false })).toEqual(receipt);
});

type Body = Record<string, unknown> & { type: string; context?: { message_id: string } };

// The receipt is no message: it has no type and no recipient, and is tested above.
const names = goldenNames("request-").filter((name) => name !== "request-read");

test.each(names)("%s is what we send", (name) => {
  const expected = golden(name).payload as Body;
  const message: OutgoingMessage = {
    to: typeof expected["to"] === "string" ? expected["to"] : null,
    userId: typeof expected["recipient"] === "string" ? expected["recipient"] : null,
    type: expected.type,
    content: expected[expected.type],
    replyToProviderId: expected.context?.message_id ?? null,
    correlationToken: "m_01J9Z",
  };
  expect(JSON.parse(JSON.stringify(sendBody(message)))).toEqual(expected);
});

test("a scheme in capitals leaves in small letters, at any depth, and nothing else is changed", () => {
  const content = (scheme: string) => ({
    components: [
      { type: "header", parameters: [{ type: "image", image: { link: `${scheme}://CDN.example/A.jpg` } }] },
      { type: "body", parameters: [{ type: "text", text: "HTTPS://stays.example" }] },
    ],
  });
  const sent = (scheme: string) => sendBody({ ...text, type: "template", content: content(scheme) })["template"];
  expect(sent("HTTPS")).toEqual(content("https"));
  expect(sent("hTTp")).toEqual(content("http"));
  expect(sent("ftp")).toEqual(content("ftp"));
});

const text: OutgoingMessage = {
  to: "+15550001111",
  userId: "US.1",
  type: "text",
  content: { body: "x" },
  replyToProviderId: null,
  correlationToken: "o",
};

test("a number wins over the business-scoped id", () => {
  expect(sendBody(text)).toMatchObject({ to: "+15550001111" });
  expect(sendBody(text)).not.toHaveProperty("recipient");
});

test("a reaction names its message by the provider's id, and carries no context", () => {
  const content = { message_id: "msg_01jd0000000000000000000000", emoji: "" };
  const body = sendBody({ ...text, type: "reaction", content, replyToProviderId: "wamid.B" });
  expect(body).toMatchObject({ reaction: { message_id: "wamid.B", emoji: "" } });
  expect(body).not.toHaveProperty("context");
});

test("a send without a recipient is a bug of the caller", () => {
  expect(() => sendBody({ ...text, to: null, userId: null })).toThrow(TypeError);
});
