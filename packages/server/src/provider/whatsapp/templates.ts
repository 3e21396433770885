import type { AccountAccess, CallResult } from "../call-result.ts";
import type { ChangeResult, Submitted, TemplateCalls, TemplateEdit, TemplateSubmission } from "../template-calls.ts";
import { type Graph, unreadable } from "./graph.ts";
import { asId, asRecord, asText } from "./json.ts";

/** Submits, edits and deletes templates. `appId`: our app at the provider, to which samples are uploaded; null: none are. */
export function templateCalls(graph: Graph, appId: string | null): TemplateCalls {
  return {
    async createTemplate({ template, ...access }) {
      const body = JSON.stringify(submissionBody(template));
      return read(await graph.change("POST", templatesOf(access), {}, { ...access, body }), submitted, "submission");
    },
    async editTemplate({ providerTemplateId, change, ...access }) {
      const body = JSON.stringify(editBody(change));
      return done(await graph.change("POST", encodeURIComponent(providerTemplateId), {}, { ...access, body }));
    },
    async deleteTemplate({ providerTemplateId, name, ...access }) {
      const query = { hsm_id: providerTemplateId, name };
      return done(await graph.change("DELETE", templatesOf(access), query, { ...access, body: null }));
    },
    async uploadSample({ accessToken, sample, signal }) {
      if (appId === null) throw new Error("samples are uploaded to the app, and PROVIDER_APP_ID is missing");
      const query = { file_name: sample.name, file_length: String(sample.bytes), file_type: sample.type };
      const path = `${encodeURIComponent(appId)}/uploads`;
      // Not by the account's quota: the app's.
      const begun = await graph.change("POST", path, query, { accessToken, body: null, signal });
      if (!begun.ok) return { ok: false, error: begun.error };
      const session = sessionOf(begun.value);
      if (session === null) return unreadable("upload");
      return handleOf(await graph.upload(session, sample, { accessToken, signal }));
    },
  };
}

const templatesOf = ({ providerAccountId }: AccountAccess): string =>
  `${encodeURIComponent(providerAccountId)}/message_templates`;

const submissionBody = ({ name, language, category, ...more }: TemplateSubmission) => ({
  name,
  language,
  ...editBody({ category, ...more }),
});

const editBody = ({ category, components, parameterFormat, messageSendTtlSeconds }: TemplateEdit) => ({
  ...(category === undefined ? {} : { category: category.toUpperCase() }),
  ...(parameterFormat === undefined ? {} : { parameter_format: parameterFormat.toUpperCase() }),
  ...(components === undefined ? {} : { components }),
  ...(messageSendTtlSeconds === undefined ? {} : { message_send_ttl_seconds: messageSendTtlSeconds }),
});

function submitted(value: unknown): Submitted | null {
  const answer = asRecord(value);
  const providerTemplateId = asId(answer?.["id"]);
  if (providerTemplateId === null) return null;
  const lowerCase = (name: string): string => asText(answer?.[name])?.toLowerCase() ?? "";
  return { providerTemplateId, status: lowerCase("status"), category: lowerCase("category") };
}

const done = (answer: ChangeResult<unknown>): ChangeResult<null> =>
  read(answer, (value) => (asRecord(value)?.["success"] === true ? true : null), "change") as ChangeResult<null>;

/** An answer without the documented result leaves open what was done. */
function read<T>(answer: ChangeResult<unknown>, parse: (value: unknown) => T | null, what: string): ChangeResult<T> {
  if (!answer.ok) return answer;
  const value = parse(answer.value);
  return value === null ? { ...unreadable(what), lost: true } : { ok: true, value };
}

/** `upload:` and characters that a path and a query may have: it goes into a path as it is. */
const SESSION = /^upload:[A-Za-z0-9_\-=+/.:~%?&]{1,1000}$/;

function sessionOf(value: unknown): string | null {
  const id = asText(asRecord(value)?.["id"]);
  return id !== null && SESSION.test(id) && !id.includes("..") ? id : null;
}

/** Longest handle that is passed on; those seen have some 300 characters, and several lines for large files. */
const LONGEST_HANDLE = 8_192;

function handleOf(answer: CallResult<unknown>): CallResult<string> {
  if (!answer.ok) return answer;
  const handle = asText(asRecord(answer.value)?.["h"]);
  return handle === null || handle.length > LONGEST_HANDLE ? unreadable("handle") : { ok: true, value: handle };
}
