import type { Feature } from "../../feature.ts";
import { queueFunctions } from "../../lanes/queue.ts";
import { RefusedSends } from "../templates/refused-sends.ts";
import { acceptMessages } from "./accept/accept.store.ts";
import { countBacklog } from "./accept/backlog.store.ts";
import { readAccepted } from "./accept/first-answer.store.ts";
import { judgeMessages } from "./accept/judge.store.ts";
import { FailedStatuses } from "./callbacks/failed-statuses.ts";
import { takeHistory } from "./callbacks/history.store.ts";
import { joinPayments, PARKED_PAYMENTS, takePayments } from "./callbacks/payments.store.ts";
import { joinParkedPayments } from "./callbacks/payments.ts";
import { takeCallbacks, takeReports } from "./callbacks/provider-events.store.ts";
import { joinParked, PARKED_STATUSES, trimParked } from "./callbacks/status.store.ts";
import { PERSONAL_COLUMNS } from "./column-lists.ts";
import { cancelMessages } from "./dispatch/cancel.store.ts";
import { beginSends, dispatchQueue } from "./dispatch/dispatch.store.ts";
import { Dispatch } from "./dispatch/dispatch.ts";
import { expireSends, giveUpSends, OVERDUE_SENDS } from "./dispatch/expire.store.ts";
import { EXPIRE_EVERY_MS, expireMessages, GIVE_UP_EVERY_MS, giveUpMessages } from "./dispatch/expiry.ts";
import { holdMarketing, judgeMarketing } from "./dispatch/marketing.store.ts";
import { MarketingStops } from "./dispatch/marketing-stops.ts";
import { settleSends } from "./dispatch/settle.store.ts";
import { INBOUND_EVENTS, PAYMENT_EVENTS, STATUS_EVENTS } from "./events.ts";
import { MESSAGE_LOG_ROUTES } from "./log/routes.ts";
import { forgets } from "./personal-data.ts";
import { PROVIDER_VIEW_ROUTES } from "./provider-view/routes.ts";
import { decidePublicIds } from "./public-id.store.ts";
import { readSettled } from "./read.store.ts";
import { nextOfErased, redactMessages } from "./redact.store.ts";
import { messageRoutes } from "./routes.ts";

const tags = {
  Messages: "Send approved templates and free-form replies, and read their status and history.",
} as const;
const ids = { msg: "message" } as const;
const scopes = ["messages:read", "messages:write"] as const;
declare module "../../http/declared.ts" {
  interface Tags extends Record<keyof typeof tags, true> {}
}
declare module "../../lib/ids.ts" {
  interface IdPrefixes extends Record<keyof typeof ids, true> {}
}
declare module "../../http/route.ts" {
  interface Scopes extends Record<(typeof scopes)[number], true> {}
}

/** How often statuses whose message was just being stored are joined with it. */
const JOIN_EVERY_MS = 5_000;

/** Sending, and what the provider reports about messages. */
export const messages: Feature = {
  name: "messages",
  tags,
  ids,
  scopes,
  grants: {
    attempt: { app: "select", engine: "insert, select" },
    dispatch: { app: "select", engine: "delete, insert, select, update" },
    held: { app: "", engine: "delete, insert, select, update" },
    history: { app: "select", engine: "insert, select" },
    message: {
      app: "select",
      // The type of a message of the history may be known late.
      engine: `insert, select, update(${[...PERSONAL_COLUMNS, "type"].sort().join(" ")})`,
    },
    message_state: { app: "select", engine: "insert, select, update" },
    parked_payment: { app: "", engine: "delete, insert, select, update" },
    parked_status: { app: "", engine: "delete, insert, select, update" },
    provider_message: { app: "select", engine: "delete, insert, select" },
  },
  forgets,
  moves: { dispatch: "by workspace", held: "by workspace" },
  functions: [
    ...queueFunctions(dispatchQueue),
    acceptMessages,
    countBacklog,
    judgeMessages,
    beginSends,
    settleSends,
    cancelMessages,
    expireSends,
    giveUpSends,
    holdMarketing,
    judgeMarketing,
    takeReports,
    takeCallbacks,
    takeHistory,
    joinParked,
    trimParked,
    takePayments,
    joinPayments,
    readSettled,
    decidePublicIds,
    readAccepted,
    nextOfErased,
    redactMessages,
  ],
  questions: [PARKED_STATUSES, PARKED_PAYMENTS, OVERDUE_SENDS],
  events: [INBOUND_EVENTS, STATUS_EVENTS, PAYMENT_EVENTS],
  build(app, { sending, senders, templates, listeners, identityResolver, providerEvents, sentTwice, uploads }) {
    const refusedSends = new RefusedSends(app, templates);
    const marketing = new MarketingStops(app);
    const dispatch = new Dispatch(app, {
      senders,
      templates,
      listeners,
      identityResolver,
      refusedSends,
      marketing,
      sentTwice,
      uploads,
      awaited: sending.waiters,
    });
    const failures = new FailedStatuses(app, { senders, refusedSends, marketing, dispatch, uploads });
    providerEvents.onFailed((failed) => failures.report(failed));
    return {
      routes: [...messageRoutes(sending, senders), ...PROVIDER_VIEW_ROUTES, ...MESSAGE_LOG_ROUTES],
      kinds: [dispatch],
      timers: [
        {
          name: "join parked statuses",
          role: "ingress",
          everyMs: JOIN_EVERY_MS,
          asks: PARKED_STATUSES,
          run: () => providerEvents.joinParked(),
        },
        {
          name: "join parked payments",
          role: "ingress",
          everyMs: JOIN_EVERY_MS,
          asks: PARKED_PAYMENTS,
          run: () => joinParkedPayments(app),
        },
        {
          name: "expire messages",
          role: "dispatch",
          everyMs: EXPIRE_EVERY_MS,
          asks: OVERDUE_SENDS,
          run: () => expireMessages(app),
        },
        { name: "give up messages", role: "dispatch", everyMs: GIVE_UP_EVERY_MS, run: () => giveUpMessages(app) },
      ],
      stop: async () => {
        await Promise.all([sending.stop(), dispatch.stop(), providerEvents.stop()]);
        await failures.stop();
        await marketing.drained();
        await refusedSends.stop();
      },
    };
  },
};
