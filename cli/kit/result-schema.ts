/** Commands that print no result to standard output: two of them use it for a protocol, one runs another command. */
export const withoutResult: readonly string[] = ['lsp', 'mcp', 'platform exec'];

/** The name of a command's JSON Schema file in `docs/schemas/commands/`, which describes the output of `--json`. */
export function schemaFileOf(words: string): string {
  return `${words.replaceAll(' ', '-')}.schema.json`;
}
