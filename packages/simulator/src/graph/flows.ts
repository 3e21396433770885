import type { FastifyInstance } from "fastify";
import { ReceivedFile } from "../lib/received-file.ts";
import { isRecord, textOf } from "../lib/shape.ts";
import { graphRefusal, unknownObject } from "../protocol/error.ts";
import { pageOf } from "../protocol/page.ts";
import type { Simulation } from "../simulation/simulation.ts";
import type { Account } from "../world/world.ts";
import {
  accountIn,
  authenticate,
  type GraphPath,
  type GraphRequest,
  originOf,
  pageQuery,
  parameter,
  selectFields,
  verbOf,
} from "./request.ts";

type Flow = {
  id: string;
  account: Account;
  name: string;
  categories: string[];
  status: "DRAFT" | "PUBLISHED" | "DEPRECATED";
  endpointUri: string | null;
  hasJson: boolean;
  updatedAt: number;
};

const USUAL_FIELDS = ["id", "name", "status", "categories", "validation_errors"];
const ASSET_FIELDS = ["name", "asset_type", "download_url"];
const CATEGORIES = [
  "SIGN_UP",
  "SIGN_IN",
  "APPOINTMENT_BOOKING",
  "LEAD_GENERATION",
  "CONTACT_US",
  "CUSTOMER_SUPPORT",
  "SURVEY",
  "OTHER",
];
/** Ids as real ones are, and of no other object here. */
const FIRST_ID = 550_000_000_000_000;
const PREVIEW_MS = 30 * 24 * 3_600_000;

/** The flows of accounts, as long as the simulator runs. */
export class Flows {
  readonly #all = new Map<string, Flow>();
  #made = 0;

  /** The flow of this id that the accounts reach. */
  find(accounts: readonly Account[], id: string): Flow | undefined {
    const flow = this.#all.get(id);
    return flow !== undefined && accounts.includes(flow.account) ? flow : undefined;
  }

