import { describe, expect, it } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../lib/duration.ts";
import type { Sender } from "../../../testing/gateway.ts";
import { JPEG, mp4, PDF } from "../../media/testing/files.ts";
import { upload } from "../../media/testing/uploading.ts";
import { writer } from "../testing/content-cases.ts";
import { takeTemplates } from "../testing/golden-templates.ts";
import { person, startSenders } from "../testing/senders.ts";

const senders = await startSenders({ API_RATE_LIMIT: "off" });
const { gateway, kindsOf, mine, sentTo, theirs } = senders;
const { simulator, clock } = gateway;

const MP4 = mp4("isom");
let made = 0;
/** A new media of mine with bytes that no other test has. */
async function media(bytes: Uint8Array = JPEG, of = mine): Promise<string> {
  made += 1;
  const { status, body } = await upload(gateway, of, Buffer.concat([bytes, Buffer.from(`\n%${made}`)]));
  expect([status, body.status]).toEqual([201, "available"]);
  return body.id;
}
/** Uploads to the number of a sender since the last call, as the provider has them. */
const uploads = (of: Sender = mine) =>
  simulator
    .files()
    .filter((file) => file.source === "upload" && file.phone_number_id === of.account.providerPhoneNumberId);
const sizes = { before: 0 };
const newUploads = () => uploads().slice(sizes.before);
const mark = () => {
  sizes.before = uploads().length;
};
const send = (to: string, type: string, content: object, more: object = {}, of = mine) =>
  of.call("POST", "/v1/messages", { body: { to, type, [type]: content, ...more } });
const requestOf = (to: string) => sentTo(to).at(-1)?.request as ReturnType<typeof JSON.parse>;

