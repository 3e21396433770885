import { type Group, ID, lists, shows } from "./command.ts";

export const group: Group = {
  name: "contacts",
  does: "contacts; see also `waypost import` and `waypost export`",
  commands: [
    lists({
      name: "list",
      does: "list contacts, the newest first",
      key: "workspace",
      operation: "contacts.list",
      example: "contacts list --tag vip",
      options: [
        { name: "phone", does: "the person with this number, in any of its forms" },
        { name: "tag", does: "those with this tag" },
        { name: "segment_id", does: "seg_…: those in this segment" },
        { name: "q", does: "those with this text in a name, address, number or attribute" },
        { name: "marketing_consent", does: "one of", choices: ["unknown", "opted_in", "opted_out"] },
        { name: "created_after", does: "later than this", kind: "time" },
        { name: "updated_after", does: "changed later than this", kind: "time" },
        { name: "sort", does: "the second the oldest change first", choices: ["created_at", "updated_at"] },
      ],
      columns: ["id", "phone", "name", "tags", "marketing_consent", "last_inbound_at", "created_at"],
      rows: async function* ({ workspace }, query) {
        yield* (await workspace()).contacts.list(query);
      },
    }),
    shows({
      name: "show",
      does: "show a contact with its windows",
      key: "workspace",
      operation: "contacts.get",
      example: "contacts show con_01jd0000000000000000000000",
      argument: ID("con_", "the contact"),
      one: async ({ workspace, argument }) => (await workspace()).contacts.get(argument),
    }),
  ],
};
