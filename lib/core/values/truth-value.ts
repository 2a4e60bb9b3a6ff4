/** Whether a text is a truth value: true or false in one of the three spellings that YAML 1.2 has for each. */
export function isTruthValue(text: string): boolean {
  return /^(?:true|True|TRUE|false|False|FALSE)$/.test(text);
}
