import type { LinkProps } from "@tanstack/react-router";
import { addressOf } from "../../api/client.ts";
import { can, type Session } from "../../api/session.ts";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";

/** What can be chosen in the palette: a place that it leads to, or something that is done. `lacks`: the scope without which it is disabled. */
export type Action = { name: string; run(): void; lacks?: string };

/** How a palette does it. */
export type Means = {
  go(link: LinkProps): void;
  /** To an address that is no page of the console. */
  open(address: string): void;
  signOut(): void;
};

const OF_WORKSPACE: readonly { name: string; link: LinkProps; scope: string }[] = [
  { name: text.compose.title, link: paths.compose(), scope: "messages:write" },
  { name: text.templates.create, link: paths.newTemplate(), scope: "templates:write" },
  { name: text.segments.create, link: paths.newSegment(), scope: "contacts:write" },
  { name: text.newContact.create, link: paths.contacts({ open: "new" }), scope: "contacts:write" },
  { name: text.imports.title, link: paths.newImport(), scope: "contacts:write" },
  { name: text.endpoints.create, link: paths.endpoints({ open: "new" }), scope: "webhooks:write" },
  { name: text.apiKeys.create, link: paths.apiKeys({ open: "new" }), scope: "keys:write" },
];

/** All that the palette does beside leading to pages, in the order in which it stands there. */
export function actionsOf(session: Session, { go, open, signOut }: Means): Action[] {
  const { workspace, simulator_url: phone } = session;
  return [
    ...(workspace === null ? [] : OF_WORKSPACE).map(({ name, link, scope }) => ({
      name,
      run: () => go(link),
      ...(can(session, scope) ? {} : { lacks: scope }),
    })),
    ...(phone === null ? [] : [{ name: text.nav.phone, run: () => open(phone) }]),
    { name: text.nav.reference, run: () => open(addressOf("docs")) },
    { name: text.header.signOut, run: signOut },
  ];
}
