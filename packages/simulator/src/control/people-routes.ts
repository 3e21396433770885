import type { FastifyInstance } from "fastify";
import type { MarketingInput, NumberChangeInput, UserIdChangeInput } from "../people/identity-changes.ts";
import type { ContactCardInput, InboundInput } from "../people/inbound.ts";
import type { PersonInput } from "../people/traits.ts";
import type { Control } from "./control.ts";
import * as schemas from "./people-schemas.ts";

/** The part of the control API that is about people: who they are, what they send, what the provider reports of them. */
export function registerPeopleRoutes(app: FastifyInstance, control: Control): void {
  app.put<{ Body: PersonInput }>("/sim/people", { schema: { body: schemas.person } }, (request) =>
    control.setPerson(request.body),
  );
  app.get<{ Params: { person: string } }>("/sim/people/:person", (request) => control.person(request.params.person));
  app.post<{ Body: InboundInput }>("/sim/inbound", { schema: { body: schemas.inbound } }, (request, reply) => {
    void reply.code(201);
    return control.inbound(request.body);
  });
  app.post<{ Body: ContactCardInput }>(
    "/sim/contact-cards",
    { schema: { body: schemas.contactCard } },
    (request, reply) => {
      void reply.code(201);
      return control.contactCard(request.body);
    },
  );
  app.put<{ Body: { phone_number_id: string; person: string; open: boolean } }>(
    "/sim/windows",
    { schema: { body: schemas.window } },
    (request) => control.setWindow(request.body),
  );
  app.post<{ Body: NumberChangeInput }>(
    "/sim/number-changes",
    { schema: { body: schemas.numberChange } },
    (request, reply) => {
      void reply.code(201);
      return { data: control.changeNumber(request.body) };
    },
  );
  app.post<{ Body: UserIdChangeInput }>(
    "/sim/user-id-changes",
    { schema: { body: schemas.userIdChange } },
    (request, reply) => {
      void reply.code(201);
      return { data: control.changeUserId(request.body) };
    },
  );
  app.put<{ Body: MarketingInput }>("/sim/marketing", { schema: { body: schemas.marketing } }, (request) =>
    control.setMarketing(request.body),
  );
}
