/** `Array.isArray` for a type with a readonly list, which it does not narrow. */
export function isList<T>(value: T): value is Extract<T, readonly unknown[]> {
  return Array.isArray(value);
}
