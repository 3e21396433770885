// Many numbers with other user ids at once, as PL/pgSQL for the observations `r`. A number that comes with another user id than it had
// is taken for another person's. Numbers are reassigned one by one, so many at once mean that the provider has changed user ids,
// or confuses them. Then they are no evidence: no contacts are joined by it for a while, and an alarm is raised.

/** The source of an observation that teaches nothing: a number has another owner, and no notice said so. */
export const NEW_OWNER = "new_owner";

/** An agency sees a few a day: the provider recycles a number after 45 days at rest. */
const MANY = 20;
const COUNTED_FOR = "interval '10 minutes'";
/** Long enough for an operator to look. It begins again with every so many numbers. */
const STOPPED_FOR = "interval '1 day'";

/** Declarations of `COUNT_NEW_OWNER`. */
export const NEW_OWNER_VARIABLES = `
  owners new_owner;
  has_stopped boolean;`;

/**
 * Counts the number of the observation `r`, for all processes; `has_stopped`: joining stops with it. An observation of an earlier version
 * does not say which number it is of.
 */
export const COUNT_NEW_OWNER = `
  insert into new_owner (workspace_id, scope) values (r.workspace_id, r.scope) on conflict do nothing;
  select s.* into owners from new_owner s where s.workspace_id = r.workspace_id and s.scope = r.scope for update;
  select coalesce(jsonb_object_agg(n.key, n.value), '{}') into owners.numbers from jsonb_each(owners.numbers) n
  where n.value::float8 > extract(epoch from now - ${COUNTED_FOR});
  owners.numbers := owners.numbers
    || jsonb_build_object(coalesce(r.wa_key, r.wa_id, r.contact_id::text), extract(epoch from now));
  has_stopped := false;
  if (select count(*) >= ${MANY} from jsonb_object_keys(owners.numbers)) then
    has_stopped := coalesce(owners.stopped_until <= now, true);
    owners.numbers := '{}';
    owners.stopped_until := now + ${STOPPED_FOR};
  end if;
  update new_owner s set numbers = owners.numbers, stopped_until = owners.stopped_until
  where s.workspace_id = r.workspace_id and s.scope = r.scope;`;

/** timestamptz: until when the pair `r` must wait; null mostly. */
export const WAITS_UNTIL = `(
    select s.stopped_until from new_owner s
    where s.workspace_id = r.workspace_id and s.scope = r.scope and s.stopped_until > now)`;
