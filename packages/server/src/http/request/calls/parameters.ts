import { isUtf8 } from "node:buffer";
import { Busboy, type BusboyHeaders } from "@fastify/busboy";
import type { Given, GivenFile } from "../../call.ts";
import { invalidAt, Problem } from "../../problem.ts";
import { parseBody } from "../bodies/parse-body.ts";

type Values = Record<string, unknown>;

/** What our own key and the provider's proof are called; neither is a parameter of a call. */
const NEVER = ["access_token", "appsecret_proof"];
/** Of a query or a form: more are no call of the provider's API. */
const MOST_FIELDS = 200;

type Parameters = Pick<Given, "values" | "files">;

/** Parameters of a call, in whichever place a client has put them; the body's hold. At most so many files. */
export function parametersOf(
  query: Values,
  body: Buffer | undefined,
  { contentType, mostFiles }: { contentType: string; mostFiles: number },
): Parameters {
  const given: Parameters =
    body === undefined || body.length === 0 ? { values: {}, files: [] } : bodyParameters(body, contentType, mostFiles);
  const values = { ...withoutNul(query), ...given.values };
  for (const name of NEVER) delete values[name];
  return { values, files: given.files };
}

function bodyParameters(body: Buffer, contentType: string, mostFiles: number): Parameters {
  const essence = contentType.split(";", 1)[0]?.trim().toLowerCase();
  if (essence === "multipart/form-data") return partParameters(body, contentType, mostFiles);
  return { values: essence === "application/x-www-form-urlencoded" ? formValues(body) : jsonValues(body), files: [] };
}

function jsonValues(body: Buffer): Values {
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

/** A form in parts. */
function partParameters(body: Buffer, contentType: string, mostFiles: number): Parameters {
  const values: Values = {};
  const files: GivenFile[] = [];
  let fault: Problem | null = null;
  try {
    const form = new Busboy({
      headers: { "content-type": contentType } as BusboyHeaders,
      limits: { fields: MOST_FIELDS, files: mostFiles, fieldSize: body.length, headerPairs: 20 },
    });
    form.on(
      "file",
      (part: string | undefined, stream, name: string | undefined, _encoding, type: string | undefined) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        // As many bytes as there were in the body, which has its limit.
        stream.on("end", () =>
          files.push({ name: part ?? "", file: { name: name ?? "", type: type ?? "", bytes: Buffer.concat(chunks) } }),
        );
      },
    );
    form.on("field", (name: string | undefined, value) => {
      values[name ?? ""] = value;
    });
    form.on(
      "filesLimit",
      () =>
        (fault = invalidAt(
          "",
          `This call takes ${mostFiles === 0 ? "no file" : `at most ${mostFiles} files`}.`,
          "unknown_field",
        )),
    );
    form.on("fieldsLimit", () => (fault = tooMany()));
    form.on("error", () => (fault ??= brokenForm()));
    form.end(body); // all of it at once, and the parser is synchronous
  } catch {
    throw brokenForm();
  }
  if (fault !== null) throw fault;
  if (files.some(({ name, file }) => `${name}${file.name}${file.type}`.includes("\0"))) throw brokenForm();
  return { values: withoutNul(values), files };
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
