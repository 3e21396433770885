import { Type } from "typebox";
import { messageType } from "./message-type.ts";

const LONGEST_LABEL = 1_024;

/** Degrees. */
const degrees = (most: number) => Type.Number({ minimum: -most, maximum: most });

export const location = messageType({
  name: "location",
  content: Type.Object(
    {
      latitude: degrees(90),
      longitude: degrees(180),
      name: Type.Optional(Type.String({ minLength: 1, maxLength: LONGEST_LABEL })),
      address: Type.Optional(Type.String({ minLength: 1, maxLength: LONGEST_LABEL })),
    },
    { description: "A place, in degrees of WGS 84." },
  ),
  needsWindow: true,
  description: "A location.",
  shown: "For a location: its `latitude`, `longitude`, `name` and `address`.",
});
