import { innerFunction } from "../../db/inner-function.ts";

// What sending asks of media: steps of the functions that accept and begin sends, called only where a message names any.

const LACKS_MEDIA = innerFunction({
  name: "lacks_media",
  takes: { of_workspace: "uuid", ids: "uuid[]" },
  gives: { lacks: "boolean" },
  declare: "",
  body: `
  select count(*) < cardinality(ids) into lacks
  from media f where f.workspace_id = of_workspace and f.id = any(ids) and f.file_id is not null;`,
});

/** boolean: whether one of the media of a row that is accepted is not there; `ids` has each once, and null where the row names none. */
export const lacksMedia = (workspace: string, ids: string): string =>
  `case when ${ids} is null then false else ${LACKS_MEDIA.value({ of_workspace: workspace, ids })} end`;

const NOTE_MEDIA_USE = innerFunction({
  name: "note_media_use",
  takes: { rows: "json", now: "timestamptz" },
  gives: { noted: "int" },
  declare: "kept int; named int;",
  // Only of messages that were accepted. Retention passes by what is locked here, or has decided before: what it deleted after it was looked
  // for above refuses the message when the call is repeated. An erasure locks people first and media last, and so does this.
  body: `
  with written as (
    insert into media_use (workspace_id, media_id, message_id, contact_id, used_at)
    select x.workspace_id, f.id, m.id, m.contact_id, greatest(now, x.send_at)
    from json_to_recordset(rows) as x(workspace_id uuid, id uuid, media uuid[], send_at timestamptz)
    cross join unnest(x.media) f(id)
    cross join lateral (
      select m.id, m.contact_id from message m where m.workspace_id = x.workspace_id and m.id = x.id offset 0) m
    order by x.workspace_id, f.id, m.id
    on conflict do nothing
    returning workspace_id, media_id),
  names as materialized (
    select w.workspace_id, w.media_id, count(*) as uses from written w
    group by w.workspace_id, w.media_id order by w.workspace_id, w.media_id),
  locked as materialized (
    select f.id from names n
    cross join lateral (
      select f.id from media f where f.workspace_id = n.workspace_id and f.id = n.media_id offset 0 for key share) f)
  select coalesce(sum(n.uses), 0), count(*), (select count(*) from locked) into noted, named, kept from names n;
  if kept < named then raise exception 'overtaken' using errcode = 'serialization_failure'; end if;`,
});
/** For `noteMediaUse`. */
export const MEDIA_USE_VARIABLES = `
  noted int;`;
/** Notes which messages name which media, of rows `rows` as JSON with `workspace_id`, `id`, `media` and `send_at`. `text` is the same as text. */
export const noteMediaUse = (text: string): string => `
if position('"media":[' in ${text}) > 0 then ${NOTE_MEDIA_USE.call({ rows: "rows", now: "now" })}
end if;`;

const MEDIA_AT_NUMBER = innerFunction({
  name: "media_at_number",
  takes: { of_workspace: "uuid", ids: "uuid[]", of_number: "uuid", at_time: "timestamptz" },
  gives: { known: "json" },
  declare: "",
  body: `
  select coalesce(json_object_agg(f.id, case when p.expires_at > at_time then p.provider_media_id end), '{}') into known
  from media f
  left join lateral (
    select p.provider_media_id, p.expires_at from media_at_provider p
    where p.workspace_id = of_workspace and p.media_id = f.id and p.phone_number_id = of_number offset 0) p on true
  where f.workspace_id = of_workspace and f.id = any(ids) and f.file_id is not null;`,
});

/** json: the provider's ids of these media for a number, by uuid; null for one that must be uploaded first. One that is gone is absent. */
export const mediaAtNumber = (given: { workspace: string; ids: string; phoneNumber: string; now: string }): string =>
  MEDIA_AT_NUMBER.value({
    of_workspace: given.workspace,
    ids: given.ids,
    of_number: given.phoneNumber,
    at_time: given.now,
  });

/** json: the provider's ids that a number's sends of these media had last, by uuid; null where it has none of any. */
export const mediaLastAtNumber = (given: { workspace: string; ids: string; phoneNumber: string }): string =>
  `(select json_object_agg(p.media_id, p.provider_media_id) from media_at_provider p
      where p.workspace_id = ${given.workspace} and p.media_id = any(${given.ids}) and p.phone_number_id = ${given.phoneNumber})`;

/** boolean: whether one of the media `ids` is gone, by what `mediaAtNumber` has said of them (`files`). */
export const hasLostMedia = (ids: string, files: string): string =>
  `case when ${ids} is null then false else (select count(*) from json_each(${files})) < cardinality(${ids}) end`;

/** boolean: whether one must be uploaded first, by the same. */
export const lacksUploads = (ids: string, files: string): string =>
  `case when ${ids} is null then false else exists (select from json_each_text(${files}) f where f.value is null) end`;