describe("a message with media by id", () => {
  it("goes with the provider's id of an upload that its number makes once, and is shown with ours", async () => {
    mark();
    const [id, to] = [await media(), await writer(senders)];
    const first = await send(to, "image", { id, caption: "Front" });
    expect([first.status, first.body.image]).toEqual([202, { id, caption: "Front" }]);
    await mine.becomes(first.body.id, "accepted");
    const [uploaded, ...more] = newUploads();
    expect([uploaded?.mime_type, more]).toEqual(["image/jpeg", []]);
    expect(requestOf(to).image).toEqual({ id: uploaded?.id, caption: "Front" });
    const second = await send(to, "document", { id, filename: "front.jpg" });
    expect(await mine.becomes(second.body.id, "accepted")).toMatchObject({ document: { id, filename: "front.jpg" } });
    expect(requestOf(to).document).toEqual({ id: uploaded?.id, filename: "front.jpg" });
    expect(newUploads()).toHaveLength(1);
    const uses = await mine.rows(
      "select u.message_id from media_use u join message m on m.id = u.message_id where m.recipient = $1",
      [to],
    );
    expect(uses).toHaveLength(2);
  });

  it("of another workspace, unknown, deleted, failed or no id at all is refused at its place", async () => {
    const [own, foreign, to] = [await media(), await media(JPEG, theirs), person()];
    expect((await mine.call("DELETE", `/v1/media/${own}`)).status).toBe(204);
    for (const id of [own, foreign, "med_01jd0000000000000000000000", "17", "msg_01jd0000000000000000000000"]) {
      const { status, body } = await send(to, "image", { id });
      expect([id, status, body.code, body.errors]).toEqual([
        id,
        422,
        "media_not_found",
        [expect.objectContaining({ pointer: "/image/id" })],
      ]);
    }
    expect(await senders.countOf(to)).toBe(0);
    expect(await mine.rows("select from contact where phone = $1", [to])).toEqual([]);
  });

  it("is sent as its own kind or as a document, and validate says so too", async () => {
    const [image, video, to] = [await media(), await media(MP4), await writer(senders)];
    for (const [type, id] of [
      ["video", image],
      ["audio", image],
      ["sticker", image],
      ["image", video],
    ] as const) {
      const { status, body } = await send(to, type, { id });
      expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: `/${type}/id`, code: "kind" })]]);
      const dry = await mine.call("POST", "/v1/messages/validate", { body: { to, type, [type]: { id } } });
      expect(dry.body).toMatchObject({ sendable: false, problems: [{ errors: [{ pointer: `/${type}/id` }] }] });
    }
    const fine = await mine.call("POST", "/v1/messages/validate", {
      body: { to, type: "image", image: { id: image } },
    });
    expect(fine.body.sendable).toBe(true);
    const sent = await send(to, "video", { id: video });
    await mine.becomes(sent.body.id, "accepted");
  });

  it("is uploaded once for fifty at the same time, and for each number that sends it", async () => {
    mark();
    const [id, people] = [await media(), await Promise.all(Array.from({ length: 50 }, () => writer(senders)))];
    const sent = await Promise.all(people.map((to) => send(to, "image", { id })));
    await Promise.all(sent.map(({ body }) => mine.becomes(body.id, "accepted")));
    expect(newUploads()).toHaveLength(1);
    const other = await gateway.connect(mine);
    const [to] = people;
    simulator.setWindow({ phone_number_id: other.account.providerPhoneNumberId, person: to!, open: true });
    const template = { name: "with_photo", language: { code: "en_US" } };
    await takeTemplates({ ...senders, mine: other }, [PHOTO]);
    const components = [{ type: "header", parameters: [{ type: "image", image: { id } }] }];
    const elsewhere = await send(to!, "template", { ...template, components }, { from: other.phoneNumberId });
    await mine.becomes(elsewhere.body.id, "accepted");
    expect([newUploads().length, uploads(other).length]).toEqual([1, 1]);
  });

  it("that the provider has forgotten is uploaded once more, and goes", async () => {
    mark();
    const [id, to] = [await media(), await writer(senders)];
    await mine.becomes((await send(to, "image", { id })).body.id, "accepted");
    const [old] = newUploads();
    simulator.expireFile(old?.id ?? "");
    clock.advance(2 * MINUTE_MS);
    const { body } = await send(to, "image", { id });
    await mine.becomes(body.id, "accepted");
    const [renewed, ...more] = newUploads();
    expect([renewed?.id === old?.id, more, requestOf(to).image.id]).toEqual([false, [], renewed?.id]);
    expect(await kindsOf(to)).not.toContain("failed");
  });

  it("that the provider turns out to have forgotten after it accepted a message is uploaded again for the next", async () => {
    mark();
    const [id, to] = [await media(), await writer(senders)];
    await mine.becomes((await send(to, "image", { id })).body.id, "accepted");
    const [old] = newUploads();
    clock.advance(2 * MINUTE_MS);
    simulator.setSettings({ wrongFiles: "failed", outsideWindow: "allowed" });
    simulator.setDelays({ statuses: true, sentMs: 0 });
    simulator.expireFile(old?.id ?? "");
    const failed = await send(to, "image", { id });
    expect(await mine.becomes(failed.body.id, "failed")).toMatchObject({ error: { code: "media_failed" } });
    simulator.setDelays({ statuses: false });
    simulator.setSettings({ wrongFiles: "refused" });
    await expect
      .poll(() =>
        mine.rows(
          "select 1 from media_at_provider p join message m on p.media_id = any(m.media) where m.recipient = $1 and p.provider_media_id is not null",
          [to],
        ),
      )
      .toEqual([]);
    await mine.becomes((await send(to, "image", { id })).body.id, "accepted");
  });

  it("that the provider refuses fails as media_failed with what it said, without an upload for each message", async () => {
    mark();
    const [id, to] = [await media(), await writer(senders)];
    simulator.addFault({ kind: "refuse", code: 131053, operation: "upload_media" });
    const first = await send(to, "image", { id });
    const error = { code: "media_failed", provider: { code: 131053, details: "Refused by a fault of the simulator." } };
    expect(await mine.becomes(first.body.id, "failed")).toMatchObject({ error });
    const second = await send(to, "image", { id });
    expect(await mine.becomes(second.body.id, "failed")).toMatchObject({ error });
    expect([newUploads(), sentTo(to)]).toEqual([[], []]);
    clock.advance(11 * MINUTE_MS);
    await mine.becomes((await send(to, "image", { id })).body.id, "accepted");
  });

  it("waits while uploading fails for a reason that passes", async () => {
    const [id, to] = [await media(), await writer(senders)];
    simulator.addFault({ kind: "html", httpStatus: 503, operation: "upload_media" });
    const { body } = await send(to, "image", { id });
    await expect.poll(() => simulator.faults()).toEqual([]);
    expect(sentTo(to)).toEqual([]);
    clock.advance(10_000);
    await mine.becomes(body.id, "accepted");
  });

  it("that is deleted before it is sent fails, and says why", async () => {
    const [id, to] = [await media(), await writer(senders)];
    const send_at = new Date(clock.now() + 30 * MINUTE_MS).toISOString();
    const { body } = await send(to, "image", { id }, { send_at });
    expect((await mine.call("DELETE", `/v1/media/${id}`)).status).toBe(204);
    clock.advance(31 * MINUTE_MS);
    expect(await mine.becomes(body.id, "failed")).toMatchObject({
      error: { code: "media_failed", detail: expect.stringContaining("deleted") },
    });
  });

  it("holds no other person's message up while it is uploaded", async () => {
    const [id, to, other] = [await media(), await writer(senders), await writer(senders)];
    simulator.addFault({ kind: "delay", delayMs: 6_000, operation: "upload_media" });
    const slow = await Promise.all(Array.from({ length: 20 }, () => writer(senders)));
    const waiting = await Promise.all([to, ...slow].map((one) => send(one, "image", { id })));
    const quick = await send(other, "text", { body: "Hi" });
    await mine.becomes(quick.body.id, "accepted");
    expect(sentTo(to)).toEqual([]);
    await Promise.all(waiting.map(({ body }) => mine.becomes(body.id, "accepted")));
  });
});

