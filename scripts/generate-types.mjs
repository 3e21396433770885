// The SDK's types: a named type for each schema of the document, and what each operation takes and answers in terms of these.
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const { factory } = ts;

/** The text of packages/sdk/src/api.gen.ts. */
export async function sdkTypes(document) {
  const nodes = await openapiTS(withoutHeaders(document), { defaultNonNullable: false });
  const components = nodes.find((node) => node.name?.text === "components");
  const operations = nodes.find((node) => node.name?.text === "operations");
  const schemas = components.members.find((member) => member.name.text === "schemas");
  const named = schemas.type.members.map(namedType);
  const text = astToString([...named, knownEvent(document), withNames(components, schemas), operations]);
  // Where the document refers to a schema, its type is referred to.
  return text.replaceAll(/components\["schemas"\]\["(\w+)"\]/g, "$1");
}

/** `export type Message = …` of the member `Message: …`. */
function namedType(member) {
  const name = member.name.text;
  if (GLOBAL_TYPES.has(name)) throw new Error(`a schema is named ${name}, like a type of the language`);
  const type = factory.createTypeAliasDeclaration([exported()], name, undefined, member.type);
  // What the document says of a schema stands above the member.
  return ts.setSyntheticLeadingComments(type, ts.getSyntheticLeadingComments(member));
}

/** `export type KnownEvent = …`: the body of a delivery of any kind that the document has. */
function knownEvent({ webhooks }) {
  const schemas = Object.values(webhooks).map(
    ({ post }) => post.requestBody.content["application/json"].schema.allOf[0],
  );
  const names = [...new Set(schemas.map(({ $ref }) => $ref.split("/").at(-1)))];
  const union = factory.createUnionTypeNode(names.map((name) => factory.createTypeReferenceNode(name)));
  return factory.createTypeAliasDeclaration([exported()], "KnownEvent", undefined, union);
}

/** Types of the language that the generated text uses. */
const GLOBAL_TYPES = new Set(["Omit", "Record"]);

const exported = () => factory.createModifier(ts.SyntaxKind.ExportKeyword);

/** `components`, in which each schema is the type of its name. */
function withNames(components, schemas) {
  const members = schemas.type.members.map(({ name }) =>
    factory.createPropertySignature(undefined, name, undefined, factory.createTypeReferenceNode(name.text)),
  );
  const type = factory.createTypeLiteralNode(members);
  const references = factory.createPropertySignature(undefined, schemas.name, undefined, type);
  const parts = components.members.map((member) => (member === schemas ? references : member));
  return factory.createInterfaceDeclaration([exported()], components.name, undefined, undefined, parts);
}

/** The SDK gives no headers of answers by type; with them its types are half as long again. */
function withoutHeaders(document) {
  const { headers: _, ...components } = document.components;
  const text = JSON.stringify({ ...document, components }, (name, value) =>
    name === "responses" ? bare(value) : value,
  );
  return JSON.parse(text);
}

function bare(responses) {
  const stripped = Object.entries(responses).map(([name, response]) => [name, { ...response, headers: undefined }]);
  return Object.fromEntries(stripped);
}
