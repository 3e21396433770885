import { diagnose } from "@waypost/server";

const MARKS = { ok: "ok     ", pending: "pending", warning: "warning", fault: "FAULT  " };

/** Prints one line for each check, as soon as its result is known; resolves with true when none is a fault. */
export async function doctor(
  env: Record<string, string | undefined>,
  { isJson, print }: { isJson: boolean; print: (line: string) => void },
): Promise<boolean> {
  let ok = true;
  for await (const { name, state, text } of diagnose(env)) {
    print(isJson ? JSON.stringify({ name, state, text }) : `${MARKS[state]} ${name.padEnd(10)} ${text}`);
    if (state === "fault") ok = false;
  }
  return ok;
}
