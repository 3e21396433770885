import { randomInt } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { Template, Waypost } from "@waypost/sdk";
import type { Given } from "../commands/command.ts";
import { FailedError, UsageError } from "../errors.ts";
import type { SimulatorControl } from "./simulator.ts";

/** A person of whose messages the simulator reports nothing by itself. */
const SILENT = "+12025550134";
const SEND_WITHIN_SECONDS = 30;
/** Ours, so that the templates that are in use stay as they are. */
const TEMPLATE = "waypost_trigger";
const LOOK_EVERY_MS = 100;
const SHOWN_WITHIN_MS = 15_000;
const SECOND_MS = 1_000;

/** Where a kind happens: a number that is connected to the simulator, and a person. */
export type Scene = {
  api: Waypost;
  simulator: SimulatorControl;
  given: Given;
  /** Of number and account, as the provider has them. */
  numberId: string;
  accountId: string;
  /** `acc_…` */
  businessAccountId: string;
  /** Recipients a day; null where there is none or it is not known. */
  messagingLimit: number | null;
  /** E.164. */
  person: string;
};

/** The provider's id of the message that was named, or of one that is sent now. */
export async function messageOf(scene: Scene): Promise<string> {
  const { api, given } = scene;
  if (given["message_id"] !== undefined) {
    const { provider_message_id } = await api.messages.get(String(given["message_id"]));
    if (provider_message_id === null) throw new UsageError("the message was not accepted by the provider");
    return provider_message_id;
  }
  return await sendTo(scene, SILENT);
}

/** Sends a template; resolves with the provider's id, or with an empty text where it gave none. */
export async function sendTo({ api, businessAccountId }: Scene, to: string): Promise<string> {
  const template = await plainTemplate(api, businessAccountId);
  const { name, language } = template;
  const sent = await api.messages.send(
    { to, type: "template", template: { name, language } },
    { waitSeconds: SEND_WITHIN_SECONDS },
  );
  return sent.provider_message_id ?? "";
}

/** An approved template of the account that needs no parameters. */
async function plainTemplate(api: Waypost, businessAccountId: string): Promise<Template> {
  for await (const template of api.templates.list({ status: "approved", category: "utility", limit: 100 })) {
    const isPlain = !JSON.stringify(template.components).includes("{{");
    if (template.business_account_id === businessAccountId && isPlain && template.name !== TEMPLATE) return template;
  }
  throw new UsageError("there is no approved template without parameters: name a message with --message-id");
}

/** The template whose news are reported: the one that was named, or one of our own, which is submitted the first time. */
export async function templateOf({ api, given, businessAccountId }: Scene): Promise<Template> {
  const name = given["template"] === undefined ? TEMPLATE : String(given["template"]);
  for await (const template of api.templates.list({ name, limit: 100 }))
    if (template.business_account_id === businessAccountId && template.status !== "deleted") return template;
  if (name !== TEMPLATE) throw new UsageError(`the account has no template ${name}`);
  return await api.templates.create({
    name: TEMPLATE,
    language: { code: "en_US" },
    category: "utility",
    components: [{ type: "BODY", text: "This template is for trying out news of templates." }],
    business_account_id: businessAccountId,
  });
}

/** A number that is no other person's, nor one that always behaves in one way. */
export const newPerson = (): string => `+1555${randomInt(2_000_000, 9_999_999)}`;

/** The provider's times are whole seconds: the same news in the same second is the same callback, sent twice. */
export const nextSecond = (): Promise<void> => pause(SECOND_MS - (Date.now() % SECOND_MS) + LOOK_EVERY_MS);

/** Has the template decided, and waits until the gateway shows it: the next decision is then a change. */
export async function decide({ api, simulator }: Scene, template: Template, status: string): Promise<void> {
  await simulator.post(`templates/${template.provider_template_id}/decide`, { status: status.toUpperCase() });
  const deadline = performance.now() + SHOWN_WITHIN_MS;
  while ((await api.templates.get(template.id)).status !== status) {
    if (performance.now() > deadline) throw new FailedError(`the template did not become ${status} within 15 s`);
    await pause(LOOK_EVERY_MS);
  }
}
