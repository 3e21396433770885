import { type Static, Type } from "typebox";
import { invalidAt } from "../../../http/problem.ts";
import { WEB_ADDRESS } from "../../../http/schema-types.ts";

/** The provider's limit of a caption, in characters. */
const LONGEST_CAPTION = 1_024;
const LONGEST_URL = 2_048;

/** Schema of a public URL. */
export const webUrl = (description: string) =>
  Type.String({
    maxLength: LONGEST_URL,
    pattern: WEB_ADDRESS,
    description,
    examples: ["https://cdn.example/a.jpg"],
  });

/** Where the file of a message is: the provider takes exactly one of the two. */
export const source = {
  id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: "The id of media that is available: `med_…`." }),
  ),
  link: Type.Optional(
    webUrl("The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes."),
  ),
};
const Source = Type.Object(source);

export const caption = {
  caption: Type.Optional(Type.String({ minLength: 1, maxLength: LONGEST_CAPTION })),
};

const LONGEST_FILENAME = 255;

export const filename = {
  filename: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LONGEST_FILENAME,
      description: "The name that the person sees; its extension decides about the icon.",
    }),
  ),
};

/** Throws the Problem of media that is not given by exactly one of the two; `at` points at its object. */
export function checkSource({ id, link }: Static<typeof Source>, at: string): void {
  if (id !== undefined && link !== undefined)
    throw invalidAt(`${at}/id`, "Give the media either by its `id` or by a `link`, not both.");
  if (id === undefined && link === undefined)
    throw invalidAt(`${at}/link`, "Give the media by a `link`, or by the `id` of an upload.", "required");
}
