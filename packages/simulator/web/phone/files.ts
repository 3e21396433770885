import { fieldsOf, listOf, textOf } from "../../../console/src/parts/phone/bubble-shape.ts";
import { type Child, h } from "../lib/dom.ts";
import type { Message } from "./state.ts";

type FileOf = { kind: string; id: string | null; link: string | null; name: string };
const KINDS = ["image", "video", "audio", "document", "sticker"];

/** The file in a message, in its header, or in that of its template; null: none. */
export function fileOf({ type, message }: Message): FileOf | null {
  const content = fieldsOf(message?.[type]);
  if (KINDS.includes(type)) return namedIn(type, message?.[type]);
  const header = fieldsOf(content["header"]);
  const sent = listOf(content["components"]).find(({ type: part }) => textOf(part)?.toLowerCase() === "header");
  const parameter = fieldsOf(listOf(sent?.["parameters"])[0]);
  for (const part of [header, parameter]) {
    const kind = textOf(part["type"]) ?? "";
    if (KINDS.includes(kind)) return namedIn(kind, part[kind]);
  }
  return null;
}

function namedIn(kind: string, object: unknown): FileOf {
  const { id, link, filename } = fieldsOf(object);
  return { kind, id: textOf(id), link: textOf(link), name: textOf(filename) ?? NAMES[kind] ?? kind };
}

const NAMES: Readonly<Record<string, string>> = {
  image: "Image",
  video: "Video",
  audio: "Audio",
  document: "Document",
  sticker: "Sticker",
};

/** A file as the phone shows it. What lies elsewhere is not loaded, but named and linked. */
export function drawFile({ kind, id, link, name }: FileOf): Child {
  if (id === null) return link === null ? name : fromElsewhere(name, link);
  const src = `/sim/files/${encodeURIComponent(id)}/content`;
  switch (kind) {
    case "image":
    case "sticker": {
      const image = h("img", { src, alt: name, class: "file" });
      // One that ended, or whose bytes are no picture, as in tests.
      image.addEventListener("error", () => image.replaceWith(saved(name, src)));
      return h("a", { href: src, target: "_blank", rel: "noreferrer" }, image);
    }
    case "video":
      return h("video", { src, controls: true, preload: "metadata", class: "file", "aria-label": name });
    case "audio":
      return h("audio", { src, controls: true, preload: "metadata", class: "file", "aria-label": name });
    default:
      return saved(name, src);
  }
}

const saved = (name: string, href: string): HTMLElement => h("a", { href, download: name }, `Save ${name}`);

function fromElsewhere(name: string, href: string): Child {
  if (!URL.canParse(href) || !/^https?:/i.test(href)) return name;
  return h("a", { href, target: "_blank", rel: "noopener noreferrer" }, `${name} at ${new URL(href).host}`);
}
