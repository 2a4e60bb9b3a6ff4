/** Changes the letters a to z only. Other letters may have one of them as their capital: `ſ` has S, and `ß` has SS. */
export function upperAscii(text: string): string {
  return text.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** Changes the letters A to Z only. */
export function lowerAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
