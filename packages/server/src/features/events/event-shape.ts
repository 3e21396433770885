import type { TSchema } from "typebox";

/** What the bodies of some kinds of events have in common, as the API document says it to receivers. */
export type EventShape<Kind extends string = string> = {
  /** Its name among the schemas of the document, such as `MessageStatusEvent`. */
  name: string;
  /** What each kind reports, in a sentence. */
  means: Readonly<Record<Kind, string>>;
  /** The schema of `data`. */
  data: TSchema;
  /** The `data` of an event of this kind, for the document. */
  example(kind: Kind): object;
};

/** Keeps the kinds of a shape as types, so that each has its sentence. */
export const eventShape = <const Kind extends string>(shape: EventShape<Kind>): EventShape<Kind> => shape;
