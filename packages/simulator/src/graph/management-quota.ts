import type { FastifyInstance } from "fastify";
import { graphRefusal } from "../protocol/error.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { HOUR_MS } from "../world/management-calls.ts";
import type { Account } from "../world/world.ts";
import { operationOf, reachedAccountOf } from "./management-operations.ts";
import type { GraphRequest } from "./request.ts";

const MINUTE_MS = 60_000;
/** Calls an hour for an account without phone numbers, and for one with (provider reference 6.5). */
const WITHOUT_NUMBERS = 200;
const WITH_NUMBERS = 5_000;

/** Counts each management call of an account, and refuses it with 80007 beyond the quota; messages and their media are no part of it. */
export function registerManagementQuota(app: FastifyInstance, sim: Simulation): void {
  app.addHook("preHandler", (request, reply, done) => {
    const graph = request as GraphRequest; // only its path and token are read, and checked
    const operation = operationOf(sim, graph);
    if (operation === undefined || operation.endsWith("_media")) return done();
    const account = reachedAccountOf(sim, graph);
    if (account === undefined) return done();
    const now = sim.clock.nowMs();
    const quota = sim.settings.managementQuota ? quotaOf(sim, account) : null;
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
