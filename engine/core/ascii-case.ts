/**
 * Converts only the letters a to z to capitals. Other letters stay as they are, because the capital form of `ſ` is
 * `S`, and the capital form of `ß` is `SS`.
 */
export function upperAscii(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** Converts only the letters A to Z to lower case. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
