/** What `npm start` sends to its gateway: that the rest is set up, or how far its clock shall be ahead. */
type ToGateway = "set up" | { ahead_ms: number };
/** The answer to a move. */
export type FromGateway = { now: string } | { refused: string };

type Move = (aheadMs: number) => Promise<number>;

/** The gateway's end of the channel to `npm start`; with `isMovable` it stays open, so that the clock can be moved. */
export function fromParent(isMovable: boolean): { setUp: Promise<void>; withClock?: (move: Move) => void } {
  let move: Move | null = null;
  let settle: () => void = () => undefined;
  const setUp = new Promise<void>((resolve) => {
    settle = resolve;
  });
  process.on("message", (message: ToGateway) => {
    if (typeof message === "object") return void moved(move, message.ahead_ms).then(answer);
    settle();
    if (!isMovable && process.connected) process.disconnect();
  });
  process.channel?.unref(); // no reason to go on after a stop
  return isMovable ? { setUp, withClock: (given) => void (move = given) } : { setUp };
}

async function moved(move: Move | null, aheadMs: number): Promise<FromGateway> {
  if (move === null) return { refused: "the gateway is not up yet" };
  try {
    return { now: new Date(await move(aheadMs)).toISOString() };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

function answer(message: FromGateway): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}
