import { innerFunction } from "../../../db/inner-function.ts";

/**
 * Whether an event is of one of some numbers, as endpoints with these `phone_number_ids` get it: of a message, a conversation, a call or
 * media of one of them, of one of them itself, of its account or of a template of that. Which it is of is found by what is stored of it, so
 * that of a message or media that is gone no event is one's own.
 *
 * A function, because only limited keys ask it.
 */
const IS_OF_NUMBERS = innerFunction({
  name: "is_of_numbers",
  takes: {
    numbers: "uuid[]",
    of_workspace: "uuid",
    about_message: "uuid",
    about_resource: "uuid",
    of_state: "json",
  },
  gives: { is_of: "boolean" },
  declare: `
  of_account uuid;`,
  body: `
if about_message is not null then
  select m.phone_number_id = any(numbers) into is_of from message m
  where m.workspace_id = of_workspace and m.id = about_message;
elsif about_resource = any(numbers) or of_state ->> 'phone_number_id' = any(numbers::text[]) then
  is_of := true;
elsif about_resource is not null then
  select t.business_account_id into of_account from template t where t.workspace_id = of_workspace and t.id = about_resource;
  of_account := coalesce(of_account, about_resource);
  perform 1 from unnest(numbers) x(id)
  cross join lateral (
    select 1 from phone_number n
    where n.workspace_id = of_workspace and n.id = x.id and n.business_account_id = of_account offset 0) n;
  is_of := found;
  if not is_of then
    select d.phone_number_id = any(numbers) into is_of from media d where d.workspace_id = of_workspace and d.id = about_resource;
  end if;
end if;
is_of := coalesce(is_of, false);`,
});

/** boolean: whether the caller may see an event `e`, by the `numbers` (SQL, uuid[]) to which it is limited; null: to none. */
export const isOfNumbers = (numbers: string, workspace: string, e: string): string =>
  `(${numbers} is null or ${IS_OF_NUMBERS.value({
    numbers,
    of_workspace: workspace,
    about_message: `${e}.message_id`,
    about_resource: `${e}.resource_id`,
    of_state: `${e}.state`,
  })})`;
