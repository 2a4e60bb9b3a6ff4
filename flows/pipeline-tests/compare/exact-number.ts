/** A number as it is written, if JavaScript does not have it with all its digits. JSON has its text. */
// An interface would not be JSON data for TypeScript.
export type ExactNumber = { readonly exactNumber: string };

export function exactNumber(text: string): ExactNumber {
  return Object.defineProperty({ exactNumber: text }, 'toJSON', { value: () => text });
}

/** An SQL NULL inside a list. Reports show NULL without quotes; JSON has no such value, so there it is an object. */
export const sqlNullItem: ExactNumber = Object.defineProperty({ exactNumber: 'undefined' }, 'toJSON', {
  value: () => ({ sqlNull: true }),
});

/** A JSON null as the whole value of a semi-structured column, to distinguish it from an SQL NULL. */
export const jsonNullCell: ExactNumber = Object.defineProperty({ exactNumber: 'JSON null' }, 'toJSON', {
  value: () => ({ jsonNull: true }),
});

/**
 * Whether a value is an exact number, which is represented by an object with a function. JSON data has no
 * functions.
 */
export function isExactNumber(value: unknown): value is ExactNumber {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  );
}
