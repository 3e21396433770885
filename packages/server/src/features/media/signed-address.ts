import type { App } from "../../ctx.ts";
import { outsideAddress } from "../../http/outside-address.ts";

/** An address is for a client that reads at once. */
const VALID_MS = 5 * 60_000;

/** Of the three parts of a token: workspace, media, and when it ends in seconds since 1970. */
const UUID_BYTES = 16;
const END_BYTES = 4;
const SAID_BYTES = 2 * UUID_BYTES + END_BYTES;
const SIGNATURE_BYTES = 32;

/** Path of signed addresses. */
export const ADDRESS_PATH = "/media/{token}";

/**
 * An address of the content of a media for readers without a key, valid for five minutes from `now`. It says nothing else than its
 * workspace, its media and its end; whether there is such a media is looked up when it is used.
 */
export function signedAddress(
  { config, secrets }: Pick<App, "config" | "secrets">,
  workspaceId: string,
  mediaId: string,
  now: number,
): { url: string; expiresAt: number } {
  const ends = Math.floor((now + VALID_MS) / 1_000);
  const said = Buffer.concat([bytesOf(workspaceId), bytesOf(mediaId), Buffer.alloc(END_BYTES)]);
  said.writeUInt32BE(ends, 2 * UUID_BYTES);
  const token = Buffer.concat([said, secrets.sign(said)]).toString("base64url");
  return { url: `${outsideAddress(config)}${ADDRESS_PATH.replace("{token}", token)}`, expiresAt: ends * 1_000 };
}

/** What a token of an address says; null for one that we did not sign, or that has ended. */
export function readToken(
  { secrets }: Pick<App, "secrets">,
  token: string,
  now: number,
): { workspaceId: string; mediaId: string } | null {
  const bytes = Buffer.from(token, "base64url");
  // Written in one way alone, so that no other text is the same address.
  if (bytes.length !== SAID_BYTES + SIGNATURE_BYTES || bytes.toString("base64url") !== token) return null;
  const said = bytes.subarray(0, SAID_BYTES);
  if (!secrets.isSigned(said, bytes.subarray(SAID_BYTES))) return null;
  if (said.readUInt32BE(2 * UUID_BYTES) * 1_000 <= now) return null;
  return {
    workspaceId: uuidOf(said.subarray(0, UUID_BYTES)),
    mediaId: uuidOf(said.subarray(UUID_BYTES, 2 * UUID_BYTES)),
  };
}

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll("-", ""), "hex");
const uuidOf = (bytes: Buffer): string => bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
