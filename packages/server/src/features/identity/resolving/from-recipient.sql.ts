import { unnamedByWaId } from "../identifiers.sql.ts";
import {
  hasNumber,
  hasOtherNumber,
  hasOtherUserId,
  keepMergeEvidence,
  LOOK_UP,
  overtakenIf,
  timeOfId,
} from "./observation.sql.ts";

/** Whether a contact has a number of the country observed, which has no rules (`r.country`, its calling code) for forms of a number. */
const isOfCountry = (contact: string): string => `(
    r.country is not null and exists (
      select from identifier i
      where i.workspace_id = r.workspace_id and i.contact_id = ${contact} and i.value <> '' and i.kind = 'phone'
        and i.until is null and starts_with(i.value, r.country)))`;

/** When the message was accepted that the report is about, by its id; the provider's times are whole seconds. */
const ACCEPTED_AT = `${timeOfId("r.message_id")} - interval '2 seconds'`;

/**
 * Whether the report names what a person has given up since the message was accepted, as reports of such a message do for long: it
 * says who had it then. Nor is a number of the workspace's own a recipient's.
 */
const IS_STALE = `exists (
    select from identifier i
    where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value in (r.wa_id, r.wa_key)
      and i.until > ${ACCEPTED_AT})
    or exists (
    select from identifier i
    where i.workspace_id = r.workspace_id and i.kind = 'user_id' and i.scope = r.scope and i.value = r.user_id
      and i.until > ${ACCEPTED_AT})
    or exists (select from phone_number n where n.workspace_id = r.workspace_id and n.phone = e164)`;

/** Whether this is about a contact whose names are not in `identifier` yet: it waits until they are, soon. */
const HAS_UNNAMED = `exists (
    select from contact c where c.workspace_id = r.workspace_id and c.id = person and not c.is_named)
    or exists (select from contact c where c.workspace_id = r.workspace_id and c.phone = e164 and not c.is_named)
    or ${unnamedByWaId("r.workspace_id", "r.wa_id")} is not null`;

/**
 * Adds what the provider said of the person who was written to, `r.contact_id`: in its answer to a send, or in a status. A number
 * that cannot be that person's is left alone: the provider may have put the business's own country code in front.
 */
export const ADD_RECIPIENT_IDENTIFIERS = `
  person := (select coalesce(c.merged_into, c.id) from contact c where c.workspace_id = r.workspace_id and c.id = r.contact_id);
  -- Until it is one that was not merged while its lock was waited for. One that was deleted meanwhile leaves its names to the next.
  loop
    perform from contact c where c.workspace_id = r.workspace_id and c.id = person for no key update;
    if not found then
      person := null;
      exit;
    end if;
    by_user := (select c.merged_into from contact c where c.workspace_id = r.workspace_id and c.id = person);
    exit when by_user is null;
    person := by_user;
  end loop;
  e164 := '+' || r.wa_id;
${overtakenIf(HAS_UNNAMED)}
  if ${IS_STALE} then
    r.wa_id := null;
    r.wa_key := null;
    r.user_id := null;
    r.parent_user_id := null;
    r.username := null;
    r.profile_name := null;
  end if;
${LOOK_UP}
  if r.user_id is not null and by_user is distinct from person and ${hasOtherUserId("person")} then
    -- The number has another owner by now, who is called so, or the id is of another portfolio.
    r.user_id := null;
    r.username := null;
    r.profile_name := null;
    r.wa_id := null;
    r.wa_key := null;
  end if;
  if r.wa_id is not null and by_phone is distinct from person and (
    (${hasOtherNumber("person")} and not (by_phone is null and ${isOfCountry("person")}))
    -- Who gave a number up, and whom the report does not name by user id, is not its owner of now.
    or (by_phone is not null and by_user is distinct from person and not ${hasNumber("person")})) then
    if by_user is distinct from person then
      r.username := null;
      r.profile_name := null;
    end if;
    r.wa_id := null;
    r.wa_key := null;
  end if;
  if r.user_id is not null and by_user is not null and by_user <> person then ${keepMergeEvidence("by_user")} end if;
  if r.wa_id is not null and by_phone is not null and by_phone <> person and by_phone is distinct from by_user then
    ${keepMergeEvidence("by_phone")}
  end if;
  if by_phone is not null and by_phone <> person then
    -- Its forms are the other record's until the two are one.
    r.wa_id := null;
    r.wa_key := null;
  end if;`;
