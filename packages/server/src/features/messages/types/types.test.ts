import { beforeAll, describe, expect, it } from "vitest";
import { callbackOf, postCallback, textFrom } from "../../../testing/callback.ts";
import { startSenders } from "../testing/senders.ts";
import { MESSAGE_TYPES } from "../types.ts";

const { gateway, mine, sentTo } = await startSenders({ API_RATE_LIMIT: "off" });

const ANA = "+15552400001";
const LINK = "https://cdn.example/a.jpg";
type Invalid = readonly [content: object, pointer: string, code: string, status?: number];

/** Of each type contents that are sent as they are, and contents that are refused before anything is accepted, with the place of the fault. */
const CASES: Record<string, { valid: readonly object[]; invalid: readonly Invalid[] }> = {
  text: {
    valid: [{ body: "Hi" }, { body: "x".repeat(4_096), preview_url: true }],
    invalid: [
      [{ body: "" }, "/text/body", "minLength"],
      [{ body: "x".repeat(4_097) }, "/text/body", "maxLength"],
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
    ],
    invalid: [
      [{ latitude: 90.1, longitude: 0 }, "/location/latitude", "maximum"],
      [{ latitude: 0 }, "/location/longitude", "required"],
      [{ latitude: "37.48", longitude: 0 }, "/location/latitude", "type"],
    ],
  },
};

const post = (type: string, content: object) =>
  mine.call("POST", "/v1/messages", { body: { to: ANA, type, [type]: content } });

beforeAll(async () => {
  const callback = callbackOf(mine.account, textFrom(ANA.slice(1), "wamid.opens", "Hello", gateway.clock.now()));
  expect((await postCallback(gateway, callback)).status).toBe(200);
});

it("there is a case for every type; templates have their own tests", () => {
  expect(MESSAGE_TYPES.map(({ name }) => name).toSorted()).toEqual(["template", ...Object.keys(CASES)].toSorted());
});

describe.each(Object.entries(CASES))("%s", (type, { valid, invalid }) => {
  it("reaches the provider as it was sent, and is shown so", async () => {
    for (const content of valid) {
      const { status, body } = await post(type, content);
      expect([content, status, body.type, body[type]]).toEqual([content, 202, type, content]);
      await mine.becomes(body.id, "accepted");
      const sent = sentTo(ANA).find(({ opaque }) => opaque?.includes(body.id));
      expect(sent?.request).toMatchObject({ type, [type]: content });
    }
  });

  const refused = invalid.map(([content, pointer, code, status = 400]) => ({ content, pointer, code, status }));
  it.each(refused)("is refused at $pointer: $code", async ({ content, pointer, code, status }) => {
    const reply = await post(type, content);
    const [first, ...more] = reply.body.errors;
    expect([reply.status, first.pointer, first.code, more]).toEqual([status, pointer, code, []]);
  });

  it("needs an open window", async () => {
    const body = { to: "+15552400002", type, [type]: valid[0] };
    expect((await mine.call("POST", "/v1/messages", { body })).body.code).toBe("window_closed");
  });
});

it("a refusal for a limit says what is allowed and what to do", async () => {
  const detailOf = async (content: object) => (await post("text", content)).body.errors[0].detail;
  expect(await detailOf({ body: "x".repeat(4_097) })).toBe("must have at most 4096 characters: shorten it");
  expect(await detailOf({ body: "" })).toBe("must not be empty");
});
