import type { LinkProps } from "@tanstack/react-router";
import type { Session } from "../../api/session.ts";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";

export type Place = { name: string; link: LinkProps };

const words = text.places;
const ID = /^([a-z]{2,4})_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
type Kind = keyof typeof words.kinds;

/** What a session that is in a workspace has of an id, by its prefix. */
const OF_WORKSPACE: Readonly<Record<string, (id: string) => Place[]>> = {
  msg: (id) => [named("msg", id, paths.message(id))],
  con: (id) => [
    named("con", id, paths.contact(id)),
    { name: words.messagesOf(id), link: paths.messages({ contact_id: id }) },
  ],
  whe: (id) => [named("whe", id, paths.endpoint(id))],
  dlv: (id) => [named("dlv", id, paths.delivery(id))],
  tpl: (id) => [named("tpl", id, paths.template(id))],
  num: (id) => [named("num", id, paths.number(id))],
  // Accounts are rows above the numbers.
  acc: (id) => [named("acc", id, paths.numbers())],
  sgn: (id) => [named("sgn", id, paths.signup(id))],
  // Setup links are rows below the numbers; what was done with one is found by it.
  stl: (id) => [about(id), { name: words.callsWith(id), link: paths.activity({ actor: id }) }],
  evt: (id) => [named("evt", id, paths.events({ open: id }))],
  imp: (id) => [named("imp", id, paths.import(id))],
  seg: (id) => [named("seg", id, paths.segment(id))],
  key: (id) => [
    named("key", id, paths.apiKeys()),
    { name: words.callsWith(id), link: paths.activity({ actor: id }) },
    { name: words.callsAbout(id), link: paths.activity({ resource: id }) },
  ],
  aud: (id) => [named("aud", id, paths.activity(callAt(id)))],
  // A replay is under its endpoint's address, which the call that began it has; media and sessions have no page.
  rpl: (id) => [about(id)],
  med: (id) => [about(id)],
  ses: (id) => [about(id)],
};

/** What the operator has beside that. */
const OF_OPERATOR: Readonly<Record<string, (id: string) => Place[]>> = {
  ws: (id) => [named("ws", id, paths.workspace(id))],
  qrn: (id) => [named("qrn", id, paths.quarantine({ open: id }))],
  aud: (id) => [named("aud", id, paths.operatorAudit(callAt(id)))],
};

/** Where an id leads, the likeliest first; nothing for what is no id, and for one of which this session has no page. */
export function placesOfId(given: string, session: Pick<Session, "kind" | "workspace">): Place[] {
  const id = bare(given);
  const prefix = ID.exec(id)?.[1];
  if (prefix === undefined) return [];
  return [
    ...(session.workspace === null ? [] : (OF_WORKSPACE[prefix]?.(id) ?? [])),
    ...(session.workspace?.id === id ? [named("ws", id, paths.settings())] : []),
    ...(session.kind === "operator" ? (OF_OPERATOR[prefix]?.(id) ?? []) : []),
  ];
}

/** As it is copied from JSON or a log: without blanks, quotes and commas around it. */
export const bare = (given: string): string => given.trim().replaceAll(/^["'`]+|["'`,;]+$/g, "");

const named = (kind: Kind, id: string, link: LinkProps): Place => ({ name: words.of(words.kinds[kind], id), link });
const about = (id: string): Place => ({ name: words.callsAbout(id), link: paths.activity({ resource: id }) });

/** The list of calls up to this one, with it open: a list has no place by id, but an id has its time. */
const callAt = (id: string): { open: string; at_before: string } => ({
  open: id,
  at_before: new Date(timeOfId(id) + 1).toISOString(),
});

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** The milliseconds with which an id begins: 48 bits, after two that are none. */
export function timeOfId(id: string): number {
  const digits = id.slice(id.indexOf("_") + 1, id.indexOf("_") + 11);
  return digits.split("").reduce((time, digit) => time * 32 + ALPHABET.indexOf(digit), 0);
}
