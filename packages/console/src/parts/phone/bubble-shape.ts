import type { Inline } from "./inline.ts";

/** A message as a person's phone draws it, as plain values: React draws them in the console, the simulator's phone without it. */
export type Bubble = {
  header: Header | null;
  body: Inline[];
  footer: string | null;
  buttons: Button[];
  /** Cards that are swiped through. */
  cards: Bubble[];
  /** Has no bubble of its own: an emoji at another message. */
  reaction: string | null;
};
export type Header =
  | { kind: "text"; text: Inline[] }
  | { kind: "image" | "video" | "audio" | "document" | "sticker"; name: string | null }
  | { kind: "location"; name: string | null; address: string | null }
  | { kind: "contacts"; names: string[] }
  | { kind: "offer"; text: string };
export type Button = { kind: "reply" | "url" | "phone" | "code" | "list" | "other"; text: string };

/** What is drawn: a message of the API, with its content under the name of its type. */
export type Drawn = { type: string; [field: string]: unknown };

export const EMPTY: Bubble = { header: null, body: [], footer: null, buttons: [], cards: [], reaction: null };
export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
export const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
export const textOf = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
