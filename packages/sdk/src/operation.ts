import type { operations } from "./api.gen.ts";

export type OperationId = keyof operations;

type Json<T> = T extends { content: { "application/json": infer Body } } ? Body : never;
type Success<R> = R extends object ? Json<R[keyof R & (200 | 201 | 202)]> : never;

/** The JSON body that an operation takes. */
export type Body<K extends OperationId> = operations[K] extends { requestBody: infer R }
  ? Json<R>
  : operations[K] extends { requestBody?: infer R }
    ? Json<NonNullable<R>>
    : never;

/** The query parameters that an operation takes. */
export type Query<K extends OperationId> = NonNullable<operations[K]["parameters"]["query"]>;

/** The JSON body of an operation's success. */
export type Result<K extends OperationId> = Success<operations[K]["responses"]>;

/** One row of an operation that streams rows. */
export type Row<K extends OperationId> = operations[K]["responses"] extends {
  200: { content: { "application/x-ndjson": infer T } };
}
  ? T
  : never;

/** One item of an operation that lists. */
export type Item<K extends OperationId> = Result<K> extends { data: (infer T)[] } ? T : never;
