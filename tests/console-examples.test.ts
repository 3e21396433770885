import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXAMPLES } from "../packages/console/src/parts/examples.ts";
import { type ApiDocument, validatorOf } from "./front/operations.ts";

const document = JSON.parse(readFileSync(join(import.meta.dirname, "../openapi.json"), "utf8")) as ApiDocument;
const faultsOf = validatorOf(document);

test.each(Object.entries(EXAMPLES))(
  "the console's example of %s is one that the API takes",
  (_name, { path, body }) => {
    const steps = ["paths", `/${path}`, "post", "requestBody", "content", "application/json", "schema"];
    expect(faultsOf(steps, body)).toEqual([]);
  },
);
