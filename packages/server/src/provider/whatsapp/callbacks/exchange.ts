import type { OwnFile, OwnValues } from "../../callback-parts.ts";
import { filesIn, MOST_FILE_DEPTH } from "../../message-files.ts";
import { MOST_ID_DEPTH, namesAnId } from "../../message-ids.ts";
import { asId, asText } from "../json.ts";
import { itemsOf, memberOf, membersOf, withMember, withMembers } from "../json-text.ts";

/**
 * The text of a message or status with what only means something between the provider and us exchanged: the client's value stands in place of
 * ours, or none, files have ids and addresses of ours, and messages the ids under which they are known. An address of the provider's,
 * which it opens for its own tokens, goes nowhere. Other ids are the provider's.
 */
export function exchanged(item: string, own: OwnValues): string {
  const data = asText(JSON.parse(memberOf(item, DATA) ?? "null"));
  const asked = memberOf(item, "message"); // the send that an echo is of, as it was requested
  const { files: _files, publicId = null, clientValue = null, ids, ...others } = own;
  const whole = withMembers(item, {
    ...(data !== null && own.isOurs(data) ? { [DATA]: null } : {}),
    ...(clientValue === null ? {} : { [DATA]: null }),
    ...(publicId === null ? {} : { id: JSON.stringify(publicId) }),
    ...(asked?.startsWith("{") === true ? { message: exchanged(asked, others) } : {}),
  });
  const named = ids === undefined || ids.size === 0 ? whole : withOwnIds(whole, ids);
  const said = clientValue === null ? named : withMember(named, DATA, clientValue);
  return said.includes('"mime_type"') ? withOwnFiles(said, ownFilesOf(said, own.files ?? [])) : said;
}

const DATA = "biz_opaque_callback_data";

function withOwnIds(text: string, ids: ReadonlyMap<string, string>, depth = 0): string {
  if (depth > MOST_ID_DEPTH) return text;
  if (text.startsWith("["))
    return `[${itemsOf(text)
      .map((item) => withOwnIds(item, ids, depth + 1))
      .join(",")}]`;
  if (!text.startsWith("{")) return text;
  const written = membersOf(text).map(({ name, key, value }) => {
    const own = namesAnId(name) && value.startsWith('"') ? ids.get(JSON.parse(value) as string) : undefined; // a string
    return `${key}:${own === undefined ? withOwnIds(value, ids, depth + 1) : JSON.stringify(own)}`;
  });
  return `{${written.join(",")}}`;
}

/** Ours, by the provider's id of each; none where these are not the files that were kept of the message. */
function ownFilesOf(item: string, own: readonly OwnFile[]): ReadonlyMap<string, OwnFile> {
  const files = filesIn(JSON.parse(item), "");
  if (files.length !== own.length) return new Map();
  return new Map(files.flatMap(({ id }, index) => (own[index] === undefined ? [] : [[id, own[index]]])));
}

function withOwnFiles(text: string, own: ReadonlyMap<string, OwnFile>, depth = 0): string {
  if (depth > MOST_FILE_DEPTH) return text;
  if (text.startsWith("["))
    return `[${itemsOf(text)
      .map((item) => withOwnFiles(item, own, depth + 1))
      .join(",")}]`;
  if (!text.startsWith("{")) return text;
  const members = membersOf(text);
  const isFile = members.some(({ name }) => name === "mime_type");
  const file = isFile ? own.get(asId(JSON.parse(memberOf(text, "id") ?? "null")) ?? "") : undefined;
  const written = members
    .filter(({ name }) => !(isFile && name === "url"))
    .map(({ name, key, value }) =>
      file !== undefined && name === "id"
        ? `${key}:${JSON.stringify(file.id)}`
        : `${key}:${withOwnFiles(value, own, depth + 1)}`,
    );
  if (file !== undefined) written.push(`"url":${JSON.stringify(file.url)}`);
  return `{${written.join(",")}}`;
}
