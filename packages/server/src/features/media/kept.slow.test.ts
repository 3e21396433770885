import { utimes } from "node:fs/promises";
import { createConnection } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newUuid, parseId } from "../../lib/ids.ts";
import { withClient } from "../../testing/client.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { takeTemplates } from "../messages/testing/golden-templates.ts";
import { JPEG, PDF, PNG } from "./testing/files.ts";
import { arrivingAt, filesOf, runTimer, upload } from "./testing/uploading.ts";

const HOUR_MS = 3_600_000;
const WITH_FILE = {
  name: "with_file",
  language: "en_US",
  category: "UTILITY",
  components: [
    { type: "HEADER", format: "DOCUMENT", example: { header_handle: ["4::aW"] } },
    { type: "BODY", text: "Here it is." },
  ],
};

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off", RETENTION_DAYS: "media=2,messages=7" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  await takeTemplates({ gateway, mine }, [WITH_FILE]);
});
afterAll(() => gateway.stop());

/** Bytes of their own, so that each upload has a file of its own. */
let uploads = 0;
async function uploaded(of: Sender = mine): Promise<{ id: string; uuid: string; file: string }> {
  uploads += 1;
  const { body } = await upload(gateway, of, Buffer.concat([PDF, Buffer.from(`% ${uploads}`)]));
  const uuid = parseId("med", body.id) ?? "";
  const [row] = await of.rows<{ file_id: string }>("select file_id from media where id = $1", [uuid]);
  return { id: body.id, uuid, file: row?.file_id ?? "" };
}
/** A template whose header is the media, to this person. */
function templateWith({ id }: { id: string }) {
  const components = [{ type: "header", parameters: [{ type: "document", document: { id } }] }];
  return { name: "with_file", language: { code: "en_US" }, components };
}
async function sent(to: string, media: { id: string }, more: object = {}): Promise<{ id: string }> {
  const body = { to, type: "template", template: templateWith(media), ...more };
  const answer = await mine.call("POST", "/v1/messages", { body });
  expect(answer.status).toBe(202);
  return answer.body;
}
const statusOf = async (id: string, of = mine) => (await of.call("GET", `/v1/media/${id}`)).status;
const swept = async (): Promise<string[]> => {
  gateway.clock.advance(11 * 60_000); // bytes that came just now are kept for ten minutes
  await runTimer(gateway, "sweep files of media");
  return await filesOf(gateway);
};

