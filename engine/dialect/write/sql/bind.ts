/**
 * The SQL that computes two values once and then uses them several times. Without it, the SQL of nested operations
 * would grow exponentially, and `random()` would be called several times. `name` is a name for the two values.
 */
export function bind(
  name: string,
  [a, b]: readonly [string, string],
  write: (a: string, b: string) => string,
): string {
  return `list_transform([{'a': ${a}, 'b': ${b}}], lambda ${name}: ${write(`${name}.a`, `${name}.b`)})[1]`;
}
