import type { Waypost } from "@waypost/sdk";
import type { Call, Declared } from "../commands/command.ts";
import type { Invocation } from "../connection.ts";
import { UsageError } from "../errors.ts";
import type { Scene } from "./scene.ts";
import { SimulatorControl } from "./simulator.ts";

/** Who writes by default: the person whose messages are read. */
const PERSON = "+15551230001";

/** `waypost trigger`: makes the simulator send what leads to an event of this kind. */
export function triggerCommand(invocation: Invocation): Declared {
  return {
    name: "trigger",
    does: "make the simulator of the provider send what leads to an event, such as messages, delivered or approved",
    key: "workspace",
    example: 'trigger messages --text "Is it open today?"',
    argument: { name: "kind", does: "of the event that it leads to; --list prints all", isOptional: true },
    options: [
      { name: "list", does: "print all kinds", kind: "flag" },
      { name: "from", does: `who writes, calls or stops marketing; ${PERSON} by default` },
      { name: "text", does: "what is written, for messages" },
      { name: "sample", does: "what is sent instead, such as image, location or button_reply" },
      { name: "message_id", does: "msg_…: of this message, for statuses and payments" },
      { name: "code", does: "of the provider, for failed", kind: "number" },
      { name: "template", does: "name of a template, for news of templates" },
      { name: "event", does: "of the provider, for news of accounts" },
      { name: "limit", does: "such as TIER_10K, for phone_number_changed" },
      { name: "phone_number_id", does: "num_…: the default number of the workspace otherwise" },
      { name: "simulator_url", does: "else WAYPOST_SIMULATOR_URL, else that of `npm start`" },
    ],
    run: async (call) => {
      const { KINDS } = await import("./kinds.ts");
      if (call.given["list"] === true) {
        const rows = KINDS.map(({ name, does }) => ({ kind: name, does }));
        return { rows, columns: ["kind", "does"], most: Number.POSITIVE_INFINITY };
      }
      const kind = KINDS.find(({ name }) => name === call.argument);
      if (kind === undefined)
        throw new UsageError(
          `${call.argument === "" ? "the kind is missing" : `${call.argument} is no kind that can be triggered`}: waypost trigger --list prints all`,
        );
      const scene = await sceneOf(call, invocation);
      const answer = await kind.run(scene);
      call.notice(`triggered; it leads to an event of kind ${kind.name}: waypost events list --kind ${kind.name}`);
      return { one: { kind: kind.name, ...answer } };
    },
  };
}

async function sceneOf({ given, workspace }: Call, invocation: Invocation): Promise<Scene> {
  const simulator = simulatorOf(given["simulator_url"], invocation);
  const api = await workspace();
  const number = await numberOf(api, given["phone_number_id"]);
  const { provider_account_id } = await api.businessAccounts.get(number.business_account_id);
  return {
    api,
    simulator,
    given,
    numberId: number.provider_phone_number_id,
    accountId: provider_account_id,
    businessAccountId: number.business_account_id,
    messagingLimit: number.messaging_limit.limit,
    person: given["from"] === undefined ? PERSON : String(given["from"]),
  };
}

function simulatorOf(given: unknown, invocation: Invocation): SimulatorControl {
  if (typeof given === "string") return new SimulatorControl(given, "--simulator-url");
  const named = process.env["WAYPOST_SIMULATOR_URL"];
  if (named !== undefined && named !== "") return new SimulatorControl(named, "WAYPOST_SIMULATOR_URL");
  const found = invocation.devField("simulator_url");
  if (found === null)
    throw new UsageError(
      "where is the simulator? Give --simulator-url or WAYPOST_SIMULATOR_URL, or be in the folder in which `npm start` runs",
    );
  return new SimulatorControl(found.value, found.from);
}

async function numberOf(api: Waypost, id: unknown): ReturnType<Waypost["phoneNumbers"]["get"]> {
  if (typeof id === "string") return await api.phoneNumbers.get(id);
  const { data } = await api.phoneNumbers.list();
  const number = data.find((one) => one.is_default) ?? data[0];
  if (number === undefined) throw new UsageError("the workspace has no phone number: connect an account first");
  return number;
}
