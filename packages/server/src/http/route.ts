import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { Static, TSchema } from "typebox";
import type { Actor, Ctx, TxCtx } from "../ctx.ts";
import type { AuditFields, Changes } from "./activity.ts";
import type { Tag } from "./declared.ts";
import type { EventStream } from "./event-stream.ts";
import type { FileAnswer } from "./file-answer.ts";
import type { RequestKey } from "./idempotency.ts";
import type { Problem, ProblemCode } from "./problem.ts";
import type { RowStream } from "./stream-rows.ts";
import type { Upload } from "./upload.ts";

/** A JSON Schema, or a part of an OpenAPI document, as plain data. */
export type Schema = { [keyword: string]: unknown };

/** The scopes of API keys. Each feature adds its own (`scopes` of its declaration). */
export interface Scopes {
  "*": true;
}
export type Scope = keyof Scopes;

/** The input of a verb: path, query and body after validation; If-Match for `requireMatch`. */
export type Input<P, Q, B> = {
  params: P;
  query: Q;
  body: B;
  ifMatch?: string;
  /** Of a row with `each`: the refusals of items that do not fit the schema, by their index. */
  refused?: ReadonlyMap<number, Problem>;
};

/**
 * The answer of a verb: the body to serialise by the route's schema, its headers (lower case), type and public id of what it
 * created, changed or read, and the changes for the audit log. `own` verbs set `replayed` for a known key.
 */
export type Answer<R> = {
  body: R;
  status?: number;
  headers?: Record<string, string>;
  resource?: { type: string; id: string };
  changes?: Changes | undefined;
  /** Uuids of the contacts whose data is in the body: where it is kept for an idempotency key, it is erased with them. */
  contactIds?: readonly string[];
  replayed?: true;
  /** An `own` verb changed nothing, so that no audit row was committed: it is written after the answer, as of a read. */
  unaudited?: true;
};

type Common<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema> = {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** As in the contract: `/v1/messages/{id}`. */
  path: string;
  tag: Tag;
  summary: string;
  /** What a caller must know beyond the summary: effects, consequences, limits. */
  description: string;
  /** Name in the OpenAPI document and the SDK, `<resource>.<method>`, where the path yields a poor one (openapi/operation-id.ts). */
  operationId?: string;
  /** Audit action, `<noun>.<verb>`. */
  action: string;
  params?: P;
  query?: Q;
  body?: B;
  /** True: a request without a body means an empty object. */
  bodyOptional?: true;
  /** True: the body may have a secret that is short enough to be guessed, such as a PIN. */
  shortSecret?: true;
  /** Called with a body before its schema checks it, to write what may be written in several ways in the one of the schema. */
  spell?(body: unknown): void;
  /**
   * Checks the body in place of the schema of `body`, from which it is made (`http/body-check.ts`): for a feature that checks bodies
   * without requests too.
   */
  check?: CheckedBody;
  /**
   * The field of the body whose items are checked one by one, for a verb that writes: one that does not fit the schema of the items is
   * that item's refusal, with pointers into the item, and not the request's.
   */
  each?: string;
  /** True: the verb may look through very many rows. Such requests of a workspace run one after the other. */
  searches?: true;
  /** True: its schemas are compiled at the start, because they take longer than a first request should; others wait for theirs. */
  compiledAtStart?: true;
  /** True: the verb honours `Prefer: wait`. */
  waits?: true;
  status: number;
  /** Other success statuses with the same body, for the documentation: 200 beside 201. */
  otherStatuses?: readonly number[];
  response: R;
  /** Largest JSON body in bytes; default 256 KiB. */
  maxBytes?: number;
  /** Beyond those that any route can answer. */
  errors?: readonly ProblemCode[];
  /** True: a success carries the `ETag` of the returned version. */
  etag?: true;
  /** Callers should move away from the operation: every answer says so in headers, and the document too. */
  deprecated?: Deprecation;
  /** For the documentation, where the `examples` of the schemas do not fit. */
  examples?: { body?: Examples; answer?: Examples };
};

/** A check of bodies that is compiled apart from the routes. */
export type CheckedBody = {
  /** Compiles it now, where its first use should not wait for that. */
  compile(): void;
  /** The refusal of a body, null for one that fits. */
  refusalOf(body: unknown): Problem | null;
};

/** Dates as `2027-01-31`; they hold from the beginning of that day in UTC. */
export type Deprecation = {
  since: string;
  /** When the operation stops working; without it, not decided. */
  sunset?: string;
  /** Path of the operation to use instead. */
  successor?: string;
};

/** Realistic bodies or answers, each under a name in snake case. */
export type Examples = Readonly<Record<string, { summary: string; value: unknown }>>;

/** Whose callers the row is for. `surface`: where it stands, if not on the one that is called like its `auth` (surface.ts). */
type Access = (
  | {
      auth: "workspace";
      scope: Scope | null;
      /**
       * What a key that is limited to phone numbers may do. `own`: the verb sees and changes what is of these numbers alone, for which it
       * compares with `ctx.actor.phoneNumberIds`; what it leaves out is like unknown. `all`: it is about no number, and the same for
       * every key. Absent: it is refused.
       */
      limitedKeys?: "own" | "all";
    }
  | { auth: "operator" }
) & { surface?: string };

