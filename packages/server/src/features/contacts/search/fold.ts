/** A text without its accents, as `contact_fold` of the database compares texts; what is left of some is nothing. */
export const withoutAccents = (text: string): string => text.normalize("NFKD").replaceAll(/[\u0300-\u036f]/g, "");
