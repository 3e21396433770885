import type { Feature } from "../../packages/server/src/feature.ts";

export type Declaration = Pick<Feature, "name" | "moves">;

/** A table as the catalogue has it. */
export type KeyedTable = {
  name: string;
  /** Whether it has `workspace_id`, and not null. */
  tenant: boolean;
  /** The columns of the primary key and of each other unique index, by the name of the index. */
  keys: Record<string, string[]>;
  /** Columns whose type or default is a number of a transaction. */
  transactions: string[];
};

/** Tables, unique indexes and columns of which it does not follow, and is not said, how they move to another database. */
export function undecidedMoves(declarations: readonly Declaration[], tables: readonly KeyedTable[]): string[] {
  const moves = Object.assign({}, ...declarations.map((each) => each.moves)) as NonNullable<Feature["moves"]>;
  const known = tables.flatMap(({ name, transactions }) => [
    name,
    ...transactions.map((column) => `${name}.${column}`),
  ]);
  const stale = Object.keys(moves).filter((name) => !known.includes(name));
  return [
    ...tables.flatMap((table) => faultsOf(table, moves)),
    ...stale.map((name) => `${name}: \`moves\` names it, and there is no such table or column of transaction numbers.`),
  ];
}

const OR_SAY =
  "give it workspace_id, not null, and a primary key that begins with it, or say how it moves in `moves` of its feature.ts.";

function faultsOf(table: KeyedTable, moves: NonNullable<Feature["moves"]>): string[] {
  const { name, tenant, keys, transactions } = table;
  const move = moves[name];
  const begins = (column: string): boolean => Object.values(keys).every(([first]) => first === column);
  const isKeyed = tenant && Object.keys(keys).length > 0 && begins("workspace_id");
  const columns = transactions
    .filter((column) => moves[`${name}.${column}`] !== "written again")
    .map(
      (column) =>
        `${name}.${column}: numbers of transactions mean nothing in another database. Keep a time or a sequence, or say in \`moves\` that it is "written again".`,
    );
  return [...columns, ...fault()];

  function fault(): string[] {
    if (move === undefined) {
      if (isKeyed) return [];
      const indexes = indexesOf((first) => first !== "workspace_id", "put workspace_id first in it, or say");
      return indexes.length > 0 ? indexes : [`${name}: ${OR_SAY}`];
    }
    if (move === "by workspace") {
      if (isKeyed) return [`${name}: needs no line in \`moves\`, its keys begin with workspace_id.`];
      return tenant
        ? indexesOf((_first, all) => !all.includes("workspace_id"), "add workspace_id to it, or say")
        : [`${name}: cannot move by workspace without workspace_id, not null.`];
    }
    if (move === "by workspace, as whole rows")
      return tenant && Object.keys(keys).length === 1
        ? []
        : [`${name}: has workspace_id, not null, and no unique index beside its primary key, or moves otherwise.`];
    if (move === "by portfolio") return begins("portfolio_id") ? [] : [`${name}: put portfolio_id first in its keys.`];
    return tenant ? [`${name}: has rows of a workspace, so it cannot stay behind.`] : [];
  }

  function indexesOf(isWrong: (first: string, all: readonly string[]) => boolean, what: string): string[] {
    const wrong = Object.entries(keys).filter(([, all]) => isWrong(all[0] ?? "", all));
    return wrong.map(
      ([index]) => `unique index ${index} of ${name}: ${what} how the table moves in \`moves\` of its feature.ts.`,
    );
  }
}
