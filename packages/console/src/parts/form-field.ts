import { zone } from "../preferences.ts";
import type { Zone } from "./time-format.ts";

/** What a form has in its field of this name, without blanks at the ends; empty for a file. */
export function fieldOf(form: HTMLFormElement, name: string): string {
  return textIn(new FormData(form).get(name));
}

const textIn = (value: FormDataEntryValue | null): string => (typeof value === "string" ? value.trim() : "");

/** What the fields of a form hold, by their paths. */
export type Given = {
  has(path: string): boolean;
  /** Without blanks at the ends; empty for nothing. */
  text(path: string): string;
  /** Null for nothing. */
  orNull(path: string): string | null;
  /** Null for nothing; what is no number stays a text, for the API to say so. */
  number(path: string): number | null;
  /** Of a field for times, in the zone that times are shown in: RFC 3339, or null for nothing. */
  time(path: string): string | null;
  /** All that are chosen. */
  list(path: string): string[];
  is(path: string): boolean;
  file(path: string): File | null;
};

export function givenBy(form: HTMLFormElement): Given {
  const data = new FormData(form);
  const list = (path: string): string[] => data.getAll(path).map(textIn).filter(Boolean);
  const text = (path: string): string => textIn(data.get(path));
  const file = (path: string): File | null => {
    const value = data.get(path);
    return value instanceof File && value.name !== "" ? value : null;
  };
  return {
    has: (path) => list(path).length > 0 || file(path) !== null,
    text,
    orNull: (path) => text(path) || null,
    number: (path) => (text(path) === "" ? null : Number(text(path))),
    time: (path) => (text(path) === "" ? null : timeGiven(text(path), zone.get())),
    list,
    is: (path) => data.get(path) !== null,
    file,
  };
}

/** A time (RFC 3339) as a field for times takes it, in the zone that times are shown in: `2026-01-31T09:30`. */
export function timeInput(at: string, shown: Zone): string {
  const date = new Date(at);
  const offset = shown === "utc" ? 0 : date.getTimezoneOffset();
  return new Date(date.getTime() - offset * 60_000).toISOString().slice(0, 16);
}

/** What such a field has, as RFC 3339. */
export const timeGiven = (given: string, shown: Zone): string =>
  new Date(shown === "utc" ? `${given}Z` : given).toISOString();