/**
 * One row of a feature's route table. From it come validation, authorization, transaction, idempotency, audit, OpenAPI
 * and the tests that walk the table.
 *
 * - `read`: the verb runs in a read-only transaction of the workspace. With `rows` the whole range is streamed instead, as CSV or NDJSON,
 *   to a caller whose `Accept` names one of them.
 * - `rows`: the answer is always streamed, as CSV unless `Accept` asks for NDJSON; `response` is one row.
 * - `file`: the verb finds a stored file in a read-only transaction, whose bytes are sent when that has ended; `response` says what they are.
 * - `stream`: the answer is a stream of server-sent events that stays open; `response` is the data of one.
 * - `write`: the verb runs in the one transaction that also holds key, answer and audit row. `before` may call the network
 *   first, for what decides whether anything is committed: outside of any transaction, never for a known key, perhaps twice
 *   for simultaneous requests with one key. Its result is the verb's third argument. `after` may wait for what the commit
 *   started (a provider call as a task) and answer with the newer state; the kept answer is the first one.
 * - `own`: the verb commits by itself, through a hot function with steps for key and audit.
 */
export type Route<
  P extends TSchema = TSchema,
  Q extends TSchema = TSchema,
  B extends TSchema = TSchema,
  R extends TSchema = TSchema,
  F = unknown,
> = Common<P, Q, B, R> &
  Access &
  (
    | {
        kind: "read";
        verb(ctx: TxCtx, input: Input<Static<P>, Static<Q>, Static<B>>): Promise<Answer<Static<R>>>;
        rows?: RowStream<Input<Static<P>, Static<Q>, Static<B>>>;
      }
    | { kind: "rows"; rows: RowStream<Input<Static<P>, Static<Q>, Static<B>>> }
    | { kind: "file"; verb(ctx: TxCtx, input: Input<Static<P>, Static<Q>, Static<B>>): Promise<FileAnswer> }
    | { kind: "stream"; stream: EventStream<Input<Static<P>, Static<Q>, Static<B>>> }
    | {
        kind: "write";
        before?(ctx: Ctx, input: Input<Static<P>, Static<Q>, Static<B>>): Promise<F>;
        /** In place of `before` and of a JSON body: what was received is the verb's third argument. */
        upload?: Upload<{ params: Static<P>; query: Static<Q> }, F>;
        verb(ctx: TxCtx, input: Input<Static<P>, Static<Q>, Static<B>>, found: F): Promise<Answer<Static<R>>>;
        after?(ctx: Ctx, answer: Answer<Static<R>>): Promise<Answer<Static<R>>>;
      }
    | { kind: "own"; verb(ctx: OwnCtx, input: Input<Static<P>, Static<Q>, Static<B>>): Promise<Answer<Static<R>>> }
  );

/** For verbs that commit by themselves: they pass key and audit fields to their hot function. */
export type OwnCtx = Ctx & {
  key: RequestKey | null;
  /** Seconds of `Prefer: wait=N`, null without. */
  waitSeconds: number | null;
  audit: AuditFields;
};

/** Checks one row's verb against its schemas, and drops their types for the table. */
export function route<P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema, F = unknown>(
  row: Route<P, Q, B, R, F>,
): AnyRoute {
  return row as unknown as AnyRoute; // the table mixes rows of many schemas; Fastify validates by the same schemas at run time
}

// biome-ignore lint: the schemas of a mixed table are only known row by row
export type AnyRoute = Route<TSchema, TSchema, TSchema, TSchema>;

/** A route outside the table's conventions: raw bytes in, its own answer out (provider callbacks, probes, pages). */
export type RawRoute = {
  method: "GET" | "POST" | "DELETE";
  path: string;
  /** Where it stands; default: `open` (surface.ts). */
  surface?: string;
  /** Which processes have it; default: those that receive callbacks. */
  role?: "api" | "ingress";
  summary: string;
  /** As for a row of the table. */
  operationId?: string;
  /** Its action in the audit log: refusals are written there where its surface is audited. What it does, it records itself. */
  action?: string;
  /** The route's entry in the OpenAPI document; parts of the server's own pages have none. */
  document?: RawDocument;
  /** Bytes accepted; more is 413. */
  maxBytes: number;
  /** The refusal of a request whose body need not be read, by its head; null for none. */
  refuse?(head: RawHead): RawAnswer | null;
  handle(request: RawRequest): Promise<RawAnswer>;
};

/** A raw route's entry in the OpenAPI document; all schemas are plain JSON Schema. */
export type RawDocument = {
  tag: Tag;
  description: string;
  params?: Schema;
  query?: Schema;
  headers?: Schema;
  body?: { type: string; schema: Schema };
  /** True: 200 is a stored file, with the other answers and the headers that this has. */
  sendsFile?: true;
  /** By status. Refusals that any request can get are added. */
  answers: Readonly<Record<number, { description: string; type: string; schema: Schema }>>;
};
export type RawHead = {
  method: string;
  headers: Record<string, string | string[] | undefined>;
  socket: Pick<IncomingMessage["socket"], "localAddress" | "localPort">;
  ip: string;
  requestId: string;
};
export type RawRequest = RawHead & {
  /** Of a route whose surface knows its callers; without it `ANONYMOUS`. */
  actor: Actor;
  /** Uuid of the actor's workspace; the nil workspace without. */
  workspaceId: string;
  /** Without what is no id of ours, as the audit log keeps it. */
  audit: AuditFields;
  /** Counts a request that gave no valid key. The refusal of one too many of its address; null for the others. */
  refused(): Problem | null;
  params: Record<string, string | undefined>;
  query: Record<string, string | undefined>;
  body: Buffer;
};
export type RawAnswer = {
  status: number;
  headers?: Record<string, string>;
  body: string | Buffer | Readable;
  /** What the request created or touched, for its log line. */
  resource?: { type: string; id: string };
};
