import { type Static, type TObject, type TOptional, type TProperties, Type } from "typebox";
import { type AnswerOf, type Columns, columns } from "../../db/hot-function.ts";
import { COLUMNS, type Column } from "./columns.ts";

type Table = typeof COLUMNS;
/** The columns whose rows say this. */
type Where<Rule> = { [K in keyof Table as Table[K] extends Rule ? K : never]: Table[K] };

const ALL: readonly (readonly [name: string, column: Column])[] = Object.entries(COLUMNS);
const where = (has: (column: Column) => boolean): [string, Column][] =>
  ALL.filter(([, column]) => has(column)).map(([name, column]) => [name, column]);
const sqlOf = (named: readonly [string, Column][]): Columns =>
  Object.fromEntries(named.map(([name, { sql }]) => [name, sql]));

type Given = Where<{ accepted: "given" }>;
/** Columns of the input of `accept_messages`. */
export const GIVEN_COLUMNS = columns(sqlOf(where(({ accepted }) => accepted === "given"))) as {
  [K in keyof Given]: Given[K]["sql"];
};

const ACCEPTED = where(({ accepted }) => accepted !== undefined);
/** Inserts the messages of the rows `x` of a `from` list; of the one in a variable `x` where there is none. */
export const insertAccepted = (from: string): string => `insert into message
    (${ACCEPTED.map(([name]) => name).join(", ")})
  select ${ACCEPTED.map(([name, { accepted }]) => (accepted === "given" ? `x.${name}` : accepted)).join(", ")}
  ${from}`;

type Reported = keyof Where<{ reported: true }>;
/** Inserts messages that the provider reported: SQL of each value, of the rows `x` of a `from` list; of the one in a variable `x` where there is none. */
export const insertReported = (from: string, values: Record<Exclude<Reported, SameInAll>, string>): string => {
  const all: Record<string, string> = { ...SAME_IN_ALL, ...values };
  const names = where(({ reported }) => reported === true).map(([name]) => name);
  return `insert into message
    (${names.join(", ")})
  select ${names.map((name) => all[name]).join(", ")}
  ${from}`;
};
type SameInAll = keyof typeof SAME_IN_ALL;
const SAME_IN_ALL = {
  workspace_id: "x.workspace_id",
  id: "x.id",
  phone_number_id: "x.phone_number_id",
  contact_id: "x.contact_id",
  type: "x.type",
  content: "x.content",
  reply_to: "x.quoted",
  sequence: "x.sequence",
  occurred_at: "x.at",
  provided: "x.provided",
} as const;

type First = Where<{ read: "first" }>;
type Later = Where<{ read: "later" }>;
/** Columns of the answer to a send, from which a repetition of it is rendered. */
export const FIRST_COLUMNS = columns(sqlOf(where(({ read }) => read === "first"))) as {
  [K in keyof First]: First[K]["sql"];
};
/** Names of the columns of every other answer. */
export const READ_COLUMNS: readonly string[] = where(({ read }) => read !== undefined).map(([name]) => name);

/** From the driver (dates) or as JSON from a hot function (texts). */
export type Time = Date | string | null | undefined;
type Value<C> = C extends { sql: `timestamptz${string}` }
  ? Time
  : C extends { sql: infer S extends Columns[string] }
    ? AnswerOf<{ value: S }>["value"]
    : never;

/** What the answer to a send is rendered from. */
export type FirstRow = { [K in keyof First]: Value<First[K]> };
/** A message's unchanging row. What a row of a first answer does not have is absent in it. */
export type MessageRow = FirstRow & { [K in keyof Later]?: Value<Later[K]> } & {
  /** Its contact was erased: what was in it, and whom it was exchanged with, is not returned. */
  is_erased?: boolean;
};

type Union<T> = T[keyof T];
type Merged<Union> = (Union extends unknown ? (each: Union) => void : never) extends (each: infer All) => void
  ? All
  : never;
const merged = (parts: readonly (object | undefined)[]): object => Object.assign({}, ...parts) as object;

/** Fields of a request to send that its columns keep as they are given. */
export const ASKED_FIELDS = merged(ALL.map(([, { asks }]) => asks)) as Merged<
  Union<{ [K in keyof Table]: Table[K] extends { asks: infer Fields } ? Fields : never }>
>;

const LATER = where(({ read }) => read === "later") as [string, Column & { read: "later" }][];
type Shown = Merged<Union<{ [K in keyof Later]: Later[K]["shows"] }>>;
/** What every answer has but that to a send; what is no optional field of `shows` is in all of them. */
export type LaterFields = Static<TObject<Shown>>;
/** The same as fields of the resource, where they are absent in the answer to a send. */
export const LATER_FIELDS = Object.fromEntries(
  Object.entries(merged(LATER.map(([, { shows }]) => shows)) as TProperties).map(([name, field]) => [
    name,
    Type.Optional(field),
  ]),
) as { [K in keyof Shown]: TOptional<Shown[K]> };
/** These of a message that was sent from here, for examples. */
export const LATER_EXAMPLE = merged(LATER.map(([, { example }]) => example)) as Merged<
  Union<{ [K in keyof Later]: Later[K]["example"] }>
>;

const PERSONAL = ALL.flatMap(([name, column]) =>
  "personal" in column && column.personal !== null ? [[name, column.personal] as const] : [],
);
/** Names of the columns that erasing a person empties, for grants. */
export const PERSONAL_COLUMNS: readonly string[] = PERSONAL.map(([name]) => name);
/** What they hold, for docs/privacy.md. */
export const PERSONAL_HOLDS = [...new Set(PERSONAL.map(([, { holds }]) => holds))].join(", ");
/** The assignments of an update that empties rows `m`. */
export const EMPTIED = PERSONAL.map(([name, { left }]) => `${name} = ${left}`).join(", ");

/** What is left of a message whose contact was erased: as its row will be when it has been emptied. */
export function withoutPerson(row: MessageRow): MessageRow {
  const values: Readonly<Record<string, unknown>> = row;
  const left = PERSONAL.filter(([name]) => values[name] !== undefined);
  return { ...row, ...Object.fromEntries(left.map(([name, { leave }]) => [name, leave(values[name], row.outbound)])) };
}
