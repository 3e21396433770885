// What the provider says of a price. `pricing` is SQL for a json object of its, which may be null and may have anything in it.

const fieldOf = (pricing: string, field: string): string => `nullif(lower(btrim(${pricing} ->> '${field}')), '')`;

/** text: what the message counts as, with its hyphens. Null: not said. */
export const priceCategory = (pricing: string): string => fieldOf(pricing, "category");

/** boolean: whether an eligible organisation is exempt from paying for it. */
export const isExempt = (pricing: string): string => `coalesce(${fieldOf(pricing, "subtype")} = 'paid_exempt', false)`;

/** boolean: whether it is free because the person came through an entry point, such as an advertisement. */
export const isEntryPoint = (pricing: string): string =>
  `coalesce(${fieldOf(pricing, "type")} = 'free_entry_point', false)`;

/** boolean: whether it is charged. The type says so; the field `billable`, which will go, counts where there is no type. */
export const isBillable = (pricing: string): string =>
  `case when ${fieldOf(pricing, "type")} is null then coalesce(lower(${pricing} ->> 'billable') = 'true', false)
        else ${fieldOf(pricing, "type")} = 'regular' and not ${isExempt(pricing)} end`;

/** boolean: as versions before these counted it, by `billable`; by the type where that has gone. */
export const wasBillable = (pricing: string): string =>
  `case when ${pricing} ->> 'billable' is null then ${isBillable(pricing)} else ${pricing} ->> 'billable' = 'true' end`;
