/** A number as it is written, if JavaScript does not have it with all its digits. JSON has its text. */
// An interface would not be JSON data for TypeScript.
export type ExactNumber = { readonly exactNumber: string };

export function exactNumber(text: string): ExactNumber {
  return Object.defineProperty({ exactNumber: text }, 'toJSON', { value: () => text });
}

/**
 * An item of a list that is an SQL NULL. Reports show the warehouse's word, without the quotes of a text; JSON has no such value, so there
 * it is an object.
 */
export const sqlNullItem: ExactNumber = Object.defineProperty({ exactNumber: 'undefined' }, 'toJSON', {
  value: () => ({ sqlNull: true }),
});

/** A JSON null as the whole value of a semi-structured column: null is an SQL NULL there. */
export const jsonNullCell: ExactNumber = Object.defineProperty({ exactNumber: 'JSON null' }, 'toJSON', {
  value: () => ({ jsonNull: true }),
});

/** Data of JSON has no functions. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  );
}