const PHOTO = {
  name: "with_photo",
  language: "en_US",
  category: "UTILITY",
  components: [
    { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::aW"] } },
    { type: "BODY", text: "Here it is." },
  ],
};

describe("media by id inside other content", () => {
  it("goes in headers of interactive messages, in their cards, and in a fallback's header", async () => {
    await takeTemplates(senders, [PHOTO]);
    const [image, pdf, to] = [await media(), await media(PDF), await writer(senders)];
    const reply = (id: string) => ({ type: "reply", reply: { id, title: id } });
    const body = { text: "Look" };
    const interactive = {
      type: "button",
      header: { type: "document", document: { id: pdf } },
      body,
      action: { buttons: [reply("a")] },
    };
    const card = (card_index: number) => ({
      card_index,
      type: "cta_url",
      header: { type: "image", image: { id: image } },
      action: { name: "cta_url", parameters: { display_text: "Go", url: "https://shop.example" } },
    });
    const carousel = { type: "carousel", body, action: { cards: [card(0), card(1)] } };
    const fallback = {
      template: {
        name: "with_photo",
        language: { code: "en_US" },
        components: [{ type: "header", parameters: [{ type: "image", image: { id: image } }] }],
      },
    };
    for (const content of [interactive, carousel])
      await mine.becomes((await send(to, "interactive", content)).body.id, "accepted");
    const provider = new Map(uploads().map(({ id, mime_type }) => [id, mime_type]));
    const [buttons, cards] = sentTo(to).map(({ request }) => (request as ReturnType<typeof JSON.parse>).interactive);
    expect(provider.get(buttons.header.document.id)).toBe("application/pdf");
    for (const { header } of cards.action.cards) expect(provider.get(header.image.id)).toBe("image/jpeg");

    const stranger = person();
    const { status, body: message } = await send(stranger, "text", { body: "Hi" }, { fallback });
    expect(status).toBe(202);
    await mine.becomes(message.id, "accepted");
    expect(requestOf(stranger).template.components[0].parameters[0].image.id).toBe(
      cards.action.cards[0].header.image.id,
    );
    const wrong = await send(
      stranger,
      "text",
      { body: "Hi" },
      { fallback: JSON.parse(JSON.stringify(fallback).replaceAll(image, "17")) },
    );
    expect(wrong.body.errors).toEqual([
      expect.objectContaining({ pointer: "/fallback/template/components/0/parameters/0/image/id" }),
    ]);
  });

  it("is uploaded again after thirty days", async () => {
    mark();
    const [id, to] = [await media(), person()];
    const components = [{ type: "header", parameters: [{ type: "image", image: { id } }] }];
    const template = { name: "with_photo", language: { code: "en_US" }, components };
    await mine.becomes((await send(to, "template", template)).body.id, "accepted");
    const [old] = newUploads();
    clock.advance(29 * DAY_MS + 1);
    await gateway.partitionsAhead();
    await mine.becomes((await send(to, "template", template)).body.id, "accepted");
    const used = requestOf(to).template.components[0].parameters[0].image.id;
    expect([used === old?.id, simulator.files().some((file) => file.id === used)]).toEqual([false, true]);
  });
});
