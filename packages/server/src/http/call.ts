import type { Ctx } from "../ctx.ts";
import type { Sql } from "../db/database.ts";
import type { AuditFields, Changes } from "./activity.ts";
import type { RequestKey } from "./idempotency.ts";
import type { Problem } from "./problem.ts";
import type { Answer, AnyRoute, Input, OwnCtx, Scope } from "./route.ts";
import type { WholeFile } from "./upload.ts";

/**
 * A call of the provider's API, which stands on the surface `graph`. It goes through rows of our own API (`ctx.pass`), with their rights,
 * transaction, idempotency key and audit row, or is one of the front's own.
 */
export type Call = {
  method: "GET" | "POST" | "DELETE";
  /** Behind the version, as the provider's documentation has it: `/{number}/messages`. */
  path: string;
  /** For docs/cloud-api.md. */
  summary: string;
  /** How a client gets what the call is for: through a row of ours, passed on to the provider, or refused. */
  kind: "served" | "passed" | "refused";
  /** Largest body in bytes; default 256 KiB. */
  maxBytes?: number;
  /** True: the body is left to the row that the call goes through, which takes a file from it. */
  upload?: true;
  /** Files that a form in parts may have, within the largest body; default none. */
  files?: number;
  answer(ctx: CallCtx, given: Given): Promise<CallAnswer>;
} & (
  | {
      /** The row that it goes through, as `POST /v1/messages`: its scope, its limit and its audit action hold ahead of all else. */
      row: string;
    }
  | {
      /** Of a call that goes through several rows, null: each row's own holds when it is known. */
      scope: Scope | null;
      /** As of a row (`http/route.ts`). */
      limitedKeys?: "own" | "all";
      /** Audit action, `<noun>.<verb>`. */
      action: string;
    }
);

/** What a call is asked for. */
export type Given = {
  /** The parts of its path. */
  params: Readonly<Record<string, string>>;
  /** Its parameters, wherever they stood: in the query, or in a body of JSON, of a form, or of its parts. The body's hold. */
  values: Readonly<Record<string, unknown>>;
  /** The files of a form in parts. */
  files: readonly GivenFile[];
};

/** A file by the name of its part; its own name and type are the client's words. */
export type GivenFile = { name: string; file: { name: string; type: string; bytes: Buffer } };

/** 200, unless it says otherwise. */
export type CallAnswer = { body: object; status?: number; replayed?: true };

/** What a row of ours is asked for in a call's place. */
export type Passage = {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** In place of the key in the request's headers. */
  key?: RequestKey | null | undefined;
  /** What the request's key belongs to, where the body of one and the same request is another one at each try. */
  fingerprint?: unknown;
  /** In place of `Prefer: wait`. */
  waitSeconds?: number;
  /** Of a row that takes a file in a form: the body is the file itself. */
  file?: WholeFile;
  /** In place of the verb of a row that commits by itself, which does the same and answers otherwise. */
  verb?: ((ctx: OwnCtx, input: Input<never, never, never>) => Promise<Answer<unknown>>) | undefined;
};

/** What a row answered. */
export type Passed = {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- the body is of the row's response schema, which the call knows
  body: any;
  replayed: boolean;
};

/** For calls. Its rows are found by method and path, such as `GET /v1/media/{id}`. */
export type CallCtx = Ctx & {
  audit: AuditFields;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /**
   * Asks a row: throws its refusals, those of its scope and of its schemas too. At most one that writes, as the last one, but for calls with
   * DELETE: they have no idempotency key, and each row that they go through has a transaction and an audit row of its own.
   */
  pass(row: string, passage: Passage): Promise<Passed>;
  /** Requires the rights of a row, ahead of a look-up that it needs. */
  require(row: string): void;
  /**
   * Makes a change that is not in our database. Its audit row and the request's idempotency key are committed ahead of it, so that it is
   * never made without them; a second row says how it ended. Known keys are answered, and nothing is made.
   */
  change(about: { resource: { type: string; id: string }; changes: Changes }, make: Make): Promise<CallAnswer>;
};

/**
 * `isNothingDone`: that is certain, and the same key may try again. `contacts`: uuids of the contacts that the answer names, with whom it is
 * erased where it is kept for the key.
 */
export type Made = { isNothingDone: boolean } & (
  | { answer: CallAnswer; contacts(sql: Sql): Promise<readonly string[]> }
  | { problem: Problem }
);
export type Make = () => Promise<Made>;

/** What admission and audit log need of a row or call. */
export type Access = Pick<AnyRoute, "action"> & {
  auth: AnyRoute["auth"];
  scope?: Scope | null;
  limitedKeys?: "own" | "all";
  each?: string;
  path?: string;
};
