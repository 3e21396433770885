import type { FieldRules } from "./fields.ts";

/** What the first part of a path is: it must be the caller's before anything is passed on. */
export type Owned = "number" | "account" | "template" | "flow" | "group";

/** A call that the provider answers. */
export type PassedCall = {
  method: "GET" | "POST" | "DELETE";
  /** `{number}` and the like first; a part behind it is a word, or an id of what hangs under the first. */
  path: `/{${Owned}}${string}`;
  summary: string;
  /** In the audit log. */
  action: string;
  /** What `fields` may ask for; absent: the call takes none. */
  fields?: FieldRules;
  /** The parameters that are passed on, beside `fields` and those of pages; absent: all but the dropped ones, for what can name nothing of others. */
  parameters?: readonly string[];
  /** A parameter with ids of templates, or with that of a flow, which must be the caller's too. */
  templates?: string;
  flow?: string;
  /** It may have files; all other bodies are JSON. */
  files?: true;
  /** Templates are read again after it. */
  changesTemplates?: true;
};

/** Of a list. */
export const PAGE = ["limit", "after", "before"] as const;

/** What the first part of the path is. */
export const ownedBy = ({ path }: PassedCall): Owned => /^\/\{(\w+)\}/.exec(path)?.[1] as Owned; // as the type of paths says

/** Parts of a path that stand behind the first, as they may be written. */
const CODE = /^[A-Za-z0-9_-]{1,64}$/;

/** The parts of the path that is called, the first of them by the provider's id; null where one cannot be an id. */
export function segmentsOf({ path }: PassedCall, params: Readonly<Record<string, string>>): string[] | null {
  const segments = path
    .slice(1)
    .split("/")
    .map((part) => (part.startsWith("{") ? (params[part.slice(1, -1)] ?? "") : part));
  return segments.slice(1).every((segment) => CODE.test(segment)) ? segments : null;
}
