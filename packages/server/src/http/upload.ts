import type { Ctx } from "../ctx.ts";

/** A file that is arriving. */
export type Incoming = {
  /** Media type of the file, lower case, without parameters; known once its first bytes are. Empty where a form does not say it. */
  type(): string;
  /** The name that a form gives the file, without folders; null for none. Known once its first bytes are. */
  filename(): string | null;
  /** Its bytes as they arrive, to be read once; a consumer that stops early throws a refusal. */
  bytes: AsyncIterable<Buffer>;
  /** The other fields of a form that have arrived by now; all of them once the bytes have ended. Empty for a plain body. */
  fields(): Readonly<Record<string, string>>;
  /** Whether the idempotency key of the request is known: the verb will not run, so no limit of today may refuse the file. */
  isRepeated(): Promise<boolean>;
};

/** What is known ahead of a file that is a body by itself. A body of another length is refused. */
export type WholeFile = { type: string; filename: string | null; bytes: number };

/** A file that was received: what the verb gets of it, and what makes two requests the same. */
export type Received<F> = {
  found: F;
  /** Plain data: the request's idempotency key belongs to it in place of a body. */
  fingerprint: unknown;
  /** Called when no transaction keeps the file: it was refused, or the key had an answer. */
  discard(): Promise<void>;
};

/** A body that is streamed to where it is kept, in place of JSON: of one of these types (each with an example), or a form with the fields and one file of them. */
export type Upload<Asked, F> = {
  /** Null: a form alone, whose file may be of any type. */
  types: Readonly<Record<string, string>> | null;
  /** True: in a form the file may have another name than `file`, as version 0.1.0 took it. */
  anyName?: true;
  /** Fields of a form, with their schemas for the document. Others are refused. */
  fields: Readonly<Record<string, { [keyword: string]: unknown }>>;
  /** More is 413. */
  maxBytes: number;
  /** Runs outside of any transaction. Rejects with the refusal, after which nothing is kept. */
  receive(ctx: Ctx, asked: Asked, file: Incoming): Promise<Received<F>>;
};
