/** Orders texts by code units: the same on every machine, unlike `localeCompare`. */
export function compareTexts(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
