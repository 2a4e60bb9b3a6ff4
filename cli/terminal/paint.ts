import type { Io } from './io.ts';

const colours = { error: 31, warning: 33, notice: 36 } as const;
const paint = (code: number, text: string) => `\u001b[${code}m${text}\u001b[39m`;

/** Whether to use colours: standard output is a terminal that supports them, and NO_COLOR is not set. */
export function wantsColour({ stdout, env }: Pick<Io, 'stdout' | 'env'>): boolean {
  const terminal = 'isTTY' in stdout && stdout.isTTY === true;
  return terminal && env.TERM !== 'dumb' && (env.NO_COLOR ?? '') === '';
}

/**
 * Adds colours to a line of `findingLines`. Call it after the text is sanitized, because sanitizing removes
 * colours.
 */
export function paintFinding(line: string): string {
  if (/^ +\| +\^+$/.test(line)) return paint(32, line);
  return line.replace(
    /^( {2}\d+:\d+ +)(error|warning|notice)\b/,
    (_, place: string, word: keyof typeof colours) => place + paint(colours[word], word),
  );
}
