import type { Config } from "./config.ts";

/** A setting that is not there: a `fault` stops the start, a `warning` costs what its line says. */
export type MissingSetting = { name: keyof Config; state: "fault" | "warning"; words: string };

type Need = { state: MissingSetting["state"]; words: string };

/** What the gateway misses most; said by the start, by its log and by `waypost doctor` in the same words. */
const NEEDED = {
  DATABASE_URL: { state: "fault", words: "it needs the URL of a PostgreSQL 15 or newer whose login owns its database" },
  WAYPOST_ENCRYPTION_KEY: {
    state: "fault",
    words: "it needs 32 bytes in base64; make them with `openssl rand -base64 32` and keep them",
  },
  WAYPOST_OPERATOR_KEY: {
    state: "warning",
    words: "without it nobody can make workspaces; it needs at least 20 characters that only the operator knows",
  },
  PROVIDER_APP_SECRET: {
    state: "warning",
    words: "without it every callback of the provider is refused; it needs the secret that your app's settings show",
  },
  PROVIDER_VERIFY_TOKEN: {
    state: "warning",
    words: "without it the provider's handshake is refused; it needs the token that you enter beside the callback URL",
  },
} as const satisfies Partial<Record<keyof Config, Need>>;

type NeededSetting = keyof typeof NEEDED;

/** What callbacks need: a process that takes them says at its start which of these it lacks. */
const FOR_CALLBACKS: readonly NeededSetting[] = ["PROVIDER_APP_SECRET", "PROVIDER_VERIFY_TOKEN"];

export const missingSettings = (config: Config): MissingSetting[] => missingOf(config, namesOf(NEEDED));
export const missingForCallbacks = (config: Config): MissingSetting[] => missingOf(config, FOR_CALLBACKS);

/** One line for a person: the setting, and what it needs. */
export const missingLine = (name: NeededSetting): string => `${name} is missing: ${NEEDED[name].words}`;

const missingOf = (config: Config, names: readonly NeededSetting[]): MissingSetting[] =>
  names
    .filter((name) => config[name] === null)
    .map((name) => ({ name, state: NEEDED[name].state, words: missingLine(name) }));

const namesOf = <T extends object>(table: T): (keyof T)[] => Object.keys(table) as (keyof T)[]; // its own literal keys
