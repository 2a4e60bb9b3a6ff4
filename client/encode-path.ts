import { ValueUnsendable } from './errors.ts';

/**
 * Fills `{name}` in a path of the contract. Names are user text (`variableName`, `environmentName`), so each is
 * one encoded segment; `.` and `..` are refused because URL readers drop them even when encoded.
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
        reason: `“${value}” would be read as a way up or down the path`,
      });
    }
    return encodeComponent(operation, name, value);
  });
}

/**
 * Query text with its question mark, empty where nothing is asked. Percent-encoded throughout: the `+` of a
 * time's offset would read as a space (unknowns §7).
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
      reason: 'it holds half of a character (a lone surrogate)',
    });
  }
  return encodeURIComponent(value);
}
