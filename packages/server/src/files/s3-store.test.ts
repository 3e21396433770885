import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newUuid } from "../lib/ids.ts";
import { readConfig } from "../process/config/config.ts";
import { FileMissing, FileStoreUnavailable } from "./file-store.ts";
import { mediaPlacesOf } from "./media-places.ts";
import { S3Calls } from "./s3-calls.ts";
import { S3Store } from "./s3-store.ts";
import { Spool } from "./spool.ts";
import { conforms } from "./testing/conformance.ts";
import { realS3 } from "./testing/real-s3.ts";
import { S3_BUCKET, S3_KEY, S3Server } from "./testing/s3-server.ts";

let folder: string;
let server: S3Server;
let endpoint: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-s3-"));
  server = new S3Server();
  endpoint = await server.listen();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => {
  server.fault = null;
  server.faults.length = 0;
  server.knowsRanges = true;
});

const openStore = (prefix: string, limits = {}, secretAccessKey: string = S3_KEY.secretAccessKey) => {
  const bucket = { bucket: S3_BUCKET, endpoint, ...S3_KEY, secretAccessKey, sessionToken: null };
  const calls = new S3Calls(bucket, limits);
  return { store: new S3Store({ calls, prefix, spool: new Spool(join(folder, "arriving"), 0) }), calls };
};
const nameOf = () => ({ area: "media", workspaceId: newUuid(1), id: newUuid(Date.now()) });
async function* bytes(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

conforms("a bucket", () => {
  const { store, calls } = openStore("waypost/files");
  return Promise.resolve({ store, close: () => calls.close() });
});

// `npm run test:clients -- s3` starts a server of another maker.
const real = realS3();
if (real !== null)
  conforms("a bucket of a real server", async () => {
    const { store, close } = mediaPlacesOf(readConfig({ ...real(), WAYPOST_DATA_DIR: folder }));
    return await Promise.resolve({ store, close });
  });

describe("a bucket", () => {
  const store = () => openStore("p").store;

  it("is asked again when it is busy or has closed the connection, and keeps no file of this machine", async () => {
    for (const fault of ["slow down", "cut"] as const) {
      const name = nameOf();
      server.faults.push(fault);
      await store().put(name, bytes("x"), 9);
      expect(server.objects.get(`p/media/${name.workspaceId}/${name.id}`)?.bytes.toString()).toBe("x");
    }
    expect(await readdir(join(folder, "arriving"))).toEqual([]);
  });

  it("that is away, hangs or knows another key takes nothing, and says so without any secret", async () => {
    const patient = { answerMs: 200 };
    server.fault = "slow down";
    await expect(store().put(nameOf(), bytes("x"), 9)).rejects.toThrow("answered 503 SlowDown");
    server.fault = "cut";
    await expect(store().put(nameOf(), bytes("x"), 9)).rejects.toThrow(FileStoreUnavailable);
    server.fault = "hang";
    const hanging = openStore("p", patient).store;
    await expect(hanging.put(nameOf(), bytes("x"), 9)).rejects.toThrow(FileStoreUnavailable);
    await expect(hanging.open(nameOf())).rejects.toThrow(FileStoreUnavailable);
    server.fault = null;
    const refused = openStore("p", {}, "another-secret").store.put(nameOf(), bytes("x"), 9);
    await expect(refused).rejects.toThrow(/^the store of MEDIA_STORE answered 403 SignatureDoesNotMatch$/);
    await expect(store().open(nameOf())).rejects.toThrow(FileMissing);
    expect(await readdir(join(folder, "arriving"))).toEqual([]);
  });

  it("that answers with the whole where a part is asked for gives the part", async () => {
    const [name, large] = [nameOf(), Buffer.alloc(3_000_000, "0123456789")];
    await store().put(name, bytes(large.toString()), large.length);
    server.knowsRanges = false;
    for (const [start, end] of [
      [0, 0],
      [0, large.length - 1],
      [7, undefined],
      [1_234_567, 2_345_678],
      [2_999_999, 5_000_000],
      [3_000_000, undefined],
    ] as const) {
      const pieces: Buffer[] = [];
      for await (const piece of await store().open(name, start, end)) pieces.push(piece);
      expect(Buffer.concat(pieces).equals(large.subarray(start, end === undefined ? undefined : end + 1))).toBe(true);
    }
  });

  it("keeps what is not of this store", async () => {
    for (const key of ["foreign/readme.txt", "foreign/media/a/b", "other/media/x"])
      server.objects.set(key, { bytes: Buffer.from("x"), at: new Date(0) });
    const { store: foreign } = openStore("foreign");
    await foreign.put(nameOf(), bytes("x"), 9);
    expect(await foreign.sweep("media", Date.now() + 60_000, () => Promise.resolve(new Set()))).toBe(1);
    expect(
      [...server.objects.keys()].filter((key) => !key.startsWith("p/") && !key.startsWith("waypost")),
    ).toHaveLength(3);
  });
});
