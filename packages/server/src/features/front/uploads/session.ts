import type { Ctx } from "../../../ctx.ts";
import { notFound } from "../../../http/problem.ts";
import type { WholeFile } from "../../../http/upload.ts";

/** A session is in its id, sealed: nothing of it is stored, and in another workspace it is none. */
const contextOf = (workspaceId: string): string => `upload session:${workspaceId}`;

/** So that the id fits into a path. Of a longer name the end stays, with its extension. */
const MOST_NAME_BYTES = 64;

/** What follows `upload:` in the id of a session for this file. */
export function sealedSession({ secrets, workspaceId }: Ctx, { type, filename, bytes }: WholeFile): string {
  const text = [bytes, type, filename === null ? "" : endOf(filename)].join("\n");
  return secrets.seal(text, contextOf(workspaceId)).toString("base64url");
}

/** The file of a session; 404 for what is none of this workspace. */
export function openedSession({ secrets, workspaceId }: Ctx, session: string): WholeFile {
  let text: string;
  try {
    text = secrets.open(Buffer.from(session, "base64url"), contextOf(workspaceId)).toString();
  } catch {
    throw notFound();
  }
  const [bytes, type = "", filename = ""] = text.split("\n");
  return { bytes: Number(bytes), type, filename: filename === "" ? null : filename };
}

function endOf(name: string): string {
  const characters = Array.from(name.replaceAll("\n", " "));
  while (Buffer.byteLength(characters.join("")) > MOST_NAME_BYTES) characters.shift();
  return characters.join("");
}
