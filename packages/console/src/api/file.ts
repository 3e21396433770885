import { ConnectionError } from "@waypost/sdk";
import { addressOf, refusalOf } from "./client.ts";

/**
 * All rows of a list of the API as a file of the type, such as `text/csv`. Throws `ApiError` for a refusal, and `ConnectionError` where the
 * rows break off: a part is never taken for the whole.
 */
export async function fileOf(path: string, type: string): Promise<Blob> {
  let answer: Response;
  try {
    answer = await fetch(addressOf(path), { headers: { accept: type } });
    if (answer.ok) return await answer.blob();
  } catch (cause) {
    throw new ConnectionError("the file did not arrive whole", { requestId: null, attempts: 1, cause });
  }
  throw await refusalOf(answer);
}
