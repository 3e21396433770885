import { figure, plural } from "./forms.ts";

/** What is seen of a file before it is sent. */
export const importPreview = {
  noText: "The file is not in UTF-8. In Excel, save it as “CSV UTF-8”.",
  unreadable: "The browser cannot read the file. Choose it again.",
  rows: "First rows",
  rowsHelp: "Whether a country has a number is found while the file is read.",
  line: "Line",
  fault: "Refused because",
  ofColumn: (column: string, reason: string) => `${column}: ${reason}`,
  summary: "What the import does",
  facts: {
    seen: "Rows seen",
    faulty: "Refused of them",
    taken: "Columns taken",
    left: "Columns left out",
    consent: "Marketing",
  },
  seen: (rows: number, isAll: boolean) =>
    isAll
      ? plural(rows, { one: "#, the only one", other: "#, which are all" })
      : `The first ${figure(rows)}; the others are checked as they are read`,
  faulty: (rows: number) =>
    rows === 0
      ? "None"
      : `${plural(rows, { one: "# row, which is", other: "# rows, which are" })} listed afterwards; the others are taken`,
  column: (name: string, field: string) => `${name} as ${field}`,
  noColumn: "None",
  consent: "A filled cell is what the person says now: it replaces what is known, an earlier STOP too.",
  noConsent: "No column says it: what is known stays, and a new contact has said nothing.",
  noPhone: "The file is refused: no column is the phone number, or the id of a contact.",
  twice: (one: string, other: string) =>
    `The file is refused: ${one} and ${other} are the same field. Ignore one of them.`,
  faults: {
    plain: {
      missing: "there is none",
      noPlus: "it does not begin with + and a country code",
      zeros: "it begins with 00 in place of +",
      twoPlus: "it has more than one +",
      zero: "no country code begins with 0",
      long: "it is too long for a number",
      id: "it is not the id of a contact",
      twice: "it is there twice, with two values",
      cells: "the row does not have as many cells as there are columns",
      number: "it is not a number",
      boolean: "it is neither true nor false",
      json: 'it is not a JSON object such as {"city":"Recife"}',
    },
    sign: (sign: string) => `it has ${sign}, which no number has`,
    digits: (digits: number) =>
      `it has ${plural(digits, { one: "# digit", other: "# digits" })}, and a number has 8 to 15`,
    name: (most: number) => `it must be one line of at most ${figure(most)} characters`,
    email: (most: number) => `it must be an email address of at most ${figure(most)} characters`,
    locale: "it must be a language such as pt_BR",
    tags: (most: number, characters: number) =>
      `at most ${figure(most)} tags of up to ${figure(characters)} characters`,
    consent: "it must be opted_in, opted_out or unknown",
    attributes: (most: number, characters: number) =>
      `at most ${figure(most)} facts, each a text of up to ${figure(characters)} characters, a number, or true or false`,
  },
};
