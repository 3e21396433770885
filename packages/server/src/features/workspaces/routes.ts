import { Type } from "typebox";
import { idParams } from "../../http/ids.ts";
import { listOf, listQuery } from "../../http/pagination.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { ApiKey, ApiKeyInput, NewApiKey } from "../keys/schema.ts";
import { OwnWorkspace, Workspace, WorkspaceChange, WorkspaceInput } from "./schema.ts";
import {
  createWorkspace,
  createWorkspaceKey,
  getOwnWorkspace,
  getWorkspace,
  listWorkspaceKeys,
  listWorkspaces,
  updateWorkspace,
} from "./workspace.ts";

const operator = { tag: "Operator", auth: "operator" } as const;

export const workspaceRoutes = (): AnyRoute[] => [ownWorkspace, ...workspacesOfOperator(), ...keysOfOperator()];

const ownWorkspace = route({
  kind: "read",
  method: "GET",
  path: "/v1/workspace",
  tag: "Workspace",
  auth: "workspace",
  scope: null,
  summary: "Get the workspace of this key",
  description: "The workspace with the calling API key, its scopes, and the limits that apply.",
  action: "workspace.read",
  status: 200,
  response: OwnWorkspace,
  verb: getOwnWorkspace,
});

const workspacesOfOperator = (): AnyRoute[] => [
  route({
    ...operator,
    kind: "write",
    method: "POST",
    path: "/admin/v1/workspaces",
    summary: "Create a workspace",
    description: "Creates an empty workspace; create its first API key next. Names need not be unique.",
    action: "workspace.create",
    body: WorkspaceInput,
    status: 201,
    response: Workspace,
    verb: createWorkspace,
  }),
  route({
    ...operator,
    kind: "read",
    method: "GET",
    path: "/admin/v1/workspaces",
    summary: "List workspaces",
    description: "Includes suspended workspaces.",
    action: "workspace.list",
    query: Type.Object(listQuery),
    status: 200,
    response: listOf(Workspace),
    verb: listWorkspaces,
  }),
  route({
    ...operator,
    kind: "read",
    method: "GET",
    path: "/admin/v1/workspaces/{id}",
    summary: "Get a workspace",
    description: "Any workspace of this gateway, by its id.",
    action: "workspace.read",
    params: idParams("ws"),
    status: 200,
    response: Workspace,
    verb: getWorkspace,
  }),
  route({
    ...operator,
    kind: "write",
    method: "PATCH",
    path: "/admin/v1/workspaces/{id}",
    summary: "Update a workspace",
    description:
      "Renames, suspends or reactivates a workspace. A suspension takes effect in every process within 5 seconds; messages that are already accepted are still sent.",
    action: "workspace.update",
    params: idParams("ws"),
    body: WorkspaceChange,
    status: 200,
    response: Workspace,
    verb: updateWorkspace,
  }),
];

const keysOfOperator = (): AnyRoute[] => [
  route({
    ...operator,
    kind: "write",
    method: "POST",
    path: "/admin/v1/workspaces/{id}/api-keys",
    summary: "Create an API key of a workspace",
    description:
      "The key is returned only in this response. It can have any scope; further keys can be created with the workspace's own keys.",
    action: "api_key.create",
    params: idParams("ws"),
    body: ApiKeyInput,
    status: 201,
    response: NewApiKey,
    errors: ["conflict"],
    verb: createWorkspaceKey,
  }),
  route({
    ...operator,
    kind: "read",
    method: "GET",
    path: "/admin/v1/workspaces/{id}/api-keys",
    summary: "List the API keys of a workspace",
    description: "Includes expired and revoked keys. The texts of keys are not returned.",
    action: "api_key.list",
    params: idParams("ws"),
    query: Type.Object(listQuery),
    status: 200,
    response: listOf(ApiKey),
    verb: listWorkspaceKeys,
  }),
];
