/** What the provider calls a person who wrote or changed a setting. */
export type ProviderPerson = {
  /** E.164 with `+`; null for people without a visible number. */
  from: string | null;
  /** The number as the provider calls it, digits without `+`. */
  waId: string | null;
  /** Business-scoped, valid in one portfolio, and that of linked portfolios. `userId` may look like a number and be none. */
  userId: string | null;
  parentUserId: string | null;
  username: string | null;
  profileName: string | null;
};

/** What the provider called a person until they changed. */
export type PreviousNames = { waId: string | null; userId: string | null; parentUserId: string | null };
