import { Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { nullable } from "../../http/schema-types.ts";
import { CONTACT_IN_EVENTS, ContactInEvents } from "../contacts/event-shapes.ts";
import { eventShape } from "../events/event-shape.ts";

const Call = Type.Object(
  {
    id: Type.String({ description: "The provider's id of the call." }),
    event: Type.Optional(Type.String({ description: "`connect` or `terminate`, of the call itself." })),
    direction: Type.Optional(Type.String({ description: "`USER_INITIATED` or `BUSINESS_INITIATED`." })),
    status: Type.Optional(Type.String({ description: "What became of it, in the provider's words." })),
    start_time: Type.Optional(Type.String({ description: "Unix seconds, as the provider gave them." })),
    end_time: Type.Optional(Type.String({ description: "Unix seconds, as the provider gave them." })),
    duration: Type.Optional(Type.Number({ description: "Seconds." })),
    phone_number_id: idSchema("num"),
  },
  { description: "As the provider reported it; what it did not say is absent." },
);

export const CALL_SHAPE = eventShape({
  name: "CallEvent",
  means: { call: "Something happened to a call between a person and one of your phone numbers." },
  data: Type.Object({
    call: nullable(Call, "The call; null once the person was erased."),
    contact: nullable(ContactInEvents, "The person; null once erased."),
  }),
  example: () => ({
    call: {
      id: "wacid.HBgLMTU1NTEyMzAwMDEVAgASGCAyRkY4",
      event: "connect",
      direction: "USER_INITIATED",
      phone_number_id: "num_01jd0000000000000000000000",
    },
    contact: CONTACT_IN_EVENTS,
  }),
});
