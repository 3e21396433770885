// Whether the content of a template is another one. The samples in it are not content: those of media are addresses that the provider
// signs again for each reading.

/** A text that json keeps and jsonb refuses: of these the texts are compared. */
const REFUSED = String.raw`\\u(0000|[dD][89a-fA-F])`;

/** Whether two columns of components, of the type json, say different things. */
export const contentDiffers = (a: string, b: string): string => `case
        when ${a}::text = ${b}::text then false
        when ${a}::text ~ '${REFUSED}' or ${b}::text ~ '${REFUSED}' then true
        else ${contentOf(`${a}::jsonb`)} <> ${contentOf(`${b}::jsonb`)} end`;

/** Components without samples; a carousel has cards, and each of them components of its own. */
const contentOf = (components: string): string =>
  mapped(components, "p", {
    buttons: mapped("p.value->'buttons'", "b"),
    cards: mapped("p.value->'cards'", "k", {
      components: mapped("k.value->'components'", "c", { buttons: mapped("c.value->'buttons'", "d") }),
    }),
  });

/** The objects of a list in their order, each without its sample and with these parts of it instead; null for what is no list. */
function mapped(list: string, one: string, parts: Record<string, string> = {}): string {
  const instead = Object.entries(parts).map(([name, value]) => ` || jsonb_build_object('${name}', ${value})`);
  const object = `${one}.value - 'example'${instead.join("")}`;
  return `(select jsonb_agg(case when jsonb_typeof(${one}.value) = 'object' then ${object} else ${one}.value end order by ${one}.ordinality)
          from jsonb_array_elements(case when jsonb_typeof(${list}) = 'array' then ${list} end) with ordinality ${one})`;
}
