import type { Actor } from "../ctx.ts";
import { formatId, NIL_WORKSPACE } from "../lib/ids.ts";
import type { Problem } from "./problem.ts";

/**
 * Who sends a request. With a `refusal` the caller is known but every request is refused (its workspace is suspended). `used` is called for
 * each request, and not when an answer that goes on looks whether its caller still may.
 */
export type Caller = { workspaceId: string; actor: Actor; refusal?: Problem; used?(): void };

/** A request without a valid key. */
export const ANONYMOUS: Actor = { type: "anonymous", id: null, name: null, scopes: [], phoneNumberIds: null };

/** The operator is of no workspace. */
export const OPERATOR: Caller = {
  workspaceId: NIL_WORKSPACE,
  actor: { type: "operator", id: null, name: "operator", scopes: [], phoneNumberIds: null },
};

/**
 * Finds the holder of an API key; null when no live key has this text. HTTP calls it for every request with one, so the
 * implementation caches.
 */
export type Authenticate = (key: string) => Promise<Caller | null>;

/** The public id of an actor, as log and audit log have it; null for one without. */
export const actorId = ({ type, id }: { type: string; id: string | null }): string | null =>
  id === null ? null : formatId(type === "setup_link" ? "stl" : "key", id);

/** True when the actor's scopes include this one, or all of them by `*`. */
export const hasScope = (actor: Actor, scope: string): boolean =>
  actor.scopes.includes(scope) || actor.scopes.includes("*");

/**
 * Whether the actor may see and use this phone number (uuid). What is of no number, such as the event of a contact, is null: it belongs to
 * the workspace, and a key that is limited to numbers has no part in it.
 */
export const mayUseNumber = ({ phoneNumberIds }: Pick<Actor, "phoneNumberIds">, id: string | null): boolean =>
  phoneNumberIds === null || (id !== null && phoneNumberIds.includes(id));

/**
 * Uuids of the numbers that a list is about, for the number that its filter names (null: no filter) and the actor. Null: all of the
 * workspace; none: the list is empty.
 */
export function numbersOfList(actor: Pick<Actor, "phoneNumberIds">, filtered: string | null): readonly string[] | null {
  if (filtered === null) return actor.phoneNumberIds;
  return mayUseNumber(actor, filtered) ? [filtered] : [];
}
