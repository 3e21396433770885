/** Adds a value to the list of a key, which is begun where there is none: copied each time, a list of n takes n² steps. */
export function appendTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
