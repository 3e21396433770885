import type { Clocks } from "./clock-control.ts";
import type { FromGateway } from "./from-parent.ts";
import type { GatewayPart } from "./gateway-part.ts";

const ANSWER_WITHIN_MS = 10_000;

/**
 * The clocks of gateway and simulator, which have to agree: windows follow the times that callbacks say. Ahead both jump. Back to the real
 * time the gateway is started again, as what it remembers in memory was planned by the time before.
 */
export function clocksOf(gateway: Pick<GatewayPart, "ask" | "restart">, simulatorUrl: string): Clocks {
  let ahead = 0;
  return {
    get aheadMs() {
      return ahead;
    },
    async move(to) {
      if (to < ahead) {
        await setSimulator(simulatorUrl, null);
        ahead = 0;
        await gateway.restart();
        return;
      }
      const answer = (await gateway.ask({ ahead_ms: to })) as FromGateway; // the gateway's end of this channel
      if ("refused" in answer) throw new Error(answer.refused);
      ahead = to;
      await setSimulator(simulatorUrl, answer.now);
    },
  };
}

async function setSimulator(url: string, now: string | null): Promise<void> {
  const response = await fetch(`${url}/sim/clock`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ now }),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the simulator's clock was not set (status ${response.status})`);
}
