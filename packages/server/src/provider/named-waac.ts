/** A WhatsApp account that a callback names, with the number or the account that it is said of; all three are the provider's ids. */
export type NamedWaac = { waacId: string; providerPhoneNumberId: string | null; providerAccountId: string | null };
