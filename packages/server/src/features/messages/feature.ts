import type { House } from "../../ctx.ts";
import type { Feature } from "../../feature.ts";
import { queueFunctions } from "../../lanes/queue.ts";
import { acceptMessages } from "./accept/accept.store.ts";
import { type AcceptDoors, createAccept } from "./accept/accept.ts";
import { createWaiters } from "./accept/settled-waiters.ts";
import { takeReports } from "./callbacks/provider-events.store.ts";
import type { Reports } from "./callbacks/provider-events.ts";
import { joinParked, trimParked } from "./callbacks/status.store.ts";
import { beginSends, dispatchQueue, settleSends } from "./dispatch/dispatch.store.ts";
import { createDispatch, type SenderDoor } from "./dispatch/dispatch.ts";
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

export function messagesFeature(house: House, doors: AcceptDoors & SenderDoor, reports: Reports): Feature {
  const accept = createAccept(house, doors, createWaiters(house));
  const dispatch = createDispatch(house, doors, doors.listeners);
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
