import type { Schema } from "../route.ts";
import { headerReferences } from "./parts.ts";

// What the document says of operations that send a stored file (http/file-answer.ts).

/** Headers by which such a request asks for a part, or for nothing it has already. */
export const FILE_REQUEST_HEADERS: Schema = {
  Range: {
    type: "string",
    description: "One range of bytes, such as `bytes=0-1023`. For several ranges the whole is sent.",
  },
  "If-Range": {
    type: "string",
    description: "The `ETag` of the file that the part is to be of: without a match the whole is sent.",
  },
  "If-None-Match": {
    type: "string",
    description: "The `ETag` of the file that you have: the answer is 304 while it is this one.",
  },
};

/** The answers beside `whole`, which is the one with all of the file; `common`: names of headers that all of them have. */
export const fileResponses = (whole: Schema, common: readonly string[]): Schema => ({
  200: { ...whole, description: "The whole file.", headers: headerReferences([...common, "Accept-Ranges", "ETag"]) },
  206: {
    ...whole,
    description: "The part that `Range` asks for.",
    headers: headerReferences([...common, "Accept-Ranges", "Content-Range", "ETag"]),
  },
  304: {
    description: "The file is the one that `If-None-Match` names. The response has no body.",
    headers: headerReferences([...common, "Accept-Ranges", "ETag"]),
  },
  416: {
    description:
      "`Range` begins behind the end of the file; `Content-Range` says how long that is. The response has no body.",
    headers: headerReferences([...common, "Accept-Ranges", "Content-Range", "ETag"]),
  },
});
