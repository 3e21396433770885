import type { Forgetting } from "../../forgetting.ts";

/**
 * Takes away the media that only the erased person sent or got, and lets the sweep delete the files that nothing names any more. What is
 * being stored at that moment is named by no media yet: it is found by the same step a minute later.
 */
const FORGET = `
  with sent as (
    delete from media m where m.workspace_id = r.workspace_id and m.contact_id = any(records) returning m.file_id),
  used as (
    delete from media_use u where u.workspace_id = r.workspace_id and u.contact_id = any(records) and u.used_at > '-infinity'
    returning u.media_id),
  got as (
    delete from media m using (select distinct u.media_id from used u) o
    where m.workspace_id = r.workspace_id and m.id = o.media_id and m.source = 'upload'
      and not exists (
        select from media_use u
        where u.workspace_id = r.workspace_id and u.media_id = m.id and u.contact_id <> all(records))
    returning m.file_id)
  update media_file f set sweep_at = greatest(f.sweep_at, now)
  from (select s.file_id from sent s union select g.file_id from got g) o
  where f.workspace_id = r.workspace_id and f.id = o.file_id;`;

export const forgets: Forgetting = {
  tables: {
    media: {
      holds: "the names of files that people sent, or that were sent to them; the bytes lie in the file store",
      erasure:
        "at once, of an upload when no other person got it; the bytes within ten minutes, unless others have the same file",
    },
    media_file: {
      holds: "SHA-256 and size of stored files",
      erasure: "with the bytes",
    },
    media_use: { holds: "which messages had which file", erasure: "at once" },
    media_fetch: { holds: "the provider's ids of files that people sent", erasure: "at once" },
  },
  without: ["fetching", "media_at_provider"],
  atOnce: FORGET,
  late: FORGET,
};