  of(account: Account): Flow[] {
    return [...this.#all.values()].filter((flow) => flow.account === account).reverse();
  }

  add(flow: Omit<Flow, "id">): Flow {
    this.#made += 1;
    const added = { ...flow, id: String(FIRST_ID + this.#made) };
    this.#all.set(added.id, added);
    return added;
  }

  delete({ id }: Flow): void {
    this.#all.delete(id);
  }
}

/** Flows: list, create, change, publish, deprecate, and their JSON (Cloud API documentation, flows). What is in the JSON is not read. */
export function registerFlowRoutes(app: FastifyInstance, sim: Simulation, flows: Flows): void {
  const flowIn = (request: GraphRequest): Flow => {
    const found = flows.find(authenticate(sim, request), request.params.id);
    if (found === undefined) throw unknownObject(request.params.id, verbOf(request));
    return found;
  };

  app.get<GraphPath>("/:version/:id/flows", (request) => {
    const account = accountIn(authenticate(sim, request), request);
    return pageOf(flows.of(account), pageQuery(request), {
      scope: `flows/${account.id}`,
      orderOf: ({ id }) => -Number(id),
      render: (flow) => selectFields(request, flowNode(request, flow), USUAL_FIELDS, "Flow"),
    });
  });
  app.post<GraphPath>("/:version/:id/flows", (request) => {
    const accounts = authenticate(sim, request);
    const account = accountIn(accounts, request);
    const copied = parameter(request, "clone_flow_id");
    if (copied !== undefined && flows.find(accounts, copied) === undefined)
      throw invalid("Param clone_flow_id must be the id of a flow.");
    const hasJson = parameter(request, "flow_json") !== undefined || copied !== undefined;
    const flow = flows.add({
      account,
      name: nameIn(request) ?? required("name"),
      categories: categoriesIn(request) ?? required("categories"),
      status: hasJson && parameter(request, "publish") === "true" ? "PUBLISHED" : "DRAFT",
      endpointUri: parameter(request, "endpoint_uri") ?? null,
      hasJson,
      updatedAt: sim.clock.nowMs(),
    });
    return { id: flow.id, success: true, validation_errors: [] };
  });

  app.get<GraphPath>("/:version/:id/assets", (request) => {
    const flow = flowIn(request);
    const node = {
      name: "flow.json",
      asset_type: "FLOW_JSON",
      download_url: `${originOf(request)}/flow.json?id=${flow.id}`,
    };
    return { data: flow.hasJson ? [selectFields(request, node, ASSET_FIELDS)] : [] };
  });
  app.post<GraphPath>("/:version/:id/assets", (request) => {
    const flow = flowIn(request);
    requireDraft(flow, 139_001, "updated");
    const file = isRecord(request.body) ? request.body["file"] : undefined;
    if (!(file instanceof ReceivedFile)) throw invalid("The parameter file is required.");
    if (parameter(request, "asset_type") !== "FLOW_JSON") throw invalid("Param asset_type must be one of {FLOW_JSON}.");
    Object.assign(flow, { hasJson: true, updatedAt: sim.clock.nowMs() });
    return { success: true, validation_errors: [] };
  });
  app.post<GraphPath>("/:version/:id/publish", (request) => {
    const flow = flowIn(request);
    requireDraft(flow, 139_002, "published");
    if (!flow.hasJson) throw cannot(139_002, "published: it has no Flow JSON");
    flow.status = "PUBLISHED";
    return { success: true };
  });
  app.post<GraphPath>("/:version/:id/deprecate", (request) => {
    const flow = flowIn(request);
    if (flow.status !== "PUBLISHED") throw cannot(139_003, `deprecated: it is ${flow.status}`);
    flow.status = "DEPRECATED";
    return { success: true };
  });
}

/** `GET /{flow}`; undefined for any other object. */
export function readFlow(flows: Flows, request: GraphRequest, accounts: readonly Account[]) {
  const flow = flows.find(accounts, request.params.id);
  return flow && selectFields(request, flowNode(request, flow), USUAL_FIELDS, "Flow");
}

/** `POST /{flow}`: what it is called; undefined for any other object. */
export function updateFlow(flows: Flows, request: GraphRequest, accounts: readonly Account[], now: number) {
  const flow = flows.find(accounts, request.params.id);
  if (flow === undefined) return undefined;
  const endpointUri = parameter(request, "endpoint_uri") ?? flow.endpointUri;
  const named = { name: nameIn(request) ?? flow.name, categories: categoriesIn(request) ?? flow.categories };
  Object.assign(flow, named, { endpointUri, updatedAt: now });
  return { success: true };
}

/** `DELETE /{flow}`, of a draft; undefined for any other object. */
export function deleteFlow(flows: Flows, request: GraphRequest, accounts: readonly Account[]) {
  const flow = flows.find(accounts, request.params.id);
  if (flow === undefined) return undefined;
  requireDraft(flow, 139_004, "deleted");
  flows.delete(flow);
  return { success: true };
}

function flowNode(request: GraphRequest, { id, account, ...flow }: Flow): Record<string, unknown> {
  const time = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, "+0000");
  return {
    id,
    name: flow.name,
    status: flow.status,
    categories: flow.categories,
    validation_errors: [],
    json_version: flow.hasJson ? "7.2" : undefined,
    data_api_version: flow.endpointUri === null ? undefined : "3.0",
    endpoint_uri: flow.endpointUri ?? undefined,
    preview: { preview_url: `${originOf(request)}/flows/${id}/preview`, expires_at: time(flow.updatedAt + PREVIEW_MS) },
    whatsapp_business_account: { id: account.id, name: account.name, timezone_id: account.timezoneId },
    application: undefined,
    updated_at: time(flow.updatedAt),
    health_status: {
      can_send_message: "AVAILABLE",
      entities: [
        { entity_type: "FLOW", id, can_send_message: "AVAILABLE" },
        { entity_type: "WABA", id: account.id, can_send_message: "AVAILABLE" },
      ],
    },
  };
}

function nameIn(request: GraphRequest): string | undefined {
  const name = parameter(request, "name");
  if (name !== undefined && (name === "" || name.length > 200))
    throw invalid("Param name must have 1 to 200 characters.");
  return name;
}

function categoriesIn(request: GraphRequest): string[] | undefined {
  const given = isRecord(request.body) ? request.body["categories"] : request.query["categories"];
  if (given === undefined) return undefined;
  const list: unknown[] = Array.isArray(given)
    ? given
    : (textOf(given)
        ?.replace(/[[\]"\s]/g, "")
        .split(",") ?? []);
  const known = list.flatMap((one) => (typeof one === "string" && CATEGORIES.includes(one) ? [one] : []));
  if (known.length === 0 || known.length < list.length)
    throw invalid(`Param categories must be a list of {${CATEGORIES.join(", ")}}.`);
  return known;
}

function requireDraft({ status }: Flow, code: number, done: string): void {
  if (status !== "DRAFT") throw cannot(code, `${done}: it is ${status}`);
}

const cannot = (code: number, why: string) => graphRefusal(code, `(#${code}) The flow cannot be ${why}.`);
const invalid = (text: string) => graphRefusal(100, `(#100) ${text}`);
const required = (name: string): never => {
  throw invalid(`The parameter ${name} is required.`);
};
