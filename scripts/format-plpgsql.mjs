// Lays out the PL/pgSQL of our hot functions, one clause a line, so that a change of one clause is a change of one line. It
// moves white space only. No library does it: the formatters of SQL take the body of a function for a string.

const WIDTH = 120;
/** What stays on one line although it has several clauses. */
const SHORT = 80;

/** `text`: a whole `create function` statement, with its body between `$function$`. */
export function formatFunction(text) {
  const [head, body] = text.split("$function$\n");
  const [signature, ...settings] = head.trim().split("\n");
  // Of an inner function, which returns no table, its parameters.
  const [name, columns, rest] = /^(.*?returns table |[^(]*)\((.*)\) (language .*)$/s.exec(signature).slice(1);
  const lines = [
    `${name}(`,
    ...fill(
      columns.split(", ").map((column, index, all) => `${column}${index < all.length - 1 ? "," : ""}`),
      "  ",
    ),
    `) ${rest}`,
    ...fill(settings.slice(0, -1), "  "),
    "as $function$",
    ...block(body.replace(/\n?\$function\$$/, "")),
    "$function$;",
  ];
  const formatted = `${lines.join("\n")}\n`;
  if (formatted.replaceAll(/\s/g, "") !== `${text};`.replaceAll(/\s/g, ""))
    throw new Error(`the layout changed ${name}`);
  return formatted;
}

/** Items on as few lines as they need. */
function fill(items, indent) {
  const lines = [];
  for (const item of items) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + item.length <= WIDTH) lines[lines.length - 1] = `${last} ${item}`;
    else lines.push(indent + item);
  }
  return lines;
}

