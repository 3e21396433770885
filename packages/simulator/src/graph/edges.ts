import type { FastifyInstance } from "fastify";
import { beginningOf } from "../lib/beginning-of.ts";
import { isRecord } from "../lib/shape.ts";
import { graphRefusal, unknownObject } from "../protocol/error.ts";
import type { Edge, Field } from "../protocol/fields.ts";
import { type PageQuery, pageOf } from "../protocol/page.ts";
import type { Simulation } from "../simulation/simulation.ts";
import type { Account, PhoneNumber } from "../world/world.ts";
import { accountNode, phoneNumberNode, USUAL_ACCOUNT_FIELDS, USUAL_NUMBER_FIELDS } from "./nodes.ts";
import {
  accountIn,
  authenticate,
  chosenOf,
  type GraphPath,
  type GraphRequest,
  nestedQuery,
  pageQuery,
  parameter,
  selectFields,
} from "./request.ts";
import { listTemplates } from "./template-list.ts";

/** The system user behind every token, as `debug_token` names it. */
const SYSTEM_USER = "8123";

/** Lists that hang on objects: the numbers of an account, the accounts of a business. */
export function registerEdges(app: FastifyInstance, sim: Simulation): void {
  app.get<GraphPath>("/:version/:id/phone_numbers", (request) => {
    const account = accountIn(authenticate(sim, request), request);
    return listNumbers(sim, request, account, pageQuery(request));
  });

  app.get<GraphPath>("/:version/:id/owned_whatsapp_business_accounts", (request) => {
    const accounts = authenticate(sim, request);
    const owned = accounts.filter(({ businessId }) => businessId === request.params.id);
    if (owned.length === 0) throw unknownObject(request.params.id, "get");
    return listAccounts(sim, request, "owned", owned);
  });

  // The accounts that customers share with the partner who owns the app: all that the token reaches.
  app.get<GraphPath>("/:version/:id/client_whatsapp_business_accounts", (request) => {
    const accounts = authenticate(sim, request);
    const isOwner = accounts.some(({ businessId }) => businessId === request.params.id);
    if (request.params.id === sim.app.partnerBusinessId) return listAccounts(sim, request, "client", accounts);
    if (!isOwner) throw unknownObject(request.params.id, "get");
    return { data: [] };
  });
}

/** `GET /{account}`: its lists can be read as its fields too. */
export function readAccount(sim: Simulation, request: GraphRequest, account: Account): Record<string, unknown> {
  return selectFields(
    request,
    accountWithEdges(sim, request, account),
    USUAL_ACCOUNT_FIELDS,
    "WhatsAppBusinessAccount",
  );
}

/** `GET /{business}` and `GET /me`, or undefined for any other object. */
export function readOwner(
  sim: Simulation,
  request: GraphRequest,
  accounts: readonly Account[],
): Record<string, unknown> | undefined {
  const { id } = request.params;
  if (id === "me" || id === SYSTEM_USER) {
    return selectFields(
      request,
      { id: SYSTEM_USER, name: `${sim.app.name} system user` },
      ["id", "name"],
      "SystemUser",
    );
  }
  if (id === sim.app.id) return selectFields(request, { id, name: sim.app.name }, ["id", "name"], "Application");
  const owned = accounts.find(({ businessId }) => businessId === id);
  const name = owned?.name ?? (id === sim.app.partnerBusinessId ? sim.app.name : undefined);
  if (name === undefined) return undefined;
  return selectFields(request, { id, name, verification_status: "verified" }, ["id", "name"], "Business");
}

/** The apps that get the account's callbacks: ours, or none (provider reference 8). */
export function subscribedApps(sim: Simulation, account: Account): unknown[] {
  if (!account.subscribed) return [];
  const { id, name } = sim.app;
  return [
    {
      whatsapp_business_api_data: { id, link: `https://www.facebook.com/games/?app_id=${id}`, name },
      ...(account.callbackOverride === null ? {} : { override_callback_uri: account.callbackOverride }),
    },
  ];
}

function accountWithEdges(sim: Simulation, request: GraphRequest, account: Account): Record<string, unknown> {
  const phone_numbers: Edge = (field) =>
    listNumbers(sim, request, account, nestedQuery(request, account.id, field), field.fields);
  const message_templates: Edge = (field) =>
    listTemplates({ sim, request, account }, field.modifiers, nestedQuery(request, account.id, field), field.fields);
  const subscribed_apps: Edge = () => ({ data: subscribedApps(sim, account) });
  return { ...accountNode(sim, account), phone_numbers, message_templates, subscribed_apps };
}

function listNumbers(
  sim: Simulation,
  request: GraphRequest,
  account: Account,
  page: PageQuery,
  fields?: readonly Field[] | null,
): Record<string, unknown> {
  const filters = fields === undefined ? filtersOf(request) : [];
  const matching = account.phoneNumbers.filter((number) => passes(phoneNumberNode(sim, number), filters));
  return pageOf(matching, page, {
    scope: `phone_numbers/${account.id}`,
    orderOf: (number) => account.phoneNumbers.indexOf(number),
    render: (number: PhoneNumber) =>
      fields === undefined
        ? selectFields(request, phoneNumberNode(sim, number), USUAL_NUMBER_FIELDS)
        : chosenOf(phoneNumberNode(sim, number), fields, USUAL_NUMBER_FIELDS),
  });
}

function listAccounts(sim: Simulation, request: GraphRequest, edge: string, accounts: readonly Account[]) {
  return pageOf(accounts, pageQuery(request), {
    scope: `${edge}/${request.params.id}`,
    orderOf: (_account, index) => index,
    render: (account) => selectFields(request, accountWithEdges(sim, request, account), USUAL_ACCOUNT_FIELDS),
  });
}

type Filter = { field: string; value: unknown };

/** `filtering=[{"field":"account_mode","operator":"EQUAL","value":"SANDBOX"}]`, the form that is documented for numbers. */
function filtersOf(request: GraphRequest): Filter[] {
  const written = parameter(request, "filtering");
  if (written === undefined) return [];
  const invalid = graphRefusal(100, "(#100) Param filtering must be an array of field, operator and value");
  const filters = parsed(written);
  if (!Array.isArray(filters)) throw invalid;
  return filters.map((one: unknown) => {
    if (!isRecord(one) || typeof one["field"] !== "string" || one["operator"] !== "EQUAL") throw invalid;
    return { field: one["field"], value: one["value"] };
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function passes(node: Readonly<Record<string, unknown>>, filters: readonly Filter[]): boolean {
  return filters.every(({ field, value }) => {
    if (!Object.hasOwn(node, field))
      throw graphRefusal(100, `(#100) Filtering by ${beginningOf(field, 60)} is not supported`);
    return node[field] === value;
  });
}
