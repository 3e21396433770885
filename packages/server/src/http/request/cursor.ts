import type { FastifyRequest } from "fastify";
import type { App } from "../../ctx.ts";
import type { Secrets } from "../../lib/secrets.ts";
import { invalidAt } from "../problem.ts";
import type { Answer } from "../route.ts";

/** The part of a list's query that says which page, not which list. */
const OF_THE_PAGE = new Set(["limit", "cursor"]);
const HEX_OF_UUID = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
const UUID_BYTES = 16;
/** As `Secrets.mac` makes it: nobody has a use for a forged cursor, so 32 bits are enough to find mistakes. */
const MAC_BYTES = 4;

/** One list as one workspace asks for it: verbs and stores see the last row's uuid, callers a cursor bound to this list. */
export type CursorOfList = {
  /** Puts the uuid of `cursor` in its place in the validated query; 400 for a cursor of anything else. */
  open(query: { cursor?: string }): void;
  /** The answer with `next_cursor` as the caller gets it. */
  seal<Body>(answer: Answer<Body>): Answer<Body>;
};

/** The binding of a request's list: its workspace, its path and its filters. */
export function cursorOfList({ secrets }: App, request: FastifyRequest): CursorOfList {
  const { workspaceId, row } = request.exchange;
  const filters = Object.entries(request.query as Record<string, unknown>)
    .filter(([name]) => !OF_THE_PAGE.has(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const list = JSON.stringify(["cursor", workspaceId, row?.path, request.params ?? {}, filters]);
  return {
    open(query) {
      if (query.cursor !== undefined) query.cursor = openCursor(secrets, list, query.cursor);
    },
    seal(answer) {
      const body = answer.body as { next_cursor: string | null }; // the row's response is a list
      if (body.next_cursor === null) return answer;
      return { ...answer, body: { ...answer.body, next_cursor: sealCursor(secrets, list, body.next_cursor) } };
    },
  };
}

/** base64url of the uuid and a MAC over list and uuid: 27 characters, opaque to callers. */
function sealCursor(secrets: Secrets, list: string, uuid: string): string {
  const mac = secrets.mac(`${list}${uuid}`);
  return Buffer.from(uuid.replaceAll("-", "") + mac, "hex").toString("base64url");
}

function openCursor(secrets: Secrets, list: string, cursor: string): string {
  const bytes = Buffer.from(cursor, "base64url");
  const uuid = bytes.toString("hex", 0, UUID_BYTES).replace(HEX_OF_UUID, "$1-$2-$3-$4-$5");
  const ours =
    bytes.length === UUID_BYTES + MAC_BYTES &&
    // Node's decoder skips what is not base64url; only the exact text of a cursor is one.
    bytes.toString("base64url") === cursor &&
    secrets.macFits(`${list}${uuid}`, bytes.toString("hex", UUID_BYTES));
  if (ours) return uuid;
  throw invalidAt(
    "?cursor",
    "This is not a cursor of this list with these filters; begin without a cursor.",
    "invalid_cursor",
  );
}
