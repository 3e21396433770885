import type { App } from "../../ctx.ts";
import type { Feature } from "../../feature.ts";
import { queueFunctions } from "../../lanes/queue.ts";
import { acceptMessages } from "./accept/accept.store.ts";
import { Accept, type AcceptDeps } from "./accept/accept.ts";
import { takeReports } from "./callbacks/provider-events.store.ts";
import type { ProviderEvents } from "./callbacks/provider-events.ts";
import { joinParked, trimParked } from "./callbacks/status.store.ts";
import { beginSends, dispatchQueue, settleSends } from "./dispatch/dispatch.store.ts";
import { Dispatch } from "./dispatch/dispatch.ts";
import { readSettled } from "./read.store.ts";
import { messageRoutes } from "./routes.ts";

export const MESSAGE_FUNCTIONS = [
  ...queueFunctions(dispatchQueue),
  acceptMessages,
  beginSends,
  settleSends,
  takeReports,
  joinParked,
  trimParked,
  readSettled,
];

/** How often statuses whose message was just being stored are joined with it. */
const JOIN_EVERY_MS = 5_000;

/** Sending, and what the provider reports about messages. `events` is created outside because ingress feeds it. */
export function messagesFeature(app: App, deps: AcceptDeps, events: ProviderEvents): Feature {
  const accept = new Accept(app, deps);
  const dispatch = new Dispatch(app, deps.senders, deps.listeners);
  return {
    name: "messages",
    routes: messageRoutes(accept),
    kinds: [dispatch],
    timers: [{ name: "join parked statuses", role: "ingress", everyMs: JOIN_EVERY_MS, run: () => events.joinParked() }],
    stop: async () => {
      await Promise.all([accept.stop(), dispatch.stop(), events.stop()]);
    },
  };
}
