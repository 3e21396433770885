import { Type } from "typebox";
import { idParams, uuidOfPath } from "../../http/ids.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import {
  awaitConnection,
  type ConnectionDeps,
  connectAccount,
  disconnectAccount,
  getAccount,
  listAccounts,
  updateAccount,
} from "./account.ts";
import type { NumberHealth } from "./numbers/health.ts";
import { PhoneNumberHealth } from "./numbers/health-schema.ts";
import { getNumber, listNumbers, updateNumber } from "./numbers/phone-number.ts";
import { profileRoutes } from "./numbers/profile-routes.ts";
import {
  BusinessAccount,
  BusinessAccountChange,
  BusinessAccountList,
  ListQuery,
  NewBusinessAccount,
  PhoneNumber,
  PhoneNumberChange,
  PhoneNumberList,
} from "./schema.ts";
import type { Verifier } from "./verify.ts";

const READ = { tag: "Accounts", auth: "workspace", scope: "accounts:read", limitedKeys: "own" } as const;
const WRITE = { tag: "Accounts", auth: "workspace", scope: "accounts:write" } as const;

export type AccountRouteDeps = ConnectionDeps & { verifier: Verifier; health: NumberHealth };

export const accountRoutes = (deps: AccountRouteDeps): AnyRoute[] => [
  ...businessAccountRoutes(deps),
  updateRoute(deps),
  ...phoneNumberRoutes(deps),
  healthRoute(deps),
  ...profileRoutes(deps.senders),
];

const businessAccountRoutes = ({ taskWaiters, senders, parts, verifier }: AccountRouteDeps): AnyRoute[] => [
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/business-accounts",
    summary: "Connect a business account",
    description:
      "Returns 201 once the provider has accepted the token and the account's phone numbers and templates are imported. Returns 422 `provider_rejected` if the provider refuses the token: nothing is stored, and an account that is already connected keeps working with its current token. Returns 202 if the result is not known after 10 seconds, or if several accounts of this workspace are already being verified; the work then continues in the background. In that case, poll the account: it becomes `connected`, `restricted` while the provider does not let it send, or `disconnected`, with the provider's explanation in `status_reason`. An account that was connected before keeps its status and its token, with the refusal in `status_reason`. Returns 409 `conflict` if the account or one of its phone numbers is connected in another workspace. For an account that already exists, the call replaces its token; a restriction stays until the provider lifts it.",
    action: "business_account.connect",
    body: NewBusinessAccount,
    status: 201,
    otherStatuses: [202],
    response: BusinessAccount,
    errors: ["provider_rejected", "conflict"],
    before: (ctx, { body }) =>
      verifier.verify(ctx, { providerAccountId: body.provider_account_id, accessToken: body.access_token }),
    verb: function connectOneAccount(ctx, input, verified) {
      return connectAccount(ctx, input, verified, parts);
    },
    after: (ctx, answer) => awaitConnection(ctx, { taskWaiters, senders }, answer),
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/business-accounts",
    summary: "List business accounts",
    description: "Includes disconnected accounts. Each account has its phone numbers.",
    action: "business_account.list",
    query: ListQuery,
    status: 200,
    response: BusinessAccountList,
    verb: listAccounts,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/business-accounts/{id}",
    summary: "Get a business account",
    description:
      "While its status is `connecting`, poll the account. If the connection fails, `status_reason` gives the reason.",
    action: "business_account.read",
    params: idParams("acc"),
    status: 200,
    response: BusinessAccount,
    verb: getAccount,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "DELETE",
    path: "/v1/business-accounts/{id}",
    summary: "Disconnect a business account",
    description:
      "Erases the account's token. The account stays in the list as `disconnected`, and its phone numbers can no longer send. Callbacks of the account are still taken, so that the statuses of messages that were sent are not lost; to end them, remove the app from the account at the provider. Connected again, account and phone numbers keep their ids. A default phone number stays the default one: sends without `from` are refused until another is. An account that was never connected is deleted.",
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

/** Sets what a send must name of its account. */
const updateRoute = ({ senders }: AccountRouteDeps): AnyRoute =>
  route({
    ...WRITE,
    kind: "write",
    method: "PATCH",
    path: "/v1/business-accounts/{id}",
    summary: "Update a business account",
    description:
      "Sets or clears the Messaging account that sends name at the provider. You need it only where the provider has several Messaging accounts for a phone number. It holds for all messages that are sent from then on, also for those that wait and for repeated tries; processes other than the one that answers follow within 4 seconds. All other fields come from the provider.",
    action: "business_account.update",
    params: idParams("acc"),
    body: BusinessAccountChange,
    status: 200,
    response: BusinessAccount,
    verb: updateAccount,
    after: (_ctx, answer) => {
      senders.changed(uuidOfPath("acc", answer.body.id));
      return Promise.resolve(answer);
    },
  });

const healthRoute = ({ health }: AccountRouteDeps): AnyRoute =>
  route({
    ...READ,
    // It waits for the provider, which no transaction of ours does.
    kind: "own",
    method: "GET",
    path: "/v1/phone-numbers/{id}/health",
    summary: "Get the health of a phone number",
    description:
      "Checks what the phone number needs to send and to be reached, and says what to do. The provider is asked, at most once a minute while it answers well; where it cannot be asked a check's `ok` is null. Looking changes nothing, but for a refusal that is about the account: it has the same consequences as that of a send.",
    operationId: "phoneNumbers.getHealth",
    action: "phone_number_health.read",
    params: idParams("num"),
    status: 200,
    response: PhoneNumberHealth,
    verb: function getNumberHealth(ctx, input) {
      return health.of(ctx, input);
    },
  });

const phoneNumberRoutes = ({ senders }: AccountRouteDeps): AnyRoute[] => [
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/phone-numbers",
    summary: "List phone numbers",
    description:
      "The phone numbers of all business accounts. A phone number can send while its `status` is `connected`.",
    action: "phone_number.list",
    query: ListQuery,
    status: 200,
    response: PhoneNumberList,
    verb: listNumbers,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/phone-numbers/{id}",
    summary: "Get a phone number",
    description:
      "Quality, throughput and messaging limit are as last reported by the provider; the service allowance is counted here.",
    action: "phone_number.read",
    params: idParams("num"),
    status: 200,
    response: PhoneNumber,
    verb: getNumber,
  }),
  route({
    ...WRITE,
    limitedKeys: "own",
    kind: "write",
    method: "PATCH",
    path: "/v1/phone-numbers/{id}",
    summary: "Update a phone number",
    description:
      "Changes your note and whether this is the default phone number, which a key that is limited to phone numbers cannot. All other fields come from the provider.",
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
