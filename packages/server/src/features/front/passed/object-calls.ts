import { PAGE, type PassedCall } from "./passed-call.ts";
import { ACCOUNT_FIELDS, ASSET_FIELDS, FLOW_FIELDS, GROUP_FIELDS, LIBRARY_FIELDS } from "./rules.ts";

/** Of a group, which a phone number has. */
export const GROUP_CALLS: readonly PassedCall[] = [
  {
    method: "GET",
    path: "/{group}",
    summary: "Read a group",
    action: "group.read",
    fields: GROUP_FIELDS,
    parameters: [],
  },
  { method: "POST", path: "/{group}", summary: "Change a group", action: "group.update", files: true },
  { method: "DELETE", path: "/{group}", summary: "Delete a group", action: "group.delete" },
  {
    method: "GET",
    path: "/{group}/join_requests",
    summary: "List requests to join a group",
    action: "group_request.list",
    parameters: PAGE,
  },
  {
    method: "POST",
    path: "/{group}/join_requests",
    summary: "Approve requests to join",
    action: "group_request.approve",
  },
  {
    method: "DELETE",
    path: "/{group}/join_requests",
    summary: "Refuse requests to join",
    action: "group_request.refuse",
  },
  {
    method: "GET",
    path: "/{group}/invite_link",
    summary: "Read a group's invitation",
    action: "group_invitation.read",
    parameters: [],
  },
  {
    method: "POST",
    path: "/{group}/invite_link",
    summary: "Replace a group's invitation",
    action: "group_invitation.update",
  },
  {
    method: "DELETE",
    path: "/{group}/participants",
    summary: "Remove people from a group",
    action: "group_participant.delete",
  },
];

/** Of an account, and of its templates and flows. */
export const ACCOUNT_CALLS: readonly PassedCall[] = [
  {
    method: "GET",
    path: "/{account}",
    summary: "Read an account's analytics",
    action: "account_analytics.read",
    fields: ACCOUNT_FIELDS,
    parameters: [],
  },
  {
    method: "POST",
    path: "/{account}",
    summary: "Change an account's settings",
    action: "account_settings.update",
    parameters: [
      "messaging_product",
      "name",
      "timezone_id",
      "is_enabled_for_insights",
      "disable_marketing_messages_on_cloud_api",
      "degrees_of_freedom_spec",
    ],
  },
  {
    method: "GET",
    path: "/{account}/flows",
    summary: "List flows",
    action: "flow.list",
    fields: FLOW_FIELDS,
    parameters: PAGE,
  },
  {
    method: "POST",
    path: "/{account}/flows",
    summary: "Create a flow",
    action: "flow.create",
    parameters: ["name", "categories", "clone_flow_id", "endpoint_uri", "flow_json", "publish", "messaging_product"],
    flow: "clone_flow_id",
  },
  {
    method: "POST",
    path: "/{account}/upsert_message_templates",
    summary: "Create or change an authentication template in several languages",
    action: "template.upsert",
    changesTemplates: true,
  },
  {
    method: "GET",
    path: "/{account}/message_template_library",
    summary: "Search the provider's library of templates",
    action: "template_library.list",
    fields: LIBRARY_FIELDS,
    parameters: [...PAGE, "search", "topic", "usecase", "industry", "language", "name", "category"],
  },
];

export const TEMPLATE_CALLS: readonly PassedCall[] = [
  {
    method: "POST",
    path: "/{template}/unpause",
    summary: "Send a paused template again",
    action: "template.unpause",
    parameters: [],
    changesTemplates: true,
  },
  {
    method: "GET",
    path: "/{template}/compare",
    summary: "Compare templates",
    action: "template.compare",
    parameters: ["template_ids", "start", "end"],
    templates: "template_ids",
  },
];

export const FLOW_CALLS: readonly PassedCall[] = [
  {
    method: "GET",
    path: "/{flow}",
    summary: "Read a flow",
    action: "flow.read",
    fields: FLOW_FIELDS,
    parameters: ["date_format"],
  },
  {
    method: "POST",
    path: "/{flow}",
    summary: "Change a flow",
    action: "flow.update",
    parameters: ["name", "categories", "endpoint_uri", "messaging_product"],
  },
  {
    method: "DELETE",
    path: "/{flow}",
    summary: "Delete a flow that is a draft",
    action: "flow.delete",
    parameters: [],
  },
  {
    method: "GET",
    path: "/{flow}/assets",
    summary: "List a flow's files",
    action: "flow_asset.list",
    fields: ASSET_FIELDS,
    parameters: PAGE,
  },
  {
    method: "POST",
    path: "/{flow}/assets",
    summary: "Upload a flow's JSON",
    action: "flow_asset.create",
    parameters: ["name", "asset_type", "messaging_product"],
    files: true,
  },
  { method: "POST", path: "/{flow}/publish", summary: "Publish a flow", action: "flow.publish", parameters: [] },
  { method: "POST", path: "/{flow}/deprecate", summary: "Deprecate a flow", action: "flow.deprecate", parameters: [] },
];
