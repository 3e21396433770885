import { Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { nullable } from "../../http/schema-types.ts";
import { formatId } from "../../lib/ids.ts";
import { eventGroup } from "../events/event-groups.ts";
import { eventShape } from "../events/event-shape.ts";
import { MEDIA_EXAMPLE, Media } from "./schema.ts";

const MESSAGE_ID = "msg_01jd0000000000000000000000";
const INBOUND_EXAMPLE = { ...MEDIA_EXAMPLE, source: "inbound" as const, message_id: MESSAGE_ID, filename: null };
const FAILED = {
  status: "failed" as const,
  size: null,
  sha256: null,
  error: { code: "media_failed" as const, detail: "The provider no longer has the file.", retryable: false },
};

const MEDIA_SHAPE = eventShape({
  name: "MediaEvent",
  means: {
    media_available: "A file that a person sent is here: its content can be read.",
    media_failed: "A file could not be had from the provider, or was not clean; `data.media.error` says why.",
  },
  data: Type.Object({
    media: nullable(Media, "As it was then; null once the person was erased."),
    message_id: nullable(idSchema("msg"), "The message that it came in; null of an upload."),
    contact_id: nullable(idSchema("con"), "Who sent it; null of an upload."),
  }),
  example: (kind) => ({
    media: { ...INBOUND_EXAMPLE, ...(kind === "media_failed" ? FAILED : {}) },
    message_id: MESSAGE_ID,
    contact_id: "con_01jd0000000000000000000000",
  }),
});

/** What became of files. `state` has the media as it was rendered, and the uuid of its person. */
export const MEDIA_EVENTS = eventGroup({
  category: "media",
  kinds: ["media_available", "media_failed"],
  shapes: [MEDIA_SHAPE],
  data({ state, isErased }) {
    const { media, message_id: message, contact_id: contact } = state;
    return {
      media: isErased ? null : media,
      message_id: typeof message === "string" ? formatId("msg", message) : null,
      contact_id: typeof contact === "string" ? formatId("con", contact) : null,
    };
  },
});
