import { type DestinationStream, destination, pino } from "pino";
import { causeFields } from "./error-fields.ts";
import { formatId, type IdPrefix } from "./ids.ts";
import { isoTime } from "./iso-time.ts";

/** Structured log, one JSON line per unit of work on standard output. */
export type Log = {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
  child(fields: object): Log;
};

/** Fields that never reach a line: a last net under careful callers. Lines are flat; a look below the first level cost 14 µs. */
const SECRET_FIELDS = [
  "authorization",
  "access_token",
  "accessToken",
  "token",
  "secret",
  "key",
  "password",
  "body",
  "content",
];

/** Prefixes of public ids, each with its noun. */
export type IdNouns = Readonly<Partial<Record<IdPrefix, string>>>;

/**
 * A field `<noun>_id` holds the uuid of a resource, `<noun>_ids` several. A line has the public ids, as the API and the audit
 * log have them, so that one id finds a message's request, its sends, its callbacks and its deliveries.
 */
function idSerializers(nouns: IdNouns): Record<string, (value: unknown) => unknown> {
  const all = Object.entries(nouns) as [IdPrefix, string][]; // of the declared type, whose keys `entries` widens
  return Object.fromEntries(
    all.flatMap(([prefix, noun]) => {
      const serialize = (value: unknown): unknown => publicId(prefix, value);
      return [
        [`${noun}_id`, serialize],
        [`${noun}_ids`, serialize],
      ];
    }),
  );
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A uuid as the public id of this prefix, a list of them as a list; every other value passes unchanged. */
function publicId(prefix: IdPrefix, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => publicId(prefix, one));
  return typeof value === "string" && UUID.test(value) ? formatId(prefix, value) : value;
}

/** Lines leave together: a write for each line is a twentieth of a request. A killed process loses what it had not written. */
const BUFFER_BYTES = 4_096;
const FLUSH_MS = 100;

export type LogOptions = {
  /** Default: none, and every uuid is logged as it is. */
  ids?: IdNouns;
  /** Default: standard output. */
  to?: DestinationStream;
};

/**
 * Lines of this level and above. Pass an error as `err`: only what may be logged of it comes out. Pass the ids of resources as
 * uuids under `<noun>_id`: they come out as public ids.
 */
export function createLog(level: string, { ids = {}, to = standardOutput() }: LogOptions = {}): Log {
  return pino(
    {
      level,
      timestamp: () => `,"time":"${isoTime(Date.now())}"`,
      base: { name: "waypost" },
      redact: { paths: SECRET_FIELDS, censor: "[hidden]" },
      serializers: { err: causeFields, ...idSerializers(ids) },
    },
    to,
  );
}

let output: DestinationStream | null = null;

function standardOutput(): DestinationStream {
  output ??= buffered();
  return output;
}

/**
 * Lines logged in one event-loop tick are joined into one write: the destination measures its whole buffer on every write,
 * which for single lines made a fifth of a request's garbage. A timer runs only while something may be left in that buffer: the
 * destination's own would write nothing ten times a second in a process at rest.
 */
function buffered(): DestinationStream {
  let lines = "";
  const flush = (): void => {
    if (lines !== "") to.write(lines);
    lines = "";
  };
  process.once("exit", flush); // registered before the destination's own listener, which writes its buffer
  const to = destination({ sync: false, minLength: BUFFER_BYTES });
  let timer: NodeJS.Timeout | null = null;
  const writeSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = null;
      to.flush();
    }, FLUSH_MS).unref();
  };
  // While a write is under way a flush does nothing: what came meanwhile stays in the buffer, and is written after it.
  to.on("write", (bytes: number) => {
    if (bytes > 0) writeSoon();
  });
  return {
    write(line) {
      if (lines === "") setImmediate(flush);
      lines += line;
      writeSoon();
    },
  };
}
