import { innerFunction } from "../../db/inner-function.ts";

/** In place of a number: another endpoint of the number does not stand in for this one. */
const NO_NUMBER = "00000000-0000-0000-0000-000000000000";

/**
 * Whether an endpoint with limits gets an event: null if not; the number, if it gets the event only because no endpoint that was set up
 * for the number is there; else `NO_NUMBER`. It does, if one of its numbers or accounts is what the event is about, or its number is of one of the
 * accounts, or its account has one of the numbers. The number of a message is looked up where no number is given. What is of no number and no account,
 * such as a contact, comes only to endpoints without limits.
 *
 * A function, so that a statement which writes events costs no more to start than without it: few endpoints have limits.
 */
const WITHIN_LIMITS = innerFunction({
  name: "within_limits",
  takes: {
    of_workspace: "uuid",
    of_endpoint: "uuid",
    about_number: "uuid",
    about_account: "uuid",
    about_message: "uuid",
  },
  gives: { given_for: "uuid" },
  declare: `
  limits record;
  is_within boolean;
  of_number uuid := about_number;
  of_account uuid;`,
  body: `
select p.phone_number_ids, p.business_account_ids, p.front_of into limits
from webhook_endpoint p where p.workspace_id = of_workspace and p.id = of_endpoint;
if of_number is null and about_message is not null then
  select m.phone_number_id into of_number from message m where m.workspace_id = of_workspace and m.id = about_message;
end if;
if of_number is not null then
  is_within := of_number = any(limits.phone_number_ids);
  if is_within is not true and limits.business_account_ids is not null then
    select n.business_account_id into of_account from phone_number n where n.workspace_id = of_workspace and n.id = of_number;
    is_within := of_account = any(limits.business_account_ids);
    if is_within and limits.front_of is not null then
      given_for := of_number;
    end if;
  end if;
elsif about_account is not null then
  is_within := about_account = any(limits.business_account_ids);
  if is_within is not true and limits.phone_number_ids is not null then
    perform 1 from unnest(limits.phone_number_ids) x(id)
    cross join lateral (
      select 1 from phone_number n
      where n.workspace_id = of_workspace and n.id = x.id and n.business_account_id = about_account offset 0) n;
    is_within := found;
  end if;
end if;
if is_within and given_for is null then
  given_for := '${NO_NUMBER}';
end if;`,
});

/**
 * Whether what `WITHIN_LIMITS` gave of an endpoint holds. Stable, so that it sees exactly the endpoints that the statement sees which writes
 * the event: while the endpoint of a number is created or deleted, the event goes to that one or to the account's, never to both or none.
 */
const IS_GOT = innerFunction({
  name: "is_got",
  takes: { of_workspace: "uuid", given_for: "uuid" },
  gives: { gets: "boolean" },
  isStable: true,
  declare: "",
  body: `
gets := given_for is not null;
if gets and given_for <> '${NO_NUMBER}' then
  perform 1 from webhook_endpoint p where p.workspace_id = of_workspace and p.front_of = given_for;
  gets := not found;
end if;`,
});

/** What an event is about, for the limits of endpoints. Expressions are SQL. */
export type AboutStep = {
  /** uuid, of events of a number: of its messages, its conversations, itself. Default: the number of `message`. */
  phoneNumber?: string;
  /** uuid, of events of an account or a template. */
  account?: string;
  message?: string;
};

/** boolean: whether the endpoint `e` of a workspace gets an event. */
export const withinLimits = (workspace: string, { phoneNumber, account, message }: AboutStep): string =>
  phoneNumber === undefined && account === undefined && message === undefined
    ? "not e.is_limited"
    : `(not e.is_limited or ${IS_GOT.value({
        of_workspace: workspace,
        given_for: WITHIN_LIMITS.value({
          of_workspace: workspace,
          of_endpoint: "e.id",
          about_number: phoneNumber ?? "null::uuid",
          about_account: account ?? "null::uuid",
          about_message: message ?? "null::uuid",
        }),
      })})`;
