import { asRecord } from "./json.ts";

type Part = Record<string, unknown>;

/**
 * One chunk of a history (Cloud API documentation, webhooks: coexistence) in parts of one conversation each, with all that the chunk
 * and the conversation say of themselves.
 */
export function partsOfChunk(chunk: Part): Part[] {
  const threads = chunk["threads"];
  if (!Array.isArray(threads) || threads.length === 0) return [chunk];
  return threads.flatMap((thread: unknown) => {
    const record = asRecord(thread);
    const messages = record?.["messages"];
    if (record === null || !Array.isArray(messages)) return [{ ...chunk, threads: [thread] }];
    return partsOf(messages).map((part) => ({ ...chunk, threads: [{ ...record, messages: part }] }));
  });
}

/** A chunk may have 3 MB; receivers of events accept far less, and half a year of messages is still only some hundred parts. */
const MOST_PART_BYTES = 128 * 1024;

/** The items in their order, in parts that are small enough; one part without items where there is none. */
export function partsOf(items: readonly unknown[]): unknown[][] {
  let part: unknown[] = [];
  let bytes = 0;
  const parts = [part];
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item));
    if (part.length > 0 && bytes + size > MOST_PART_BYTES) {
      part = [];
      bytes = 0;
      parts.push(part);
    }
    part.push(item);
    bytes += size;
  }
  return parts;
}
