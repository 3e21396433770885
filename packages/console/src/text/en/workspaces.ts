import { figure, plural } from "./forms.ts";

export const workspaces = {
  title: "Workspaces",
  lead: "Enter one to see its messages as its own people do.",
  columns: { name: "Name", status: "Status", created: "Created", enter: "Enter" },
  enter: "Enter",
  enterNamed: (name: string) => `Enter ${name}`,
  empty: "There is no workspace yet",
  emptyHelp: "A workspace has its own people, numbers and keys; no other sees them.",
  create: "New workspace",
  creating: "Creating",
  name: "Name",
  nameHelp: "For people, such as its owner. Names need not be unique.",
  scopes: "Its first key may",
  firstKey: "First key",
  created: (name: string) => `The first key of ${name}`,
};

export const workspace = {
  notFound: "There is no such workspace",
  notFoundHelp: "Its id is wrong, or it was never here.",
  facts: "Facts",
  updated: "Changed",
  rename: "Rename",
  renaming: "Saving",
  keys: "API keys",
  keysHelp: "To rotate or revoke one, enter the workspace.",
  noKeys: "No key yet",
  noKeysHelp: "Its programs, and its people here, need one.",
  suspend: "Suspend",
  suspending: "Suspending",
  suspendAsk: (name: string) => `Suspend ${name}?`,
  suspendKeys: (live: number, isMore: boolean) => {
    if (isMore) return `More than ${figure(live)} keys are refused within 5 seconds, and its sessions here end.`;
    if (live === 0) return "It has no key that works. Its sessions here end.";
    return `${plural(live, { one: "# key is", other: "# keys are" })} refused within 5 seconds, and its sessions here end.`;
  },
  suspendUncounted: "Its keys are refused within 5 seconds, and its sessions here end.",
  suspendEffect: "Messages that were accepted are still sent, and what comes in is kept.",
  keepActive: "Keep it active",
  resume: "Resume",
  resuming: "Resuming",
  suspended: "It is suspended: its keys are refused until it is resumed.",
};
