/**
 * The SQL that computes two values once and uses them several times. `name`: a name for the two values. Without it,
 * nested operations would grow exponentially, and `random()` would be called several times.
 */
export function bind(
  name: string,
  [a, b]: readonly [string, string],
  write: (a: string, b: string) => string,
): string {
  return `list_transform([{'a': ${a}, 'b': ${b}}], lambda ${name}: ${write(`${name}.a`, `${name}.b`)})[1]`;
}
