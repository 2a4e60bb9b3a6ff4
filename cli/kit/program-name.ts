/** How the user starts Millrace: npx sets this variable. */
export function programName(env: Readonly<Record<string, string | undefined>>): string {
  return env['npm_command'] === 'exec' ? 'npx millrace' : 'millrace';
}
