import { type Group, ID, lists, shows, text } from "./command.ts";

const COLUMNS = ["id", "name", "status", "created_at"];
const WORKSPACE = ID("ws_", "the workspace");

export const group: Group = {
  name: "workspace",
  does: "workspaces, with the operator key",
  commands: [
    lists({
      name: "list",
      does: "list all workspaces, the newest first",
      key: "operator",
      operation: "workspaces.list",
      example: "workspace list --limit 100",
      columns: COLUMNS,
      rows: async function* ({ operator }, query) {
        yield* (await operator()).workspaces.list(query);
      },
    }),
    shows({
      name: "create",
      does: "create a workspace",
      key: "operator",
      operation: "workspaces.create",
      example: 'workspace create --name "Acme"',
      options: [{ name: "name", does: "as people know it", isRequired: true }],
      one: async ({ operator, given }) => (await operator()).workspaces.create({ name: text(given, "name") }),
    }),
    shows({
      name: "show",
      does: "show a workspace; without an id that of the API key, with its limits",
      key: "either",
      example: "workspace show",
      argument: { ...WORKSPACE, isOptional: true },
      one: async ({ argument, operator, workspace }) =>
        argument === "" ? (await workspace()).workspace.get() : (await operator()).workspaces.get(argument),
    }),
    shows({
      name: "rename",
      does: "give a workspace another name",
      key: "operator",
      operation: "workspaces.update",
      example: 'workspace rename ws_01jd0000000000000000000000 --name "Acme Europe"',
      argument: WORKSPACE,
      options: [{ name: "name", does: "the new one", isRequired: true }],
      one: async ({ operator, argument, given }) =>
        (await operator()).workspaces.update(argument, { name: text(given, "name") }),
    }),
    shows({
      name: "suspend",
      does: "refuse the calls of a workspace from now on; what was accepted is still sent",
      key: "operator",
      example: "workspace suspend ws_01jd0000000000000000000000",
      argument: WORKSPACE,
      one: async ({ operator, argument }) => (await operator()).workspaces.update(argument, { status: "suspended" }),
    }),
    shows({
      name: "resume",
      does: "end the suspension of a workspace",
      key: "operator",
      example: "workspace resume ws_01jd0000000000000000000000",
      argument: WORKSPACE,
      one: async ({ operator, argument }) => (await operator()).workspaces.update(argument, { status: "active" }),
    }),
  ],
};
