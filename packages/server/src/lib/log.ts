import { pino, stdTimeFunctions } from "pino";

/** Structured log, one JSON line per unit of work on standard output. */
export type Log = {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
  child(fields: object): Log;
};

/** Names that never reach a line, wherever they stand in the first two levels: a last net under careful callers. */
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

export function createLog(level: string): Log {
  return pino({
    level,
    timestamp: stdTimeFunctions.isoTime,
    base: { name: "waypost" },
    redact: { paths: SECRET_FIELDS.flatMap((name) => [name, `*.${name}`]), censor: "[hidden]" },
  });
}
