import { ERROR_CLASSES, PROVIDER_CODES } from "../../../provider/error-table.ts";
import {
  MESSAGE_ERRORS,
  REMEDY_ARRIVED,
  REMEDY_UNKNOWN,
  REMEDY_WITHOUT_REASON,
  WHO_ACTS,
} from "../../../provider/message-errors.ts";
import { COMPONENT_EXAMPLES } from "../../openapi/parts.ts";
import { PROBLEMS } from "../../problem.ts";
import { messageErrorOf, requestErrorOf } from "./catalogues.ts";
import { jsonText } from "./code.ts";
import type { ApiDocument } from "./document.ts";
import { table, tableRow } from "./inline.ts";

const yesNo = (value: boolean): string => (value ? "yes" : "no");

/** Both closed catalogues and the provider's codes, as the code has them; `named` is how a code of the catalogues is written. */
export function errorsMarkdown(named: (code: string) => string): string {
  return `# Errors

Two closed catalogues: what the API answers to a request, and why a message that was accepted failed later. Within \`/v1\`
codes are only added, never renamed. Act on \`code\`; \`title\` and \`detail\` are for people and may change.

## Of a request

\`application/problem+json\` (RFC 9457) with \`type title status detail code request_id retryable\`, and where they help
\`errors[]\`, \`resource_id\` and \`provider\`. \`retryable\`: the same request may succeed later without a change.

${table(
  ["Code", "Status", "Retryable", "Meaning", "What to do"],
  Object.entries(PROBLEMS).map(([code, { status, retryable, title, remedy }]) => [
    named(code),
    String(status),
    yesNo(retryable),
    title,
    remedy,
  ]),
)}

## Of a message

\`error\` of a message with status \`failed\`, \`expired\` or \`unknown\`, in its events and in its history: \`code title detail retryable
remedy\`, and \`provider\` with the provider's own words; \`detail\` is the most exact sentence among them. \`retryable\`: sending the
same message again can succeed without a change.

A failure that the provider reports without a code is \`provider_error\` with \`retryable\` false and this remedy:
${REMEDY_WITHOUT_REASON}

While the status is \`unknown\`, \`retryable\` is false whatever the code, and so it is for the error of a message that went
out after all. The remedy is then another one:

${table(
  ["Status", "What to do"],
  [
    ["`unknown`", REMEDY_UNKNOWN],
    ["`accepted`, `sent`, `delivered`, `read`", REMEDY_ARRIVED],
  ],
)}

${table(
  ["Code", "Retryable", "Meaning", "Who must act", "What to do"],
  Object.entries(MESSAGE_ERRORS).map(([code, { title, retryable, who, remedy }]) => [
    named(code),
    yesNo(retryable),
    title,
    WHO_ACTS[who],
    remedy,
  ]),
)}

## Of the provider

What Waypost does when the provider refuses a message with a code, or reports later that it failed with one, and the
\`code\` that \`message.error\` then has. The provider's own code, texts and trace id stay in \`error.provider\`. A failure that
is reported after the message was accepted is final, whatever its code. An error body with 1, 2 or 131000 and HTTP 500 or
above proves nothing: the message becomes \`unknown\`. A send that is answered with 803, or with 100 and subcode 33, waits as after 10,
because the number is gone or the token does not reach it. A code that is not listed fails the message as \`provider_rejected\`, or is
tried again where the provider says that it passes. With HTTP 429 it is a throttle as 130429, and so is a listed code that only fails
the message or is tried again.

${table(
  ["Provider code", "`code`", "What follows", "What to do, where it is not what the code says"],
  PROVIDER_CODES.map(([from, to, class_, code, remedy]) => [
    codesText(from, to),
    named(code),
    ERROR_CLASSES[class_].follows,
    remedy ?? "",
  ]),
)}
`;
}

const codesText = (from: number, to: number): string => (from === to ? String(from) : `${from}–${to}`);

/** More calls than that share of all can answer it: then it is said so. */
const MOST_LISTED = 25;

/** The page of a code, which is the `type` of each error that has it. */
export function errorMarkdown(code: string, document: ApiDocument): string {
  return [`# \`${code}\``, ...ofRequest(code, document), ...ofMessage(code), "All codes: [Errors](/docs/errors)."].join(
    "\n\n",
  );
}

function ofRequest(code: string, { operations }: ApiDocument): string[] {
  const problem = requestErrorOf(code);
  if (problem === undefined) return [];
  const callers = operations.filter(({ codes }) => codes.includes(code));
  const example = (COMPONENT_EXAMPLES[code] as { value: unknown } | undefined)?.value;
  const calls =
    callers.length === 0
      ? []
      : callers.length > MOST_LISTED
        ? ["Most calls can be answered with it."]
        : [
            callers
              .map(({ id, summary, method, path }) => `- [${summary}](/docs/${id}) \`${method} ${path}\``)
              .join("\n"),
          ];
  return [
    "## As the answer to a request",
    `${problem.title}.`,
    table(
      ["", ""],
      [
        ["Status", String(problem.status)],
        ["Retryable", problem.retryable ? "yes: the same request may succeed later" : "no: change something first"],
        ["What to do", problem.remedy],
      ],
    ),
    ...(example === undefined ? [] : [`\`\`\`json\n${jsonText(example)}\n\`\`\``]),
    ...(calls.length === 0 ? [] : ["### Calls that answer it", ...calls]),
  ];
}

function ofMessage(code: string): string[] {
  const error = messageErrorOf(code);
  if (error === undefined) return [];
  const causes = PROVIDER_CODES.filter(([, , , leadsTo]) => leadsTo === code);
  const rows = causes.map(([from, to, class_, , remedy]) =>
    tableRow(codesText(from, to), ERROR_CLASSES[class_].follows, remedy ?? ""),
  );
  return [
    "## As the error of a message",
    `${error.title}. In \`error\` of a message that was accepted and failed later, and in its events.`,
    table(
      ["", ""],
      [
        ["Retryable", error.retryable ? "yes: the same message may arrive later" : "no: change something first"],
        ["Who must act", WHO_ACTS[error.who]],
        ["What to do", error.remedy],
      ],
    ),
    ...(rows.length === 0
      ? []
      : [
          "### Codes of the provider",
          [
            tableRow("Provider code", "What follows", "What to do besides"),
            tableRow("---", "---", "---"),
            ...rows,
          ].join("\n"),
        ]),
  ];
}
