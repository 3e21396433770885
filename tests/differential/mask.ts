/**
 * What differs between two runs by its nature: ids, times, secrets, and what is counted by the whole server. Each id becomes its place
 * in the order in which the ids of its prefix were first seen, so that two sides must still name the same thing.
 */
export class Mask {
  readonly #places = new Map<string, string>();
  readonly #byPrefix = new Map<string, string[]>();

  /** The ids of a prefix so far, in the order in which they were first seen. */
  ids(prefix: string): readonly string[] {
    return this.#byPrefix.get(prefix) ?? [];
  }

  text(text: string): string {
    return text
      .replaceAll(SECRET, "<secret>")
      .replaceAll(ID, (id: string, prefix: string) => this.#placeOf(id, prefix))
      .replaceAll(UUID, (id) => this.#placeOf(id, "uuid"))
      .replaceAll(TIME, "<time>")
      .replaceAll('"last_used_at":null', '"last_used_at":"<time>"') // written once a minute
      .replaceAll(PROVIDER_ID, (id) => this.#placeOf(id, "wamid"))
      .replaceAll(COUNTED, '"$1":<count>')
      .replaceAll(CURSOR, '"next_cursor":"<cursor>"');
  }

  #placeOf(id: string, prefix: string): string {
    const known = this.#places.get(id);
    if (known !== undefined) return known;
    const of = this.#byPrefix.get(prefix) ?? [];
    of.push(id);
    this.#byPrefix.set(prefix, of);
    const place = `<${prefix} ${of.length}>`;
    this.#places.set(id, place);
    return place;
  }
}

const SECRET = /\b(?:whsec_[\w+/=-]+|wp_(?:live|test|op)_\w+)/g;
const ID = /\b([a-z]{2,4})_[0-9a-hjkmnp-tv-z]{26}\b/g;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const PROVIDER_ID = /\bwamid\.[\w=+/-]+/g;
const COUNTED = /"(sequence|duration_ms|provider_template_id|hint|trace_id)":(?:"[^"]*"|\d+)/g;
const CURSOR = /"next_cursor":"[^"]+"/g;

/** Headers whose values are times, or what remains of a second. */
const OF_THE_MOMENT = new Set(["date", "ratelimit", "keep-alive", "retry-after", "content-length"]);

/** An answer as it is compared. */
export type Answer = { status: number; headers: Record<string, string>; body: string };

export function masked(mask: Mask, { status, headers, body }: Answer): Answer {
  const kept = Object.entries(headers).filter(([name]) => !OF_THE_MOMENT.has(name));
  const shown = kept.map(([name, value]): [string, string] => [name, mask.text(value)]);
  return { status, headers: Object.fromEntries(shown.toSorted(([a], [b]) => (a < b ? -1 : 1))), body: mask.text(body) };
}
