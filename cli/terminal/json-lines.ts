/** A value as indented JSON, line by line. */
export function jsonLines(value: unknown): string[] {
  return (JSON.stringify(value, null, 2) ?? 'null').split('\n');
}
