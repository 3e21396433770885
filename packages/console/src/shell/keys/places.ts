import type { LinkProps } from "@tanstack/react-router";
import { foundBy } from "../../pages/messages/find.ts";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import type { Entry } from "../entries.ts";

export type Place = { name: string; link: LinkProps };

/** Where a text can lead: the thing of a pasted id or number first, then the pages with that text in their names. */
export function placesFor(given: string, entries: readonly Pick<Entry, "label" | "link">[]): Place[] {
  const wanted = given.trim();
  const pages = entries.map(({ label, link }) => ({ name: label, link }));
  if (wanted === "") return pages;
  const named = pages.filter(({ name }) => name.toLocaleLowerCase().includes(wanted.toLocaleLowerCase()));
  const found = foundBy(wanted);
  if (found === null) return named;
  if ("message" in found) return [{ name: text.keys.message(found.message), link: paths.message(found.message) }];
  const link = paths.messages({ [found.filter]: found.value });
  return [{ name: text.keys.messagesOf(found.value), link }, ...named];
}
