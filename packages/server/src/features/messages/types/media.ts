import { type Static, Type } from "typebox";
import { invalidAt, problemAt } from "../../../http/problem.ts";

/** The provider's limit of a caption, in characters. */
const LONGEST_CAPTION = 1_024;
const LONGEST_URL = 2_048;

/** Where the file of a message is: the provider takes exactly one of the two. */
export const source = {
  id: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: "The id of uploaded media." })),
  link: Type.Optional(
    Type.String({
      maxLength: LONGEST_URL,
      pattern: String.raw`^https?://[^\s]+$`,
      description: "The URL of the file, which the provider downloads. It keeps the file of a URL for 10 minutes.",
      examples: ["https://cdn.example/a.jpg"],
    }),
  ),
};
const Source = Type.Object(source);

export const caption = {
  caption: Type.Optional(Type.String({ minLength: 1, maxLength: LONGEST_CAPTION })),
};

/** For the content of the type `name`. */
export const checkSource =
  (name: string) =>
  ({ id, link }: Static<typeof Source>): void => {
    if (id !== undefined && link !== undefined)
      throw invalidAt(`/${name}/id`, "Give the media either by its `id` or by a `link`, not both.");
    if (id !== undefined) throw problemAt("media_not_found", `/${name}/id`, "There is no such media.");
    if (link === undefined) throw invalidAt(`/${name}/link`, "Give the media by a `link`.", "required");
  };
