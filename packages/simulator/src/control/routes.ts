import type { FastifyInstance } from "fastify";
import { ControlError } from "../world/control-error.ts";
import type { FaultInput } from "../world/faults.ts";
import { SCENARIOS } from "../world/scenarios.ts";
import type { CallbackRetries, Delays, Settings } from "../world/settings.ts";
import type { SignupCodeInput } from "../world/signup-grants.ts";
import type { TemplateInput } from "../world/template.ts";
import type { AccountInput, NumberChange } from "../world/world.ts";
import type { Control, SentFilter } from "./control.ts";
import * as schemas from "./schemas.ts";

type Query = { Querystring: Record<string, string | undefined> };
type ById = { Params: { id: string } };

/** The control API under `/sim`: each route is one verb of {@link Control}. */
export function registerControlRoutes(app: FastifyInstance, control: Control): void {
  registerWorldRoutes(app, control);
  registerBehaviourRoutes(app, control);
  registerLogRoutes(app, control);
}

function registerWorldRoutes(app: FastifyInstance, control: Control): void {
  app.get("/sim/accounts", () => ({ data: control.accounts() }));
  app.post<{ Body: AccountInput }>("/sim/accounts", { schema: { body: schemas.account } }, (request, reply) => {
    void reply.code(201);
    return control.addAccount(request.body);
  });
  app.delete<ById>("/sim/accounts/:id", (request) => {
    control.removeAccount(request.params.id);
    return { success: true };
  });
  app.put<ById & { Body: { valid: boolean; subcode?: number } }>(
    "/sim/accounts/:id/token",
    { schema: { body: schemas.tokenDeath } },
    (request) => {
      control.setTokenDeath(request.params.id, request.body.valid ? null : (request.body.subcode ?? 463));
      return { success: true };
    },
  );
  app.put<ById & { Body: NumberChange }>("/sim/numbers/:id", { schema: { body: schemas.numberChange } }, (request) => {
    control.setNumber(request.params.id, request.body);
    return { success: true };
  });
  app.put<ById & { Body: { code: number | null } }>(
    "/sim/accounts/:id/lock",
    { schema: { body: schemas.accountLock } },
    (request) => {
      control.setAccountLock(request.params.id, request.body.code);
      return { success: true };
    },
  );
  app.post<{ Body: SignupCodeInput }>(
    "/sim/signup-codes",
    { schema: { body: schemas.signupCode } },
    (request, reply) => {
      void reply.code(201);
      return control.issueSignupCode(request.body);
    },
  );
  app.post<{ Body: TemplateInput & { waba_id: string } }>(
    "/sim/templates",
    { schema: { body: schemas.templateOfAccount } },
    (request, reply) => {
      void reply.code(201);
      return control.addTemplate(request.body);
    },
  );
}

function registerBehaviourRoutes(app: FastifyInstance, control: Control): void {
  app.get("/sim/scenarios", () => ({ data: SCENARIOS }));
  app.get("/sim/faults", () => ({ data: control.faults() }));
  app.post<{ Body: FaultInput }>("/sim/faults", { schema: { body: schemas.fault } }, (request, reply) => {
    void reply.code(201);
    return control.addFault(request.body);
  });
  app.delete<ById>("/sim/faults/:id", (request) => {
    control.removeFault(request.params.id);
    return { success: true };
  });
  app.delete("/sim/faults", () => {
    control.clearFaults();
    return { success: true };
  });
  app.put<{ Body: Partial<Delays> }>("/sim/delays", { schema: { body: schemas.delays } }, (request) =>
    control.setDelays(request.body),
  );
  app.put<{ Body: Partial<Settings> }>("/sim/settings", { schema: { body: schemas.settings } }, (request) =>
    control.setSettings(request.body),
  );
  app.put<{ Body: Partial<CallbackRetries> }>(
    "/sim/callback-retries",
    { schema: { body: schemas.callbackRetries } },
    (request) => control.setCallbackRetries(request.body),
  );
  app.put<{ Body: { url: string | null } }>(
    "/sim/callback-url",
    { schema: { body: schemas.callbackUrl } },
    (request) => {
      control.setCallbackUrl(request.body.url);
      return { success: true };
    },
  );
  app.post<{ Body: { url?: string; verify_token?: string } | undefined }>(
    "/sim/handshake",
    { preValidation: bodyOrNothing, schema: { body: schemas.handshake } },
    (request) => control.handshake(request.body),
  );
  app.post<{ Body: { keep_accounts?: boolean } | undefined }>(
    "/sim/reset",
    { preValidation: bodyOrNothing, schema: { body: schemas.reset } },
    (request) => {
      control.reset(request.body);
      return { success: true };
    },
  );
}

function registerLogRoutes(app: FastifyInstance, control: Control): void {
  app.get<Query>("/sim/sent", (request) => control.sent(sentFilter(request.query)));
  app.get<Query>("/sim/callbacks", (request) => {
    const filter: { since?: number; last?: number; limit?: number } = {};
    for (const key of ["since", "last", "limit"] as const) {
      const value = whole(request.query[key], key);
      if (value !== undefined) filter[key] = value;
    }
    return control.callbacks(filter);
  });
  app.post<{ Params: { cursor: string } }>("/sim/callbacks/:cursor/repeat", (request) => {
    control.repeatCallback(whole(request.params.cursor, "cursor") ?? 0);
    return { success: true };
  });
  app.post<{ Body: { body: string } }>(
    "/sim/raw-callbacks",
    { schema: { body: schemas.rawCallback } },
    (request, reply) => {
      void reply.code(201);
      return control.rawCallback(request.body);
    },
  );
  app.get("/sim/stats", () => control.stats());
}

const SENT_FILTERS = ["phone_number_id", "to", "opaque", "type", "accepted", "since", "last", "limit"];

function sentFilter(query: Record<string, string | undefined>): SentFilter {
  const unknown = Object.keys(query).find((key) => !SENT_FILTERS.includes(key));
  if (unknown !== undefined) throw new ControlError(400, `unknown filter ${unknown}`);
  const filter: SentFilter = {};
  for (const key of ["phone_number_id", "to", "opaque", "type"] as const) {
    const value = query[key];
    if (value !== undefined) filter[key] = value;
  }
  for (const key of ["since", "last", "limit"] as const) {
    const value = whole(query[key], key);
    if (value !== undefined) filter[key] = value;
  }
  if (query["accepted"] !== undefined) filter.accepted = query["accepted"] === "true";
  return filter;
}

function whole(value: string | undefined, name: string): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,15}$/.test(value)) throw new ControlError(400, `${name} must be a whole number`);
  return Number(value);
}

export function bodyOrNothing(request: { body: unknown }, _reply: unknown, done: () => void): void {
  request.body ??= {};
  done();
}
