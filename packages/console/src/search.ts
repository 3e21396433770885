/** What may stand in the address of a page, by its name; each parser gives undefined for what it does not take. */
type Parser<T> = (given: unknown) => T | undefined;
type Parsed<P extends Record<string, Parser<unknown>>> = {
  [K in keyof P]?: Exclude<ReturnType<P[K]>, undefined>;
};

/** Reads the search part of an address. What is not known, or does not fit, is left out: an old link still leads somewhere. */
export const searchOf =
  <P extends Record<string, Parser<unknown>>>(parsers: P) =>
  (given: Record<string, unknown>): Parsed<P> => {
    const pairs = Object.entries(parsers).map(([name, parse]) => [name, parse(given[name])] as const);
    return Object.fromEntries(pairs.filter(([, value]) => value !== undefined)) as Parsed<P>; // by the parsers
  };

/** Longest text in an address: longer than any id, number or cursor of ours. */
const LONGEST = 1_024;

export const text: Parser<string> = (given) => {
  const trimmed = typeof given === "string" ? given.trim().slice(0, LONGEST) : "";
  return trimmed === "" ? undefined : trimmed;
};

export const oneOf =
  <const T extends string>(values: readonly T[]): Parser<T> =>
  (given) =>
    values.find((value) => value === given);

/** A time with its offset, as the API takes it. */
export const time: Parser<string> = (given) => {
  const found = text(given);
  return found !== undefined &&
    /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(found) &&
    !Number.isNaN(Date.parse(found))
    ? found
    : undefined;
};

/** A path of the console, never one of another site. */
export const path: Parser<string> = (given) => {
  const found = text(given);
  return found !== undefined && /^\/(?![/\\])/.test(found) ? found : undefined;
};

/** Texts stay texts: the router's own form would read `15551230001` as a number. */
export const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search));

export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== "");
  const written = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return written === "" ? "" : `?${written}`;
}
