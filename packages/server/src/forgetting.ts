import type { App } from "./ctx.ts";

/** What may be said of people: what they wrote and what they are called, their numbers, their user ids, and the provider's ids of messages and calls. */
export type OfPeople = "text" | "number" | "user_id" | "provider_id";

/** What a table has, or may have, of the people whom a workspace exchanges messages with. */
export type HeldOfPeople = {
  holds: string;
  /** What `DELETE /v1/contacts/{id}` does to it, and how long it stays otherwise. */
  erasure: string;
  /** What may still be in its rows once the erasure is done; left out: nothing. A test looks through every table for the rest. */
  stays?: readonly OfPeople[];
};

/**
 * How a feature forgets a person. Whom `DELETE /v1/contacts/{id}` erases is one or more records, the ids of contacts that were merged;
 * their rows in `erased_contact` make every reader return stubs from the commit on. `features/contacts/erase.ts` takes the steps of all
 * features of the process.
 */
export type Forgetting = {
  /** Its tables with data of people, as docs/privacy.md lists them. */
  tables?: Readonly<Record<string, HeldOfPeople>>;
  /** Its other tables: what workspaces, accounts and the gateway itself are, queues of ids, and counts. */
  without?: readonly string[];
  /**
   * PL/pgSQL in the transaction that erases: what must be gone when the request is answered, of few rows. It has `r.workspace_id`, the ids
   * `records` and the numbers `person_numbers` of the person, and `now`. Rows of other features may be gone by then. It runs as `engine`,
   * which needs its grants, and is part of `functions.sql`.
   */
  atOnce?: string;
  /** The same a minute later, without `person_numbers`: for what calls that began before the erasure have written since. */
  late?: string;
  /** What is done of very many rows, in pieces after the commit: from the beginning, and a minute later once more for what came late. */
  inPieces?: ForgetSome;
};

/** What a piece may use of the process. */
export type PieceApp = Pick<App, "db" | "clock" | "notifier">;

export type Piece = {
  /** Uuid of the record, which is a contact no longer. */
  contactId: string;
  /** Where the piece before this one ended, as it said; null at the beginning. */
  place: string | null;
  /** When the person was erased, in milliseconds: what is clearly older was done by the first pass. Null in the first pass. */
  since: number | null;
};

/**
 * Forgets some of a record, some ten milliseconds' worth, in transactions of its own; resolves to where it ended and whether more may be
 * left. A process may be killed behind it before the place is stored, and two may take the same piece at once: doing it again must
 * change nothing. What it throws is logged, and it is tried again; other features go on meanwhile.
 */
export type ForgetSome = (
  app: PieceApp,
  workspaceId: string,
  piece: Piece,
) => Promise<{ place: string | null; more: boolean }>;
