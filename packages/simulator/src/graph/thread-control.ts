import type { FastifyInstance } from "fastify";
import { isRecord, textOf } from "../lib/shape.ts";
import { ownerOf } from "../people/threads.ts";
import { graphRefusal, refusal } from "../protocol/error.ts";
import { personIn } from "../simulation/identity.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { chatWith } from "../world/world.ts";
import { authenticate, type GraphPath, parameter, phoneNumberIn } from "./request.ts";

const LONGEST_METADATA = 2000;
const ROLES = ["ai_agent", "ctwa", "customer_service", "escalation", "marketing", "utility"];

/** `POST /{number}/thread_control`: the app takes a conversation, passes it to the other responder or releases it. */
export function registerThreadRoutes(app: FastifyInstance, sim: Simulation): void {
  app.post<GraphPath>("/:version/:id/thread_control", (request) => {
    const number = phoneNumberIn(sim, authenticate(sim, request), request);
    const body = isRecord(request.body) ? request.body : {};
    if (parameter(request, "messaging_product") !== "whatsapp")
      throw invalid("The parameter messaging_product is required.");
    const { action, metadata, control_pass: pass } = body;
    if (action !== "pass" && action !== "release" && action !== "take")
      throw invalid("Param action must be one of {PASS, RELEASE, TAKE}.");
    const written = textOf(body["to"]) ?? textOf(body["recipient"]);
    if (written === undefined) throw invalid("One of the parameters to and recipient is required.");
    if (metadata !== undefined && (typeof metadata !== "string" || metadata.length > LONGEST_METADATA))
      throw invalid(`Param metadata must be a string of at most ${LONGEST_METADATA} characters.`);
    if (
      pass !== undefined &&
      (action !== "pass" || !isRecord(pass) || !ROLES.includes(textOf(pass["target_role"]) ?? ""))
    )
      throw invalid(`Param control_pass['target_role'] must be one of {${ROLES.join(", ")}}, with the action pass.`);
    const chat = chatWith(number, personIn(sim, number, written));
    if (action === "take" && !sim.settings.mayTakeThreads)
      throw refusal(2494191, "Only the escalation partner may take a conversation.");
    if (action !== "take" && ownerOf(sim, chat) === "other")
      throw refusal(131070, "Another responder owns this conversation.");
    chat.owner = action === "take" ? "self" : action === "pass" ? "other" : null;
    return { messaging_product: "whatsapp", success: true };
  });
}

const invalid = (text: string) => graphRefusal(100, `(#100) ${text}`);
