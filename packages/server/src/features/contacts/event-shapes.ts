import { Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { anyObject, nullable } from "../../http/schema-types.ts";
import { eventShape } from "../events/event-shape.ts";
import { CONTACT_EXAMPLE, Contact } from "./schema.ts";

const { last_inbound_at: _inbound, windows: _windows, ...inEvents } = Contact.properties;
const { last_inbound_at: _at, windows: _open, ...snapshot } = CONTACT_EXAMPLE;
export const CONTACT_IN_EVENTS = snapshot;

/** The person of an event, for other features' shapes. */
export const ContactInEvents = Type.Object(inEvents, {
  $id: "ContactSnapshot",
  description: "A contact without what changes with each message.",
  examples: [CONTACT_IN_EVENTS],
});

const ErasedContact = Type.Object({ id: idSchema("con"), deleted: Type.Literal(true) });

export const CONTACT_SHAPE = eventShape({
  name: "ContactEvent",
  means: {
    contact_created: "A person has become a contact.",
    contact_updated: "What is known of a person has changed.",
    contact_merged: "Two contacts turned out to be one person; `merged_contact_id` is the one that is no more.",
    contact_deleted: "A person was erased; of the contact its id is left.",
    opted_out: "A person no longer takes marketing.",
    opted_in: "A person takes marketing.",
  },
  data: Type.Object({
    contact: Type.Union([ContactInEvents, ErasedContact, Type.Null()], {
      description:
        "As it is when the event is rendered, of consent as it was said then. Of one who was erased no more than the id; null where nothing is kept.",
    }),
    merged_contact_id: Type.Optional(
      idSchema("con", "Of `contact_merged`: the contact that was merged into this one."),
    ),
    source: nullable(
      Type.String(),
      "What led to it, such as `client` (a call of yours), `inbound_message`, `keyword`, `preference` or `import`.",
    ),
    provider_fields: Type.Optional(anyObject("What the provider said of a setting in its app, as it gave it.")),
  }),
  example: (kind) => ({
    contact:
      kind === "contact_deleted"
        ? { id: CONTACT_IN_EVENTS.id, deleted: true }
        : {
            ...CONTACT_IN_EVENTS,
            ...(kind.startsWith("opted") && { marketing_consent: kind, consent_source: "keyword" }),
          },
    ...(kind === "contact_merged" && { merged_contact_id: "con_01jd0000000000000000000001" }),
    source: kind.startsWith("opted") ? "keyword" : "client",
  }),
});
