import { relative } from "node:path";
import type { DevFile } from "./files.ts";

/** The simulator delivers messages to this number and marks them as read. */
const DEMO_RECIPIENT = "+15551230001";
const DEMO_MESSAGE = {
  to: DEMO_RECIPIENT,
  type: "template",
  template: { name: "order_ready", language: { code: "en_US" } },
};

/** Of the simulator's numbers that behave in one way, those to begin with. */
const SANDBOX = [
  ["+12025550101", "is not on WhatsApp"],
  ["+12025550114", "finds the provider overloaded"],
  ["+12025550121", "gets no answer at all"],
] as const;

/**
 * The lines printed when all parts are up; every command is one line, ready to be pasted. `link` signs in to the console; null where
 * PUBLIC_URL has made that another machine's business.
 */
export function welcome(dev: DevFile, link: string | null, devFile: string, tookMs: number): string[] {
  const key = `-H 'Authorization: Bearer ${dev.api_key}'`;
  return [
    "",
    `Waypost is up after ${(tookMs / 1_000).toFixed(1)} s.`,
    "",
    `  Console        ${link === null ? dev.console_url : `${link}   (signs you in, once within ten minutes; waypost console prints another)`}`,
    `  API            ${dev.base_url}/v1`,
    `  API reference  ${dev.base_url}/docs`,
    `  Virtual phone  ${dev.simulator_url}/sim   (the simulator stands in for the provider: see what arrives, and reply)`,
    `  API key        ${dev.api_key}`,
    `  All of this    ${shorter(devFile)}`,
    "",
    "Send a message:",
    "",
    `  curl ${dev.base_url}/v1/messages ${key} -H 'Content-Type: application/json' -d '${JSON.stringify(DEMO_MESSAGE)}'`,
    "",
    "Look at it; within seconds its status is `read`:",
    "",
    `  curl '${dev.base_url}/v1/messages?limit=1' ${key}`,
    "",
    `Other recipients fail on purpose: ${SANDBOX.map(([number, what]) => `${number} ${what}`).join(", ")}. More: ${dev.simulator_url}/sim`,
    "",
    "From this folder, `node_modules/.bin/waypost --help` does more: events follow, trigger --list, clock +25h.",
    "",
    "Ctrl-C stops everything; the next start goes on with the same data.",
    "",
  ];
}

/** The path relative to the working directory, when it is inside. */
function shorter(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith("..") ? path : near;
}
