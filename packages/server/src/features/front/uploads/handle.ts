import { formatId, parseId } from "../../../lib/ids.ts";
import { digitsOfUuid, uuidOfDigits } from "../../media/digits.ts";

/** As the provider's own, which begin with a number and a colon. */
const HANDLE = /^4:(\d{31,39})$/;

/** The handle of an uploaded file: it names a media (`med_…`) of the workspace, and is nothing in another one. */
export function handleOf(mediaId: string): string {
  const uuid = parseId("med", mediaId);
  if (uuid === null) throw new Error(`${mediaId} is no id of a media`);
  return `4:${digitsOfUuid(uuid)}`;
}

/** The media that a handle or the number of a media names, `med_…`; null for a handle of the provider's, and for any other text. */
export function mediaOfHandle(text: string): string | null {
  const uuid = uuidOfDigits(HANDLE.exec(text)?.[1] ?? text);
  return uuid === null ? null : formatId("med", uuid);
}
