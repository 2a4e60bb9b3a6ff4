/** Commands that print nothing of their own to standard output: two speak a protocol, one runs another command. */
export const withoutResult: readonly string[] = ['lsp', 'mcp', 'platform exec'];

/** The file of the JSON Schema in `docs/schemas/commands/` of what a command prints with `--json`. */
export function schemaFileOf(words: string): string {
  return `${words.replaceAll(' ', '-')}.schema.json`;
}
