import type { FastifyRequest } from "fastify";
import type { Secrets } from "../../lib/secrets.ts";
import { invalidAt } from "../problem.ts";
import type { Answer } from "../route.ts";

/** Query parameters that select the page, not the list. */
const OF_THE_PAGE = new Set(["limit", "cursor"]);
const HEX_OF_UUID = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UUID_BYTES = 16;
/** As long as `Secrets.mac` is. A forged cursor gains its maker nothing, so 32 bits are enough to detect mistakes. */
const MAC_BYTES = 4;

/**
 * The cursors of one list as one workspace reads it: bound to the workspace, the path and the filters. Verbs and stores see
 * a position, which is mostly the last row's uuid, callers a sealed cursor.
 */
export class ListCursor {
  readonly #secrets: Secrets;
  readonly #list: string;

  /** `path` is that of the list, where another operation takes its cursors too. */
  constructor(secrets: Secrets, request: FastifyRequest, path = request.state.match.row?.path) {
    const { workspaceId } = request.state;
    const filters = Object.entries(request.query as Record<string, unknown>)
      .filter(([name]) => !OF_THE_PAGE.has(name))
      .sort(([one], [other]) => (one < other ? -1 : 1));
    this.#secrets = secrets;
    this.#list = JSON.stringify(["cursor", workspaceId, path, request.params ?? {}, filters]);
  }

  /** Replaces `cursor` in the validated query by the position in it; 400 for a cursor of anything else. */
  open(query: { cursor?: string }): void {
    if (query.cursor !== undefined) query.cursor = openCursor(this.#secrets, this.#list, query.cursor);
  }

  /** The cursor of a position. */
  of(position: string): string {
    return sealCursor(this.#secrets, this.#list, position);
  }

  /** The answer with `next_cursor` sealed. */
  seal<Body>(answer: Answer<Body>): Answer<Body> {
    const body = answer.body as { next_cursor: string | null }; // the row's response is a list
    if (body.next_cursor === null) return answer;
    return { ...answer, body: { ...answer.body, next_cursor: this.of(body.next_cursor) } };
  }
}

/** base64url of the position and a MAC over list and position, opaque to callers: 27 characters for a uuid. */
function sealCursor(secrets: Secrets, list: string, position: string): string {
  const mac = Buffer.from(secrets.mac(`${list}${position}`), "hex");
  return Buffer.concat([bytesOf(position), mac]).toString("base64url");
}

/** A uuid takes the place of its digits; any other position, which is longer, that of its text. */
const bytesOf = (position: string): Buffer =>
  UUID.test(position) ? Buffer.from(position.replaceAll("-", ""), "hex") : Buffer.from(position);
const positionOf = (bytes: Buffer): string =>
  bytes.length === UUID_BYTES ? bytes.toString("hex").replace(HEX_OF_UUID, "$1-$2-$3-$4-$5") : bytes.toString();

function openCursor(secrets: Secrets, list: string, cursor: string): string {
  const bytes = Buffer.from(cursor, "base64url");
  const place = Math.max(0, bytes.length - MAC_BYTES);
  const position = positionOf(bytes.subarray(0, place));
  const ours =
    place > 0 &&
    // Node's decoder skips characters that are not base64url; only the exact text is accepted.
    bytes.toString("base64url") === cursor &&
    secrets.macFits(`${list}${position}`, bytes.toString("hex", place));
  if (ours) return position;
  throw invalidAt(
    "?cursor",
    "This is not a cursor of this list with these filters; begin without a cursor.",
    "invalid_cursor",
  );
}
