import { terminalText } from './terminal-text.ts';

/** Sanitizes text that must be one line: a line break in a foreign name must not look like a message of ours. */
export function terminalLine(text: string): string {
  return terminalText(text).replaceAll('\n', String.raw`\n`);
}
