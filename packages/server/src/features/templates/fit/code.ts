import { addFault, lengthOf, type Place, type Sent } from "./sent.ts";

/** Characters of a one-time password (Cloud API documentation, authentication templates). */
const LONGEST_CODE = 15;
/** Links and emoji, which the provider refuses in a code. */
const NO_CODE = /:\/\/|\p{Extended_Pictographic}/u;

/** A one-time password is given twice: in the body, and in the button that copies it or fills it in. */
export function checkCode(components: readonly Sent[], place: Place): void {
  const body = codeIn(components.find(({ type }) => type === "body"));
  const button = codeIn(components.find(({ type, fields }) => type === "button" && fields["sub_type"] === "url"));
  for (const { at, code } of [body, button].filter((one) => one !== null)) {
    if (lengthOf(code) > LONGEST_CODE)
      addFault(
        place,
        at,
        "too_long",
        `A code has at most ${LONGEST_CODE} characters; this has ${lengthOf(code)}. Shorten it.`,
      );
    else if (NO_CODE.test(code)) addFault(place, at, "format", "A code has no links and no emoji. Remove them.");
  }
  if (body !== null && button !== null && body.code !== button.code)
    addFault(
      place,
      button.at,
      "different",
      "The code of button 0 is not that of {{1}} in the body. Give both the same.",
    );
}

function codeIn(sent: Sent | undefined): { at: string; code: string } | null {
  const code = sent?.parameters[0]?.["text"];
  return sent && typeof code === "string" && code !== "" ? { at: `${sent.at}/parameters/0/text`, code } : null;
}
