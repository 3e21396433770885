import { type Static, Type } from "typebox";
import { idSchema } from "../../../http/ids.ts";
import { listOf, listQuery } from "../../../http/pagination.ts";
import { explained, nullable } from "../../../http/schema-types.ts";
import { timestampOutput } from "../../../http/timestamps.ts";
import { PROVIDER_ID } from "../schema.ts";
import { STEP_CODES, STEPS } from "./step.ts";

/** Real codes have some hundred characters. */
const LONGEST_CODE = 2_048;

const BARE = explained("^[!-~]+$", {
  detail: "must be the bare code, as it came: without spaces and line ends before, in or behind it",
});
const code = (description: string) =>
  Type.String({ pattern: BARE, minLength: 1, maxLength: LONGEST_CODE, description });
const pin = () =>
  Type.String({
    pattern: explained("^[0-9]{6}$", { detail: "must be six digits" }),
    description:
      "The two-step PIN to register the phone numbers with, six digits. Needed for a number that has one already; by default a new one is chosen. Stored encrypted and never returned.",
  });
const redirectUri = () =>
  Type.String({
    pattern: explained("^https?://[!-~]+$", { detail: "must be an address with http or https" }),
    maxLength: LONGEST_CODE,
    description:
      "The `redirect_uri` that the dialog was opened with, if it sent the code to an address: the provider compares it. Leave it out for a code of the provider's script.",
  });
const providerId = (description: string) => Type.String({ pattern: PROVIDER_ID, description });

const ACCOUNT =
  "The id of the WhatsApp Business Account to connect, as the dialog reported it. Needed if the customer has granted several. Checked against the token: an account that was not granted is refused.";
const NUMBER =
  "The id of the phone number to register, one of the account's. By default every number that can be is registered.";

export const NewEmbeddedSignup = Type.Object(
  {
    code: code("The code that the provider's signup dialog returned. It lives for 30 seconds: send it at once."),
    provider_account_id: Type.Optional(providerId(ACCOUNT)),
    provider_phone_number_id: Type.Optional(providerId(NUMBER)),
    redirect_uri: Type.Optional(redirectUri()),
    pin: Type.Optional(pin()),
  },
  // The code of the simulator that `npm start` runs, for its own account.
  {
    $id: "NewEmbeddedSignup",
    examples: [{ code: "code-9001", provider_account_id: "9001", provider_phone_number_id: "1055" }],
  },
);
export type NewEmbeddedSignup = Static<typeof NewEmbeddedSignup>;

export const SignupResume = Type.Object(
  {
    code: Type.Optional(code("The code of a new dialog: the signup begins again with its token.")),
    provider_account_id: Type.Optional(nullable(providerId(ACCOUNT), ACCOUNT)),
    provider_phone_number_id: Type.Optional(nullable(providerId(NUMBER), `${NUMBER} Null: every one that can be.`)),
    redirect_uri: Type.Optional(redirectUri()),
    pin: Type.Optional(pin()),
  },
  { $id: "SignupResume", examples: [{ code: "code-9001" }] },
);
export type SignupResume = Static<typeof SignupResume>;

const ProviderError = Type.Object(
  {
    code: Type.Integer(),
    subcode: nullable(Type.Integer()),
    title: Type.String(),
    details: nullable(Type.String()),
    trace_id: nullable(Type.String()),
  },
  { description: "The provider's own error." },
);

const StepErrorSchema = Type.Object({
  code: Type.Enum([...STEP_CODES]),
  retryable: Type.Boolean({ description: "Whether the step is tried again without a call of yours." }),
  provider: nullable(ProviderError, "The provider's own error, if it reported one."),
});

const Step = Type.Object({
  name: Type.Enum([...STEPS]),
  status: Type.Enum(["pending", "done", "failed"]),
  detail: nullable(Type.String(), "What was done, or why it was not and what to do about it."),
  error: nullable(StepErrorSchema, "Why the step has failed, or why it is tried again."),
  completed_at: nullable(timestampOutput()),
});
export type SignupStep = Static<typeof Step>;

const DONE_AT = "2026-01-31T09:00:01.000Z";
const done = (name: string, detail: string | null) => ({
  name,
  status: "done",
  detail,
  error: null,
  completed_at: DONE_AT,
});

export const EmbeddedSignup = Type.Object(
  {
    id: idSchema("sgn"),
    status: Type.Enum(["pending", "running", "completed", "failed"]),
    provider_account_id: nullable(
      Type.String(),
      "The provider's id of the account: as it was given until `verify_ownership` is done.",
    ),
    provider_phone_number_id: nullable(Type.String(), "The phone number that was given; null for all of the account."),
    business_account_id: nullable(idSchema("acc"), "The connected account, once the signup is completed."),
    steps: Type.Array(Step, { description: "The steps, in the order in which they are done." }),
    created_at: timestampOutput(),
    updated_at: timestampOutput(),
    completed_at: nullable(timestampOutput()),
  },
  {
    $id: "EmbeddedSignup",
    examples: [
      {
        id: "sgn_01jd0000000000000000000000",
        status: "completed",
        provider_account_id: "9001",
        provider_phone_number_id: "1055",
        business_account_id: "acc_01jd0000000000000000000000",
        steps: [
          done("exchange", null),
          done("inspect_token", "The token does not expire."),
          done("verify_ownership", "Account 9001 with 1 phone number."),
          done("subscribe", null),
          done("register", "+15559990000 is registered."),
          done("import", "1 phone number and 6 templates."),
        ],
        created_at: "2026-01-31T09:00:00.000Z",
        updated_at: DONE_AT,
        completed_at: DONE_AT,
      },
    ],
  },
);
export type EmbeddedSignup = Static<typeof EmbeddedSignup>;
export const ListSignups = Type.Object(listQuery);
export const EmbeddedSignupList = listOf(EmbeddedSignup);

export const EmbeddedSignupConfig = Type.Object(
  {
    dialog_url: nullable(
      Type.String(),
      "The address of the provider's dialog. Add a `state` of your own: it comes back beside the `code`. Null while the operator has not set `PROVIDER_APP_ID` and `PROVIDER_SIGNUP_CONFIG_ID`.",
    ),
    app_id: nullable(Type.String(), "The operator's app at the provider."),
    config_id: nullable(Type.String(), "The configuration of the dialog."),
    redirect_uri: Type.String({
      description:
        "The page of this gateway to which the dialog returns: send it as `redirect_uri` beside the `code` of this dialog.",
    }),
  },
  {
    $id: "EmbeddedSignupConfig",
    examples: [
      {
        dialog_url:
          "https://www.facebook.com/v26.0/dialog/oauth?client_id=42&config_id=84&response_type=code&redirect_uri=https%3A%2F%2Fgateway.example%2Fsignup%2Freturn&override_default_response_type=true",
        app_id: "42",
        config_id: "84",
        redirect_uri: "https://gateway.example/signup/return",
      },
    ],
  },
);
export type EmbeddedSignupConfig = Static<typeof EmbeddedSignupConfig>;
