import { formatId } from "../../../lib/ids.ts";

/** What the headers of an attempt say, besides its signatures. */
export type AttemptHeaders = {
  /** Of the server. */
  version: string;
  kind: string;
  /** Uuid. */
  deliveryId: string;
  /** From 1. */
  attempt: number;
  /** Whether the event is sent again because it was asked for. */
  isReplay: boolean;
};

/** The headers of an attempt without its signatures and the endpoint's own. */
export const requestHeaders = ({ version, kind, deliveryId, attempt, isReplay }: AttemptHeaders) => ({
  "content-type": "application/json",
  "user-agent": `Waypost/${version}`,
  "x-service-event": kind,
  "x-service-delivery": formatId("dlv", deliveryId),
  "x-service-attempt": String(attempt),
  ...(isReplay ? { "x-service-replay": "true" } : {}),
});
