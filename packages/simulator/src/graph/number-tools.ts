import { randomBytes } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { isRecord, textOf } from "../lib/shape.ts";
import { graphRefusal } from "../protocol/error.ts";
import { pageOf } from "../protocol/page.ts";
import type { Simulation } from "../simulation/simulation.ts";
import type { PhoneNumber } from "../world/world.ts";
import {
  authenticate,
  type GraphPath,
  type GraphRequest,
  pageQuery,
  parameter,
  phoneNumberIn,
  selectFields,
} from "./request.ts";

type QrCode = { code: string; prefilledMessage: string; order: number };
/** What a number has beside its messages, as long as the number is there. */
type Tools = {
  settings: Record<string, unknown>;
  commerce: { is_cart_enabled: boolean; is_catalog_visible: boolean };
  automation: Record<string, unknown>;
  blocked: Set<string>;
  codes: Map<string, QrCode>;
  publicKey: string | null;
};

const LONGEST_PREFILLED = 140;
const MOST_PROMPTS = 4;
const MOST_COMMANDS = 30;

/** Settings, catalog, automation, blocked people, QR codes and the key of flows, of a number (Cloud API documentation, phone numbers). */
export function registerNumberTools(app: FastifyInstance, sim: Simulation): void {
  const all = new WeakMap<PhoneNumber, Tools>();
  const toolsOf = (request: GraphRequest): { number: PhoneNumber; tools: Tools } => {
    const number = phoneNumberIn(sim, authenticate(sim, request), request);
    const tools = all.get(number) ?? emptyTools();
    all.set(number, tools);
    return { number, tools };
  };
  registerSettings(app, toolsOf);
  registerBlocked(app, toolsOf);
  registerCodes(app, toolsOf);
}

const emptyTools = (): Tools => ({
  settings: {},
  commerce: { is_cart_enabled: true, is_catalog_visible: false },
  automation: {},
  blocked: new Set(),
  codes: new Map(),
  publicKey: null,
});

type ToolsOf = (request: GraphRequest) => { number: PhoneNumber; tools: Tools };

function registerSettings(app: FastifyInstance, toolsOf: ToolsOf): void {
  app.get<GraphPath>("/:version/:id/settings", (request) => {
    const { tools } = toolsOf(request);
    const node = {
      calling: undefined,
      payload_encryption: undefined,
      user_identity_change: undefined,
      ...tools.settings,
    };
    const all = { storage_configuration: { status: "DEFAULT" }, ...node };
    return selectFields(request, all, Object.keys(all));
  });
  app.post<GraphPath>("/:version/:id/settings", (request) => {
    const { tools } = toolsOf(request);
    const known = ["calling", "payload_encryption", "storage_configuration", "user_identity_change"];
    const given = Object.entries(bodyOf(request)).filter(([name, value]) => known.includes(name) && isRecord(value));
    if (given.length === 0) throw invalid("One of the parameters calling and user_identity_change is required.");
    Object.assign(tools.settings, Object.fromEntries(given));
    return { success: true };
  });

  app.get<GraphPath>("/:version/:id/whatsapp_commerce_settings", (request) => {
    const { number, tools } = toolsOf(request);
    const node = { id: number.id, ...tools.commerce };
    return { data: [selectFields(request, node, Object.keys(node))] };
  });
  app.post<GraphPath>("/:version/:id/whatsapp_commerce_settings", (request) => {
    const { commerce } = toolsOf(request).tools;
    for (const name of ["is_cart_enabled", "is_catalog_visible"] as const) {
      const given = parameter(request, name);
      if (given !== undefined) commerce[name] = given === "true";
    }
    return { success: true };
  });

  app.post<GraphPath>("/:version/:id/conversational_automation", (request) => {
    const { automation } = toolsOf(request).tools;
    const welcome = parameter(request, "enable_welcome_message");
    if (welcome !== undefined) automation["enable_welcome_message"] = welcome === "true";
    for (const [name, most] of [
      ["prompts", MOST_PROMPTS],
      ["commands", MOST_COMMANDS],
    ] as const) {
      const given = listOf(request, name);
      if (given === null) continue;
      if (given.length > most) throw invalid(`Param ${name} must have at most ${most} elements.`);
      automation[name] = given;
    }
    return { success: true };
  });
  app.get<GraphPath>("/:version/:id/conversational_automation", (request) => {
    const { number, tools } = toolsOf(request);
    return { data: [{ id: number.id, enable_welcome_message: false, ...tools.automation }] };
  });

  app.get<GraphPath>("/:version/:id/whatsapp_business_encryption", (request) => {
    const { publicKey } = toolsOf(request).tools;
    return publicKey === null
      ? { data: [] }
      : { data: [{ business_public_key: publicKey, business_public_key_signature_status: "VALID" }] };
  });
  app.post<GraphPath>("/:version/:id/whatsapp_business_encryption", (request) => {
    const { tools } = toolsOf(request);
    const key = parameter(request, "business_public_key");
    if (!key?.includes("PUBLIC KEY")) throw invalid("Param business_public_key must be a public key in PEM.");
    tools.publicKey = key;
    return { success: true };
  });
}

