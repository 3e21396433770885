import { diagnose } from "@waypost/server";

const MARKS = { ok: "ok     ", pending: "pending", warning: "warning", fault: "FAULT  " };

/** Says one line for each thing looked at, as soon as it is known; resolves to whether none is a fault. */
export async function doctor(env: Record<string, string | undefined>, say: (line: string) => void): Promise<boolean> {
  let well = true;
  for await (const { name, state, words } of diagnose(env)) {
    say(`${MARKS[state]} ${name.padEnd(10)} ${words}`);
    if (state === "fault") well = false;
  }
  return well;
}
