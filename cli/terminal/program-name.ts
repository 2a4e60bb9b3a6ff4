import type { Io } from './io.ts';

type Start = Pick<Io, 'env' | 'script'>;

/**
 * How the user starts Millrace: by its name, or with npx, which sets a variable. A git hook or a script of package.json finds
 * it in `node_modules/.bin`, where the shell of the user does not.
 */
export function programName({ env, script = '' }: Start): string {
  const isLocal = /[\\/]node_modules[\\/]\.bin[\\/]/.test(script);
  return isLocal || env['npm_command'] === 'exec' ? 'npx millrace' : 'millrace';
}

/** A text of ours, with its commands as the user types them. In texts, a command is in backticks. */
export function withProgramName(text: string, start: Start): string {
  return text.replaceAll(/(?<=`)millrace(?= [a-z-])/g, programName(start));
}
