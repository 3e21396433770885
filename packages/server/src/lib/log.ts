import { type DestinationStream, destination, pino, stdTimeFunctions } from "pino";
import { causeFields } from "./error-fields.ts";
import { formatId, type IdPrefix } from "./ids.ts";

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

/**
 * Fields that hold the uuid of a resource. A line has its public id, as the API and the audit log have it, so that one id finds
 * a message's request, its sends, its callbacks and its deliveries.
 */
const ID_FIELDS: Readonly<Record<string, IdPrefix>> = {
  actor: "key",
  business_account_id: "acc",
  contact_id: "con",
  delivery_id: "dlv",
  event_id: "evt",
  message_id: "msg",
  message_ids: "msg",
  phone_number_id: "num",
  template_id: "tpl",
  webhook_endpoint_id: "whe",
  workspace_id: "ws",
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A uuid as the public id of this prefix, a list of them as a list; every other value passes unchanged. */
function publicId(prefix: IdPrefix, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => publicId(prefix, one));
  return typeof value === "string" && UUID.test(value) ? formatId(prefix, value) : value;
}

const ID_SERIALIZERS = Object.fromEntries(
  Object.entries(ID_FIELDS).map(([field, prefix]) => [field, (value: unknown) => publicId(prefix, value)]),
);

/** Lines leave together: a write for each line is a twentieth of a request. A killed process loses what it had not written. */
const BUFFER_BYTES = 4_096;
const FLUSH_MS = 100;

/**
 * Lines of this level and above. Pass an error as `err`: only what may be logged of it comes out. Pass the ids of resources as
 * uuids under the names of `ID_FIELDS`: they come out as public ids.
 */
export function createLog(level: string, to: DestinationStream = standardOutput()): Log {
  return pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      base: { name: "waypost" },
      redact: { paths: SECRET_FIELDS, censor: "[hidden]" },
      serializers: { err: causeFields, ...ID_SERIALIZERS },
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
 * which for single lines made a fifth of a request's garbage.
 */
function buffered(): DestinationStream {
  let lines = "";
  const flush = (): void => {
    if (lines !== "") to.write(lines);
    lines = "";
  };
  process.once("exit", flush); // registered before the destination's own listener, which writes its buffer
  const to = destination({ sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS });
  return {
    write(line) {
      if (lines === "") setImmediate(flush);
      lines += line;
    },
  };
}
