import { innerFunction } from "../../db/inner-function.ts";
import { slotOfLane } from "../../lanes/lane-kinds.ts";
import { workspaceLane } from "../tasks/task.sql.ts";

/** A file that a message of a callback has, as the database gets it: the uuid of its media, and what the provider calls it and says of it. */
export type ArrivingFile = {
  id: string;
  provider_media_id: string;
  type: string;
  mime_type: string | null;
  filename: string | null;
};

const TAKE_FILES = innerFunction({
  name: "take_files",
  takes: { reports: "json", message_ids: "uuid[]", now: "timestamptz" },
  gives: { taken: "int" },
  declare: "",
  body: `
  with given as materialized (
    select r.workspace_id, r.phone_number_id, s.id as message_id, s.contact_id, f.*, ${workspaceLane("r.workspace_id")} as lane, r.n
    from rows from (json_to_recordset(reports) as (workspace_id uuid, phone_number_id uuid, files json)) with ordinality
      r(workspace_id, phone_number_id, files, n)
    cross join lateral json_to_recordset(r.files) as f(id uuid, provider_media_id text, type text, mime_type text, filename text)
    cross join lateral (
      select s.id, s.contact_id from message_state s
      where s.workspace_id = r.workspace_id and s.id = message_ids[r.n] offset 0) s
    where r.files is not null),
  arrived as (
    insert into media (workspace_id, id, source, status, type, mime_type, filename, message_id, contact_id, phone_number_id, created_at,
      used_at)
    select g.workspace_id, g.id, 'inbound', 'pending', g.type, g.mime_type, g.filename, g.message_id, g.contact_id, g.phone_number_id, now, now
    from given g order by g.workspace_id, g.id
    on conflict do nothing
    returning id),
  fetches as (
    insert into media_fetch (workspace_id, media_id, phone_number_id, provider_media_id, created_at)
    select g.workspace_id, g.id, g.phone_number_id, g.provider_media_id, now from given g
    where g.id = any(array(select a.id from arrived a)) order by g.workspace_id, g.id)
  insert into fetching (slot, lane, workspace_id, media_id)
  select ${slotOfLane("g.lane")}, g.lane, g.workspace_id, g.id from given g
  where g.id = any(array(select a.id from arrived a)) order by g.n, g.id;
  get diagnostics taken = row_count;`,
});

/** For `takeFiles`. */
export const FILES_VARIABLES = `
  files_taken int;`;

/**
 * Takes the files of messages that callbacks brought: media that is pending, and a row of the queue for each. `reports` is json of rows with
 * workspace_id, phone_number_id and `files`, `text` the same as text; `messages` is uuid[]: the message that each became, null where it is none
 * that is new.
 */
export const takeFiles = (reports: string, text: string, messages: string): string => `
if position('"files":[{' in ${text}) > 0 then
  files_taken := ${TAKE_FILES.value({ reports, message_ids: messages, now: "now" })};
end if;`;
