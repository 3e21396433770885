import type { App } from "../../ctx.ts";
import type { Feature } from "../../feature.ts";
import { queueFunctions } from "../../lanes/queue.ts";
import { acceptMessages } from "./accept/accept.store.ts";
import { type AcceptDeps, createAccept } from "./accept/accept.ts";
import { createWaiters } from "./accept/settled-waiters.ts";
import { takeReports } from "./callbacks/provider-events.store.ts";
import type { Reports } from "./callbacks/provider-events.ts";
import { joinParked, trimParked } from "./callbacks/status.store.ts";
import { beginSends, dispatchQueue, settleSends } from "./dispatch/dispatch.store.ts";
import { createDispatch, type SenderDeps } from "./dispatch/dispatch.ts";
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

/** Statuses whose message was being written just then are joined after this long. */
const JOIN_EVERY_MS = 5_000;

export function messagesFeature(app: App, deps: AcceptDeps & SenderDeps, reports: Reports): Feature {
  const accept = createAccept(app, deps, createWaiters(app));
  const dispatch = createDispatch(app, deps, deps.listeners);
  return {
    name: "messages",
    routes: messageRoutes(accept),
    kinds: [dispatch.kind],
    timers: [{ name: "join parked statuses", role: "ingress", everyMs: JOIN_EVERY_MS, run: reports.joinParked }],
    stop: async () => {
      await Promise.all([accept.stop(), dispatch.stop(), reports.stop()]);
    },
  };
}
