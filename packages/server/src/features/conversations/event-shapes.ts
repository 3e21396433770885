import { Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { nullable } from "../../http/schema-types.ts";
import { eventShape } from "../events/event-shape.ts";
import { Conversation } from "./schema.ts";

const { contact, owner } = Conversation.properties;
const [ID, AT] = ["con_01jd0000000000000000000000", "2026-01-31T09:30:00.000Z"];

export const CONVERSATION_SHAPE = eventShape({
  name: "ConversationEvent",
  means: {
    thread_taken: "You, or another responder, answer a conversation from now on.",
    thread_released: "A conversation has no owner any more; the provider routes the person's next message.",
  },
  data: Type.Object({
    conversation: Type.Object({
      contact_id: nullable(idSchema("con"), "Null once the person was erased."),
      phone_number_id: nullable(idSchema("num")),
      contact: nullable(contact, "Null once the person was erased."),
    }),
    previous_owner: nullable(owner, "Null where it is not known."),
    owner: nullable(owner),
  }),
  example: (kind) => ({
    conversation: {
      contact_id: ID,
      phone_number_id: "num_01jd0000000000000000000000",
      contact: { id: ID, name: "Ana", phone: "+15551230001" },
    },
    previous_owner: { role: "other", since: "2026-01-31T09:00:00.000Z" },
    owner: { role: kind === "thread_taken" ? "self" : "none", since: AT },
  }),
});
