import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { parseId } from "../../lib/ids.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { findMedia } from "./media.ts";
import { completeInbound, failInbound } from "./outcome.ts";
import { JPEG } from "./testing/files.ts";
import { keptPicture, pendingMedia } from "./testing/pending.ts";

const PATIENCE = { timeout: 20_000, interval: 20 };

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

const pending = () => pendingMedia(gateway, mine);
const kept = () => keptPicture(gateway, mine);
const eventsOf = async (messageId: string, of = mine) =>
  (await of.call("GET", "/v1/events?limit=100")).body.data.filter(
    ({ data, category }: { category: string; data: { message_id?: string } }) =>
      category === "media" && data.message_id === messageId,
  );
/** The feed shows what is settled: an event comes to it a moment after its commit. */
const eventOf = (messageId: string) =>
  vi.waitFor(async () => {
    const events = await eventsOf(messageId);
    expect(events).toHaveLength(1);
    return events[0];
  }, PATIENCE);
const publicOf = async (id: string) => {
  const { data } = (await mine.call("GET", "/v1/media?source=inbound")).body;
  return data.find((one: { id: string }) => parseId("med", one.id) === id);
};

it("is available with its file, once, for its workspace", async () => {
  const { id } = await pending();
  expect(await publicOf(id)).toMatchObject({ status: "pending", size: null, sha256: null, source: "inbound" });
  const { id: publicId, message_id: publicMessage } = await publicOf(id);
  expect(await mine.call("GET", `/v1/media/${publicId}/content`)).toMatchObject({
    status: 409,
    body: { code: "conflict", detail: expect.stringContaining("media_available") },
  });
  const error = { code: "media_failed", detail: "x", retryable: false } as const;
  expect(await failInbound(gateway.app, theirs.uuid, id, error)).toBe(false);
  const file = { ...(await kept()), mimeType: "image/jpeg" };
  expect(await completeInbound(gateway.app, mine.uuid, id, file)).toBe(true);
  expect(await completeInbound(gateway.app, mine.uuid, id, file)).toBe(false);
  expect(await failInbound(gateway.app, mine.uuid, id, error)).toBe(false);
  const event = await eventOf(publicMessage);
  expect(event).toMatchObject({
    kind: "media_available",
    data: { media: { id: publicId, status: "available", mime_type: "image/jpeg" } },
  });
  expect((await mine.call("GET", `/v1/media?message_id=${publicMessage}`)).body.data).toMatchObject([{ id: publicId }]);
  expect((await mine.call("GET", `/v1/events?message_id=${publicMessage}`)).body.data.at(-1)).toEqual(event);
  expect(await eventsOf(publicMessage, theirs)).toEqual([]);
  const [known] = await gateway.app.db.read(mine.uuid, (sql) => findMedia(sql, mine.uuid, [id], null));
  expect(known).toMatchObject({ id, type: "image", size: JPEG.length, sha256: digest(JPEG), fileId: file.fileId });
  expect(await gateway.app.db.read(theirs.uuid, (sql) => findMedia(sql, theirs.uuid, [id], null))).toEqual([]);
});

it("fails with its reason, and has no content", async () => {
  const { id } = await pending();
  const error = { code: "media_failed", detail: "The provider no longer has the file.", retryable: false } as const;
  expect(await failInbound(gateway.app, mine.uuid, id, error)).toBe(true);
  const media = await publicOf(id);
  expect(media).toMatchObject({ status: "failed", error });
  expect((await mine.call("GET", "/v1/media?status=failed")).body.data).toMatchObject([{ id: media.id }]);
  expect((await mine.call("GET", `/v1/media/${media.id}/content`)).status).toBe(409);
  expect(await eventOf(media.message_id)).toMatchObject({ kind: "media_failed", data: { media: { error } } });
});

it("is gone with the person who sent it, also from its events", async () => {
  const { id, contactId } = await pending();
  await completeInbound(gateway.app, mine.uuid, id, { ...(await kept()), mimeType: "image/jpeg" });
  const { id: publicId, message_id } = await publicOf(id);
  const { content_url } = (await mine.call("GET", `/v1/media/${publicId}`)).body;
  const address = gateway.url + new URL(content_url).pathname;
  expect((await fetch(address)).status).toBe(200);
  const [contact] = await mine.rows<{ id: string }>("select id from contact where id = $1", [contactId]);
  expect(contact?.id).toBe(contactId);
  const { contact_id } = (await eventOf(message_id)).data;
  expect((await mine.call("DELETE", `/v1/contacts/${contact_id}`)).status).toBe(204);
  expect((await fetch(address)).status).toBe(404);
  expect((await mine.call("GET", `/v1/media/${publicId}`)).status).toBe(404);
  expect((await eventOf(message_id)).data).toEqual({ media: null, message_id, contact_id });
});

const digest = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
