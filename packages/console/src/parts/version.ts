import { useState } from "react";
import type { Given } from "./form-field.ts";

/** What fields hold, by their paths: a text, whether it is chosen, or all that are chosen. */
export type Held = Readonly<Record<string, string | boolean | readonly string[]>>;

/** What a form edits, where that has a version and others may change it meanwhile. */
export type Version = {
  /** The one that the form began with; null: what is saved is compared with none. */
  etag: string | null;
  /** What the fields held then. */
  held: Held;
  /** Reads it as it is now. */
  now(): Promise<Now>;
  /** What is saved takes the place of all that there is; else what was not touched stays as another has it. */
  isWhole?: true;
  /** Fields that are no elements of the form: what they hold, and what each is called. */
  own?: { held: Held; labels: Readonly<Record<string, string>> };
};

/** What it is now; `take` begins the form again with it. */
export type Now = { etag: string | null; held: Held; take(): void };

/**
 * What is edited, as it was when its form opened: what is read again meanwhile changes neither the fields nor the version that is compared.
 * `taken` is the key of the form, which is another one once a person has taken what it is now. A form that stays after it was saved goes on
 * with what that gave.
 */
export function useVersion<Read extends { etag: string | null }>(
  first: Read,
  readNow: () => Promise<Read>,
  heldOf: (read: Read) => Held,
): { start: Read; taken: number; version: Version; goOn(saved: Read): void } {
  const [{ start, taken }, begin] = useState({ start: first, taken: 0 });
  const now = async (): Promise<Now> => {
    const read = await readNow();
    return { etag: read.etag, held: heldOf(read), take: () => begin({ start: read, taken: taken + 1 }) };
  };
  const version = { etag: start.etag, held: heldOf(start), now };
  return { start, taken, version, goOn: (saved) => begin({ start: saved, taken }) };
}

/** A field in which two versions differ. `isTouched`: the person here has changed it. */
export type Difference = { path: string; theirs: Held[string]; mine: Held[string]; isTouched: boolean };

/** Where what others made of it differs from what the person here entered, of the fields that the form has. */
export function differences(
  began: Held,
  theirs: Held,
  mineOf: (path: string, began: Held[string]) => Held[string],
  paths: Iterable<string>,
): Difference[] {
  const shown = new Set(paths);
  return Object.keys(theirs).flatMap((path) => {
    const now = theirs[path] ?? "";
    const before = began[path] ?? "";
    if (!shown.has(path)) return [];
    const mine = mineOf(path, now);
    return isSame(mine, now) ? [] : [{ path, theirs: now, mine, isTouched: !isSame(mine, before) }];
  });
}

/** What elements of a form hold, in the way of `like`. */
export function heldBy(given: Given, path: string, like: Held[string]): Held[string] {
  if (typeof like === "boolean") return given.is(path);
  return typeof like === "string" ? given.text(path) : given.list(path);
}

/** Lists in any order. */
function isSame(one: Held[string], other: Held[string]): boolean {
  if (typeof one === "string" && typeof other === "string") return one.trim() === other.trim();
  if (typeof one !== "object" || typeof other !== "object") return one === other;
  return one.length === other.length && one.every((value) => other.includes(value));
}
