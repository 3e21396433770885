import { emitEvent } from "../../events/event.sql.ts";

/**
 * What follows when an endpoint only fails: warnings, and in the end it is disabled. All of it is in the row of the endpoint, and a success
 * of an endpoint that has not failed writes nothing. In these statements `r` is a row with `workspace_id` and `endpoint_id`, `now` the time.
 */

/** An endpoint with so many events or more that failed is disabled after `DISABLED_AFTER`. Fewer may be a rare one whose receiver is being built. */
const EVENTS_TO_DISABLE = 20;
const DISABLED_AFTER = "interval '5 days'";
/** The longest time of an attempt, with a second to spare: one that ended since `failing_since` began at most so long before. */
const LONGEST_ATTEMPT = "interval '31 seconds'";

/** smallint: how many stages of warnings an endpoint `p` has come to. */
const STAGE = `case when p.failing_since <= now - interval '72 hours' then 3 when p.failing_since <= now - interval '24 hours' then 2
      when p.failing_since <= now - interval '1 hour' then 1 else 0 end`;

/** boolean: the workspace of an endpoint `p` is to be warned. */
export const IS_WARNING_DUE = `p.enabled and p.failing_stage < ${STAGE}`;

const ONE = "p.workspace_id = r.workspace_id and p.id = r.endpoint_id";
const NOT_FAILING = "failing_since = null, failing_events = 0, failing_stage = 0";

/** Of an endpoint `p` into `w`, what its events render. */
const SHOWN = `returning p.id, p.url, p.events, p.fields, p.description, p.ordered, p.header_names, p.phone_number_ids, p.business_account_ids, p.timeout_seconds, p.rate_per_second, p.enabled,
        p.status, p.disabled_reason, p.created_at, p.updated_at, p.failing_stage into w`;

const endpointEvent = (kind: string, reason: string): string => `
      if found then
        ${emitEvent({
          workspace: "r.workspace_id",
          kind: `'${kind}'`,
          resource: "r.endpoint_id",
          occurredAt: "now",
          state: `json_build_object('webhook_endpoint', row_to_json(w), 'reason', ${reason})`,
          conversation: "hashtextextended(r.endpoint_id::text, 0)",
        })}
      end if;`;

/** Disables the endpoint of `r` for `reason`, where `condition` holds for `p`, with its event. */
export const disableEndpoint = (reason: string, condition: string): string => `
      update webhook_endpoint p set enabled = false, status = 'disabled', disabled_reason = '${reason}',
        version = p.version + 1, updated_at = now, ${NOT_FAILING}
      where ${ONE} and p.enabled and ${condition}
      ${SHOWN};
      ${endpointEvent("endpoint_disabled", `'${reason}'`)}`;

/** Warns the workspace where another stage has been reached, once for each. */
export const WARN_OF_ENDPOINT = `
      update webhook_endpoint p set status = 'failing', updated_at = now, failing_stage = ${STAGE}
      where ${ONE} and ${IS_WARNING_DUE}
      ${SHOWN};
      ${endpointEvent("endpoint_failing", "(array['failing_for_1_hour', 'failing_for_24_hours', 'failing_for_72_hours'])[w.failing_stage]")}`;

/**
 * An attempt of `r` was stored, which failed and will be repeated. An event counts once, however often it is tried or replayed while the
 * endpoint only fails. `w` is a record variable.
 */
export const ENDPOINT_FAILED = `
      update webhook_endpoint p set failing_since = coalesce(p.failing_since, now), failing_events = p.failing_events + 1
      where ${ONE} and p.enabled and p.failing_events < ${EVENTS_TO_DISABLE} and not exists (
        select from delivery d cross join lateral json_array_elements(d.attempts) a
        where d.workspace_id = r.workspace_id and d.id = r.delivery_id and (a->>'n')::int <> r.n
          and (a->>'started_at')::timestamptz > p.failing_since - ${LONGEST_ATTEMPT});
      ${disableEndpoint("failing", `p.failing_events >= ${EVENTS_TO_DISABLE} and p.failing_since <= now - ${DISABLED_AFTER}`)}
      ${WARN_OF_ENDPOINT}`;

/** An attempt of `r` succeeded, of an endpoint that has failed before. */
export const ENDPOINT_RECOVERED = `
      update webhook_endpoint p set status = case p.status when 'failing' then 'active' else p.status end,
        updated_at = case p.status when 'failing' then now else p.updated_at end, ${NOT_FAILING}
      where ${ONE} and p.failing_since is not null;`;

/** boolean: an outcome of an endpoint `p` of which `says` is 'failed' or 'recovered' may write its row. */
export const mayWrite = (says: string): string =>
  `case ${says} when 'recovered' then p.failing_since is not null else p.failing_events < ${EVENTS_TO_DISABLE}
    or ${IS_WARNING_DUE} or p.failing_since <= now - ${DISABLED_AFTER} end`;