describe("retention of media", () => {
  it("counts from the last use, and keeps what a message waits for", async () => {
    const [unused, once, waited, foreign] = [
      await uploaded(),
      await uploaded(),
      await uploaded(),
      await uploaded(theirs),
    ];
    const send_at = new Date(gateway.clock.now() + 4 * 24 * HOUR_MS).toISOString();
    const waiting = await sent("+15557100001", waited, { send_at });
    const later = async (hours: number): Promise<void> => {
      gateway.clock.advance(hours * HOUR_MS);
      await gateway.partitionsAhead();
      await runTimer(gateway, "retain media");
    };
    await later(24);
    const now = await sent("+15557100002", once);
    await mine.becomes(now.id, "accepted");
    await later(25);
    expect(await Promise.all([unused, once, waited].map(({ id }) => statusOf(id)))).toEqual([404, 200, 200]);
    expect(await statusOf(foreign.id, theirs)).toBe(404);
    expect(await swept()).toEqual([once.file, waited.file].toSorted());
    await later(24);
    expect(await Promise.all([once, waited].map(({ id }) => statusOf(id)))).toEqual([404, 200]);
    await mine.call("POST", `/v1/messages/${waiting.id}/cancel`);
    // Its use was to be at the fourth day.
    await later(3 * 24);
    expect(await statusOf(waited.id)).toBe(404);
    expect(await swept()).toEqual([]);
    expect(await mine.rows("select from media_use")).toEqual([]);
  });

  it("lets a message of a month ahead go with its media, and with that of its fallback", async () => {
    const [header, fallback] = [await uploaded(), await uploaded()];
    await mine.inbound("15557110001");
    const send_at = new Date(gateway.clock.now() + 29 * 24 * HOUR_MS).toISOString();
    const direct = await sent("+15557110002", header, { send_at });
    const text = { to: "+15557110001", type: "text", text: { body: "Hi" }, send_at };
    const body = { ...text, fallback: { template: templateWith(fallback) } };
    const instead = (await mine.call("POST", "/v1/messages", { body })).body;
    for (let day = 0; day < 28; day += 7) {
      gateway.clock.advance(7 * 24 * HOUR_MS);
      await gateway.partitionsAhead();
      for (const timer of ["retain media", "retention", "sweep files of media"]) await runTimer(gateway, timer);
    }
    gateway.clock.advance(24 * HOUR_MS + 1_000);
    for (const { id } of [direct, instead]) expect(await mine.becomes(id, "accepted")).toMatchObject({ error: null });
    for (const { id } of [header, fallback]) await mine.call("DELETE", `/v1/media/${id}`);
  });

  it("keeps what waits for longer than messages are kept", async () => {
    const media = await uploaded();
    const waiting = await sent("+15557130001", media, {
      send_at: new Date(gateway.clock.now() + HOUR_MS).toISOString(),
    });
    const [account] = (await mine.call("GET", "/v1/business-accounts")).body.data;
    expect((await mine.call("DELETE", `/v1/business-accounts/${account.id}`)).status).toBeLessThan(300);
    for (let day = 0; day < 9; day += 3) {
      gateway.clock.advance(3 * 24 * HOUR_MS);
      await gateway.partitionsAhead();
      for (const timer of ["retention", "retain media"]) await runTimer(gateway, timer);
    }
    const { wabaId, token } = mine.account;
    const body = { provider_account_id: wabaId, access_token: token };
    expect((await mine.call("POST", "/v1/business-accounts", { body })).status).toBeLessThan(300);
    await mine.becomes(waiting.id, "accepted");
    await mine.call("DELETE", `/v1/media/${media.id}`);
  });

  it("that has deleted a media while a message with it was being accepted refuses the message", async () => {
    const media = await uploaded();
    const { contact_id } = await mine.inbound("15557120001");
    gateway.clock.advance(50 * HOUR_MS);
    await gateway.partitionsAhead();
    await withClient(gateway.database.url, async (client) => {
      // The conversation is written after the media was looked for.
      await client.query("begin");
      await client.query("select set_config('app.workspace_id', $1, true)", [mine.uuid]);
      const held = "select from conversation where workspace_id = $1 and contact_id = $2 for update";
      expect((await client.query(held, [mine.uuid, parseId("con", contact_id)])).rowCount).toBe(1);
      const body = { to: "+15557120001", type: "template", template: templateWith(media) };
      const answer = mine.call("POST", "/v1/messages", { body });
      const waits = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(async () => (await client.query(waits)).rowCount, { interval: 10 }).toBe(1);
      await runTimer(gateway, "retain media");
      await client.query("commit");
      expect(await answer).toMatchObject({ status: 422, body: { code: "media_not_found" } });
    });
    expect(await mine.rows("select from media_use where media_id = $1", [media.uuid])).toEqual([]);
  });
});

it("what used a media is forgotten when that is deleted", async () => {
  const [gone, stays] = [await uploaded(), await uploaded()];
  for (const media of [gone, stays]) await mine.becomes((await sent("+15557150001", media)).id, "accepted");
  await mine.call("DELETE", `/v1/media/${gone.id}`);
  await runTimer(gateway, "retention");
  expect(await mine.rows("select media_id from media_use")).toEqual([{ media_id: stays.uuid }]);
  await mine.call("DELETE", `/v1/media/${stays.id}`);
  await runTimer(gateway, "retention");
});

