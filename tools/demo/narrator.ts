import { styleText } from 'node:util';

/** Tells the story on stdout. */
export interface Narrator {
  /** Opens a chapter; they count themselves. */
  chapter(title: string): void;
  say(sentence: string): void;
  /** Something that a program printed or that stands on GitHub. */
  quote(lines: readonly string[]): void;
  /** A table with a line under its head. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): void;
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
    table(head, rows) {
      const widths = head.map((title, column) =>
        Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
      );
      const line = (cells: readonly string[]) =>
        `   ${cells
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`;
      write(line(head) + line(widths.map((width) => '─'.repeat(width))) + rows.map(line).join(''));
    },
  };
}
