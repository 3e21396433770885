import { Buffer } from "node:buffer";

/** Roles a process may have (api.md 11). */
export const ROLES = ["api", "ingress", "dispatch", "deliver", "maintenance"] as const;
export type Role = (typeof ROLES)[number];

type Setting<T> = { default: string | null; help: string; parse(text: string): T };

const text = (): ((value: string) => string) => (value) => value;
const list = (value: string): string[] =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
const port = (value: string): number => whole(value, 0, 65_535);
const url =
  (protocols: string[]) =>
  (value: string): string => {
    const parsed = URL.canParse(value) ? new URL(value) : null;
    if (!parsed || !protocols.includes(parsed.protocol)) throw new Error(`a URL with ${protocols.join(" or ")}`);
    return value;
  };

function whole(value: string, min: number, max: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) throw new Error(`a whole number from ${min} to ${max}`);
  return number;
}

function encryptionKeys(value: string): Buffer[] {
  const keys = list(value).map((part) => Buffer.from(part, "base64"));
  if (keys.length === 0 || keys.some((key) => key.length !== 32))
    throw new Error("32 bytes in base64, or a comma list of such keys");
  return keys;
}

function rateLimit(value: string): number | null {
  return value === "off" ? null : whole(value, 1, 1_000_000);
}

function cidrs(value: string): string[] {
  const parts = list(value);
  if (parts.some((part) => !/^[0-9a-fA-F.:]+\/\d{1,3}$/.test(part)))
    throw new Error("a comma list of CIDR ranges such as 10.0.0.0/8");
  return parts;
}

export type RetentionDays = {
  messages: number;
  events: number;
  deliveries: number;
  audit: number;
  callbacks: number;
  media: number;
};
const RETENTION: RetentionDays = { messages: 365, events: 30, deliveries: 30, audit: 365, callbacks: 30, media: 30 };
/** Scheduled sends and late statuses need their message for this long. */
const LEAST_MESSAGE_DAYS = 7;

function retention(value: string): RetentionDays {
  const days = { ...RETENTION };
  for (const part of list(value)) {
    const [name = "", number = ""] = part.split("=");
    if (!(name in days))
      throw new Error(`a comma list of ${Object.keys(RETENTION).join(", ")} with days, such as messages=365`);
    days[name as keyof RetentionDays] = whole(number, name === "messages" ? LEAST_MESSAGE_DAYS : 1, 3_650);
  }
  return days;
}

/** Every variable the gateway reads: its default (null: none) and one line of help. */
const SETTINGS = {
  PORT: { default: "8080", help: "port of the gateway; 0 takes a free one", parse: port },
  HOST: { default: "127.0.0.1", help: "address the gateway listens on", parse: text() },
  PUBLIC_URL: { default: null, help: "outside address of the gateway", parse: url(["http:", "https:"]) },
  TRUST_PROXY: {
    default: null,
    help: "proxies (addresses or CIDR ranges, comma list) whose X-Forwarded-For is believed",
    parse: list,
  },
  WAYPOST_DATA_DIR: { default: "./data", help: "embedded database, media and dev.json", parse: text() },
  DATABASE_URL: {
    default: null,
    help: "PostgreSQL 15 or newer; without it `npm start` runs its own",
    parse: url(["postgres:", "postgresql:"]),
  },
  DATABASE_DIRECT_URL: {
    default: null,
    help: "the same database past a transaction pooler, for LISTEN and migrations",
    parse: url(["postgres:", "postgresql:"]),
  },
  WAYPOST_OPERATOR_KEY: {
    default: null,
    help: "bearer of the operator API, at least 20 characters",
    parse: operatorKey,
  },
  WAYPOST_ENCRYPTION_KEY: {
    default: null,
    help: "32 bytes in base64 that encrypt secrets at rest, or a comma list (first encrypts, all decrypt)",
    parse: encryptionKeys,
  },
  PROVIDER_BASE_URL: {
    default: "https://graph.facebook.com",
    help: "the provider's API",
    parse: url(["http:", "https:"]),
  },
  PROVIDER_API_VERSION: { default: "v26.0", help: "version in the provider's paths", parse: apiVersion },
  PROVIDER_APP_ID: { default: null, help: "the platform app", parse: text() },
  PROVIDER_APP_SECRET: { default: null, help: "the app's secret, or a comma list during its rotation", parse: list },
  PROVIDER_VERIFY_TOKEN: { default: null, help: "token of the provider's verification handshake", parse: text() },
  API_RATE_LIMIT: {
    default: "1000",
    help: "requests per second and workspace over all processes, or `off`",
    parse: rateLimit,
  },
  EGRESS_ALLOW_CIDRS: {
    default: "",
    help: "ranges that webhooks may reach although they are not public, comma list",
    parse: cidrs,
  },
  EGRESS_ALLOW_PORTS: {
    default: "",
    help: "ports that webhooks may use besides 443 and 8443, comma list",
    parse: (value: string) => list(value).map((part) => whole(part, 1, 65_535)),
  },
  RETENTION_DAYS: { default: "", help: "days kept per class, such as messages=365,events=30", parse: retention },
  LOG_LEVEL: { default: "info", help: "debug, info, warn, error or silent", parse: logLevel },
  WAYPOST_LEASE_SECONDS: {
    default: "12",
    help: "how long a worker owns its lanes without a sign of life; shorter only in tests",
    parse: (value: string) => whole(value, 1, 120),
  },
} as const satisfies Record<string, Setting<unknown>>;

function operatorKey(value: string): string {
  if (value.length < 20) throw new Error("at least 20 characters");
  return value;
}
function apiVersion(value: string): string {
  if (!/^v\d+\.\d+$/.test(value)) throw new Error("a version such as v26.0");
  return value;
}
function logLevel(value: string): string {
  if (!["debug", "info", "warn", "error", "silent"].includes(value))
    throw new Error("debug, info, warn, error or silent");
  return value;
}

type Settings = typeof SETTINGS;
type Value<K extends keyof Settings> =
  | ReturnType<Settings[K]["parse"]>
  | (Settings[K]["default"] extends null ? null : never);

/** The environment, read once and frozen; the names are those of api.md 11. */
export type Config = Readonly<{ [K in keyof Settings]: Value<K> }>;

/** What the start needs but was not given, or cannot be understood: one line, no stack. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads `env`; all faults at once, one line each, naming the variable and what it needs. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const faults: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const given = env[name] === undefined || env[name] === "" ? setting.default : env[name];
    if (given === null || given === undefined) {
      config[name] = null;
      continue;
    }
    try {
      config[name] = setting.parse(given);
    } catch (error) {
      faults.push(`${name} needs ${error instanceof Error ? error.message : "another value"} (${setting.help})`);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  return Object.freeze(config) as Config;
}

/** The environment of this process; nothing else reads it. */
export const environment = (): Record<string, string | undefined> => process.env;
