// `npm run generate`: writes the files that are made from the code; with `--check` it only compares. It reads the TypeScript
// sources themselves, so that it needs no build, no database and no network, and the same code gives the same files.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { register } from "tsx/esm/api";
import { formatFunction } from "./format-plpgsql.mjs";
import { BRUNO, brunoCollection } from "./generate-bruno.mjs";
import { cliPage } from "./generate-cli.mjs";
import { cloudApiPage } from "./generate-cloud-api.mjs";
import { gettingStartedPage } from "./generate-getting-started.mjs";
import { privacyPage } from "./generate-privacy.mjs";
import { sdkResources } from "./generate-sdk.mjs";
import { pythonSdk } from "./generate-sdk-python.mjs";
import { sdkTypes } from "./generate-types.mjs";
import { webhookEventsPage } from "./generate-webhook-events.mjs";
import { LIST, listOf, readList, readMigrations } from "./migrations.mjs";
import { ROOT, runMain } from "./run.mjs";

const NOTICE = "// Made by `npm run generate` from the route table. Do not edit.\n";
const ERRORS_NOTICE = "<!-- Made by `npm run generate` from the catalogues in the code. Do not edit. -->";

await runMain(async () => {
  const options = process.argv.slice(2);
  const unknown = options.find((option) => option !== "--check");
  if (unknown !== undefined) throw new Error(`npm run generate takes --check and nothing else, not ${unknown}`);
  const files = await generate();
  return options.includes("--check") ? check(files) : write(files);
});

/** Path in the repository → content. */
async function generate() {
  register();
  const { openapiDocument, frontCalls } = await import("../packages/server/src/process/openapi-document.ts");
  const { PROBLEMS } = await import("../packages/server/src/http/problem.ts");
  const { GRAPH_ERRORS } = await import("../packages/server/src/http/graph/errors.ts");
  const { errorsMarkdown } = await import("../packages/server/src/http/pages/reference/error-pages.ts");
  const { CALLBACK_FIELDS } = await import("../packages/server/src/provider/whatsapp/callbacks/callbacks.ts");
  const { FEATURES, HOT_FUNCTIONS } = await import("../packages/server/src/features.ts");
  const { withInner } = await import("../packages/server/src/db/inner-function.ts");
  const { createProgram, declaredCommands } = await import("../packages/cli/src/program.ts");
  const { Invocation } = await import("../packages/cli/src/connection.ts");
  const program = await createProgram(new Invocation({}), () => true);
  const { SERVER } = await import("../packages/server/src/server-tables.ts");
  const document = JSON.parse(JSON.stringify(await openapiDocument()));
  return new Map([
    ["openapi.json", `${JSON.stringify(document, null, 2)}\n`],
    ["docs/cli.md", cliPage(program, await declaredCommands())],
    ["docs/cloud-api.md", cloudApiPage(current("docs/cloud-api.md") ?? "", await frontCalls(), GRAPH_ERRORS)],
    ["docs/errors.md", `${ERRORS_NOTICE}\n\n${errorsMarkdown((code) => `\`${code}\``)}`],
    ["docs/getting-started.md", gettingStartedPage(current("docs/getting-started.md") ?? "", CALLBACK_FIELDS)],
    ["docs/privacy.md", privacyPage(current("docs/privacy.md") ?? "", [...FEATURES, SERVER])],
    ["docs/webhook-events.md", webhookEventsPage(document)],
    ["packages/server/functions.sql", functionsFile(withInner(HOT_FUNCTIONS))],
    [LIST, listOf(readMigrations(), readList())],
    ...brunoCollection(document),
    ["packages/sdk/src/api.gen.ts", `${NOTICE}\n${await sdkTypes(document)}`],
    ["packages/sdk/src/resources.gen.ts", `${NOTICE}\n${sdkResources(document)}`],
    ...Object.entries(pythonSdk(document)).map(([name, text]) => [
      `packages/sdk-python/src/waypost/${name}`,
      `${NOTICE.replace("//", "#")}\n${text}`,
    ]),
    ["packages/cli/src/remedies.gen.ts", remediesOf(PROBLEMS)],
    [
      "packages/console/src/api/new-contact.gen.ts",
      `${NOTICE}\n${rulesOf("NEW_CONTACT", document.components.schemas.NewContact)}`,
    ],
  ]);
}

/** The text of each hot function as it is installed, but for its layout and the hash in its name, which a review need not read. */
function functionsFile(functions) {
  const sorted = functions.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const plain = (text) => functions.reduce((all, { installed, name }) => all.replaceAll(installed, name), text);
  const texts = sorted.map(({ text }) => formatFunction(plain(text)));
  return `-- Made by \`npm run generate\` from the hot functions. Do not edit.\n\n${texts.join("\n")}`;
}

/** A schema without what is only for readers, for pages that check ahead of the API. */
function rulesOf(name, schema) {
  const rules = JSON.stringify(
    schema,
    (key, value) => (["description", "examples"].includes(key) ? undefined : value),
    2,
  );
  return `/** What \`POST /v1/contacts\` takes, as the document says it. */\nexport const ${name} = ${rules} as const;\n`;
}

/** What to do about a refusal, for the command line; the places of a request that is not valid say it themselves. */
function remediesOf(problems) {
  const remedies = Object.entries(problems)
    .filter(([code]) => code !== "invalid_request")
    .map(([code, { remedy }]) => `  ${code}: ${JSON.stringify(remedy)},`);
  return `// Made by \`npm run generate\` from the catalogue of errors. Do not edit.\n\n/** What to do about an error of the API, by its code. */\nexport const REMEDIES: Readonly<Record<string, string>> = {\n${remedies.join("\n")}\n};\n`;
}

function write(files) {
  for (const [path, content] of files) {
    if (current(path) === content) continue;
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), content);
    console.log(`wrote ${path}`);
  }
  for (const path of leftOver(files)) rmSync(join(ROOT, path));
}

/** Files of a folder that is made whole, and no longer made. */
function leftOver(files) {
  if (!existsSync(join(ROOT, BRUNO))) return [];
  return readdirSync(join(ROOT, BRUNO), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)).replaceAll("\\", "/"))
    .filter((path) => !files.has(path));
}

function check(files) {
  const changed = [...files].filter(([path, content]) => current(path) !== content).map(([path]) => path);
  const stale = [...changed, ...leftOver(files)];
  if (stale.length === 0) return 0;
  const verb = stale.length === 1 ? "is" : "are";
  throw new Error(`${stale.join(", ")} ${verb} not what the code gives now: run \`npm run generate\` and commit it`);
}

function current(path) {
  const file = join(ROOT, path);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}
