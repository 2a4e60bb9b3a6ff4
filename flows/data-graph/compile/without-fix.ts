/** Removes from a reason what only a test could do about it (mock the component, allow Python). */
export function withoutFix(reason: string): string {
  return reason.replace(/[;:,] (?:mock the component|allow Python).*$/, '');
}
