import { ValueUnsendable, VersionInvalid } from '../errors/errors.ts';

/** A header carries only printable Latin-1, without spaces at the ends: undici writes Latin-1. */
const unsafe = /[^\u0020-\u007e\u00a0-\u00ff]/u;

/**
 * Validates a header's value and returns it unchanged. A publication sends version, environment, commit and branch as
 * headers (spec §4.3), so values that HTTP would change or refuse are rejected before sending.
 *
 * @throws {VersionInvalid} if the header is `versionName`, {@link ValueUnsendable} for the others.
 */
export function headerValue(operation: string, field: string, value: string): string {
  const reason = unsendableReason(value);
  if (reason === undefined) return value;
  if (field === 'versionName') throw new VersionInvalid({ operation, field, reason });
  throw new ValueUnsendable({ operation, field, reason });
}

/** The reason why a header cannot carry the value; `undefined` if it can. */
export function unsendableReason(value: string): string | undefined {
  const character = unsafe.exec(value)?.[0];
  if (character !== undefined) return `it contains ${nameOf(character)}, which a header cannot carry`;
  if (value.trim() !== value) return 'it begins or ends with a space, which HTTP removes';
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
