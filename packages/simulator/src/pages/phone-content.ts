import { isRecord, textOf } from "../lib/shape.ts";

// What the virtual phone shows of a message that is no template: its texts, and in brackets what a phone would draw.

/** `content` is what the request has under the name of the type. */
export function shownContent(type: string, content: unknown): string {
  const cards = recordsIn(content).map(({ name }) =>
    isRecord(name) ? `[contact ${textOf(name["formatted_name"])}]` : "",
  );
  const shown = lines(isRecord(content) ? (SHOWN[type] ?? mediaText)(content, type) : cards);
  return shown === "" ? `[${type}]` : shown;
}

type Content = Readonly<Record<string, unknown>>;

const SHOWN: Readonly<Record<string, (content: Content, type: string) => unknown[]>> = {
  text: ({ body }) => [body],
  location: ({ name, address, latitude, longitude }) => [
    name,
    address,
    `[location ${String(latitude)}, ${String(longitude)}]`,
  ],
  reaction: ({ emoji }) => [emoji === "" ? "[reaction removed]" : emoji],
  interactive: interactiveText,
};

function mediaText({ caption, filename, link, id }: Content, type: string): unknown[] {
  const source = textOf(filename) ?? textOf(link) ?? textOf(id);
  return [caption, source === undefined ? undefined : `[${type} ${source}]`];
}

function interactiveText({ type, header, body, footer, action }: Content): unknown[] {
  const head = isRecord(header) ? textOf(header["text"]) : undefined;
  const options = isRecord(action) ? optionsOf(action) : [];
  const kind = options.length === 0 ? [`[${textOf(type) ?? "interactive"}]`] : [];
  return [head, textIn(body), textIn(footer), ...kind, ...options.map((option) => `[${option}]`)];
}

/** What a person may choose: buttons, rows of a list, or the one thing that opens. */
function optionsOf({ buttons, sections, button, parameters }: Content): string[] {
  const replies = recordsIn(buttons).map(({ reply }) => (isRecord(reply) ? textOf(reply["title"]) : undefined));
  const rows = recordsIn(sections).flatMap(({ rows: of }) => recordsIn(of).map(({ title }) => textOf(title)));
  const opens = isRecord(parameters)
    ? (textOf(parameters["display_text"]) ?? textOf(parameters["flow_cta"]))
    : undefined;
  return [...replies, textOf(button), ...rows, opens].filter((option) => option !== undefined);
}

const textIn = (part: unknown): string | undefined => (isRecord(part) ? textOf(part["text"]) : undefined);
const recordsIn = (list: unknown): Content[] => (Array.isArray(list) ? list.filter(isRecord) : []);
const lines = (parts: readonly unknown[]): string =>
  parts.filter((part) => typeof part === "string" && part !== "").join("\n");
