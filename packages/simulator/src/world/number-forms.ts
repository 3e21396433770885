/** The digits of a phone number as written in `to`, or undefined when it cannot be one. */
export function digitsOf(written: string): string | undefined {
  if (!/^\+?[\d\s()-]+$/.test(written)) return undefined;
  const digits = /^\+?\d+$/.test(written) ? written.replace("+", "") : written.replace(/\D/g, "");
  return digits.length < 7 || digits.length > 15 ? undefined : digits;
}

/**
 * The long form of a number that may be written in two ways: with the ninth digit in Brazil, with the 1 in Mexico, with the 9
 * in Argentina, with the ten digits of 2021 in Ivory Coast. Any other number stays as it is. Both forms of one person have
 * the same long form.
 */
export function longFormOf(digits: string): string {
  if (digits.length === 12) {
    if (digits.startsWith("55") && isBrazilMobile(digits[4]) && isBrazilArea(digits.slice(2, 4))) {
      return `${digits.slice(0, 4)}9${digits.slice(4)}`;
    }
    if (digits.startsWith("52") && /[2-9]/.test(digits[2] ?? "")) return `521${digits.slice(2)}`;
    if (digits.startsWith("54") && /[1-3]/.test(digits[2] ?? "")) return `549${digits.slice(2)}`;
  }
  if (digits.length === 11 && digits.startsWith("225")) {
    const operator = ivorianOperator(digits.slice(3));
    if (operator !== undefined) return `225${operator}${digits.slice(3)}`;
  }
  return digits;
}

/**
 * The `wa_id` of a long form unless the person has another: the documentation promises no form ("the extra added prefix may be
 * modified"), so this is what is usually answered. Brazil's area codes from 31 on lost the ninth digit for numbers that got it
 * when it was introduced; Ivory Coast's accounts from before 2021 kept their eight digits.
 */
export function usualWaId(longForm: string): string {
  if (longForm.length !== 13) return longForm;
  if (longForm.startsWith("55") && longForm[4] === "9" && isBrazilMobile(longForm[5])) {
    const area = longForm.slice(2, 4);
    return isBrazilArea(area) && area >= "31" ? longForm.slice(0, 4) + longForm.slice(5) : longForm;
  }
  if (longForm.startsWith("225") && ivorianOperator(longForm.slice(5)) === longForm.slice(3, 5)) {
    return `225${longForm.slice(5)}`;
  }
  return longForm;
}

/** The form without the mark of a mobile number: of a landline in Mexico, which is in one space with the mobiles. */
export function mexicanLandline(longForm: string): string | undefined {
  return /^521[2-9]\d{9}$/.test(longForm) ? `52${longForm.slice(3)}` : undefined;
}

// Area codes that exist; a number of another one has no second form.
const BRAZIL_AREA = /^(1[1-9]|2[12478]|3[1-578]|4[1-9]|5[1345]|6[1-9]|7[134579]|8[1-9]|9[1-9])$/;

function isBrazilArea(area: string): boolean {
  return BRAZIL_AREA.test(area);
}

// Eight digits that begin with 2 to 5 are a landline, whose number with a 9 in front would be another person's mobile.
function isBrazilMobile(first: string | undefined): boolean {
  return first !== undefined && first >= "6" && first <= "9";
}

/** The prefix that an old mobile number of eight digits got: its second digit says which operator's it was. */
function ivorianOperator(old: string): string | undefined {
  if (!/^[04-9]\d{7}$/.test(old)) return undefined;
  const second = old[1] ?? "";
  if (second >= "7") return "07";
  return second >= "4" ? "05" : "01";
}
