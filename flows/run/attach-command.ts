/** The command that waits for an existing execution, quoted for a shell. */
export function attachCommand(
  {
    pipeline,
    environment,
  }: { readonly pipeline?: string | undefined; readonly environment?: string | undefined },
  executionId: string,
): string {
  return [
    'millrace run',
    ...(pipeline === undefined ? [] : [shellWord(pipeline)]),
    ...(environment === undefined ? [] : ['--environment', shellWord(environment)]),
    `--attach ${executionId}`,
  ].join(' ');
}

/** Quotes a text for a shell if necessary. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
