import type { Io } from './io.ts';

type Start = Pick<Io, 'env' | 'script'>;

/**
 * The words with which the user starts Millrace: `millrace`, or `npx millrace` if npx started it (npx sets a
 * variable). A git hook or a script of package.json finds `millrace` in `node_modules/.bin`, where the user's shell
 * does not look.
 */
export function programName({ env, script = '' }: Start): string {
  const isLocal = /[\\/]node_modules[\\/]\.bin[\\/]/.test(script);
  return isLocal || env['npm_command'] === 'exec' ? 'npx millrace' : 'millrace';
}

/** The text with each command in backticks written as the user types it, such as `npx millrace …`. */
export function withProgramName(text: string, start: Start): string {
  return text.replaceAll(/(?<=`)millrace(?= [a-z-])/g, programName(start));
}
