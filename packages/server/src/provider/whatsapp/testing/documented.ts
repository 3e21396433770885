import { readFileSync } from "node:fs";
import { goldenBytes, goldenNames } from "./golden.ts";

/** A kind of object that the documentation describes, and where: the `field`, the path `at` in its value, what tells it from others. */
export type Described = {
  field: string;
  at: string;
  where?: Record<string, unknown>;
  keys: string[];
  /** By key, each value that the documentation names. */
  values?: Record<string, unknown[]>;
  /** Nothing of it is kept beside the raw callback: that is normal. */
  kept?: false;
};

export const documented: { fields: string[]; objects: Described[] } = JSON.parse(
  readFileSync(new URL("../../../../../../fixtures/provider/documented.json", import.meta.url), "utf8"),
);

type Json = Record<string, unknown>;
export type Sent = { field: string; value: Json };
type Envelope = { entry: { changes: Sent[] }[] };

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const GOLDEN_NAMES = goldenNames("callback-");
export const sentIn = (name: string): Sent[] =>
  (JSON.parse(goldenBytes(name).toString()) as Envelope).entry.flatMap(({ changes }) => changes);
export const SENT = GOLDEN_NAMES.flatMap(sentIn);

/** What is at a path, through every list on the way. */
export function at(values: readonly unknown[], path: string): unknown[] {
  const found = keysOf(path).reduce<unknown[]>(
    (inner, key) => inner.flat().flatMap((one) => (isJson(one) && key in one ? [one[key]] : [])),
    [...values],
  );
  return found.flat();
}

const keysOf = (path: string): string[] => path.split(".").filter((key) => key !== "");

export const fits = (object: unknown, where: Described["where"] = {}): boolean =>
  Object.entries(where).every(([path, value]) => at([object], path).includes(value));

export const labelOf = ({ field, at: path, where }: Described): string =>
  [field, path, ...Object.values(where ?? {})].filter((part) => part !== "").join(" ");

/** For each documented value the change that has it: the first golden one with such an object, and the value in its place. */
export function documentedChanges(): { name: string; change: Sent; isKept: boolean }[] {
  return documented.objects.flatMap((one) =>
    Object.entries(one.values ?? {}).flatMap(([key, values]) =>
      values.map((value) => ({
        name: `${labelOf(one)} ${key} ${JSON.stringify(value)}`,
        change: changeWith(one, key, value),
        isKept: one.kept !== false,
      })),
    ),
  );
}

function changeWith(one: Described, key: string, value: unknown): Sent {
  const candidates = SENT.filter(({ field }) => field === one.field).map((change) => structuredClone(change));
  const objectIn = (change: Sent, has: boolean): Json | undefined =>
    at([change.value], one.at)
      .filter(isJson)
      .find((object) => fits(object, one.where) && (!has || at([object], key).length > 0));
  const change = candidates.find((each) => objectIn(each, true)) ?? candidates.find((each) => objectIn(each, false));
  const object = change && (objectIn(change, true) ?? objectIn(change, false));
  if (!change || !object) throw new Error(`no golden callback has ${labelOf(one)}`);
  put(object, keysOf(key), value);
  return change;
}

function put(object: Json, [key = "", ...deeper]: readonly string[], value: unknown): void {
  if (deeper.length === 0) {
    object[key] = value;
    return;
  }
  const inner = object[key];
  const first: unknown = Array.isArray(inner) ? inner.find(isJson) : inner;
  if (!isJson(first)) object[key] = {};
  put(isJson(first) ? first : (object[key] as Json), deeper, value); // made just above
}
