// Media at an API in the provider's form, whose ids are decimal numbers: that of a media is the number that its uuid is, so that neither needs a
// look-up to become the other. One of these days has 37 digits, the provider's own have 15 to 17.

/** Of a uuid. */
export const digitsOfUuid = (uuid: string): string => BigInt(`0x${uuid.replaceAll("-", "")}`).toString();

const DIGITS = /^[1-9]\d{30,38}$/;
/** Version 7, as all ids here. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The uuid that a number is, written in its one way; null for a text that is no id of ours. */
export function uuidOfDigits(text: string): string | null {
  if (!DIGITS.test(text)) return null;
  const hex = BigInt(text).toString(16).padStart(32, "0");
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  return UUID.test(uuid) ? uuid : null;
}
