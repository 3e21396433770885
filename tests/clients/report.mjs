// For the clients in JavaScript: one line of JSON for each operation, which the runner reads.
import { readFileSync } from "node:fs";

export const SIMULATOR = process.env.SIMULATOR_URL;
export const APP_SECRET = process.env.APP_SECRET;
export const CALLBACK_URL = process.env.CALLBACK_URL;
export const VERIFY_TOKEN = process.env.VERIFY_TOKEN;
/** Named in what the simulator is prepared with: see `world.mjs`. */
export const { token, number, account, person, inbound } = JSON.parse(process.env.WORLD);
export const IMAGE = "https://cdn.example/a.jpg";
export const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

const reported = new Set();

function say(operation, outcome, detail) {
  reported.add(operation);
  process.stdout.write(`${JSON.stringify({ operation, outcome, detail })}\n`);
}

/** Runs one operation; what it throws is its failure. Returns what it returned, or undefined. */
export async function attempt(operation, run) {
  try {
    const result = await run();
    say(operation, "ok");
    return result;
  } catch (error) {
    say(operation, "failed", String(error?.stack ?? JSON.stringify(error)).slice(0, 600));
    return undefined;
  }
}

export function notOffered(operation) {
  say(operation, "not offered");
}

/** Those of them of which nothing was reported yet. */
export function othersNotOffered(operations) {
  for (const operation of operations) if (!reported.has(operation)) notOffered(operation);
}

export function expectEqual(found, expected, what) {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a} instead of ${b}`);
}

/** Every callback: `{name, body, signature}`. */
export function callbacks() {
  return JSON.parse(readFileSync(process.env.CALLBACKS, "utf8"));
}
