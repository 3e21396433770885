import type { App } from "../../ctx.ts";
import type { Call } from "../../http/call.ts";
import type { Services } from "../../process/services.ts";
import { messageCalls } from "./messages/calls.ts";
import { PublicIds } from "./messages/public-ids.ts";

/** Every call of the front, as docs/cloud-api.md lists them. */
export const frontCalls = (app: App, services: Services): Call[] => [
  ...messageCalls({ app, senders: services.senders, publicIds: new PublicIds() }),
];
