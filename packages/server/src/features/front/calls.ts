import type { App } from "../../ctx.ts";
import type { Call } from "../../http/call.ts";
import type { Senders } from "../accounts/numbers/senders.ts";
import type { MediaFiles } from "../media/media-files.ts";
import type { Sending } from "../messages/sending.ts";
import { accountCalls, readAccount } from "./accounts/calls.ts";
import { deleteMedia, mediaCalls, readMedia } from "./media/calls.ts";
import { messageCalls } from "./messages/calls.ts";
import { profileCalls, readNumber } from "./numbers/calls.ts";
import { byIdCalls } from "./objects/by-id.ts";
import { analyticsOr, ofUnknown, passedCalls, refusePin, updateAccount } from "./passed/calls.ts";
import { editTemplate, readTemplate, templateCalls } from "./templates/calls.ts";
import { uploadCalls } from "./uploads/calls.ts";
import { configureOr, webhookCalls, withConfiguration } from "./webhooks/calls.ts";

export type FrontDeps = { senders: Senders; sending: Sending; mediaFiles: MediaFiles };

/** Every call of the front, as docs/cloud-api.md lists them. */
export const frontCalls = (app: App, { senders, sending, mediaFiles }: FrontDeps): Call[] => [
  ...messageCalls({ app, senders, sending }),
  ...mediaCalls(senders),
  ...profileCalls({ senders, files: mediaFiles }),
  ...accountCalls(app),
  ...webhookCalls(app),
  ...passedCalls({ app, senders }),
  ...templateCalls(senders),
  ...uploadCalls,
  ...byIdCalls({
    GET: {
      number: withConfiguration(readNumber),
      account: analyticsOr(readAccount(app), { app, senders }),
      template: readTemplate,
      media: readMedia(app),
      unknown: ofUnknown("GET", { app, senders }),
    },
    POST: {
      number: configureOr(refusePin),
      account: updateAccount({ app, senders }),
      template: editTemplate,
      unknown: ofUnknown("POST", { app, senders }),
    },
    DELETE: { media: deleteMedia, unknown: ofUnknown("DELETE", { app, senders }) },
  }),
];
