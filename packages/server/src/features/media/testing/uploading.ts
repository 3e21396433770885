import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Reply } from "../../../testing/call.ts";
import type { Gateway, Workspace } from "../../../testing/gateway.ts";

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

/** The paths of all files of media in the data directory: stored ones, and those that have not arrived. */
export async function filesOf({ app }: Pick<Gateway, "app">): Promise<string[]> {
  const root = join(app.config.WAYPOST_DATA_DIR, "files");
  const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
