import { ApiDocument, type Media, type Operation, type Parameter, type Part } from "./reference/document.ts";

/** The name of the one way to authenticate: both kinds of keys are given alike. */
export const SCHEME = "key";

/**
 * The document as the library of "Try it" takes it: what is to be filled in, with the examples. Without schemas, which it would check and
 * draw for seconds, and of which it understands less than there is: the reference has them.
 */
export function tryDocument(document: string): string {
  const { openapi, info, servers, tags, ...rest } = JSON.parse(document) as Record<string, unknown>;
  const { operations } = new ApiDocument({ tags, ...rest });
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations)
    paths[operation.path] = { ...paths[operation.path], [operation.method.toLowerCase()]: callOf(operation) };
  const description = "An API key of a workspace. For the calls of the operator: the operator key.";
  const securitySchemes = { [SCHEME]: { type: "http", scheme: "bearer", description } };
  return JSON.stringify({ openapi, info, servers, tags, paths, components: { securitySchemes } });
}

const callOf = ({ id, summary, description, tag, key, parameters, body, answers }: Operation): object => ({
  operationId: id,
  summary,
  description,
  tags: [tag],
  security: key === null ? [] : [{ [SCHEME]: [] }],
  parameters: parameters.map(parameterOf),
  ...(body === null
    ? {}
    : { requestBody: { required: body.required, content: Object.fromEntries(body.media.map(contentOf)) } }),
  responses: Object.fromEntries(answers.map((answer) => [answer.status, { description: answer.description }])),
});

const parameterOf = ({ name, in: place, required = false, description = "", schema, example }: Parameter): object => ({
  name,
  in: place,
  required,
  description,
  schema: valueOf(schema),
  ...(example === undefined ? {} : { example }),
});

/** Of the value of a parameter what a field needs. */
function valueOf({ type, enum: values, default: fallback }: Part): object {
  const one = typeof type === "string" ? type : "string";
  return {
    type: one === "array" || one === "object" ? "string" : one,
    ...(values === undefined ? {} : { enum: values }),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
}

const contentOf = ({ type, examples }: Media): [type: string, content: object] => {
  if (type === "multipart/form-data")
    return [type, { schema: { type: "object", properties: { file: { type: "string", format: "binary" } } } }];
  const named = examples.map(({ summary, value }, index) => [`example_${index + 1}`, { summary, value }]);
  return [
    type,
    { schema: { type: type === "application/json" ? "object" : "string" }, examples: Object.fromEntries(named) },
  ];
};
