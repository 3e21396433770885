import { figure } from "./forms.ts";

// What stands around every page.
export const product: string = "Waypost";
export const skip: string = "Skip to the content";
export const loading: string = "Loading";

export const nav = {
  label: "Pages",
  home: "Home",
  messages: "Messages",
  failures: "Failures",
  conversations: "Conversations",
  chats: "Chats",
  templates: "Templates",
  contacts: "Contacts",
  segments: "Segments",
  endpoints: "Webhooks",
  events: "Events",
  numbers: "Numbers",
  activity: "Activity",
  settings: "Settings",
  quarantine: "Quarantine",
  audit: "Audit",
  system: "System",
  workspaces: "Workspaces",
  reference: "API reference",
  phone: "Virtual phone",
  more: "More",
  narrow: "Collapse the bar",
  wide: "Expand the bar",
};

export const header = {
  signOut: "Sign out",
  theme: { label: "Colours", system: "As the system", light: "Light", dark: "Dark" },
  density: { label: "Rows", comfortable: "Comfortable", compact: "Compact" },
  language: { label: "Language", browser: "As the browser" },
  zone: { label: "Times", local: "Local", utc: "UTC" },
  account: (name: string) => `Signed in with ${name}`,
  operator: "Operator",
  live: { on: "Live", polling: "Every 10 s", off: "Offline" },
  liveMeans: {
    on: "Changes are shown as they happen.",
    polling: "There is no live connection; what is shown is read again every 10 seconds.",
    off: "This browser is offline. What is shown may be old.",
  },
  ends: (span: string) => `Your session ends in ${span}.`,
  extend: "Any click or key extends it.",
  signInAgain: "Sign in again to go on.",
  offline: "You are offline. What you see was read before.",
};

export const signIn = {
  title: "Sign in",
  key: "Key",
  keyHelp: "An API key of a workspace (wp_live_…), or the operator's key.",
  submit: "Sign in",
  busy: "Signing in",
  missing: "Enter a key.",
  where: "Where do I get one?",
  whereAnswers: [
    "npm start prints a link that signs in, and an API key.",
    "waypost console prints another link while npm start runs.",
    "Elsewhere the operator creates one with waypost key create.",
  ],
  kept: "The key is not stored in this browser: it gets a cookie that scripts cannot read.",
  ended: "Your session has ended. Sign in again.",
};

export const operatorBar = {
  inside: (workspace: string) =>
    `You are the operator, in the workspace ${workspace}. What you do here is in its audit log.`,
  leave: "Leave",
};

// What a person began and the gateway goes on with.
export const tray = {
  title: "What you began",
  running: (works: number) => `${figure(works)} running`,
  ended: (works: number) => `${figure(works)} done`,
  failed: (works: number) => `${figure(works)} failed`,
};
