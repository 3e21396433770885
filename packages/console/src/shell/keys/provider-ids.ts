import { useQuery } from "@tanstack/react-query";
import { accountsQuery, numbersQuery } from "../../api/queries/numbers.ts";
import { templatesQuery } from "../../api/queries/templates.ts";
import { can, type Session } from "../../api/session.ts";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { bare, type Place } from "./by-id.ts";

/** Where the provider's own ids of numbers, accounts and templates lead. */
export type ProviderIds = ReadonlyMap<string, readonly Place[]>;

const words = text.places;
/** Shorter ones are numbers of people. */
const LONG_DIGITS = /^\d{12,20}$/;

/** What the workspace has under the provider's ids, as far as the session may see it; read once digits of that length are there. */
export function useProviderIds(given: string, session: Session): ProviderIds {
  const isAsked = LONG_DIGITS.test(bare(given)) && session.workspace !== null;
  const mayAccounts = isAsked && can(session, "accounts:read");
  const { data: numbers = [] } = useQuery({ ...numbersQuery, enabled: mayAccounts });
  const { data: accounts = [] } = useQuery({ ...accountsQuery, enabled: mayAccounts });
  const { data: templates = [] } = useQuery({
    ...templatesQuery(),
    enabled: isAsked && can(session, "templates:read"),
  });
  return new Map([
    ...numbers.map(({ id, provider_phone_number_id: own, phone }) =>
      entry(own, words.of(words.kinds.num, phone), paths.number(id)),
    ),
    ...accounts.map(({ provider_account_id: own, name }) =>
      entry(own, words.of(words.kinds.acc, name ?? own), paths.numbers()),
    ),
    ...templates.map(({ id, provider_template_id: own, name, language }) =>
      entry(own, words.of(words.kinds.tpl, `${name} · ${language.code}`), paths.template(id)),
    ),
  ]);
}

const entry = (own: string, name: string, link: Place["link"]): [string, Place[]] => [own, [{ name, link }]];
