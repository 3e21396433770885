import type { OwnValues } from "../../callback-parts.ts";
import { asText } from "../json.ts";
import { itemsOf, memberOf, membersOf, withMembers } from "../json-text.ts";

/**
 * The text of a message or status with what only means something between the provider and us left out: our own value, and addresses of
 * files, which the provider opens for its own tokens. Ids are the provider's.
 */
export function exchanged(item: string, own: OwnValues): string {
  const data = asText(JSON.parse(memberOf(item, "biz_opaque_callback_data") ?? "null"));
  const asked = memberOf(item, "message"); // the send that an echo is of, as it was requested
  const said = withMembers(item, {
    ...(data !== null && own.isOurs(data) ? { biz_opaque_callback_data: null } : {}),
    ...(asked?.startsWith("{") === true ? { message: exchanged(asked, own) } : {}),
  });
  return said.includes('"mime_type"') ? withoutAddresses(said) : said;
}

/** The provider nests no file deeper; the text may be of any depth. */
const MOST_DEPTH = 20;

function withoutAddresses(text: string, depth = 0): string {
  if (depth > MOST_DEPTH) return text;
  if (text.startsWith("["))
    return `[${itemsOf(text)
      .map((item) => withoutAddresses(item, depth + 1))
      .join(",")}]`;
  if (!text.startsWith("{")) return text;
  const members = membersOf(text);
  const isFile = members.some(({ name }) => name === "mime_type");
  const kept = members.filter(({ name }) => !(isFile && name === "url"));
  return `{${kept.map(({ key, value }) => `${key}:${withoutAddresses(value, depth + 1)}`).join(",")}}`;
}
