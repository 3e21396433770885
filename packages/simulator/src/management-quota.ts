import type { FastifyInstance } from "fastify";
import { graphRefusal } from "./graph-error.ts";
import type { GraphRequest } from "./graph-request.ts";
import { HOUR_MS } from "./management-calls.ts";
import type { Simulation } from "./simulation.ts";
import type { Account } from "./world.ts";

const MINUTE_MS = 60_000;
/** Calls an hour for an account without phone numbers, and for one with (provider reference 6.5). */
const WITHOUT_NUMBERS = 200;
const WITH_NUMBERS = 5_000;

/** Counts each management call of an account, and refuses it with 80007 beyond the quota; messages are no part of it. */
export function registerManagementQuota(app: FastifyInstance, sim: Simulation): void {
  app.addHook("preHandler", (request, reply, done) => {
    const path = request.routeOptions.url ?? "";
    if (!path.startsWith("/:version/:id") || path.endsWith("/messages")) return done();
    const graph = request as GraphRequest; // the path says so
    const account = accountOf(sim, graph);
    if (account === null) return done();
    const now = sim.clock.nowMs();
    const quota = sim.settings.managementQuota ? quotaOf(sim, account) : null;
    const operation = operationOf(sim, graph.method, path, graph.params.id);
    const isWithin = sim.management.take(account, operation, { now, quota });
    void reply.header("x-business-use-case-usage", usageHeader(sim, account, now, isWithin));
    if (!isWithin)
      return done(
        graphRefusal(
          80_007,
          "(#80007) There have been too many calls to this WhatsApp Business account. Wait a bit and try again.",
        ),
      );
    done();
  });
}

const quotaOf = ({ settings }: Simulation, { phoneNumbers }: Account): number =>
  settings.managementCallsPerHour ?? (phoneNumbers.length === 0 ? WITHOUT_NUMBERS : WITH_NUMBERS);

/** The account that a call is about, where its token reaches it: what is refused otherwise is not counted. */
function accountOf(sim: Simulation, { params: { id }, headers }: GraphRequest): Account | null {
  const { world } = sim;
  const account = world.accounts.get(id) ?? world.phoneNumbers.get(id)?.account ?? world.templates.get(id)?.account;
  const token = headers.authorization?.replace(/^Bearer /, "") ?? "";
  return account !== undefined && account.token === token ? account : null;
}

function usageHeader(sim: Simulation, account: Account, now: number, isWithin: boolean): string {
  const recent = sim.management.recent(account, now);
  const percent = Math.min(100, Math.floor((recent.length / quotaOf(sim, account)) * 100));
  // The first of those that count leaves the hour then.
  const waitMs = isWithin ? 0 : (recent[0] ?? now) + HOUR_MS - now;
  return JSON.stringify({
    [account.id]: [
      {
        type: "whatsapp_business_management",
        call_count: percent,
        total_cputime: Math.floor(percent / 2),
        total_time: Math.floor(percent / 2),
        estimated_time_to_regain_access: Math.ceil(waitMs / MINUTE_MS),
      },
    ],
  });
}

const OPERATIONS: Readonly<Record<string, string>> = {
  "GET phone_numbers": "list_phone_numbers",
  "GET message_templates": "list_templates",
  "POST message_templates": "create_template",
  "DELETE message_templates": "delete_template",
  "GET subscribed_apps": "list_subscribed_apps",
  "POST subscribed_apps": "subscribe",
  "DELETE subscribed_apps": "unsubscribe",
  "GET whatsapp_business_profile": "get_profile",
  "POST whatsapp_business_profile": "update_profile",
  "POST register": "register",
};

function operationOf({ world }: Simulation, method: string, path: string, id: string): string {
  const edge = path.slice("/:version/:id".length + 1);
  if (edge !== "") return OPERATIONS[`${method} ${edge}`] ?? `${method.toLowerCase()}_${edge}`;
  const noun = world.accounts.has(id) ? "account" : world.phoneNumbers.has(id) ? "phone_number" : "template";
  return method === "GET" ? `get_${noun}` : `edit_${noun}`;
}
