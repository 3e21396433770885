import { faultsOfMediaStore, mediaStore } from "./media-store.ts";
import { retention } from "./retention.ts";
import {
  apiVersion,
  cidrs,
  databaseUrl,
  encryptionKeys,
  host,
  httpUrl,
  oneOf,
  port,
  ports,
  proxies,
  proxyUrl,
  rateLimit,
  region,
  secondsWithin,
  text,
  token,
  tokens,
  whole,
} from "./values.ts";

/** The roles that a process may have. */
export const ROLES = ["api", "ingress", "dispatch", "deliver", "maintenance"] as const;
export type Role = (typeof ROLES)[number];

type Setting<T> = { default: string | null; help: string; parse(text: string): T };

/** Every variable that the gateway reads: its default (null for none) and one line of help. */
const SETTINGS = {
  PORT: { default: "8080", help: "port of the gateway; 0 takes a free one", parse: port },
  HOST: { default: "127.0.0.1", help: "address the gateway listens on", parse: host },
  PUBLIC_URL: { default: null, help: "outside address of the gateway", parse: httpUrl },
  TRUST_PROXY: {
    default: null,
    help: "proxies (addresses or CIDR ranges, comma list) whose X-Forwarded-For is believed, or `off`",
    parse: proxies,
  },
  WAYPOST_DATA_DIR: { default: "./data", help: "embedded database, media and dev.json", parse: text },
  DATABASE_URL: {
    default: null,
    help: "PostgreSQL 15 or newer; without it `npm start` runs its own",
    parse: databaseUrl,
  },
  DATABASE_DIRECT_URL: {
    default: null,
    help: "the same database past a transaction pooler, for LISTEN and migrations",
    parse: databaseUrl,
  },
  WAYPOST_OPERATOR_KEY: {
    default: null,
    help: "bearer of the operator API, at least 20 characters",
    parse: token(20),
  },
  WAYPOST_ENCRYPTION_KEY: {
    default: null,
    help: "32 bytes in base64 that encrypt secrets at rest, or a comma list (first encrypts, all decrypt)",
    parse: encryptionKeys,
  },
  PROVIDER_BASE_URL: {
    default: "https://graph.facebook.com",
    help: "the provider's API",
    parse: httpUrl,
  },
  PROVIDER_API_VERSION: { default: "v26.0", help: "version in the provider's paths", parse: apiVersion },
  PROVIDER_APP_ID: {
    default: null,
    help: "the platform app; embedded signups and samples of templates need it",
    parse: text,
  },
  PROVIDER_APP_SECRET: { default: null, help: "the app's secret, or a comma list during its rotation", parse: tokens },
  PROVIDER_SIGNUP_CONFIG_ID: {
    default: null,
    help: "configuration of the provider's signup dialog, which the console opens",
    parse: text,
  },
  PROVIDER_VERIFY_TOKEN: { default: null, help: "token of the provider's verification handshake", parse: text },
  API_RATE_LIMIT: {
    default: "1000",
    help: "requests per second and workspace over all processes, or `off`",
    parse: rateLimit,
  },
  EGRESS_ALLOW_CIDRS: {
    default: "",
    help: "ranges that webhooks and samples of templates may reach although they are not public, comma list",
    parse: cidrs,
  },
  EGRESS_ALLOW_PORTS: {
    default: "",
    help: "ports that webhooks and samples of templates may use besides 443 and 8443, comma list",
    parse: ports,
  },
  EGRESS_PROXY_URL: {
    default: null,
    help: "HTTP proxy through which webhooks are sent and samples of templates are fetched, such as http://user:password@proxy:3128",
    parse: proxyUrl,
  },
  FRONT_WAIT: {
    default: "5",
    help: "seconds that the Cloud API front waits for the provider before it answers, 0.1 to 30",
    parse: secondsWithin(0.1, 30),
  },
  RETENTION_DAYS: { default: "", help: "days kept per class, such as messages=365,events=30", parse: retention },
  MEDIA_STORE: {
    default: "file:",
    help: "where media is kept: `file:` in the data directory, `file:/path` of a directory that all hosts share, or s3://bucket/prefix",
    parse: mediaStore,
  },
  MEDIA_SCAN_COMMAND: {
    default: null,
    help: "program that gets the path of each file as its last argument before the file is available, such as `clamdscan --fdpass`; exit 0 means clean",
    parse: text,
  },
  S3_ENDPOINT: { default: null, help: "address of an S3-compatible server; without it AWS", parse: httpUrl },
  AWS_REGION: { default: "us-east-1", help: "region of the bucket of MEDIA_STORE", parse: region },
  AWS_ACCESS_KEY_ID: { default: null, help: "key that the bucket of MEDIA_STORE is used with", parse: text },
  AWS_SECRET_ACCESS_KEY: { default: null, help: "its secret", parse: text },
  AWS_SESSION_TOKEN: { default: null, help: "its session token, where it has one", parse: text },
  METRICS_PORT: {
    default: null,
    help: "port of /metrics for Prometheus, on HOST; 0 takes a free one, without it there is none",
    parse: port,
  },
  LOG_LEVEL: {
    default: "info",
    help: "what reaches the log",
    parse: oneOf("debug", "info", "warn", "error", "silent"),
  },
  WAYPOST_LEASE_SECONDS: {
    default: "12",
    help: "how long a worker owns its lanes without a sign of life; shorter only in tests",
    parse: (value: string) => whole(value, 1, 120),
  },
} as const satisfies Record<string, Setting<unknown>>;

type Settings = typeof SETTINGS;
type Value<K extends keyof Settings> =
  | ReturnType<Settings[K]["parse"]>
  | (Settings[K]["default"] extends null ? null : never);

/** The environment, read once and frozen. */
export type Config = Readonly<{ [K in keyof Settings]: Value<K> }>;

/** A setting is missing or wrong: printed as one line, without a stack. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads `env`. Throws `ConfigError` with one line for each fault, which names the variable and what it needs. */
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
  if (faults.length === 0) faults.push(...faultsOfMediaStore(config as Config));
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  return Object.freeze(config) as Config;
}

/** The environment of this process; nothing else reads it. */
export const environment = (): Record<string, string | undefined> => process.env;

/** The environment for a program that the operator names: without the gateway's settings, which have its secrets. */
export const environmentOfOthers = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(environment()).filter(([name]) => !Object.hasOwn(SETTINGS, name)));
