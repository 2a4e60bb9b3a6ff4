/** The command that waits for an execution and starts none, ready to be typed. */
export function attachCommand(
  { pipeline, environment }: { readonly pipeline: string; readonly environment: string },
  executionId: string,
): string {
  return `millrace run ${word(pipeline)} --environment ${word(environment)} --attach ${executionId}`;
}

/** Quoted for a shell where it needs to be. */
function word(text: string): string {
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
