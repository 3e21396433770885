import { readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { Reply } from "../../../testing/call.ts";
import type { Gateway, Workspace } from "../../../testing/gateway.ts";
import { MEDIA_AREA } from "../media-files.ts";

export type Uploaded = { filename?: string; type?: string; headers?: Record<string, string> };

/** `POST /v1/media` with a form of one file. */
export async function upload(
  { url }: Pick<Gateway, "url">,
  { key }: Pick<Workspace, "key">,
  bytes: Uint8Array | string,
  { filename = "file", type = "application/octet-stream", headers = {} }: Uploaded = {},
): Promise<Reply> {
  const form = new FormData();
  form.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>], { type }), filename);
  const answer = await fetch(`${url}/v1/media`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, ...headers },
    body: form,
  });
  const text = await answer.text();
  return { status: answer.status, body: JSON.parse(text), text, headers: Object.fromEntries(answer.headers) };
}

/** The uuids of all files of media in the store. */
export async function filesOf({ features }: Pick<Gateway, "features">): Promise<string[]> {
  const { store } = features.services.mediaPlaces;
  const found: string[] = [];
  await store.sweep(MEDIA_AREA, Number.MAX_SAFE_INTEGER, (_workspaceId, ids) => {
    found.push(...ids);
    return Promise.resolve(new Set(ids));
  });
  return found.toSorted();
}

/** The paths of stored files that this process has open; Linux says so, elsewhere none. */
export async function openFiles({ app }: Pick<Gateway, "app">): Promise<string[]> {
  const open = await readdir("/proc/self/fd").catch(() => []);
  const paths = await Promise.all(open.map((one) => readlink(join("/proc/self/fd", one)).catch(() => "")));
  return paths.filter((path) => path.startsWith(join(app.config.WAYPOST_DATA_DIR, "files", MEDIA_AREA)));
}

/** The paths of files that have not arrived in the store. */
export async function arrivingAt({ app }: Pick<Gateway, "app">): Promise<string[]> {
  const folder = join(app.config.WAYPOST_DATA_DIR, "files/arriving");
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
}

/** Runs a timer of the process now. */
export async function runTimer({ features }: Pick<Gateway, "features">, name: string): Promise<void> {
  const timer = features.timers.find((one) => one.name === name);
  if (timer === undefined) throw new Error(`there is no timer ${name}`);
  await timer.run();
}