function registerBlocked(app: FastifyInstance, toolsOf: ToolsOf): void {
  app.get<GraphPath>("/:version/:id/block_users", (request) => {
    const { number, tools } = toolsOf(request);
    return pageOf([...tools.blocked], pageQuery(request), {
      scope: `block_users/${number.id}`,
      orderOf: (_one, index) => index,
      render: (wa_id) => ({ messaging_product: "whatsapp", wa_id }),
    });
  });
  app.post<GraphPath>("/:version/:id/block_users", (request) => {
    const { blocked } = toolsOf(request).tools;
    const people = peopleOf(request);
    for (const { digits } of people) blocked.add(digits);
    return blockAnswer("added_users", people);
  });
  app.delete<GraphPath>("/:version/:id/block_users", (request) => {
    const { blocked } = toolsOf(request).tools;
    const people = peopleOf(request);
    for (const { digits } of people) blocked.delete(digits);
    return blockAnswer("removed_users", people);
  });
}

type Named = { input: string; digits: string };

const blockAnswer = (name: string, people: readonly Named[]) => ({
  messaging_product: "whatsapp",
  block_users: { [name]: people.map(({ input, digits }) => ({ input, wa_id: digits })) },
});

function peopleOf(request: GraphRequest): Named[] {
  if (parameter(request, "messaging_product") !== "whatsapp")
    throw invalid("The parameter messaging_product is required.");
  const given = listOf(request, "block_users") ?? [];
  const people = given.filter(isRecord).flatMap(({ user, user_id: id }) => textOf(user) ?? textOf(id) ?? []);
  if (people.length === 0) throw invalid("The parameter block_users is required.");
  return people.map((input) => ({ input, digits: input.replace(/[^\w.]/g, "") }));
}

function registerCodes(app: FastifyInstance, toolsOf: ToolsOf): void {
  type CodePath = { Params: GraphPath["Params"] & { code: string }; Querystring: GraphPath["Querystring"] };
  const render = (request: GraphRequest, { code, prefilledMessage }: QrCode) =>
    selectFields(
      request,
      {
        code,
        prefilled_message: prefilledMessage,
        deep_link_url: `https://wa.me/message/${code}`,
        qr_image_url: `https://scontent.example/qr/${code}.png`,
      },
      ["code", "prefilled_message", "deep_link_url"],
    );
  const found = (request: GraphRequest, code: string | undefined): QrCode => {
    const one = toolsOf(request).tools.codes.get(code ?? "");
    if (one === undefined) throw invalid("The QR code does not exist.");
    return one;
  };
  const write = (request: GraphRequest, given: string | undefined) => {
    const { codes } = toolsOf(request).tools;
    const prefilledMessage = parameter(request, "prefilled_message") ?? "";
    if (prefilledMessage === "" || prefilledMessage.length > LONGEST_PREFILLED)
      throw invalid(`Param prefilled_message must have 1 to ${LONGEST_PREFILLED} characters.`);
    const one = given === undefined ? newCode(codes) : found(request, given);
    one.prefilledMessage = prefilledMessage;
    codes.set(one.code, one);
    const image =
      parameter(request, "generate_qr_image") === undefined
        ? {}
        : { qr_image_url: `https://scontent.example/qr/${one.code}.png` };
    return { ...render(request, one), ...image };
  };

  app.get<GraphPath>("/:version/:id/message_qrdls", (request) => {
    const { number, tools } = toolsOf(request);
    return pageOf([...tools.codes.values()], pageQuery(request), {
      scope: `message_qrdls/${number.id}`,
      orderOf: ({ order }) => order,
      render: (one) => render(request, one),
    });
  });
  app.post<GraphPath>("/:version/:id/message_qrdls", (request) => write(request, parameter(request, "code")));
  app.get<CodePath>("/:version/:id/message_qrdls/:code", (request) => ({
    data: [render(request as GraphRequest, found(request as GraphRequest, request.params.code))], // its path has one part more
  }));
  app.post<CodePath>("/:version/:id/message_qrdls/:code", (request) =>
    write(request as GraphRequest, request.params.code),
  );
  app.delete<CodePath>("/:version/:id/message_qrdls/:code", (request) => {
    const { code } = found(request as GraphRequest, request.params.code);
    toolsOf(request as GraphRequest).tools.codes.delete(code);
    return { success: true };
  });
}

let codesMade = 0;
const newCode = (codes: ReadonlyMap<string, QrCode>): QrCode => {
  codesMade += 1;
  const code = `${randomBytes(6).toString("hex").toUpperCase()}${codes.size % 10}1`;
  return { code, prefilledMessage: "", order: codesMade };
};

const bodyOf = (request: GraphRequest): Record<string, unknown> => (isRecord(request.body) ? request.body : {});

/** A list of the body or of the query, where it is JSON; null: not given. */
function listOf(request: GraphRequest, name: string): unknown[] | null {
  const given = bodyOf(request)[name] ?? request.query[name];
  if (given === undefined) return null;
  const list = typeof given === "string" ? parsed(given) : given;
  if (!Array.isArray(list)) throw invalid(`Param ${name} must be an array.`);
  return list;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const invalid = (text: string) => graphRefusal(100, `(#100) ${text}`);