const TOKEN =
  /(\s*)(--[^\n]*|#\w+ \w+|'(?:[^']|'')*'|"[^"]*"|[A-Za-z_][\w$%]*|\d[\d.]*|::|:=|<@|&&|<>|<=|>=|->>|->|<<|>>|\|\||[^\s])/gy;

/** A tree: tokens, and groups in brackets or between `case` and `end`. `space`: white space stands before it. */
function parse(text) {
  const root = { nodes: [] };
  const open = [root];
  for (const [, space, token] of text.matchAll(TOKEN)) {
    const node = { token, space: space !== "" };
    const top = open.at(-1);
    if (token === "(" || token === "[" || token === "case") {
      const group = { ...node, nodes: [], close: token === "(" ? ")" : token === "[" ? "]" : "end" };
      top.nodes.push(group);
      open.push(group);
    } else if (token === top.close) open.pop();
    else top.nodes.push(node);
  }
  return root.nodes;
}

const isComment = (node) => node.token.startsWith("--");
const is = (node, ...tokens) => node !== undefined && tokens.includes(node.token) && node.nodes === undefined;

/** On one line; null when a comment stands in the way. */
function flat(nodes) {
  let text = "";
  for (const node of nodes) {
    if (isComment(node)) return null;
    if (node.space && text !== "") text += " ";
    if (node.nodes === undefined) text += node.token;
    else {
      const inner = flat(node.nodes);
      if (inner === null) return null;
      text += node.close === "end" ? `case ${inner} end` : node.token + inner + node.close;
    }
  }
  return text;
}

/** Statements of a block, with those inside of loops and branches further in. */
function block(body) {
  const lines = [];
  let depth = 0;
  let statement = [];
  const emit = (end = "") => {
    lines.push(...clauses(statement, "  ".repeat(depth), end));
    statement = [];
  };
  for (const node of parse(body)) {
    if (statement.length === 0 && isComment(node)) {
      lines.push("  ".repeat(depth) + node.token);
      continue;
    }
    if (statement.length === 0 && node.token.startsWith("#")) {
      lines.push(node.token);
      continue;
    }
    if (statement.length === 0 && is(node, "begin", "else", "elsif", "end")) depth = Math.max(0, depth - 1);
    if (is(node, ";")) {
      emit(";");
      continue;
    }
    statement.push(node);
    if (is(node, "declare", "begin", "then", "loop", "else") && !is(statement[0], "end")) {
      emit();
      depth += 1;
    }
  }
  if (statement.length > 0) emit();
  return lines;
}

const CLAUSES = new Set([
  "select",
  "perform",
  "from",
  "where",
  "having",
  "returning",
  "values",
  "union",
  "limit",
  "offset",
  "update",
  "delete",
]);

/** Whether a clause begins at this place. */
function begins(nodes, at) {
  const [before, node, next] = [nodes[at - 1], nodes[at], nodes[at + 1]];
  if (at === 0) return false;
  if (isComment(node) || isComment(before)) return true;
  if (node.nodes !== undefined) return false;
  if (is(node, "from")) return !is(before, "distinct", "delete", "rows");
  if (is(node, "update")) return !is(before, "for", "key", "do");
  if (is(node, "insert")) return true;
  if (is(node, "group", "order")) return is(next, "by");
  if (is(node, "on")) return is(next, "conflict");
  if (is(node, "set"))
    return is(before, "update") ? is(nodes[at - 2], "do") : nodes.some((other) => is(other, "update"));
  if (is(node, "cross", "left")) return is(next, "join");
  if (is(node, "join")) return !is(before, "cross", "left");
  if (is(node, "with")) return is(before, "query");
  if (is(node, "loop")) return true;
  return CLAUSES.has(node.token);
}

/** A statement, or the query in a bracket. */
function clauses(nodes, indent, end = "") {
  const line = flat(nodes);
  const parts = split(nodes, begins);
  if (line !== null && indent.length + line.length + end.length <= (parts.length > 1 ? SHORT : WIDTH))
    return [indent + line + end];
  // What stands in front of a query, `return query` or `for r in`, leads it.
  const leads = parts.length > 1 && (is(nodes[0], "return") || is(nodes[0], "for"));
  return parts.flatMap((part, index) => {
    const inner = leads && index > 0 && !is(part[0], "loop") ? `${indent}  ` : indent;
    return clause(part, inner, index === parts.length - 1 ? end : "");
  });
}

function split(nodes, at) {
  const parts = [[]];
  nodes.forEach((node, index) => {
    if (at(nodes, index) && parts.at(-1).length > 0) parts.push([]);
    parts.at(-1).push(node);
  });
  return parts;
}

/** One clause: on a line, or its items on lines below. */
function clause(nodes, indent, end) {
  if (isComment(nodes[0])) return [indent + nodes[0].token];
  const line = flat(nodes);
  if (line !== null && indent.length + line.length + end.length <= WIDTH) return [indent + line + end];
  const items = split(nodes, (all, index) => is(all[index - 1], ","));
  if (items.length === 1) {
    const terms = split(nodes, (all, index) => is(all[index], "and", "or") && !isBetween(all, index));
    if (terms.length > 1) return below(terms, indent, end);
    return [brackets(nodes, indent, end)].flat();
  }
  return below(items, indent, end);
}

const isBetween = (nodes, index) => nodes.slice(0, index).some((node) => is(node, "between"));

/** Words whose items stand further in on the lines below. */
const LEADERS = [
  "select",
  "values",
  "insert",
  "set",
  "update",
  "on",
  "returning",
  "order",
  "group",
  "perform",
  "where",
  "return",
  "if",
  "elsif",
  "when",
];

/** Items below each other, the short ones side by side. */
function below(items, indent, end) {
  const lines = [];
  const hanging = is(items[0][0], ...LEADERS) ? `${indent}  ` : indent;
  items.forEach((item, index) => {
    const tail = index === items.length - 1 ? end : "";
    const inner = index === 0 ? indent : hanging;
    const text = flat(item);
    const last = lines.at(-1);
    const fits = text !== null && inner.length + text.length + tail.length <= WIDTH;
    if (!fits) lines.push(...brackets(item, inner, tail));
    else if (
      !is(items[0][0], "set") &&
      last !== undefined &&
      !last.trim().startsWith("--") &&
      !last.trim().startsWith(")") &&
      last.length + 1 + text.length + tail.length <= WIDTH
    )
      lines[lines.length - 1] = `${last} ${text}${tail}`;
    else lines.push(inner + text + tail);
  });
  return lines;
}

/** Too long for a line and of one item: the longest bracket is opened. */
function brackets(nodes, indent, end) {
  const groups = nodes.filter((node) => node.nodes !== undefined);
  const length = (group) => flat([group])?.length ?? Number.POSITIVE_INFINITY;
  const longest = groups.toSorted((a, b) => length(b) - length(a))[0];
  if (longest === undefined) return fill((flat(nodes) + end).split(" "), indent);
  const at = nodes.indexOf(longest);
  const before = flat(nodes.slice(0, at)) ?? "";
  const rest = nodes.slice(at + 1);
  const gap = longest.space && before !== "" ? " " : "";
  const after = rest.length > 0 ? `${rest[0].space ? " " : ""}${flat(rest)}` : "";
  if (longest.close === "end") {
    const [first, ...others] = split(longest.nodes, (all, index) => is(all[index], "when", "else"));
    const operand = is(first[0], "when") ? "" : ` ${flat(first)}`;
    const arms = operand === "" ? [first, ...others] : others;
    return [
      `${indent}${before}${gap}case${operand}`,
      ...arms.flatMap((arm) => clause(arm, `${indent}  `, "")),
      `${indent}end${after}${end}`,
    ];
  }
  return [
    `${indent}${before}${gap}${longest.token}`,
    ...clauses(longest.nodes, `${indent}  `),
    `${indent}${longest.close}${after}${end}`,
  ];
}
