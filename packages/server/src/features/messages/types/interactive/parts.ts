import { type TSchema, Type } from "typebox";
import { invalidAt } from "../../../../http/problem.ts";
import { checkSource, filename, source } from "../media.ts";
import { type AnyKind, closedUnion, kind, OpenUnion } from "../open-union.ts";

// The pieces that interactive messages are put together from, with the provider's limits in characters.
const LONGEST_HEADER = 60;
const LONGEST_BODY = 1_024;
const LONGEST_FOOTER = 60;
/** Of a button, and of the text that opens a list. */
const LONGEST_LABEL = 20;

/** A text that must be there. */
export const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description === undefined ? {} : { description }) });

export const label = () => text(LONGEST_LABEL);

export const bodyOf = (longest: number) => Type.Object({ text: text(longest) });
export const body = bodyOf(LONGEST_BODY);
export const footer = Type.Optional(Type.Object({ text: text(LONGEST_FOOTER) }));

const texts = kind({
  name: "text",
  content: Type.Object({ type: Type.Literal("text"), text: text(LONGEST_HEADER) }, { $id: "TextHeader" }),
});

const media = Type.Object(source);

const image = kind({
  name: "image",
  content: Type.Object({ type: Type.Literal("image"), image: media }, { $id: "ImageHeader" }),
  check: (given, at) => checkSource(given.image, `${at}/image`),
});
const video = kind({
  name: "video",
  content: Type.Object({ type: Type.Literal("video"), video: media }, { $id: "VideoHeader" }),
  check: (given, at) => checkSource(given.video, `${at}/video`),
});
const document = kind({
  name: "document",
  content: Type.Object(
    { type: Type.Literal("document"), document: Type.Object({ ...source, ...filename }) },
    { $id: "DocumentHeader" },
  ),
  check: (given, at) => checkSource(given.document, `${at}/document`),
});

const HEADERS = new OpenUnion("type", [texts, image, video, document], {
  $id: "InteractiveHeader",
  description: "A text, an image, a video or a document above the body.",
});
export const header = Type.Optional(HEADERS.schema);

/** The header of a list: it has no other kinds. */
export const textHeader = closedUnion("type", [texts], { $id: "ListHeader" });

/** The header of a card: it has no other kinds. */
export const cardHeader = closedUnion("type", [image, video], { $id: "CardHeader" });

/** Throws the Problem of a header whose media is not given by either id or link. */
export const checkHeader = (given: AnyKind, at: string): void => HEADERS.check(given, at);

/** The parts of a kind for which the provider's page says nothing else. */
export const usualParts = { header, body, footer };

/** An action that is recognised by its name: without parameters, with them, and with some that may be left out. */
export const namedAction = <Name extends string>(name: Name) => Type.Object({ name: Type.Literal(name) });
export const actionWith = <Name extends string, Parameters extends TSchema>(name: Name, parameters: Parameters) =>
  Type.Object({ name: Type.Literal(name), parameters });
export const namedActionWith = <Name extends string, Parameters extends TSchema>(name: Name, parameters: Parameters) =>
  Type.Object({ name: Type.Literal(name), parameters: Type.Optional(parameters) });

/** Throws the Problem of a value that is given twice; `at` points at the value of an index. */
export function checkDistinct(values: readonly string[], at: (index: number) => string, what: string): void {
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) throw invalidAt(at(index), `Each ${what} may be given once: choose another one.`, "repeated");
    seen.add(value);
  }
}
