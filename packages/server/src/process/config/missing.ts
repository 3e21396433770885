import type { Config } from "./config.ts";

/** A missing setting: a `fault` stops the start; a `warning` has the consequence that its text names. */
export type MissingSetting = { name: keyof Config; state: "fault" | "warning"; text: string };

type Need = { state: MissingSetting["state"]; text: string };

/** The settings that a working gateway needs, and what is said when one is missing: at the start, in the log and by `waypost doctor`. */
const NEEDED = {
  DATABASE_URL: { state: "fault", text: "it needs the URL of a PostgreSQL 15 or newer whose login owns its database" },
  WAYPOST_ENCRYPTION_KEY: {
    state: "fault",
    text: "it needs 32 bytes in base64; create them with `openssl rand -base64 32` and keep them",
  },
  WAYPOST_OPERATOR_KEY: {
    state: "warning",
    text: "without it workspaces cannot be created; it needs at least 20 characters that only the operator knows",
  },
  PROVIDER_APP_SECRET: {
    state: "warning",
    text: "without it every callback of the provider is refused; it needs the secret in your app's settings",
  },
  PROVIDER_VERIFY_TOKEN: {
    state: "warning",
    text: "without it the provider's handshake is refused; it needs the token that you enter beside the callback URL",
  },
} as const satisfies Partial<Record<keyof Config, Need>>;

type NeededSetting = keyof typeof NEEDED;

/** The settings that callbacks need: a process that receives callbacks logs at its start which of these are missing. */
const FOR_CALLBACKS: readonly NeededSetting[] = ["PROVIDER_APP_SECRET", "PROVIDER_VERIFY_TOKEN"];

export const missingSettings = (config: Config): MissingSetting[] => missingOf(config, namesOf(NEEDED));
export const missingForCallbacks = (config: Config): MissingSetting[] => missingOf(config, FOR_CALLBACKS);

/** One line: the setting, and what it needs. */
export const missingLine = (name: NeededSetting): string => `${name} is missing: ${NEEDED[name].text}`;

const missingOf = (config: Config, names: readonly NeededSetting[]): MissingSetting[] =>
  names
    .filter((name) => config[name] === null)
    .map((name) => ({ name, state: NEEDED[name].state, text: missingLine(name) }));

const namesOf = <T extends object>(table: T): (keyof T)[] => Object.keys(table) as (keyof T)[]; // its own literal keys
