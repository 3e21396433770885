import { isUtf8 } from "node:buffer";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type FieldError, Problem, pointerToken } from "../problem.ts";
import type { Bodies } from "./receive-body.ts";

/** Bytes of a JSON body; a row may take more. */
export const LARGEST_BODY = 256 * 1024;

const UTF_8 = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-?8"?)?\s*$/i;

/** Makes the instance take JSON in UTF-8 and nothing else. An empty body counts as none: clients send one with POSTs that need no body. */
export function takeJsonBodies(instance: FastifyInstance, bodies: Bodies): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser("application/json", (request, _payload, done) => {
    const refusal = refusalOf(request);
    if (refusal) return done(refusal, undefined);
    // As bytes: decoding to text would silently replace broken UTF-8.
    bodies.ofCaller(request, (error, bytes) => {
      if (error || bytes === undefined || bytes.length === 0) return done(error, undefined);
      let body: unknown;
      try {
        body = parseBody(bytes);
      } catch (problem) {
        return done(problem as Problem, undefined); // nothing else is thrown
      }
      done(null, body);
    });
  });
}

function refusalOf(request: FastifyRequest): Problem | null {
  const { "content-type": type = "", "content-encoding": encoding } = request.headers;
  if (encoding !== undefined && encoding !== "identity")
    return new Problem("unsupported_media_type", "Send the body without a Content-Encoding.");
  if (type !== "application/json" && !UTF_8.test(type))
    return new Problem("unsupported_media_type", "Send the body as application/json in UTF-8.");
  return null;
}

/** Makes the instance take a body of any content type, as the bytes that arrived. */
export function takeRawBodies(instance: FastifyInstance, bodies: Bodies): void {
  instance.removeAllContentTypeParsers();
  // Fastify refuses a type that it cannot parse ahead of every parser, and the type says nothing here.
  instance.addHook("onRequest", (request, _reply, done) => {
    delete request.raw.headers["content-type"];
    done();
  });
  instance.addContentTypeParser("*", (request, _payload, done) => bodies.ofUnverified(request, done));
}

/** Leaves a body of any type in its socket, for who reads it as a stream. */
export function leaveBodies(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
}

/** Deeper than any content of the provider (its flows reach about ten), shallow enough for every recursive walk. */
const DEEPEST = 32;
/** What PostgreSQL's text and jsonb refuse: NUL, and halves of a surrogate pair. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/**
 * Parses a JSON body and refuses what the database would refuse or change: broken UTF-8, `\u0000` and lone surrogates in
 * strings and keys, numbers beyond ±(2^53 − 1), nesting over 32, and the key `__proto__`. Throws `invalid_json`, or
 * `invalid_request` with the pointer.
 */
export function parseBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Problem("invalid_json", "The body is not UTF-8.");
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Problem("invalid_json", `The body is not valid JSON${positionIn(error)}.`);
  }
  // JSON.parse refuses raw control characters and raw surrogates are not UTF-8, so a bad string needs an escape.
  const fault = inspect(value, text.includes("\\u"), 0);
  if (fault) throw new Problem("invalid_request", fault.detail, { errors: [fault] });
  return value;
}

// The parser's own message quotes the body; only its position may leave.
function positionIn(error: unknown): string {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined ? "" : ` (at character ${position})`;
}

function inspect(value: unknown, escapes: boolean, depth: number): FieldError | null {
  if (typeof value === "string")
    return escapes && UNSTORABLE.test(value) ? fault("invalid_text", UNSTORABLE_TEXT) : null;
  if (typeof value === "number")
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? null : fault("number_out_of_range", TOO_LARGE);
  if (typeof value !== "object" || value === null) return null;
  if (depth === DEEPEST) return fault("too_deep", `The body is nested deeper than ${DEEPEST} levels.`);
  return Array.isArray(value) ? inspectItems(value, escapes, depth + 1) : inspectFields(value, escapes, depth + 1);
}

function inspectItems(items: readonly unknown[], escapes: boolean, depth: number): FieldError | null {
  for (let index = 0; index < items.length; index++) {
    const inner = inspect(items[index], escapes, depth);
    if (inner) return { ...inner, pointer: `/${index}${inner.pointer}` };
  }
  return null;
}

function inspectFields(fields: object, escapes: boolean, depth: number): FieldError | null {
  for (const key of Object.keys(fields)) {
    if (key === "__proto__" || (escapes && UNSTORABLE.test(key)))
      return fault("invalid_text", "A field has a name that is not possible.");
    const inner = inspect((fields as Record<string, unknown>)[key], escapes, depth);
    if (inner) return { ...inner, pointer: `/${pointerToken(key)}${inner.pointer}` };
  }
  return null;
}

const UNSTORABLE_TEXT = "The text has a NUL character or half of a surrogate pair.";
const TOO_LARGE = "The number is beyond ±9007199254740991.";
const fault = (code: string, detail: string): FieldError => ({ pointer: "", code, detail });
