import { ValueUnsendable, VersionInvalid } from './errors.ts';

/** What a header can carry unchanged: printable Latin-1 without blanks at the ends. Undici writes Latin-1. */
const unsafe = /[^\u0020-\u007e\u00a0-\u00ff]/u;

/**
 * A header's value, as it is. Version, environment, commit and branch travel as headers when something is
 * published (spec §4.3), so whatever HTTP would change or refuse is refused before sending.
 *
 * @throws {VersionInvalid} where the header is `versionName`, {@link ValueUnsendable} for the others.
 */
export function headerValue(operation: string, field: string, value: string): string {
  const reason = whyUnsendable(value);
  if (reason === undefined) return value;
  if (field === 'versionName') throw new VersionInvalid({ operation, field, reason });
  throw new ValueUnsendable({ operation, field, reason });
}

/** Why a value cannot travel in a header; `undefined` where it can. */
export function whyUnsendable(value: string): string | undefined {
  const found = unsafe.exec(value)?.[0];
  if (found !== undefined) return `it holds ${nameOf(found)}, which a header cannot carry`;
  if (value.trim() !== value) return 'it begins or ends with a blank, which HTTP cuts off';
  return undefined;
}

function nameOf(character: string): string {
  if (character === '\n') return 'a line feed';
  if (character === '\r') return 'a carriage return';
  if (character === '\t') return 'a tab';
  const point = character.codePointAt(0) ?? 0;
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  return point < 0xa0 ? `the control character ${code}` : `“${character}” (${code})`;
}
