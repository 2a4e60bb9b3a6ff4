/** A reason why a component is not known, without what a test could do about it: mock the component, or allow Python. */
export function withoutFix(reason: string): string {
  return reason.replace(/[;:,] (?:mock the component|allow Python).*$/, '');
}
