import { readdirSync, readFileSync } from "node:fs";

const FOLDER = new URL("../../../../../../fixtures/provider/", import.meta.url);

/** One file of fixtures/provider (its README names the keys). */
export type Golden = {
  description: string;
  payload?: unknown;
  raw?: string;
  http_status?: number;
  app_secret?: string;
  signature?: string;
  access_token?: string;
  proof?: string;
};

export function golden(name: string): Golden {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), "utf8"));
}

export function goldenNames(prefix: string): string[] {
  return readdirSync(FOLDER)
    .filter((file) => file.startsWith(prefix) && file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length));
}

/** The bytes on the wire. */
export function goldenBytes(name: string): Buffer {
  const file = golden(name);
  return Buffer.from(file.raw ?? JSON.stringify(file.payload));
}

/** Golden callbacks with parts that are not documented, and why they are set aside; of all others each part is understood. */
export const SET_ASIDE: ReadonlyMap<string, readonly string[]> = new Map([
  ["callback-batch-mixed", ["statuses is no list", "unknown field"]],
  ["callback-beside-unknown", ["unknown part of messages"]],
  ["callback-unknown-field", ["unknown field"]],
]);

/** Golden callbacks that say nothing which is kept beside the raw callback: that is normal. */
export const NOT_KEPT: ReadonlySet<string> = new Set(
  ["", "-failed", "-participants", "-sent", "-user-id"].map((form) => `callback-status-group${form}`),
);
