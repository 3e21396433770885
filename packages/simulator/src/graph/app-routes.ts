import type { FastifyInstance } from "fastify";
import { exchangeCode } from "../accounts/signups.ts";
import { graphRefusal } from "../protocol/error.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { inspectToken } from "./debug-token.ts";
import { subscribedApps } from "./edges.ts";
import { accountIn, authenticate, type GraphPath, parameter, requireVersion } from "./request.ts";

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
    return { data: subscribedApps(sim, account) };
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
    if (parameter(request, "client_id") !== sim.app.id)
      throw graphRefusal(101, "Error validating application. Cannot get application info due to a system error.");
    if (parameter(request, "client_secret") !== sim.app.secret)
      throw graphRefusal(1, "Error validating client secret.");
    if (parameter(request, "grant_type") === "client_credentials") {
      return { access_token: `${sim.app.id}|${sim.app.secret}`, token_type: "bearer" };
    }
    const { token, expiresInSeconds } = exchangeCode(
      sim,
      parameter(request, "code") ?? "",
      parameter(request, "redirect_uri") || null,
    );
    const expiry = expiresInSeconds === null ? {} : { expires_in: expiresInSeconds };
    return { access_token: token, token_type: "bearer", ...expiry };
  });

  app.get<GraphPath>("/:version/debug_token", (request) => {
    requireVersion(request);
    const bearer =
      (request.headers.authorization ?? "").replace("Bearer ", "") || parameter(request, "access_token") || "";
    if (bearer !== `${sim.app.id}|${sim.app.secret}`) authenticate(sim, request);
    return { data: inspectToken(sim, parameter(request, "input_token") ?? "") };
  });
}
