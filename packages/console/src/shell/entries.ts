import type { LinkProps } from "@tanstack/react-router";
import {
  Building2,
  Home,
  LayoutTemplate,
  ListChecks,
  type LucideIcon,
  MessageSquareText,
  MessagesSquare,
  Radio,
  ScrollText,
  Server,
  Settings,
  ShieldAlert,
  Smartphone,
  Users,
  Webhook,
} from "lucide-react";
import type { Session } from "../api/session.ts";
import { paths } from "../paths.ts";
import { text } from "../text/text.ts";

/**
 * A page of the navigation. `short`: its name where there is little room; `letter`: the key after `g` that leads there; `isMain`: in the bar
 * of a phone too, which has four beside "More"; `beneath`: pages that are reached from it, and by the palette.
 */
export type Entry = {
  label: string;
  short?: string;
  Sign: LucideIcon;
  link: LinkProps;
  isExact?: boolean;
  letter?: string;
  isMain?: boolean;
  beneath?: readonly Pick<Entry, "label" | "link">[];
};

const WORKSPACE: readonly Entry[] = [
  {
    label: text.nav.home,
    Sign: Home,
    link: paths.home(),
    isExact: true,
    letter: "h",
    isMain: true,
    beneath: [{ label: text.nav.failures, link: paths.failures() }],
  },
  { label: text.nav.messages, Sign: MessageSquareText, link: paths.messages(), letter: "m", isMain: true },
  {
    label: text.nav.conversations,
    short: text.nav.chats,
    Sign: MessagesSquare,
    link: paths.conversations(),
    letter: "c",
    isMain: true,
  },
  {
    label: text.nav.contacts,
    Sign: Users,
    link: paths.contacts(),
    letter: "p",
    beneath: [{ label: text.nav.segments, link: paths.segments() }],
  },
  { label: text.nav.templates, Sign: LayoutTemplate, link: paths.templates(), letter: "t" },
  {
    label: text.nav.endpoints,
    Sign: Webhook,
    link: paths.endpoints(),
    letter: "w",
    beneath: [{ label: text.deliveries.title, link: paths.deliveries() }],
  },
  { label: text.nav.events, Sign: Radio, link: paths.events(), letter: "e", isMain: true },
  { label: text.nav.numbers, Sign: Smartphone, link: paths.numbers(), letter: "n" },
  { label: text.nav.activity, Sign: ListChecks, link: paths.activity(), letter: "a" },
  { label: text.nav.settings, Sign: Settings, link: paths.settings(), letter: "s" },
];
const OPERATOR: readonly Entry[] = [
  { label: text.nav.workspaces, Sign: Building2, link: paths.workspaces(), letter: "o", isMain: true },
  { label: text.nav.quarantine, Sign: ShieldAlert, link: paths.quarantine(), letter: "q", isMain: true },
  { label: text.nav.audit, Sign: ScrollText, link: paths.operatorAudit(), letter: "l", isMain: true },
  { label: text.nav.system, Sign: Server, link: paths.system(), letter: "y", isMain: true },
];

/** The pages that the session has, in the order in which they stand. In a workspace the bar of a phone has that workspace's pages alone. */
export function entriesOf({ kind, workspace }: Session): readonly Entry[] {
  const ofOperator = kind === "operator" ? OPERATOR : [];
  if (workspace === null) return ofOperator;
  return [...WORKSPACE, ...ofOperator.map((entry) => ({ ...entry, isMain: false }))];
}
