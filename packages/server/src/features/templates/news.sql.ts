import { emitEvent } from "../events/event.sql.ts";
import { contentDiffers } from "./content.sql.ts";

// Steps of `upsert_templates`. A callback and a read may both say that a template has changed, in either order, and there is one
// event. A row of provider_notice is what one of them has said; `found` says that it was a read. Two of them that are about the
// same change are `matched` with each other, and each at most once: a change that happens again is another event.

/** What the steps below need beside the function's `r`, `t`, `old` and `now`. */
export const NEWS_VARIABLES = `
  template_ids text[];
  d record;
  n provider_notice;
  twin provider_notice;
  joined bytea[];
  former text;
  is_new boolean;
  held timestamptz;`;

/** Of rows of provider_notice: what was said of `t`. */
export const ofTemplate = (row: string): string =>
  `${row}.workspace_id = t.workspace_id and ${row}.provider_template_id = any(template_ids) and ${row}.provider_template_id is not null`;

/** How long a callback that became an event after a read explains what another finds: the provider may still have answered with the state before. */
const EXPLAINS_FOR = "interval '10 minutes'";
/** Clocks of the provider and of this machine differ by less. */
const CLOCKS_DIFFER = "interval '1 minute'";

/** Notes what `t` has that `old` had not, where no callback has said so. Of a template that is new, its status says it all. */
export const noteDifferences = `
    for d in
      select v.* from (values
        (t.status, old.status, t.status, t.rejection_reason, t.status is distinct from old.status),
        ('template_category_changed', old.category, t.category, null, t.category <> old.category),
        ('template_quality_changed', old.quality, t.quality, null, t.quality <> old.quality),
        ('template_components_changed', old.components::text, t.components::text, null,
          t.provider_template_id = old.provider_template_id and ${contentDiffers("old.components", "t.components")})
      ) v (kind, previous, current, reason, is_changed)
      where v.is_changed
    loop
      select w.* into twin from provider_notice w
      where ${ofTemplate("w")} and w.kind = d.kind and w.current = d.current and w.effective_at is null
        and not w.found and not w.matched
        and (w.event_due is not null or w.told_unread or w.created_at > r.read_at - ${EXPLAINS_FOR})
      order by w.event_due is null, coalesce(w.at, w.created_at) desc limit 1;
      if found then
        update provider_notice w set matched = true, previous = coalesce(w.previous, d.previous)
        where w.workspace_id = twin.workspace_id and w.digest = twin.digest;
      else
        if d.kind = d.current then
          -- It changes again: what waited is in the order of its events.
          update provider_notice w set event_due = now
          where ${ofTemplate("w")} and w.found and w.event_due > now and w.kind = w.current;
        end if;
        -- An event waits for a callback that says more than was read. Not so an approval: callbacks seldom add to it, and people wait for
        -- it. Nor new components: the callback about them only has the template read.
        insert into provider_notice (workspace_id, digest, created_at, at, provider_template_id, kind, previous, current,
          reason, found, event_due)
        values (t.workspace_id, sha256(convert_to(concat(t.id, t.revision, d.kind), 'UTF8')), now, r.read_at, t.provider_template_id, d.kind, d.previous,
          d.current, d.reason, true, case when d.current = 'approved' or d.kind = 'template_components_changed' then now else coalesce(r.hold_until, now) end);
      end if;
    end loop;`;

/** Writes the events that are due: of callbacks first, in the order of the provider's times, then of what reads have found. */
export const reportNews = `
    former := old.status;
    joined := '{}';
    for n in
      select w.* from provider_notice w where ${ofTemplate("w")} and w.event_due is not null
      order by w.found, coalesce(w.at, w.created_at), w.created_at, w.kind <> w.current, w.kind, w.digest
    loop
      continue when n.digest = any(joined);
      is_new := true;
      if n.found and n.event_due > now and not r.is_last then
        held := least(held, n.event_due);
        continue;
      elsif not n.found and not n.matched and n.effective_at is null then
        -- What a read has found before is not what the provider says has happened since.
        select w.* into twin from provider_notice w
        where ${ofTemplate("w")} and w.kind = n.kind and w.current = n.current and w.found and not w.matched
          and (w.event_due is not null or n.at is null or n.at <= w.at + ${CLOCKS_DIFFER})
        order by w.event_due is null, w.at limit 1;
        if found then
          update provider_notice w set matched = true, event_due = null
          where w.workspace_id = twin.workspace_id and w.digest = twin.digest;
          joined := joined || twin.digest;
          is_new := twin.event_due is not null;
          n.matched := true;
          n.previous := coalesce(n.previous, twin.previous);
        end if;
      end if;
      if is_new then
        ${emitEvent({
          workspace: "t.workspace_id",
          kind: "n.kind",
          resource: "t.id",
          account: "t.business_account_id",
          occurredAt: "now",
          state: `case n.kind
            when 'template_quality_changed' then
              json_build_object('template', row_to_json(t), 'previous', n.previous, 'current', n.current)
            when 'template_components_changed' then
              json_build_object('template', row_to_json(t), 'previous', n.previous::json, 'current', n.current::json)
            when 'template_category_changed' then
              json_build_object('template', row_to_json(t), 'previous', n.previous, 'current', n.current, 'effective_at', n.effective_at)
            else
              json_build_object('template', row_to_json(t), 'previous_status', coalesce(n.previous, nullif(former, n.kind)),
                'reason', coalesce(n.reason, case n.kind when 'rejected' then t.rejection_reason end), 'detail', n.detail)
            end`,
          conversation: "hashtextextended(t.id::text, 0)",
        })}
        if n.kind not in ('template_quality_changed', 'template_category_changed', 'template_components_changed') then
          former := n.kind;
        end if;
      end if;
      update provider_notice w set event_due = null, matched = n.matched, previous = n.previous, told_unread = r.is_last
      where w.workspace_id = n.workspace_id and w.digest = n.digest;
    end loop;`;
