import type { FastifyInstance } from "fastify";
import { graphRefusal } from "./graph-error.ts";
import { accountIn, authenticate, type GraphPath, parameter, requireVersion } from "./graph-request.ts";
import type { Simulation } from "./simulation.ts";

/** The simulator's signup codes are this prefix and the account's id. */
const CODE_PREFIX = "code-";
const OVERRIDE_CHARS = 200;

/** The app's part of the API: subscription to an account, token exchange and inspection (provider reference 3.9, 8). */
export function registerAppRoutes(app: FastifyInstance, sim: Simulation): void {
  registerSubscriptionRoutes(app, sim);
  registerTokenRoutes(app, sim);
}

function registerSubscriptionRoutes(app: FastifyInstance, sim: Simulation): void {
  app.post<GraphPath>("/:version/:id/subscribed_apps", async (request) => {
    const account = accountIn(authenticate(sim, request), request);
    const override = parameter(request, "override_callback_uri");
    if (override !== undefined) {
      if (override.length > OVERRIDE_CHARS || !URL.canParse(override)) {
        throw graphRefusal(100, "(#100) Param override_callback_uri must be a URL of at most 200 characters");
      }
      const { verified } = await sim.courier.handshake(override, parameter(request, "verify_token") ?? "");
      if (!verified) throw graphRefusal(2200, "(#2200) Callback verification failed");
    }
    account.callbackOverride = override ?? null;
    account.subscribed = true;
    return { success: true };
  });

  app.get<GraphPath>("/:version/:id/subscribed_apps", (request) => {
    const account = accountIn(authenticate(sim, request), request);
    if (!account.subscribed) return { data: [] };
    const { id, name } = sim.app;
    return {
      data: [
        {
          whatsapp_business_api_data: { id, link: `https://www.facebook.com/games/?app_id=${id}`, name },
          ...(account.callbackOverride === null ? {} : { override_callback_uri: account.callbackOverride }),
        },
      ],
    };
  });

  app.delete<GraphPath>("/:version/:id/subscribed_apps", (request) => {
    const account = accountIn(authenticate(sim, request), request);
    account.subscribed = false;
    account.callbackOverride = null;
    return { success: true };
  });
}

function registerTokenRoutes(app: FastifyInstance, sim: Simulation): void {
  app.get<GraphPath>("/:version/oauth/access_token", (request) => {
    requireVersion(request);
    if (parameter(request, "client_secret") !== sim.app.secret)
      throw graphRefusal(1, "Error validating client secret.");
    if (parameter(request, "grant_type") === "client_credentials") {
      return { access_token: `${sim.app.id}|${sim.app.secret}`, token_type: "bearer" };
    }
    const code = parameter(request, "code") ?? "";
    const account = code.startsWith(CODE_PREFIX) ? sim.world.accounts.get(code.slice(CODE_PREFIX.length)) : undefined;
    if (account === undefined) {
      throw graphRefusal(100, "This authorization code has been used or has expired.", { subcode: 36009 });
    }
    return { access_token: account.token, token_type: "bearer" };
  });

  app.get<GraphPath>("/:version/debug_token", (request) => {
    requireVersion(request);
    const bearer =
      (request.headers.authorization ?? "").replace("Bearer ", "") || parameter(request, "access_token") || "";
    if (bearer !== `${sim.app.id}|${sim.app.secret}`) authenticate(sim, request);
    const accounts = sim.world.accountsByToken.get(parameter(request, "input_token") ?? "") ?? [];
    const death = accounts.find((account) => account.tokenDeath !== null)?.tokenDeath;
    if (accounts.length === 0 || death !== undefined) {
      const error = {
        code: 190,
        message: "Error validating access token.",
        ...(death == null ? {} : { subcode: death }),
      };
      return { data: { error, is_valid: false, scopes: [] } };
    }
    const scopes = ["whatsapp_business_management", "whatsapp_business_messaging"];
    const target_ids = accounts.map((account) => account.id);
    return {
      data: {
        app_id: sim.app.id,
        type: "SYSTEM_USER",
        application: sim.app.name,
        data_access_expires_at: 0,
        expires_at: 0,
        is_valid: true,
        issued_at: 1_790_000_000,
        scopes,
        granular_scopes: scopes.map((scope) => ({ scope, target_ids })),
        user_id: "8123",
      },
    };
  });
}
