/**
 * Converts only the letters a to z to capitals. Other letters are left alone, because the capital of `ſ` is S, and
 * of `ß` SS.
 */
export function upperAscii(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** Converts only the letters A to Z to small letters. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
