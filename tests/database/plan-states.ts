import { Client } from "pg";
import { bloat, emptyTables, fillMessages, fillQueues } from "./bloat.ts";
import { type Explainer, startExplaining } from "./explain.ts";
import type { Tenant } from "./rows.ts";

type Session = { admin: Client; explainer: Explainer };

/** A database and the one session whose plans are looked at. A session keeps the plans that it made of functions. */
export type Stage = {
  session(): Session;
  reconnect(): Promise<void>;
  /** A snapshot, for which dead rows stay, until `close` or the next one. */
  pin(): Promise<void>;
  close(): Promise<void>;
};

/** `url` is a superuser's. Null where the server has no auto_explain. */
export async function openStage(url: string): Promise<Stage | null> {
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    return client;
  };
  const begin = async (): Promise<Session | null> => {
    const admin = await connect();
    const explainer = await startExplaining(admin);
    if (explainer) return { admin, explainer };
    await admin.end();
    return null;
  };
  const first = await begin();
  if (!first) return null;
  let session = first;
  let pinned: Client | null = null;
  const unpin = async (): Promise<void> => {
    await pinned?.end();
    pinned = null;
  };
  return {
    session: () => session,
    async reconnect() {
      await session.admin.end();
      session = (await begin()) ?? session;
    },
    async pin() {
      await unpin();
      pinned = await connect();
      await pinned.query("begin isolation level repeatable read; select count(*) from worker");
    },
    async close() {
      await unpin();
      await session.admin.end();
    },
  };
}

/** A statement needs a few dozen pages, and one that writes a contact two for each group of three signs of its texts; walking an index of a backlog would be hundreds. */
const FEW_PAGES = 250;
/** A skip-scan of a slot, which has no watermark, meets the slot's dead rows (469) until the next vacuum. */
const DEAD_PAGES = 1_200;

export type State = { what: string; mostPages: number; prepare(stage: Stage, tenant: Tenant): Promise<void> };

/** In this order: a later one begins where the one before ended. */
export const STATES: readonly State[] = [
  {
    what: "that are empty and were never looked at",
    mostPages: FEW_PAGES,
    prepare: (stage) => emptied(stage),
  },
  {
    what: "that were vacuumed and analysed while empty",
    mostPages: FEW_PAGES,
    prepare: (stage) => emptied(stage, "vacuum analyze"),
  },
  {
    what: "that have filled since, on the same connection",
    mostPages: FEW_PAGES,
    async prepare(stage, tenant) {
      await fillQueues(stage.session().admin, tenant);
      await fillMessages(stage.session().admin, tenant);
    },
  },
  {
    what: "that have filled since, on a new connection",
    mostPages: FEW_PAGES,
    prepare: (stage) => stage.reconnect(),
  },
  {
    what: "that are full, and known to be",
    mostPages: FEW_PAGES,
    async prepare(stage) {
      await stage.session().admin.query("analyze");
      await stage.reconnect();
    },
  },
  {
    what: "that were drained, and known to be empty",
    mostPages: DEAD_PAGES,
    async prepare(stage, { workspace }) {
      await emptied(stage);
      await bloat(stage.session().admin, workspace);
      await stage.session().admin.query("analyze");
      await stage.reconnect();
    },
  },
  {
    what: "that were drained and vacuumed while a snapshot kept their dead rows, and have filled since",
    mostPages: DEAD_PAGES,
    async prepare(stage, tenant) {
      await emptied(stage);
      await stage.pin();
      await bloat(stage.session().admin, tenant.workspace);
      await stage.session().admin.query("vacuum analyze");
      await stage.reconnect();
      await fillQueues(stage.session().admin, tenant);
    },
  },
];

async function emptied(stage: Stage, then = "select"): Promise<void> {
  await emptyTables(stage.session().admin);
  await stage.session().admin.query(then);
  await stage.reconnect();
}
