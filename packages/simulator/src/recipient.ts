/**
 * The `wa_id` of a number as sent in `to`, or undefined when it cannot be one. Brazil's ninth digit is dropped and
 * Mexico's 1 inserted, as the provider does: a sender must not expect its own spelling back (provider reference 1.1).
 */
export function waIdOf(to: string): string | undefined {
  if (!/^\+?[\d\s()-]+$/.test(to)) return undefined;
  const digits = /^\+?\d+$/.test(to) ? to.replace("+", "") : to.replace(/\D/g, "");
  if (digits.length < 7 || digits.length > 15) return undefined;
  if (digits.length === 13 && digits.startsWith("55") && digits[4] === "9") return digits.slice(0, 4) + digits.slice(5);
  if (digits.length === 12 && digits.startsWith("52")) return `521${digits.slice(2)}`;
  return digits;
}
