import { terminalText } from './terminal-text.ts';

/** The same for text that is one line: a name with a line break must not pass itself off as two of our sentences. */
export function terminalLine(text: string): string {
  return terminalText(text).replaceAll('\n', String.raw`\n`);
}
