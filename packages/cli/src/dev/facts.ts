import type { Invocation } from "../connection.ts";

/** Where the last `npm start` of this folder listens, or listened; null without one. Its keys stay in its file. */
const ADDRESSES = ["base_url", "console_url", "simulator_url"] as const;

/** What `waypost dev --json` prints: the addresses, and the settings as the help of `npm start` has them. */
export function devFacts(help: string, invocation: Invocation): object {
  const addresses = ADDRESSES.map((name) => [name, invocation.devField(name)?.value ?? null] as const);
  const [, section = ""] = /^Settings[^\n]*:\n(.*?)\n\n/ms.exec(help) ?? [];
  const settings = [...section.matchAll(/^ {2}(\S+) +(.*)$/gm)].map(([, name, does]) => ({ name, does }));
  return { ...Object.fromEntries(addresses), settings };
}
