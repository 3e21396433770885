import { idParams } from "../../../http/ids.ts";
import { type AnyRoute, route } from "../../../http/route.ts";
import { getSignupConfig } from "./config.ts";
import type { SignupRunner } from "./runner.ts";
import {
  EmbeddedSignup,
  EmbeddedSignupConfig,
  EmbeddedSignupList,
  ListSignups,
  NewEmbeddedSignup,
  SignupResume,
} from "./schema.ts";
import { createSignup, getSignup, listSignups, requireStart, resumeSignup, startSignup } from "./signup.ts";

const READ = { tag: "Accounts", auth: "workspace", scope: "accounts:read" } as const;
const WRITE = { tag: "Accounts", auth: "workspace", scope: "accounts:write" } as const;

export const signupRoutes = (runner: SignupRunner): AnyRoute[] => [
  ...READ_ROUTES,
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/embedded-signups",
    summary: "Create an embedded signup",
    description:
      "Connects the account that a customer has granted in the provider's embedded signup dialog, by the code that the dialog returned. Returns 202; the steps are then done in the background, one after the other: `exchange` the code for the customer's token, `inspect_token`, `verify_ownership` of account and phone number by the token alone, `subscribe` to the account's callbacks, `register` its phone numbers, `import`. Poll the signup; when it is `completed`, the account is connected and the event `signup_completed` is sent. While the provider is away a step is tried again for a day. A refusal ends the signup as `failed`, and the step says what to do before you resume it. An account that this workspace has connected already gets the new token. Returns 409 `conflict` if the operator has not set up an app.",
    action: "embedded_signup.create",
    body: NewEmbeddedSignup,
    shortSecret: true,
    status: 202,
    response: EmbeddedSignup,
    errors: ["conflict"],
    before: (ctx) => requireStart(ctx, runner),
    verb: function createEmbeddedSignup(ctx, input) {
      return createSignup(ctx, input, runner);
    },
    after: (ctx, answer) => startSignup(ctx, answer, runner),
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/embedded-signups/{id}/resume",
    summary: "Resume an embedded signup",
    description:
      "Goes on with the step at which the signup has failed, or at once where it waits for its next try. With another account or phone number their ownership is verified again; with a new code the signup begins again. Code, token and PIN of a signup that failed are erased after 7 days: it needs a new code then. A signup that is completed is returned as it is. Returns 409 `conflict` if there is neither a code nor a token to go on with, or if values are given while a step is running or after the completion.",
    action: "embedded_signup.resume",
    params: idParams("sgn"),
    body: SignupResume,
    bodyOptional: true,
    shortSecret: true,
    status: 202,
    response: EmbeddedSignup,
    errors: ["conflict"],
    before: (ctx) => requireStart(ctx, runner),
    verb: function resumeEmbeddedSignup(ctx, input) {
      return resumeSignup(ctx, input, runner);
    },
    after: (ctx, answer) => startSignup(ctx, answer, runner),
  }),
];

const READ_ROUTES: readonly AnyRoute[] = [
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/embedded-signups",
    summary: "List embedded signups",
    description: "Newest first. A signup can be read for 90 days after it has ended.",
    action: "embedded_signup.list",
    query: ListSignups,
    status: 200,
    response: EmbeddedSignupList,
    verb: listSignups,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/embedded-signups/config",
    summary: "Get the signup dialog",
    description:
      "What a page needs to open the provider's signup dialog of this gateway. The dialog returns to `redirect_uri` with a `code` for `POST /v1/embedded-signups`, or with an `error`.",
    operationId: "embeddedSignups.getConfig",
    action: "embedded_signup_config.read",
    status: 200,
    response: EmbeddedSignupConfig,
    verb: getSignupConfig,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/embedded-signups/{id}",
    summary: "Get an embedded signup",
    description: "A signup can be read for 90 days after it has ended.",
    action: "embedded_signup.read",
    params: idParams("sgn"),
    status: 200,
    response: EmbeddedSignup,
    verb: getSignup,
  }),
];
