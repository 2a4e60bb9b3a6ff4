import { ValueUnsendable } from '../errors/errors.ts';

/**
 * Replaces each `{name}` in a path of the contract by one encoded segment, because names are user text
 * (`variableName`, `environmentName`). Rejects `.` and `..`: URL parsers drop them even when they are encoded.
 *
 * @throws {ValueUnsendable} for a value that cannot be a path segment.
 */
export function encodePath(
  operation: string,
  template: string,
  params: Readonly<Record<string, unknown>>,
): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(params[name]);
    if (value === '.' || value === '..') {
      throw new ValueUnsendable({
        operation,
        field: name,
        reason: `“${value}” as a part of the path would change the path`,
      });
    }
    return encodeComponent(operation, name, value);
  });
}

/**
 * The query string with its question mark, empty without parameters. Every value is percent-encoded, because the `+`
 * of a time's offset would be read as a space (unknowns §7).
 */
export function encodeQuery(operation: string, query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeComponent(operation, name, String(value))}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function encodeComponent(operation: string, field: string, value: string): string {
  if (!value.isWellFormed()) {
    throw new ValueUnsendable({
      operation,
      field,
      reason: 'it contains half of a character (a lone surrogate)',
    });
  }
  return encodeURIComponent(value);
}
