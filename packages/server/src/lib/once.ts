/** Makes a value when it is first asked for, and keeps it. What throws is tried again. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
