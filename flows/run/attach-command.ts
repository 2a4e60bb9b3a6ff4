/** The command that waits for an execution and starts none, ready to be typed. */
export function attachCommand(
  {
    pipeline,
    environment,
  }: { readonly pipeline?: string | undefined; readonly environment?: string | undefined },
  executionId: string,
): string {
  return [
    'millrace run',
    ...(pipeline === undefined ? [] : [word(pipeline)]),
    ...(environment === undefined ? [] : ['--environment', word(environment)]),
    `--attach ${executionId}`,
  ].join(' ');
}

/** Quoted for a shell where it needs to be. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
