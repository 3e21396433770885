/** Messages of a person that are looked at to count the unread ones: some hundred microseconds, and more than an inbox shows. */
export const UNREAD_AMONG = 500;
