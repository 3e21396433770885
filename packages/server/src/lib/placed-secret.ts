import { hash, randomBytes } from "node:crypto";

/** Where the row of a secret is, and the digest of all of the secret, in hex. */
export type SecretPlace = { workspaceId: string; id: string; digest: string };

const RANDOM_BYTES = 32;
/** Workspace, id and random bytes in base64url. */
const VALUE = /^[\w-]{86}$/;

/** A new secret with the place of its row in it, so that no index over all workspaces is needed to find that. */
export function newPlacedSecret(workspaceId: string, id: string): SecretPlace & { value: string } {
  const bytes = [bytesOf(workspaceId), bytesOf(id), randomBytes(RANDOM_BYTES)];
  const value = Buffer.concat(bytes).toString("base64url");
  return { workspaceId, id, value, digest: digestOf(value) };
}

/** Null for what cannot be one. */
export function readPlacedSecret(value: string): SecretPlace | null {
  if (!VALUE.test(value)) return null;
  const bytes = Buffer.from(value, "base64url");
  return { workspaceId: uuidOf(bytes.subarray(0, 16)), id: uuidOf(bytes.subarray(16, 32)), digest: digestOf(value) };
}

/** SHA-256: enough for 256 random bits. */
const digestOf = (value: string): string => hash("sha256", value, "hex");

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll("-", ""), "hex");
const uuidOf = (bytes: Buffer): string =>
  bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
