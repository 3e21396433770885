import type { Actor } from "../ctx.ts";
import type { Problem } from "./problem.ts";

/** The holder of an API key. With a `refusal` the key is valid but every request is refused (its workspace is suspended). */
export type Caller = { workspaceId: string; actor: Actor; refusal?: Problem };

/**
 * Finds the caller of a bearer token; null when no live key has this text. HTTP calls it for every request under `/v1`, so
 * the implementation caches.
 */
export type Authenticate = (bearer: string) => Promise<Caller | null>;

/** True when the actor's scopes include this one, or all of them by `*`. */
export const hasScope = (actor: Actor, scope: string): boolean =>
  actor.scopes.includes(scope) || actor.scopes.includes("*");
