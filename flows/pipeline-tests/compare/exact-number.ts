/** A number as it is written, if JavaScript does not have it with all its digits. JSON has its text. */
// An interface would not be JSON data for TypeScript.
export type ExactNumber = { readonly exactNumber: string };

export function exactNumber(text: string): ExactNumber {
  return Object.defineProperty({ exactNumber: text }, 'toJSON', { value: () => text });
}

/** Data of JSON has no functions. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  );
}
