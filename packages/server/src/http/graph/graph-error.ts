/** How the provider's API says what a problem of ours says. */
export type GraphError = {
  status: number;
  code: number;
  subcode?: number;
  /** The same request may succeed later. */
  transient?: true;
  type?: "GraphMethodException";
};
