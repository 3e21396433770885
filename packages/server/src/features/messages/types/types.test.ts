import { describe, expect, it } from "vitest";
import { type ContentCases, testContents } from "../testing/content-cases.ts";
import { person, startSenders } from "../testing/senders.ts";
import { MESSAGE_TYPES } from "../types.ts";

const senders = await startSenders({ API_RATE_LIMIT: "off" });
const { mine } = senders;

const LINK = "https://cdn.example/a.jpg";
const CARD = { name: { formatted_name: "Ana Diaz", first_name: "Ana" } };

const CASES: ContentCases = {
  text: {
    valid: [{ body: "Hi" }, { body: "x".repeat(4_096), preview_url: true }, { body: "🎉".repeat(4_096) }],
    invalid: [
      [{ body: "" }, "/text/body", "minLength"],
      [{ body: "x".repeat(4_097) }, "/text/body", "maxLength"],
      [{ body: "🎉".repeat(4_097) }, "/text/body", "maxLength"],
      [{}, "/text/body", "required"],
    ],
  },
  image: {
    valid: [{ link: LINK }, { link: LINK, caption: "x".repeat(1_024) }],
    invalid: [
      [{}, "/image/link", "required"],
      [{ link: LINK, caption: "x".repeat(1_025) }, "/image/caption", "maxLength"],
      [{ link: "ftp://cdn.example/a.jpg" }, "/image/link", "pattern"],
      [{ id: "med_1", link: LINK }, "/image/id", "invalid"],
      [{ id: "med_01jd0000000000000000000000" }, "/image/id", "media_not_found", 422],
    ],
  },
  video: {
    valid: [{ link: LINK, caption: "Look" }],
    invalid: [
      [{ caption: "Look" }, "/video/link", "required"],
      [{ link: LINK, filename: "a.mp4" }, "/video/filename", "unknown_field"],
    ],
  },
  audio: {
    valid: [{ link: LINK }, { link: LINK, voice: true }],
    invalid: [
      [{ link: LINK, caption: "Listen" }, "/audio/caption", "unknown_field"],
      [{ link: LINK, voice: "yes" }, "/audio/voice", "type"],
    ],
  },
  document: {
    valid: [{ link: LINK, caption: "Invoice", filename: "invoice.pdf" }],
    invalid: [
      [{ link: LINK, filename: "" }, "/document/filename", "minLength"],
      [{ link: "invoice.pdf" }, "/document/link", "pattern"],
    ],
  },
  sticker: {
    valid: [{ link: LINK }],
    invalid: [
      [{ link: LINK, caption: "Hi" }, "/sticker/caption", "unknown_field"],
      [{}, "/sticker/link", "required"],
    ],
  },
  location: {
    valid: [
      { latitude: 37.48, longitude: -122.15 },
      { latitude: -90, longitude: 180, name: "Shop", address: "1 Main St" },
      { latitude: "37.48", longitude: "-122.15" },
      { latitude: "-90.0", longitude: 0 },
      { latitude: 0, longitude: "-179.999999", name: "x".repeat(1_024) },
    ],
    invalid: [
      [{ latitude: 90.1, longitude: 0 }, "/location/latitude", "maximum"],
      [{ latitude: 0 }, "/location/longitude", "required"],
      [{ latitude: "90.1", longitude: 0 }, "/location/latitude", "maximum"],
      [{ latitude: "0", longitude: "-181" }, "/location/longitude", "maximum"],
      [{ latitude: "", longitude: 0 }, "/location/latitude", "pattern"],
      [{ latitude: "NaN", longitude: 0 }, "/location/latitude", "pattern"],
      [{ latitude: 0, longitude: "1e2" }, "/location/longitude", "pattern"],
      [{ latitude: true, longitude: 0 }, "/location/latitude", "type"],
    ],
  },
  contacts: {
    valid: [
      [CARD],
      [
        CARD,
        { ...CARD, birthday: "1990-04-17", phones: [{ phone: "+15550001111", type: "CELL" }], org: { title: "Dr" } },
      ],
    ],
    invalid: [
      [[], "/contacts", "minItems"],
      [Array(258).fill(CARD), "/contacts", "maxItems"],
      [[CARD, { name: { first_name: "Ana" } }], "/contacts/1/name/formatted_name", "required"],
      [[{ name: { formatted_name: "Ana Diaz" } }], "/contacts/0/name", "required"],
      [[{ ...CARD, birthday: "17 April" }], "/contacts/0/birthday", "pattern"],
      [[{ ...CARD, phone: "+15550001111" }], "/contacts/0/phone", "unknown_field"],
      [CARD, "/contacts", "type"],
    ],
  },
};

testContents(senders, CASES, (type, content) => ({ type, [type]: content }));

it("there is a case for every type", () => {
  const elsewhere = ["interactive", "reaction", "template"]; // files of their own
  expect(MESSAGE_TYPES.map(({ name }) => name).toSorted()).toEqual([...elsewhere, ...Object.keys(CASES)].toSorted());
});

describe("without an open window", () => {
  const contents = {
    ...Object.fromEntries(Object.entries(CASES).map(([type, { valid }]) => [type, valid[0]])),
    interactive: { type: "location_request_message", body: { text: "?" }, action: { name: "send_location" } },
  };

  it.each(Object.entries(contents))("%s is refused", async (type, content) => {
    const reply = await mine.call("POST", "/v1/messages", { body: { to: person(), type, [type]: content } });
    expect([reply.status, reply.body.code]).toEqual([422, "window_closed"]);
  });
});

it("a refusal for a limit says what is allowed and what to do", async () => {
  const detailOf = async (type: string, content: unknown) =>
    (await mine.call("POST", "/v1/messages", { body: { to: person(), type, [type]: content } })).body.errors[0].detail;
  expect(await detailOf("text", { body: "x".repeat(4_097) })).toBe("must have at most 4096 characters: shorten it");
  expect(await detailOf("text", { body: "" })).toBe("must not be empty");
  expect(await detailOf("contacts", Array(258).fill(CARD))).toBe("must have at most 257 items: leave some out");
});
