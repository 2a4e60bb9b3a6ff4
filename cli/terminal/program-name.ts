/** How the user starts Millrace: npx sets this variable. */
export function programName(env: Readonly<Record<string, string | undefined>>): string {
  return env['npm_command'] === 'exec' ? 'npx millrace' : 'millrace';
}

/** A text of ours, with its commands as the user types them. In texts, a command is in backticks. */
export function withProgramName(text: string, env: Readonly<Record<string, string | undefined>>): string {
  return text.replaceAll(/(?<=`)millrace(?= [a-z-])/g, programName(env));
}
