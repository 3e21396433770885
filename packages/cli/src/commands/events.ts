import { printable, printJsonLine } from "../output.ts";
import { type Group, lists, type Option } from "./command.ts";

const FILTERS: readonly Option[] = [
  { name: "kind", does: "such as delivered" },
  { name: "message_id", does: "msg_…: of this message" },
  { name: "contact_id", does: "con_…: of this contact" },
];

export const group: Group = {
  name: "events",
  does: "what happened, as endpoints receive it",
  commands: [
    lists({
      name: "list",
      does: "list events, the oldest first",
      key: "workspace",
      operation: "events.list",
      example: "events list --kind failed --created-after 2030-01-31T00:00:00Z",
      options: [...FILTERS, { name: "created_after", does: "later than this", kind: "time" }],
      columns: ["id", "kind", "created_at", "data.message.id", "data.contact.id"],
      rows: async function* ({ workspace }, query) {
        yield* (await workspace()).events.list(query);
      },
    }),
    {
      name: "follow",
      does: "print events as they happen, until Ctrl-C",
      key: "workspace",
      operation: "events.stream",
      example: "events follow --kind delivered",
      options: [...FILTERS, { name: "cursor", does: "go on behind this event, evt_…" }],
      isEndless: true,
      run: async ({ workspace, given, signal, isJson, notice }) => {
        const filters: object = given;
        const stream = (await workspace()).events.stream(filters, { signal });
        stream.onConnection = (isOpen) => {
          if (isOpen) notice("events follow as they happen");
        };
        for await (const event of stream) {
          if (isJson) printJsonLine(event);
          else console.log(printable(`${event.created_at}  ${event.id}  ${event.kind}${subjectOf(event.data)}`));
        }
        return null;
      },
    },
  ],
};

/** The id of what the event is about, where it names one. */
function subjectOf(data: object): string {
  for (const value of Object.values(data))
    if (typeof value === "object" && value !== null && "id" in value) return `  ${String(value.id)}`;
  return "";
}
