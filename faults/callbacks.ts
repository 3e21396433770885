import { Agent, request } from "node:http";
import { CALLBACK_PATH, callbackBody, callbackHeaders, textFrom } from "../bench/callback.ts";
import { monotonicMs } from "../bench/monotonic.ts";
import { inParallel, strangers } from "../tests/process/posting.ts";
import { steadily } from "./rate.ts";

/** A callback that was answered 200. */
export type Taken = { mark: string; number: string; at: number };

/** Like the provider's: many, and kept open. */
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const ANSWER_WITHIN_MS = 20_000;

/** Posts a callback as the provider does; the status, or null when no answer came. */
export function postCallback(url: string, body: string): Promise<number | null> {
  return new Promise((resolve) => {
    const outgoing = request(
      url + CALLBACK_PATH,
      {
        method: "POST",
        agent,
        headers: { ...callbackHeaders(body), "content-length": Buffer.byteLength(body) },
        timeout: ANSWER_WITHIN_MS,
      },
      (answer) => {
        answer.resume();
        answer.on("end", () => resolve(answer.statusCode ?? null));
      },
    );
    outgoing.on("timeout", () => outgoing.destroy());
    outgoing.on("error", () => resolve(null));
    outgoing.end(body);
  });
}

let people: string[] = [];
let marks = 0;
const PEOPLE = 500;

/** Posts a callback with a text message to the number; the text is a unique mark. Null unless the answer was 200. */
export async function postText(url: string, number: string): Promise<Taken | null> {
  if (people.length === 0) people = strangers(PEOPLE).map((phone) => phone.slice(1));
  marks += 1;
  const mark = `in-${marks}`;
  const person = people[marks % PEOPLE] as string;
  const status = await postCallback(
    url,
    callbackBody(number, textFrom(person, `wamid.in.${process.pid}.${marks}`, mark)),
  );
  return status === 200 ? { mark, number, at: monotonicMs() } : null;
}

/** So many texts to the numbers in turn, `width` at a time; those that were taken. */
export async function postTexts(
  url: string,
  numbers: readonly string[],
  count: number,
  width: number,
): Promise<Taken[]> {
  const answers = await inParallel(Array.from({ length: count }), width, (_, index) =>
    postText(url, numbers[index % numbers.length] as string),
  );
  return answers.filter((taken) => taken !== null);
}

/** Texts to the numbers in turn, so many a second, until stopped. */
export function startTexts(url: () => string, numbers: readonly string[], perSecond: number) {
  const taken: Taken[] = [];
  const rate = steadily(perSecond, async (n) => {
    const one = await postText(url(), numbers[n % numbers.length] as string);
    if (one !== null) taken.push(one);
  });
  return {
    /** In order of their answers. */
    taken,
    posted: rate.begun,
    stop: rate.stop,
  };
}
