import { figure, plural } from "./forms.ts";

export const system = {
  title: "System",
  lead: "The processes, their work, and the database.",
  processes: "Processes",
  process: { id: "Process", roles: "Roles", version: "Version", slots: "Slots", lease: "Lease ends" },
  queues: "Work",
  queue: { kind: "Kind", rows: "Rows", owned: "Slots with a process", oldest: "Oldest since" },
  kinds: {
    dispatch: "Sending",
    deliver: "Webhooks",
    redeliver: "Webhooks again",
    ingest: "Callbacks",
    task: "Tasks",
    fetch: "Files",
  } as Readonly<Record<string, string>>,
  owned: (owned: number, all: number) => `${figure(owned)} of ${figure(all)}`,
  nothing: "Nothing waits",
  still: "Some work has no process: start one with the roles that are missing.",
  pending: (names: string) => `Migrations are missing: ${names}. Run waypost migrate.`,
  facts: "Database",
  version: "Version of the gateway",
  server: "PostgreSQL",
  size: "Size",
  migrations: "Migrations",
  latest: "Latest migration",
};

export const quarantine = {
  title: "Quarantine",
  lead: "What callbacks said and could not be taken. Nothing of it is lost: it can be taken again.",
  columns: {
    reason: "Reason",
    about: "Number or account",
    replays: "Failed replays",
    next: "Next try",
    created: "Since",
  },
  replay: "Take again",
  replayNamed: (id: string) => `Take ${id} again`,
  replaying: "Taking",
  replayAll: "Take all of this reason again",
  replayAllAsk: (reason: string) => `Take all again that wait as “${reason}”?`,
  replayAllEffect: "They go back into the queue in their order. What still cannot be taken comes back here.",
  replayed: (count: number, isMore: boolean) =>
    `${plural(count, { one: "# is taken", other: "# are taken" })} again${isMore ? "; there are more of them" : ""}.`,
  filters: { reason: "Reason" },
  empty: "Nothing is in quarantine",
  emptyHelp: "All that the provider said was understood and had an owner.",
  none: "Nothing waits for this reason",
};
