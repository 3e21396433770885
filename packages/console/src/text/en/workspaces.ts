export const workspaces = {
  title: "Workspaces",
  lead: "Enter one to see its messages as its own people do.",
  columns: { name: "Name", status: "Status", created: "Created", enter: "Enter" },
  enter: "Enter",
  enterNamed: (name: string) => `Enter ${name}`,
  empty: "There is no workspace yet",
  emptyHelp: "Create one with the command line, then look at it here.",
};
