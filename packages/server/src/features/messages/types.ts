import type { Static } from "typebox";
import { audio } from "./types/audio.ts";
import { contacts } from "./types/contacts.ts";
import { document } from "./types/document.ts";
import { image } from "./types/image.ts";
import { interactive } from "./types/interactive.ts";
import { location } from "./types/location.ts";
import { reaction } from "./types/reaction.ts";
import { REPORTED_TYPES } from "./types/reported.ts";
import { sticker } from "./types/sticker.ts";
import { template } from "./types/template.ts";
import { text } from "./types/text.ts";
import { video } from "./types/video.ts";

/** The types of message that can be sent. */
export const MESSAGE_TYPES = [
  template,
  text,
  image,
  video,
  audio,
  document,
  sticker,
  location,
  contacts,
  interactive,
  reaction,
] as const;

export type SendableType = (typeof MESSAGE_TYPES)[number];

const BY_NAME: ReadonlyMap<string, SendableType> = new Map(MESSAGE_TYPES.map((type) => [type.name, type]));

type Fields = Readonly<Record<string, unknown>>;

/** Writes the values of a request that are taken in any case as the schemas have them, which have not checked it yet. */
export function spellContent(body: unknown): void {
  if (!isFields(body)) return;
  const { type, fallback } = body;
  if (typeof type === "string") BY_NAME.get(type)?.spell?.(body[type]);
  if (isFields(fallback)) template.spell?.(fallback["template"]);
}

/** The same for each message of a batch. */
export function spellContents(body: unknown): void {
  if (isFields(body) && Array.isArray(body["messages"])) for (const message of body["messages"]) spellContent(message);
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;

/** A template's content, and where it stands in a request. */
export type NamedTemplate = { content: TemplateContent; at: string };
export type TemplateContent = Static<typeof template.content>;

/** What a request says, and what it names. */
export type ReadContent = {
  type: SendableType;
  content: unknown;
  /** The template that goes instead while the window is closed. */
  fallback: TemplateContent | null;
  /** The template that is sent, or that is the fallback. */
  named: NamedTemplate | null;
  /** The message that it quotes, or reacts to: its id and the place of that. */
  quoted: { id: string; pointer: string } | null;
};

const IN_FALLBACK = "/fallback/template";

type Body = { type: string; reply_to?: string; fallback?: { template: TemplateContent } };

/** Reads a request that its schema has passed; `checkContent` says what the provider would refuse of it. */
export function readContent(body: Body): ReadContent {
  const type = BY_NAME.get(body.type) as SendableType; // its schema has passed
  const content = (body as Fields)[type.name];
  const fallback = body.fallback?.template ?? null;
  const given = fallback ?? (type === template ? (content as TemplateContent) : null);
  const id = type.target === undefined ? body.reply_to : (content as Record<string, string>)[type.target];
  return {
    type,
    content,
    fallback,
    named: given === null ? null : { content: given, at: fallback === null ? "/template" : IN_FALLBACK },
    quoted: id === undefined ? null : { id, pointer: pointerToNamed(type.name) },
  };
}

/** Throws the Problem of content that the schemas allow and the provider would refuse. */
export function checkContent({ type, content, fallback }: ReadContent): void {
  type.check?.(content as never, `/${type.name}`); // the schema of its type has passed
  if (fallback !== null) template.check?.(fallback as never, IN_FALLBACK);
}

/** Where a request of the type names another message. */
export function pointerToNamed(type: string): string {
  const target = targetOf(type);
  return target === undefined ? "/reply_to" : `/${type}/${target}`;
}

/** The field in which a message of the type names another one without quoting it; undefined for a type that has none. */
export const targetOf = (type: string): string | undefined => BY_NAME.get(type)?.target;

/** As `targetOf`, of a message that the provider reported. */
export const targetOfReported = (type: string): string | undefined =>
  targetOf(type) ?? REPORTED_TYPES.get(type)?.target;

/** The types of which `targetOfReported` knows a field, with it. */
export const REPORTED_TARGETS: ReadonlyMap<string, string> = new Map(
  [...BY_NAME.keys(), ...REPORTED_TYPES.keys()].flatMap((type) => {
    const target = targetOfReported(type);
    return target === undefined ? [] : [[type, target] as const];
  }),
);

const sqlList = (types: readonly SendableType[]): string => types.map(({ name }) => `'${name}'`).join(", ");

/** Whether the type `column` of a message can only be sent inside the window, as SQL. */
export const needsWindow = (column: string): string =>
  `${column} not in (${sqlList(MESSAGE_TYPES.filter((type) => !type.needsWindow))})`;

/** Whether a message of the type `column` is nothing without the one that it is about, as SQL. */
export const needsTarget = (column: string): string =>
  `${column} in (${sqlList(MESSAGE_TYPES.filter(({ name }) => targetOf(name) !== undefined))})`;
