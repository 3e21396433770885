import { createRequire } from "node:module";

/** Everything that a reader or a generator of clients stumbles over. */
const RULES = [
  "struct", // the document's own grammar, OpenAPI 3.1
  "no-unresolved-refs",
  "no-identical-paths",
  "no-ambiguous-paths",
  "no-path-trailing-slash",
  "path-parameters-defined",
  "operation-operationId",
  "operation-operationId-unique",
  "operation-summary",
  "security-defined",
  "no-enum-type-mismatch",
  "no-schema-type-mismatch",
  "no-invalid-schema-examples",
  "no-invalid-parameter-examples",
  "spec-components-invalid-map-name",
];
/** As many as a person reads. */
const MOST_SHOWN = 5;

/** Throws one line for a document that is not valid OpenAPI 3.1, naming the first places. */
export async function refuseInvalid(document) {
  // The generator of types brings the validator with it.
  const bundled = createRequire(import.meta.resolve("openapi-typescript"));
  const { createConfig, lintFromString } = bundled("@redocly/openapi-core");
  const config = await createConfig({ rules: Object.fromEntries(RULES.map((rule) => [rule, "error"])) });
  const faults = await lintFromString({ source: JSON.stringify(document), config });
  if (faults.length === 0) return;
  const shown = faults
    .slice(0, MOST_SHOWN)
    .map(({ message, location }) => `${location[0]?.pointer ?? "#"}: ${message}`);
  throw new Error(`the OpenAPI document has ${faults.length} faults: ${shown.join(" ")}`);
}
