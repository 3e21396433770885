import type { FastifyInstance } from "fastify";
import { ControlError } from "../world/control-error.ts";
import type { AccountChange } from "../world/world.ts";
import type { Control } from "./control.ts";
import * as schemas from "./schemas.ts";

type ById = { Params: { id: string } };

/** The control API of prices, months and bills. */
export function registerBillingRoutes(app: FastifyInstance, control: Control): void {
  app.put<ById & { Body: AccountChange }>(
    "/sim/accounts/:id",
    { schema: { body: schemas.accountChange } },
    (request) => {
      control.setAccount(request.params.id, request.body);
      return { success: true };
    },
  );
  app.put<ById & { Body: { others: number } }>(
    "/sim/numbers/:id/service-use",
    { schema: { body: schemas.serviceUse } },
    (request) => {
      control.setServiceUse(request.params.id, request.body.others);
      return { success: true };
    },
  );
  app.put<{ Body: { now: string | null } }>("/sim/clock", { schema: { body: schemas.clock } }, (request) =>
    control.setClock(request.body.now),
  );
  app.get<{ Querystring: Record<string, string | undefined> }>("/sim/bills", ({ query }) => {
    const unknown = Object.keys(query).find((key) => key !== "phone_number_id" && key !== "month");
    if (unknown !== undefined) throw new ControlError(400, `unknown filter ${unknown}`);
    const { phone_number_id, month } = query;
    const filter = {
      ...(phone_number_id === undefined ? {} : { phone_number_id }),
      ...(month === undefined ? {} : { month }),
    };
    return { data: control.bills(filter) };
  });
}
