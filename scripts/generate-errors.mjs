/** docs/errors.md: both closed catalogues, as the code has them. */
export function errorsPage({ PROBLEMS, MESSAGE_ERRORS, REMEDY_UNKNOWN, REMEDY_ARRIVED }) {
  return `<!-- Made by \`npm run generate\` from the catalogues in the code. Do not edit. -->

# Errors

Two closed catalogues: what the API answers to a request, and why a message that was accepted failed later. Within \`/v1\`
codes are only added, never renamed. Act on \`code\`; \`title\` and \`detail\` are for people and may change.

## Of a request

\`application/problem+json\` (RFC 9457) with \`type title status detail code request_id retryable\`, and where they help
\`errors[]\`, \`resource_id\` and \`provider\`. \`retryable\`: the same request may succeed later without a change.

| Code | Status | Retryable | Meaning | What to do |
| --- | --- | --- | --- | --- |
${Object.entries(PROBLEMS)
  .map(([code, { status, retryable, title, remedy }]) => row([`\`${code}\``, status, yesNo(retryable), title, remedy]))
  .join("\n")}

## Of a message

\`error\` of a message with status \`failed\`, \`expired\` or \`unknown\`, in its events and in its history: \`code title detail retryable
remedy\`, and \`provider\` with the provider's own words. \`retryable\`: sending the same message again can succeed without
a change.

While the status is \`unknown\`, \`retryable\` is false whatever the code, and so it is for the error of a message that went
out after all. The remedy is then another one:

| Status | What to do |
| --- | --- |
${row(["`unknown`", REMEDY_UNKNOWN])}
${row(["`accepted`, `sent`, `delivered`, `read`", REMEDY_ARRIVED])}

| Code | Retryable | Meaning | What to do |
| --- | --- | --- | --- |
${Object.entries(MESSAGE_ERRORS)
  .map(([code, { title, retryable, remedy }]) => row([`\`${code}\``, yesNo(retryable), title, remedy]))
  .join("\n")}
`;
}

const yesNo = (value) => (value ? "yes" : "no");
const row = (cells) => `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
