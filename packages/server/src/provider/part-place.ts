/** A change of a callback by its place: indexes from 0, of the entry, of the change in it, and of the item in a list of its value. */
export type PartPlace = { field: string; entry: number; change: number; list?: string; item?: number };
