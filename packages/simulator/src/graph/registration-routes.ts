import type { FastifyInstance } from "fastify";
import { deregisterNumber, registerNumber, requestCode, verifyCode } from "../accounts/registration.ts";
import type { Simulation } from "../simulation/simulation.ts";
import type { PhoneNumber } from "../world/world.ts";
import { authenticate, type GraphPath, type GraphRequest, parameter, phoneNumberIn } from "./request.ts";

/** Registration and verification of numbers (provider reference 8.8, 8.9). */
export function registerRegistrationRoutes(app: FastifyInstance, sim: Simulation): void {
  const route = (verb: string, run: (number: PhoneNumber, request: GraphRequest) => void): void => {
    app.post<GraphPath>(`/:version/:id/${verb}`, (request) => {
      run(phoneNumberIn(sim, authenticate(sim, request), request), request);
      return { success: true };
    });
  };
  route("register", (number, request) => registerNumber(sim, number, parameter(request, "pin")));
  route("deregister", (number) => deregisterNumber(sim, number));
  route("request_code", (number, request) =>
    requestCode(number, parameter(request, "code_method"), parameter(request, "language")),
  );
  route("verify_code", (number, request) => verifyCode(number, parameter(request, "code")));
}