describe("erasing a person", () => {
  it("takes the uploads that only they got, with every byte, and no other", async () => {
    const [theirOwn, shared, unused] = [await uploaded(), await uploaded(), await uploaded()];
    const [one, other] = [await mine.inbound("15557200001"), await mine.inbound("15557200002")];
    const send = async (to: string, { id }: { id: string }) => {
      const body = { to, type: "document", document: { id, filename: "menu.pdf" } };
      expect((await mine.call("POST", "/v1/messages", { body })).status).toBe(202);
    };
    for (const media of [theirOwn, shared]) await send("+15557200001", media);
    await send("+15557200002", shared);
    const address = (await mine.call("GET", `/v1/media/${theirOwn.id}`)).body.content_url;
    expect((await mine.call("DELETE", `/v1/contacts/${one.contact_id}`)).status).toBe(204);
    expect(await Promise.all([theirOwn, shared, unused].map(({ id }) => statusOf(id)))).toEqual([404, 200, 200]);
    expect((await fetch(gateway.url + new URL(address).pathname)).status).toBe(404);
    expect(await swept()).toEqual([shared.file, unused.file].toSorted());
    expect((await mine.call("DELETE", `/v1/contacts/${other.contact_id}`)).status).toBe(204);
    expect(await swept()).toEqual([unused.file]);
    await mine.call("DELETE", `/v1/media/${unused.id}`);
    expect(await swept()).toEqual([]);
  });
});

describe("a transfer that breaks off", () => {
  it("leaves no row and no file when its client goes", async () => {
    const { port, hostname } = new URL(gateway.url);
    const socket = createConnection(Number(port), hostname);
    socket.on("error", () => undefined);
    socket.write(
      `POST /v1/media HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${mine.key}\r\nContent-Length: 5000000\r\nContent-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n`,
    );
    socket.write(JPEG);
    await expect.poll(() => arrivingAt(gateway)).toHaveLength(1);
    socket.destroy();
    await expect.poll(() => arrivingAt(gateway)).toEqual([]);
    expect(await mine.rows("select from media union all select from media_file")).toEqual([]);
  });

  it("is swept within ten minutes when its process was killed, in the spool and in the store", async () => {
    // What a kill leaves at each of its moments: bytes in the spool, a row without bytes, bytes whose row is not stored, and stored ones.
    const { mediaFiles, mediaPlaces } = gateway.features.services;
    const spooled = await mediaFiles.receive(once(PNG), PNG.length);
    const bytes = await mediaFiles.receive(once(JPEG), JPEG.length);
    const [nameless, half] = [newUuid(gateway.clock.now()), newUuid(gateway.clock.now())];
    await mediaPlaces.store.take({ area: "media", workspaceId: mine.uuid, id: half }, bytes);
    await bytes.discard();
    await gateway.app.db.transaction(mine.uuid, (sql) =>
      sql.run(
        "insert into media_file (workspace_id, id, sha256, size, state, sweep_at) select $1, u.id, '', 1, 'arriving', $3 from unnest($2::uuid[]) u(id)",
        [mine.uuid, [nameless, half], new Date(gateway.clock.now() + 10 * 60_000)],
      ),
    );
    const kept = await mediaFiles.keep(mine.uuid, await mediaFiles.receive(once(PDF), PDF.length), gateway.clock.now());
    expect(await filesOf(gateway)).toEqual([half, kept.fileId].toSorted());
    await runTimer(gateway, "sweep what has not arrived (api)");
    expect(await arrivingAt(gateway)).toEqual([spooled.path]);
    const then = new Date(Date.now() - 6 * 60_000);
    await utimes(spooled.path, then, then);
    await runTimer(gateway, "sweep what has not arrived (api)");
    expect(await arrivingAt(gateway)).toEqual([]);
    expect(await swept()).toEqual([]);
    expect(await mine.rows("select from media_file")).toEqual([]);
  });

  it("may be new to the daily sweep, which leaves files without a row alone until they are old", async () => {
    const { mediaFiles, mediaPlaces } = gateway.features.services;
    const known = await uploaded();
    const id = newUuid(1);
    await mediaPlaces.store.take(
      { area: "media", workspaceId: mine.uuid, id },
      await mediaFiles.receive(once(JPEG), 1_000),
    );
    await runTimer(gateway, "sweep the media store");
    expect(await filesOf(gateway)).toEqual([id, known.file].toSorted());
    await mine.call("DELETE", `/v1/media/${known.id}`);
  });
});

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
