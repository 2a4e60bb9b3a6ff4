/** Whether a text uses a variable: `${name}` or `${name…}`. */
export function usesVariable(text: string, variable: string): boolean {
  const start = `\${${variable}`;
  for (let at = text.indexOf(start); at >= 0; at = text.indexOf(start, at + 1))
    if (!/\w/.test(text.charAt(at + start.length))) return true;
  return false;
}
