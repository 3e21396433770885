/** How the provider's API says what a problem of ours says. */
export type GraphError = {
  status: number;
  code: number;
  /** Stands in the message, which is all that some clients show, in place of the title of our code. */
  title?: string;
  subcode?: number;
  /** The same request may succeed later. */
  transient?: true;
  type?: "GraphMethodException";
};
