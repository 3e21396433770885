// What can be asked of a contact `c`, as SQL. A value is always a parameter, `$3 -> n`: no text of a client becomes a part of a
// statement. Each condition is true or false and never null, so that `not` is its exact complement.

/** `$v` is the leaf's value as jsonb, `$t` the same as text. */
const inAny = (column: string): string =>
  `coalesce(${column} = any(array(select jsonb_array_elements_text($v))), false)`;

/** Texts of a contact that a filter can ask for. */
export const TEXT_COLUMNS = ["name", "email", "locale"] as const;
export type TextColumn = (typeof TEXT_COLUMNS)[number];

export const ORDERS = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;
export type Order = keyof typeof ORDERS;

const ATTRIBUTE = "c.attributes -> ($v ->> 'name')";
const ATTRIBUTE_TEXT = "c.attributes ->> ($v ->> 'name')";
/** Like with like: a text is neither more nor less than a number. `case`, because nothing else keeps the order of its parts. */
const ofType = (type: string, condition: string): string =>
  `case when jsonb_typeof(${ATTRIBUTE}) = '${type}' then ${condition} else false end`;

const LAST_INBOUND = `(select max(v.last_inbound_at) from conversation v
      where v.workspace_id = c.workspace_id and v.contact_id = c.id)`;

/** The text that the index `contact_search` has, written as there (db/indexes.ts). */
const CONTACT_TEXT = "contact_text(name, profile_name, username, email, phone, wa_id, attributes)";
const SEARCHED = CONTACT_TEXT.replaceAll(/(?<=[(, ])(?=[a-z])/g, "c.");

export type OrderLeaf =
  | `attribute_number_${Order}`
  | `attribute_text_${Order}`
  | `last_inbound_${Order}`
  | `created_${Order}`
  | `updated_${Order}`;
export type LeafName =
  | "id"
  | "tag"
  | "tags_in"
  | "tags_exist"
  | "attribute"
  | "attribute_in"
  | "attribute_exists"
  | "attribute_contains"
  | `${TextColumn}_in`
  | `${TextColumn}_contains`
  | `${TextColumn}_exists`
  | "phone_in"
  | "phone_contains"
  | "phone_exists"
  | "consent_in"
  | "last_inbound_exists"
  | "text"
  | "text_parts"
  | OrderLeaf;

const times = (name: string, column: string): [string, string][] =>
  Object.entries(ORDERS).map(([op, sign]) => [`${name}_${op}`, `coalesce(${column} ${sign} ($t)::timestamptz, false)`]);

/** The condition of each leaf, by name. */
export const LEAVES = Object.fromEntries([
  ["id", "c.id = ($t)::uuid"],
  ["tag", "c.tags @> array[$t]"],
  ["tags_in", "c.tags && array(select jsonb_array_elements_text($v))"],
  ["tags_exist", "c.tags <> '{}'"],
  // The value is an object with one attribute.
  ["attribute", "c.attributes @> ($v)"],
  // The value has `name` and `values`. One condition, because thousands of them joined by `or` take seconds to plan.
  ["attribute_in", `coalesce(${ATTRIBUTE} = any(array(select jsonb_array_elements($v -> 'values'))), false)`],
  ["attribute_exists", "c.attributes ? ($t)"],
  ["attribute_contains", ofType("string", `contact_fold(${ATTRIBUTE_TEXT}) like contact_pattern($v ->> 'value')`)],
  ...TEXT_COLUMNS.flatMap((column): [string, string][] => [
    [`${column}_in`, inAny(`c.${column}`)],
    [`${column}_contains`, `coalesce(contact_fold(c.${column}) like contact_pattern($t), false)`],
    [`${column}_exists`, `c.${column} is not null`],
  ]),
  // By every form of a number that is known.
  [
    "phone_in",
    `(exists (select from identifier i where i.workspace_id = c.workspace_id and i.kind = 'phone' and i.scope = ''
      and i.value = any(array(select jsonb_array_elements_text($v))) and i.contact_id = c.id and i.until is null)
      or coalesce(c.phone = any(array(select '+' || jsonb_array_elements_text($v))), false))`,
  ],
  ["phone_contains", "coalesce(c.phone like contact_pattern($t), false)"],
  ["phone_exists", "c.phone is not null"],
  ["consent_in", inAny("c.marketing_consent")],
  ["last_inbound_exists", `${LAST_INBOUND} is not null`],
  ["text", `${SEARCHED} like contact_pattern($t)`],
  ["text_parts", `${SEARCHED} like all (array(select contact_pattern(p) from jsonb_array_elements_text($v) p))`],
  ...Object.entries(ORDERS).flatMap(([op, sign]): [string, string][] => [
    [`attribute_number_${op}`, ofType("number", `(${ATTRIBUTE_TEXT})::numeric ${sign} ($v ->> 'value')::numeric`)],
    [`attribute_text_${op}`, ofType("string", `(${ATTRIBUTE_TEXT}) collate "C" ${sign} ($v ->> 'value')`)],
  ]),
  ...times("last_inbound", LAST_INBOUND),
  ...times("created", "c.created_at"),
  ...times("updated", "c.updated_at"),
]) as Record<LeafName, string>;
