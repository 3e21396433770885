import type { CallResult } from "../provider.ts";
import { unreadable } from "./graph.ts";
import { asRecord } from "./json.ts";

/** Of an answer that is `{"success":true}`; `what` names it where it is not. */
export function successOf(answer: CallResult<unknown>, what: string): CallResult<null> {
  const readSuccess = (value: unknown): true | null => (asRecord(value)?.["success"] === true ? true : null);
  const success = readOne(answer, readSuccess, what);
  return success.ok ? { ok: true, value: null } : success;
}

export function readOne<T>(
  answer: CallResult<unknown>,
  read: (value: unknown) => T | null,
  what: string,
): CallResult<T> {
  if (!answer.ok) return answer;
  const value = read(answer.value);
  return value === null ? unreadable(what) : { ok: true, value };
}

/** One unreadable item fails the list: a sync would take a missing item for a deletion. */
export function readEach<T>(
  answer: CallResult<unknown[]>,
  read: (value: unknown) => T | null,
  what: string,
): CallResult<T[]> {
  if (!answer.ok) return answer;
  const values: T[] = [];
  for (const item of answer.value) {
    const value = read(item);
    if (value === null) return unreadable(what);
    values.push(value);
  }
  return { ok: true, value: values };
}
