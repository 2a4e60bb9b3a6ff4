/** Like `Array.isArray`, but also narrows types with a readonly list. */
export function isList<T>(value: T): value is Extract<T, readonly unknown[]> {
  return Array.isArray(value);
}
