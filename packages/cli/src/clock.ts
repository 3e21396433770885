import type { Declared } from "./commands/command.ts";
import type { Invocation } from "./connection.ts";
import { FailedError, UsageError } from "./errors.ts";

/** Going back starts the gateway again. */
const ANSWER_WITHIN_MS = 150_000;
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `waypost clock`: shows or moves the clock of gateway and simulator of `npm start`. */
export function clockCommand(invocation: Invocation): Declared {
  return {
    name: "clock",
    does: "show the clock of `npm start`, or move it: windows, retries and months pass in seconds",
    key: "none",
    example: "clock +25h",
    argument: { name: "move", does: "such as +25h, +10m or +31d; reset goes back to the real time", isOptional: true },
    run: async ({ argument }) => {
      const move = argument === "" ? null : moveOf(argument);
      const control = invocation.devField("control_url");
      if (control === null)
        throw new UsageError(
          "there is no clock to move: that of `npm start` with its own database can be, from the folder in which it runs",
        );
      const one = await ask(control, move);
      return { one };
    },
  };
}

function moveOf(text: string): object {
  if (text === "reset") return { ahead_ms: 0 };
  const parts = /^\+((?:\d{1,6}[smhd])+)$/.exec(text)?.[1]?.matchAll(/(\d+)([smhd])/g) ?? [];
  const by_ms = [...parts].reduce((sum, [, count, unit = ""]) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
  if (by_ms === 0) throw new UsageError(`the move must be such as +25h, +10m, +1d12h or reset, not ${text}`);
  return { by_ms };
}

type Control = NonNullable<ReturnType<Invocation["devField"]>>;

async function ask({ value: url, operatorKey, from }: Control, move: object | null): Promise<object> {
  const response = await fetch(url, {
    method: move === null ? "GET" : "POST",
    headers: { authorization: `Bearer ${operatorKey}` },
    redirect: "error", // a key must not follow
    ...(move === null ? {} : { body: JSON.stringify(move) }),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).catch(() => {
    throw new FailedError(`the clock could not be reached; is \`npm start\` running? (${url} from ${from})`);
  });
  // As the control answers; null: another program has the port by now.
  const answer = (await response.json().catch(() => null)) as { now?: string; detail?: string } | null;
  if (response.ok && typeof answer?.now === "string") return answer;
  throw new FailedError(
    `${answer?.detail ?? "the answer is not that of `npm start`; is it running?"} (${url} from ${from})`,
  );
}
