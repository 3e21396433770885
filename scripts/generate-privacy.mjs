const HEAD = "| Table | Holds | Erasure |\n| --- | --- | --- |\n";

/** docs/privacy.md with the table of what the features declare of people's data (`forgets` in feature.ts); its texts are written in the page. */
export function privacyPage(page, declarations) {
  const [before, ...others] = page.split(HEAD);
  if (others.length !== 1) throw new Error(`docs/privacy.md must have one table with this head:\n${HEAD}`);
  const after = others[0].replace(/^(\|.*\n)*/, "");
  const tables = declarations.flatMap(({ forgets }) => Object.entries(forgets?.tables ?? {}));
  const rows = tables.map(([table, { holds, erasure }]) => `| \`${table}\` | ${holds} | ${erasure} |\n`);
  return `${before}${HEAD}${rows.join("")}${after}`;
}
