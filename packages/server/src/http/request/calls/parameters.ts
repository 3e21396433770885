import { isUtf8 } from "node:buffer";
import { Busboy, type BusboyHeaders } from "@fastify/busboy";
import type { Given } from "../../call.ts";
import { invalidAt, Problem } from "../../problem.ts";
import { parseBody } from "../bodies/parse-body.ts";

type Values = Record<string, unknown>;

/** What our own key and the provider's proof are called; neither is a parameter of a call. */
const NEVER = ["access_token", "appsecret_proof"];
/** Of a query or a form: more are no call of the provider's API. */
const MOST_FIELDS = 200;

/** Parameters of a call, in whichever place a client has put them; the body's hold. */
export function parametersOf(query: Values, body: Buffer | undefined, contentType: string): Given["values"] {
  const values = {
    ...withoutNul(query),
    ...(body === undefined || body.length === 0 ? {} : bodyValues(body, contentType)),
  };
  for (const name of NEVER) delete values[name];
  return values;
}

function bodyValues(body: Buffer, contentType: string): Values {
  const essence = contentType.split(";", 1)[0]?.trim().toLowerCase();
  if (essence === "application/x-www-form-urlencoded") return formValues(body);
  if (essence === "multipart/form-data") return partValues(body, contentType);
  const parsed = parseBody(body);
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw invalidAt("", "The body is a JSON object, or a form.", "type");
  return parsed as Values;
}

function formValues(body: Buffer): Values {
  if (!isUtf8(body)) throw new Problem("invalid_request", "The form is not UTF-8.");
  const values: Values = {};
  const fields = [...new URLSearchParams(body.toString("utf8"))];
  if (fields.length > MOST_FIELDS) throw tooMany();
  for (const [name, value] of fields) values[name] = value;
  return withoutNul(values);
}

/** A form in parts, without files. */
function partValues(body: Buffer, contentType: string): Values {
  const values: Values = {};
  let fault: Problem | null = null;
  try {
    const form = new Busboy({
      headers: { "content-type": contentType } as BusboyHeaders,
      limits: { fields: MOST_FIELDS, files: 0, fieldSize: body.length, headerPairs: 20 },
    });
    form.on("field", (name: string | undefined, value) => {
      values[name ?? ""] = value;
    });
    form.on("filesLimit", () => (fault = invalidAt("", "This call takes no file.", "unknown_field")));
    form.on("fieldsLimit", () => (fault = tooMany()));
    form.on("error", () => (fault ??= brokenForm()));
    form.end(body); // all of it at once, and the parser is synchronous
  } catch {
    throw brokenForm();
  }
  if (fault !== null) throw fault;
  return withoutNul(values);
}

const brokenForm = (): Problem => invalidAt("", "The form is not complete, or not as RFC 7578 says.", "invalid_form");
const tooMany = (): Problem => invalidAt("", `A call has at most ${MOST_FIELDS} parameters.`, "too_many");

/** What the database refuses: JSON has been checked for it by its own parser. */
function withoutNul(values: Values): Values {
  for (const [name, value] of Object.entries(values)) {
    const texts = Array.isArray(value) ? value : [value];
    if (texts.some((text) => String(text).includes("\0")) || name.includes("\0") || name === "__proto__")
      throw invalidAt(
        "",
        `The parameter ${JSON.stringify(name.slice(0, 64))} has a NUL character, or no name.`,
        "invalid_text",
      );
  }
  return values;
}
