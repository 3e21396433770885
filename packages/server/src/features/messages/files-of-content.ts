import { parseId } from "../../lib/ids.ts";
import { seenId } from "../../lib/phone/phone-text.ts";

/** A file that a message names by an id. */
export type NamedFile = {
  /** What it is sent as: image, video, gif, audio, document or sticker. */
  kind: string;
  /** The part of the content that has the id, to be exchanged in it. */
  object: { id: string };
  /** Pointer to the object. */
  at: string;
};

const FILES: ReadonlySet<string> = new Set(["image", "video", "gif", "audio", "document", "sticker"]);

/**
 * The files of a message's content that are named by an id, in the order of the text: of the message itself, of headers of interactive
 * messages and their cards, and of media headers of templates. What a client has put into it for its own use is not looked into.
 */
export function filesOfContent(type: string, content: unknown, at = `/${type}`): NamedFile[] {
  if (!isRecord(content)) return [];
  if (type === "template") return ofComponents(content["components"], `${at}/components`);
  if (type !== "interactive") return ofHolder(type, { [type]: content }, at.slice(0, -type.length - 1));
  const { header, action } = content;
  const cards = isRecord(action) ? itemsOf(action["cards"], `${at}/action/cards`) : [];
  return [
    ...ofHeader(header, `${at}/header`),
    ...cards.flatMap(({ item, at: card }) => ofHeader(item["header"], `${card}/header`)),
  ];
}

const ofComponents = (components: unknown, at: string): NamedFile[] =>
  itemsOf(components, at).flatMap(({ item, at: component }) => {
    if (item["type"] === "header")
      return itemsOf(item["parameters"], `${component}/parameters`).flatMap(({ item: parameter, at: place }) =>
        ofHeader(parameter, place),
      );
    return itemsOf(item["cards"], `${component}/cards`).flatMap(({ item: card, at: place }) =>
      ofComponents(card["components"], `${place}/components`),
    );
  });

/** Of an object that names its kind. */
const ofHeader = (header: unknown, at: string): NamedFile[] =>
  isRecord(header) && typeof header["type"] === "string" ? ofHolder(header["type"], header, at) : [];

function ofHolder(kind: string, holder: Readonly<Record<string, unknown>>, at: string): NamedFile[] {
  const object = holder[kind];
  if (!FILES.has(kind) || !isRecord(object) || typeof object["id"] !== "string") return [];
  return [{ kind, object: object as { id: string }, at: `${at}/${kind}` }];
}

const itemsOf = (list: unknown, at: string): { item: Record<string, unknown>; at: string }[] =>
  Array.isArray(list)
    ? list.flatMap((item: unknown, index) => (isRecord(item) ? [{ item, at: `${at}/${index}` }] : []))
    : [];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Content as it is sent: puts the provider's ids of media, by our uuids, into `content`. One that has none keeps ours. */
export function withProviderFiles(
  type: string,
  content: unknown,
  files: Readonly<Record<string, string | null>> | null,
): unknown {
  if (files === null) return content;
  for (const { object } of filesOfContent(type, content))
    object.id = files[parseId("med", seenId(object.id)) ?? ""] ?? object.id;
  return content;
}
