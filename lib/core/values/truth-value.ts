/** Whether a text is written as a truth value: in the three spellings that YAML 1.2 has of each. */
export function isTruthValue(text: string): boolean {
  return /^(?:true|True|TRUE|false|False|FALSE)$/.test(text);
}
