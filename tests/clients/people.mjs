/** The number and the account that the clients use, and whom they write to. */
export const NUMBER = "1055";
export const ACCOUNT = "9001";
export const PERSON = "+15550001111";
