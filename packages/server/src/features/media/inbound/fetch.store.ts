import type { Sql } from "../../../db/database.ts";
import { columns, hotFunction, of, type RowOf, recordset } from "../../../db/hot-function.ts";
import { defineQueue } from "../../../lanes/queue.ts";

/** Media of people that is to be fetched. */
export const fetchQueue = defineQueue({
  kind: "fetch",
  table: "fetching",
  item: "media_id",
  key: null,
  workspace: true,
  event: false,
  intents: false,
});

const FETCHED = columns({
  slot: "smallint",
  seq: "bigint",
  workspace_id: "uuid",
  media_id: "uuid",
  /** `ended`: it is available, has failed or is gone. `later`: it is tried again at `due`. */
  outcome: of<"ended" | "later">("text"),
  due: "timestamptz?",
  attempt: "smallint",
  /** What the try met; none where nothing was tried. */
  error: of<object>("json?"),
});
export type FetchedRow = RowOf<typeof FETCHED>;

/** Stores how tries to fetch media ended. Repeating it changes nothing. */
export const settleFetches = hotFunction({
  name: "settle_fetches",
  input: FETCHED,
  answers: columns({ media_id: "uuid" }),
  declare: "r record;",
  body: `
for r in
  select x.* from ${recordset(FETCHED)} order by x.workspace_id, x.media_id
loop
  if r.outcome = 'later' then
    update fetching f set due = r.due, attempt = r.attempt
    where f.slot = r.slot and f.seq = r.seq and f.workspace_id = r.workspace_id;
    if r.error is not null then
      update media_fetch f set last_error = r.error where f.workspace_id = r.workspace_id and f.media_id = r.media_id;
    end if;
  else
    delete from fetching f where f.slot = r.slot and f.seq = r.seq and f.workspace_id = r.workspace_id;
    delete from media_fetch f where f.workspace_id = r.workspace_id and f.media_id = r.media_id;
  end if;
  return query select r.media_id;
end loop;`,
});

/** What is needed to fetch a media; null for one that is not pending any more, or is gone. */
export type FetchRow = {
  provider_media_id: string;
  created_at: Date;
  mime_type: string | null;
  filename: string | null;
  /** Null where the number is gone. */
  provider_phone_number_id: string | null;
  business_account_id: string | null;
};

export async function selectFetchRow(sql: Sql, workspaceId: string, mediaId: string): Promise<FetchRow | null> {
  const rows = await sql.query<FetchRow>(
    `select f.provider_media_id, f.created_at, m.mime_type, m.filename, n.provider_phone_number_id, n.business_account_id
     from media_fetch f
     join media m on m.workspace_id = f.workspace_id and m.id = f.media_id and m.status = 'pending'
     left join phone_number n on n.workspace_id = f.workspace_id and n.id = f.phone_number_id
     where f.workspace_id = $1 and f.media_id = $2`,
    [workspaceId, mediaId],
  );
  return rows[0] ?? null;
}
