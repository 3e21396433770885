import { linkOptions } from "@tanstack/react-router";
import type { ActivitySearch } from "./pages/activity/search.ts";
import type { ApiKeysSearch } from "./pages/api-keys/search.ts";
import type { ComposeSearch } from "./pages/compose/search.ts";
import type { ConnectSearch } from "./pages/connect/search.ts";
import type { ContactSearch } from "./pages/contact/search.ts";
import type { ContactsSearch } from "./pages/contacts/search.ts";
import type { ConversationsSearch } from "./pages/conversations/search.ts";
import type { DeliveriesSearch } from "./pages/deliveries/search.ts";
import type { EndpointSearch } from "./pages/endpoint/search.ts";
import type { EndpointsSearch } from "./pages/endpoints/search.ts";
import type { EventsSearch } from "./pages/events/search.ts";
import type { HomeSearch } from "./pages/home/search.ts";
import type { ImportSearch } from "./pages/import/search.ts";
import type { Tab } from "./pages/message/route-tabs.ts";
import type { MessagesSearch } from "./pages/messages/search.ts";
import type { NumberSearch } from "./pages/number/search.ts";
import type { NumbersSearch } from "./pages/numbers/search.ts";
import type { QuarantineSearch } from "./pages/quarantine/search.ts";
import type { SegmentsSearch } from "./pages/segments/search.ts";
import type { SettingsSearch } from "./pages/settings/search.ts";
import type { SignupSearch } from "./pages/signup/search.ts";
import type { TemplatesSearch } from "./pages/templates/search.ts";
import type { WorkspaceSearch } from "./pages/workspace/search.ts";
import type { WorkspacesSearch } from "./pages/workspaces/search.ts";

/** Fragment of a conversation's address: the place where a reply is written. */
export const REPLY = "reply";

/** Every link of the console is made here; spread one into `<Link>` or `navigate`. */
export const paths = {
  home: (search: HomeSearch = {}) => linkOptions({ to: "/", search }),
  failures: (search: HomeSearch = {}) => linkOptions({ to: "/failures", search }),
  messages: (search: MessagesSearch = {}) => linkOptions({ to: "/messages", search }),
  endpoints: (search: EndpointsSearch = {}) => linkOptions({ to: "/endpoints", search }),
  message: (id: string, tab?: Tab) =>
    linkOptions({ to: "/messages/$id", params: { id }, search: tab === undefined ? {} : { tab } }),
  endpoint: (id: string, search: EndpointSearch = {}) => linkOptions({ to: "/endpoints/$id", params: { id }, search }),
  deliveries: (search: DeliveriesSearch = {}) => linkOptions({ to: "/deliveries", search }),
  delivery: (id: string) => linkOptions({ to: "/deliveries/$id", params: { id } }),
  templates: (search: TemplatesSearch = {}) => linkOptions({ to: "/templates", search }),
  template: (id: string) => linkOptions({ to: "/templates/$id", params: { id } }),
  newTemplate: () => linkOptions({ to: "/templates/new" }),
  editTemplate: (id: string) => linkOptions({ to: "/templates/$id/edit", params: { id } }),
  conversations: (search: ConversationsSearch = {}) => linkOptions({ to: "/conversations", search }),
  conversation: (contact: string, number: string, search: ConversationsSearch = {}) =>
    linkOptions({ to: "/conversations/$contact/$number", params: { contact, number }, search }),
  /** The same with the cursor where a reply is written. */
  reply: (contact: string, number: string) => ({ ...paths.conversation(contact, number), hash: REPLY }),
  compose: (search: ComposeSearch = {}) => linkOptions({ to: "/messages/new", search }),
  contacts: (search: ContactsSearch = {}) => linkOptions({ to: "/contacts", search }),
  contact: (id: string, search: ContactSearch = {}) => linkOptions({ to: "/contacts/$id", params: { id }, search }),
  segments: (search: SegmentsSearch = {}) => linkOptions({ to: "/segments", search }),
  segment: (id: string) => linkOptions({ to: "/segments/$id", params: { id } }),
  newSegment: () => linkOptions({ to: "/segments/new" }),
  newImport: () => linkOptions({ to: "/contacts/import" }),
  import: (id: string, search: ImportSearch = {}) =>
    linkOptions({ to: "/contacts/imports/$id", params: { id }, search }),
  events: (search: EventsSearch = {}) => linkOptions({ to: "/events", search }),
  numbers: (search: NumbersSearch = {}) => linkOptions({ to: "/numbers", search }),
  number: (id: string, search: NumberSearch = {}) => linkOptions({ to: "/numbers/$id", params: { id }, search }),
  connect: (search: ConnectSearch = {}) => linkOptions({ to: "/numbers/connect", search }),
  signup: (id: string, search: SignupSearch = {}) => linkOptions({ to: "/signups/$id", params: { id }, search }),
  activity: (search: ActivitySearch = {}) => linkOptions({ to: "/activity", search }),
  settings: (search: SettingsSearch = {}) => linkOptions({ to: "/settings", search }),
  apiKeys: (search: ApiKeysSearch = {}) => linkOptions({ to: "/settings/keys", search }),
  quarantine: (search: QuarantineSearch = {}) => linkOptions({ to: "/operator/quarantine", search }),
  operatorAudit: (search: ActivitySearch = {}) => linkOptions({ to: "/operator/audit", search }),
  system: () => linkOptions({ to: "/operator/system" }),
  workspaces: (search: WorkspacesSearch = {}) => linkOptions({ to: "/operator/workspaces", search }),
  workspace: (id: string, search: WorkspaceSearch = {}) =>
    linkOptions({ to: "/operator/workspaces/$id", params: { id }, search }),
  signIn: (to?: string) => linkOptions({ to: "/sign-in", search: to === undefined ? {} : { to } }),
};
