import { innerFunction } from "../../../db/inner-function.ts";
import { LEAVES } from "./leaves.sql.ts";

/** Of a PL/pgSQL function that compiles: `r.filter` into `filter_sql`, and so `narrow` and `sample`; null of what is null or empty. */
export const COMPILER_VARIABLES = `
  filter_sql text;
  narrow_sql text;
  sample_sql text;`;

const LEAF_CASES = Object.entries(LEAVES)
  .map(([name, sql]) => `when '${name}' then format($sql$${templateOf(sql)}$sql$, at_value)`)
  .join("\n        ");

/** `$t`, `$v`: the value at a place. The place is a number, and nothing else of a client gets into the text. */
function templateOf(sql: string): string {
  return sql.replaceAll("%", "%%").replaceAll("$t", "$3 ->> %1$s").replaceAll("$v", "$3 -> %1$s");
}

/**
 * Steps in postfix order become a condition. The text is put together from the constants in this function and from integers: what
 * is not among them is an error. `$3` are the values.
 */
const COMPILE_CONDITION = innerFunction({
  name: "compile_condition",
  takes: { steps: "json" },
  gives: { condition_sql: "text" },
  declare: `
  step json;
  stack text[] := '{}';
  depth int;
  operands int;
  at_value int;
  part text;`,
  body: `
for step in select s.value from json_array_elements(steps) with ordinality s(value, n) order by s.n loop
  depth := cardinality(stack);
  at_value := (step ->> 'at')::int;
  operands := (step ->> 'of')::int;
  if at_value is null and (operands is null or operands < 0 or operands > depth) then
    raise exception 'a step has % operands, and there are %', operands, depth;
  end if;
  if at_value is null then
    part := case step ->> 'do'
      when 'all' then coalesce(array_to_string(stack[depth - operands + 1 : depth], ' and '), '')
      when 'any' then coalesce(array_to_string(stack[depth - operands + 1 : depth], ' or '), '')
      when 'not' then 'not ' || stack[depth]
    end;
    if part = '' then
      part := case step ->> 'do' when 'all' then 'true' else 'false' end;
    end if;
    stack := stack[1 : depth - operands];
  else
    part := case step ->> 'do'
      ${LEAF_CASES}
    end;
  end if;
  if part is null then
    raise exception 'there is no step %', step ->> 'do';
  end if;
  stack := stack || ('(' || part || ')');
end loop;
if cardinality(stack) > 1 then
  raise exception 'the steps leave % conditions', cardinality(stack);
end if;
condition_sql := stack[1];`,
});

export const COMPILE = `
  filter_sql := ${COMPILE_CONDITION.value({ steps: "r.filter" })};
  narrow_sql := ${COMPILE_CONDITION.value({ steps: "r.narrow" })};
  sample_sql := ${COMPILE_CONDITION.value({ steps: "r.sample" })};`;
