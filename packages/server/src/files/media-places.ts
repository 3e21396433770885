import { join } from "node:path";
import type { Config } from "../process/config/config.ts";
import { DirectoryStore } from "./directory-store.ts";
import type { FileStore } from "./file-store.ts";
import { S3Calls } from "./s3-calls.ts";
import { S3Store } from "./s3-store.ts";
import { Spool } from "./spool.ts";

/** Where media is kept, and where it lies until then. */
export type MediaPlaces = { store: FileStore; spool: Spool; close(): Promise<void> };

/** Folder of the spool beside the folders of stored files. */
const ARRIVING = "arriving";

/** The places that MEDIA_STORE names. The spool of a directory is in it, so that a file is moved and not copied. */
export function mediaPlacesOf(config: Config): MediaPlaces {
  const own = join(config.WAYPOST_DATA_DIR, "files");
  const { MEDIA_STORE: setting } = config;
  if (setting.kind === "directory") {
    const root = setting.path ?? own;
    return { store: new DirectoryStore(root), spool: new Spool(join(root, ARRIVING)), close: () => Promise.resolve() };
  }
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = config;
  if (accessKeyId === null || secretAccessKey === null) throw new Error("readConfig asks for both");
  const calls = new S3Calls({
    bucket: setting.bucket,
    endpoint: config.S3_ENDPOINT,
    region: config.AWS_REGION,
    accessKeyId,
    secretAccessKey,
    sessionToken: config.AWS_SESSION_TOKEN,
  });
  const spool = new Spool(join(own, ARRIVING));
  return { store: new S3Store({ calls, prefix: setting.prefix, spool }), spool, close: () => calls.close() };
}
