import { type Static, Type } from "typebox";
import { invalidAt } from "../../../http/problem.ts";
import { explained } from "../../../http/schema-types.ts";
import { messageType } from "./message-type.ts";

const LONGEST_LABEL = 1_024;
const MOST_DEGREES = { latitude: 90, longitude: 180 } as const;

const DEGREES = explained(String.raw`^-?\d{1,3}(\.\d{1,20})?$`, {
  detail: "must be degrees with a point, such as -122.15",
});

/** The provider's pages show degrees as texts, and clients send numbers: either goes to the provider as it came. */
const degrees = (name: keyof typeof MOST_DEGREES, example: number) =>
  Type.Unsafe<number | string>({
    type: ["number", "string"],
    minimum: -MOST_DEGREES[name],
    maximum: MOST_DEGREES[name],
    pattern: DEGREES,
    description: `Degrees from -${MOST_DEGREES[name]} to ${MOST_DEGREES[name]}, as a number or as a text of its digits.`,
    examples: [example],
  });

export const place = Type.Object(
  {
    latitude: degrees("latitude", 37.48),
    longitude: degrees("longitude", -122.15),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: LONGEST_LABEL })),
    address: Type.Optional(Type.String({ minLength: 1, maxLength: LONGEST_LABEL })),
  },
  { description: "A place, in degrees of WGS 84." },
);

export const location = messageType({
  name: "location",
  content: place,
  needsWindow: true,
  description: "A location.",
  shown: "For a location: its `latitude`, `longitude`, `name` and `address`.",
  check: checkPlace,
});

/** Throws the Problem of degrees that are a text and out of range: schemas compare numbers only. */
export function checkPlace(given: Static<typeof place>, at: string): void {
  for (const name of ["latitude", "longitude"] as const)
    if (Math.abs(Number(given[name])) > MOST_DEGREES[name])
      throw invalidAt(`${at}/${name}`, `Give degrees from -${MOST_DEGREES[name]} to ${MOST_DEGREES[name]}.`, "maximum");
}
