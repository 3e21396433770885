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
  summary: "Read the workspace of this key",
  description: "With the key itself, its scopes, and the limits that hold.",
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
    summary: "Make a workspace",
    description: "A tenant with nothing in it; make its first key next. Names need not differ.",
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
    description: "All of them, suspended ones too.",
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
    summary: "Read a workspace",
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
    summary: "Rename or suspend a workspace",
    description: "A suspension holds everywhere within 5 seconds; what is already accepted goes on.",
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
    summary: "Make an API key of a workspace",
    description:
      "The key is in this answer alone. It may have any scopes; the workspace's own calls make further ones.",
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
    description: "Ended ones too, without their texts.",
    action: "api_key.list",
    params: idParams("ws"),
    query: Type.Object(listQuery),
    status: 200,
    response: listOf(ApiKey),
    verb: listWorkspaceKeys,
  }),
];
