import type { Session } from "../../api/session.ts";
import { foundBy } from "../../pages/messages/find.ts";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import type { Entry } from "../entries.ts";
import { bare, type Place, placesOfId } from "./by-id.ts";
import type { ProviderIds } from "./provider-ids.ts";

const words = text.places;

/** Where a text can lead: the thing of a pasted id or number first, then the pages with that text in their names. */
export function placesFor(
  given: string,
  entries: readonly Pick<Entry, "label" | "link">[],
  session: Pick<Session, "kind" | "workspace">,
  provider: ProviderIds = new Map(),
): Place[] {
  const wanted = given.trim();
  const pages = entries.map(({ label, link }) => ({ name: label, link }));
  if (wanted === "") return pages;
  const named = namedLike(pages, wanted);
  const things = placesOfId(wanted, session);
  if (things.length > 0 || session.workspace === null) return [...things, ...named];
  return [...(provider.get(bare(wanted)) ?? []), ...namedByProvider(bare(wanted)), ...named];
}

/** Those with that text in their names, in whatever case; all of them for none. */
export const namedLike = <T extends { name: string }>(all: readonly T[], given: string): T[] =>
  all.filter(({ name }) => name.toLocaleLowerCase().includes(given.trim().toLocaleLowerCase()));

/** A phone number, or the provider's id of a message. */
function namedByProvider(given: string): Place[] {
  const found = foundBy(given);
  if (found === null) return [];
  const messages = { name: words.messagesOf(found.value), link: paths.messages({ [found.filter]: found.value }) };
  if (found.filter !== "to") return [messages];
  return [messages, { name: words.contactWith(found.value), link: paths.contacts({ phone: found.value }) }];
}
