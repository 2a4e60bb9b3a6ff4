import { styleText } from 'node:util';

/** Prints the demo on stdout. */
export interface Narrator {
  /** Starts a chapter with the next number. */
  chapter(title: string): void;
  say(sentence: string): void;
  /** Output of a program, or text on GitHub. */
  quote(lines: readonly string[]): void;
  /** A table with a header row. */
  table(header: readonly string[], rows: readonly (readonly string[])[]): void;
}

export function createNarrator(write: (text: string) => void, colours: boolean): Narrator {
  let chapters = 0;
  const bold = (text: string) => (colours ? styleText('bold', text, { validateStream: false }) : text);
  const dim = (text: string) => (colours ? styleText('dim', text, { validateStream: false }) : text);
  return {
    chapter(title) {
      chapters += 1;
      write(`\n${bold(`${chapters}. ${title}`)}\n`);
    },
    say: (sentence) => write(`   ${sentence}\n`),
    quote: (lines) => write(lines.map((line) => `     ${dim(`│ ${line}`)}\n`).join('')),
    table(header, rows) {
      const widths = header.map((title, column) =>
        Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
      );
      const line = (cells: readonly string[]) =>
        `   ${cells
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`;
      write(line(header) + line(widths.map((width) => '─'.repeat(width))) + rows.map(line).join(''));
    },
  };
}
