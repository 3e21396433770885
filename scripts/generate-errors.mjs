/** docs/errors.md: both closed catalogues and the provider's codes, as the code has them. */
export function errorsPage({
  PROBLEMS,
  MESSAGE_ERRORS,
  WHO_ACTS,
  REMEDY_UNKNOWN,
  REMEDY_ARRIVED,
  REMEDY_WITHOUT_REASON,
  PROVIDER_CODES,
  ERROR_CLASSES,
}) {
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
remedy\`, and \`provider\` with the provider's own words; \`detail\` is the most exact sentence among them. \`retryable\`: sending the
same message again can succeed without a change.

A failure that the provider reports without a code is \`provider_error\` with \`retryable\` false and this remedy:
${REMEDY_WITHOUT_REASON}

While the status is \`unknown\`, \`retryable\` is false whatever the code, and so it is for the error of a message that went
out after all. The remedy is then another one:

| Status | What to do |
| --- | --- |
${row(["`unknown`", REMEDY_UNKNOWN])}
${row(["`accepted`, `sent`, `delivered`, `read`", REMEDY_ARRIVED])}

| Code | Retryable | Meaning | Who must act | What to do |
| --- | --- | --- | --- | --- |
${Object.entries(MESSAGE_ERRORS)
  .map(([code, { title, retryable, who, remedy }]) =>
    row([`\`${code}\``, yesNo(retryable), title, WHO_ACTS[who], remedy]),
  )
  .join("\n")}

## Of the provider

What Waypost does when the provider refuses a message with a code, or reports later that it failed with one, and the
\`code\` that \`message.error\` then has. The provider's own code, texts and trace id stay in \`error.provider\`. A failure that
is reported after the message was accepted is final, whatever its code. An error body with 1, 2 or 131000 and HTTP 500 or
above proves nothing: the message becomes \`unknown\`. A send that is answered with 803, or with 100 and subcode 33, waits as after 10,
because the number is gone or the token does not reach it. A code that is not listed fails the message as \`provider_rejected\`, or is
tried again where the provider says that it passes. With HTTP 429 it is a throttle as 130429, and so is a listed code that only fails
the message or is tried again.

| Provider code | \`code\` | What follows | What to do, where it is not what the code says |
| --- | --- | --- | --- |
${PROVIDER_CODES.map(([from, to, class_, code, remedy]) =>
  row([from === to ? from : `${from}–${to}`, `\`${code}\``, ERROR_CLASSES[class_].follows, remedy ?? ""]),
).join("\n")}
`;
}

const yesNo = (value) => (value ? "yes" : "no");
const row = (cells) => `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
