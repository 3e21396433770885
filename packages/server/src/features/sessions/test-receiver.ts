import type { IncomingHttpHeaders } from "node:http";

/** Kept of each workspace, and workspaces: the oldest is forgotten past it. */
const MOST = 50;
const MOST_WORKSPACES = 100;

/** A webhook as it arrived. */
export type Received = { received_at: string; headers: Record<string, string>; body: string };

/** Webhooks that this process has posted to itself, for a person who tries them on their own machine. In memory only. */
export class TestReceiver {
  readonly #received = new Map<string, Received[]>();

  take(workspaceId: string, { headers, body }: { headers: IncomingHttpHeaders; body: Buffer }, now: number): void {
    const of = this.#received.get(workspaceId) ?? [];
    of.unshift({ received_at: new Date(now).toISOString(), headers: shown(headers), body: body.toString("utf8") });
    this.#received.set(workspaceId, of.slice(0, MOST));
    for (const [oldest] of this.#received) {
      if (this.#received.size <= MOST_WORKSPACES) break;
      this.#received.delete(oldest);
    }
  }

  /** The newest first. */
  of(workspaceId: string): readonly Received[] {
    return this.#received.get(workspaceId) ?? [];
  }
}

/** What a receiver looks at; an endpoint's own headers may be secrets. */
const SHOWN = /^(?:webhook-|x-hub-|x-service-|user-agent$)/;

const shown = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => SHOWN.test(name))
      .map(([name, value]) => [name, String(value)]),
  );
