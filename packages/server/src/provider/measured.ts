import type { Metrics } from "../lib/metrics.ts";
import { ERROR_CLASSES } from "./error-table.ts";
import type { PassedResult } from "./passed-calls.ts";
import type { CallResult, ErrorClass, Provider, SendOutcome } from "./provider.ts";

type Outcome = CallResult<unknown> | PassedResult | SendOutcome;
/** Functions of the port that call the provider. */
type CallName = {
  [Name in keyof Provider]: Provider[Name] extends (request: never) => Promise<infer Result>
    ? Result extends Outcome
      ? Name
      : never
    : never;
}[keyof Provider];

/** The `operation` of each call in the metrics. */
const OPERATIONS = {
  send: "send",
  markRead: "mark_read",
  listPhoneNumbers: "list_phone_numbers",
  listTemplates: "list_templates",
  getTemplate: "get_template",
  getAccount: "get_account",
  listSubscribedApps: "list_subscribed_apps",
  subscribe: "subscribe",
  createTemplate: "create_template",
  editTemplate: "edit_template",
  deleteTemplate: "delete_template",
  uploadSample: "upload_sample",
  uploadMedia: "upload_media",
  findMedia: "get_media",
  openMedia: "download_media",
  getProfile: "get_profile",
  updateProfile: "update_profile",
  controlThread: "control_thread",
  pass: "pass",
  exchangeCode: "exchange_code",
  inspectToken: "inspect_token",
  listRegistrations: "list_registrations",
  registerNumber: "register_number",
} as const satisfies Record<CallName, string>;

const CLASSES = Object.keys(ERROR_CLASSES) as ErrorClass[];
/** `lost`: bytes left and no answer says what became of them; `not_sent`: none left; `fault`: an error of this program. */
const OUTCOMES = ["ok", "lost", "not_sent", "fault", ...CLASSES] as const;

/** The same provider, with its calls counted and timed. */
export function measured(provider: Provider, metrics: Metrics): Provider {
  const count = metrics.counter({
    name: "waypost_provider_calls_total",
    help: "Calls of the provider by operation and outcome: ok, lost (no answer says what became of it), not_sent, fault, or the class of the provider's error.",
    labels: { operation: Object.values(OPERATIONS), outcome: OUTCOMES },
  });
  const time = metrics.histogram({
    name: "waypost_provider_call_seconds",
    help: "Time from the start of a provider call to its outcome.",
    labels: { operation: Object.values(OPERATIONS) },
  });
  const timed =
    <Request, Result extends Outcome>(name: CallName, call: (request: Request) => Promise<Result>) =>
    async (request: Request): Promise<Result> => {
      const operation = OPERATIONS[name];
      const begun = performance.now();
      let outcome: (typeof OUTCOMES)[number] = "fault";
      try {
        const result = await call(request);
        outcome = outcomeOf(result);
        return result;
      } finally {
        count({ operation, outcome });
        time({ operation }, (performance.now() - begun) / 1_000);
      }
    };
  return {
    ...provider,
    send: timed("send", provider.send),
    markRead: timed("markRead", provider.markRead),
    listPhoneNumbers: timed("listPhoneNumbers", provider.listPhoneNumbers),
    listTemplates: timed("listTemplates", provider.listTemplates),
    getTemplate: timed("getTemplate", provider.getTemplate),
    getAccount: timed("getAccount", provider.getAccount),
    listSubscribedApps: timed("listSubscribedApps", provider.listSubscribedApps),
    subscribe: timed("subscribe", provider.subscribe),
    createTemplate: timed("createTemplate", provider.createTemplate),
    editTemplate: timed("editTemplate", provider.editTemplate),
    deleteTemplate: timed("deleteTemplate", provider.deleteTemplate),
    uploadSample: timed("uploadSample", provider.uploadSample),
    uploadMedia: timed("uploadMedia", provider.uploadMedia),
    findMedia: timed("findMedia", provider.findMedia),
    openMedia: timed("openMedia", provider.openMedia),
    getProfile: timed("getProfile", provider.getProfile),
    updateProfile: timed("updateProfile", provider.updateProfile),
    controlThread: timed("controlThread", provider.controlThread),
    pass: timed("pass", provider.pass),
    exchangeCode: timed("exchangeCode", provider.exchangeCode),
    inspectToken: timed("inspectToken", provider.inspectToken),
    listRegistrations: timed("listRegistrations", provider.listRegistrations),
    registerNumber: timed("registerNumber", provider.registerNumber),
  };
}

function outcomeOf(result: Outcome): (typeof OUTCOMES)[number] {
  if (!("error" in result)) return "ok";
  if (!result.error.bytesSent) return "not_sent";
  return ("kind" in result && result.kind === "lost") || ("lost" in result && result.lost)
    ? "lost"
    : result.error.class;
}
