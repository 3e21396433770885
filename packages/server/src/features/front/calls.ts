import type { App } from "../../ctx.ts";
import type { Call } from "../../http/call.ts";
import type { Services } from "../../process/services.ts";
import { accountCalls, readAccount } from "./accounts/calls.ts";
import { deleteMedia, mediaCalls, readMedia } from "./media/calls.ts";
import { messageCalls } from "./messages/calls.ts";
import { PublicIds } from "./messages/public-ids.ts";
import { profileCalls, readNumber } from "./numbers/calls.ts";
import { byIdCalls } from "./objects/by-id.ts";

/** Every call of the front, as docs/cloud-api.md lists them. */
export const frontCalls = (app: App, { senders }: Services): Call[] => [
  ...messageCalls({ app, senders, publicIds: new PublicIds() }),
  ...mediaCalls(senders),
  ...profileCalls(senders),
  ...accountCalls(app),
  ...byIdCalls({
    GET: { number: readNumber, account: readAccount(app), media: readMedia(app) },
    POST: {},
    DELETE: { media: deleteMedia },
  }),
];
