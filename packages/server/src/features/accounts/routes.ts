import { Type } from "typebox";
import { idParams } from "../../http/ids.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import {
  awaitConnection,
  type ConnectionDeps,
  connectAccount,
  disconnectAccount,
  getAccount,
  listAccounts,
} from "./account.ts";
import { getNumber, listNumbers, updateNumber } from "./phone-number.ts";
import {
  BusinessAccount,
  BusinessAccountList,
  ListQuery,
  NewBusinessAccount,
  PhoneNumber,
  PhoneNumberChange,
  PhoneNumberList,
} from "./schema.ts";
import type { Verifier } from "./verify.ts";

const read = { kind: "read", auth: "workspace", scope: "accounts:read", status: 200, tag: "Accounts" } as const;
const write = { kind: "write", auth: "workspace", scope: "accounts:write", tag: "Accounts" } as const;

export type AccountRouteDeps = ConnectionDeps & { verifier: Verifier };

export const accountRoutes = (deps: AccountRouteDeps): AnyRoute[] => [
  ...businessAccountRoutes(deps),
  ...phoneNumberRoutes(deps),
];

const businessAccountRoutes = ({ jobs, senders, verifier }: AccountRouteDeps): AnyRoute[] => [
  route({
    ...write,
    method: "POST",
    path: "/v1/business-accounts",
    summary: "Connect a business account",
    description:
      "201 when the provider has taken the token and everything is imported. 422 `provider_rejected` when the provider says no: nothing is changed or kept then, and a connected account goes on with the token it has. 202 when neither is known after 10 seconds, or when several of this workspace's accounts are being verified already: the work goes on by itself. Read the account then: it becomes `connected`, or `disconnected` with the provider's words in `status_reason`; an account that was connected keeps its status and its token and has the refusal in `status_reason`. 409 `conflict` when the account or one of its numbers is connected in another workspace. For an account that is known the call brings a new token.",
    action: "business_account.connect",
    body: NewBusinessAccount,
    status: 201,
    otherStatuses: [202],
    response: BusinessAccount,
    errors: ["provider_rejected", "conflict"],
    before: (ctx, { body }) =>
      verifier.verify(ctx, { providerAccountId: body.provider_account_id, accessToken: body.access_token }),
    verb: connectAccount,
    after: (ctx, answer) => awaitConnection(ctx, { jobs, senders }, answer),
  }),
  route({
    ...read,
    method: "GET",
    path: "/v1/business-accounts",
    summary: "List business accounts",
    description: "Disconnected ones too, each with its phone numbers.",
    action: "business_account.list",
    query: ListQuery,
    response: BusinessAccountList,
    verb: listAccounts,
  }),
  route({
    ...read,
    method: "GET",
    path: "/v1/business-accounts/{id}",
    summary: "Read a business account",
    description: "While it is `connecting`, read it again: `status_reason` says why a connection did not come about.",
    action: "business_account.read",
    params: idParams("acc"),
    response: BusinessAccount,
    verb: getAccount,
  }),
  route({
    ...write,
    method: "DELETE",
    path: "/v1/business-accounts/{id}",
    summary: "Disconnect a business account",
    description:
      "Erases its token. The account stays in the list as `disconnected`; its numbers no longer send. One that was never connected is removed.",
    action: "business_account.disconnect",
    params: idParams("acc"),
    status: 204,
    response: Type.Null(),
    verb: disconnectAccount,
    after: (ctx, answer) => {
      senders.forget(ctx.workspaceId);
      return Promise.resolve(answer);
    },
  }),
];

const phoneNumberRoutes = ({ senders }: AccountRouteDeps): AnyRoute[] => [
  route({
    ...read,
    method: "GET",
    path: "/v1/phone-numbers",
    summary: "List phone numbers",
    description: "Of all business accounts. A number sends while its `status` is `connected`.",
    action: "phone_number.list",
    query: ListQuery,
    response: PhoneNumberList,
    verb: listNumbers,
  }),
  route({
    ...read,
    method: "GET",
    path: "/v1/phone-numbers/{id}",
    summary: "Read a phone number",
    description: "Quality, throughput and limit are what the provider last told.",
    action: "phone_number.read",
    params: idParams("num"),
    response: PhoneNumber,
    verb: getNumber,
  }),
  route({
    ...write,
    method: "PATCH",
    path: "/v1/phone-numbers/{id}",
    summary: "Change a phone number",
    description: "Your note on it, and whether it is the default. Everything else is the provider's.",
    action: "phone_number.update",
    params: idParams("num"),
    body: PhoneNumberChange,
    status: 200,
    response: PhoneNumber,
    verb: updateNumber,
    after: (ctx, answer) => {
      senders.forget(ctx.workspaceId);
      return Promise.resolve(answer);
    },
  }),
];
