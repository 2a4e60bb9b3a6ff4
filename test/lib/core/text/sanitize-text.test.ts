import { describe, expect, test } from 'vitest';
import { terminalText } from '../../../../cli/terminal/terminal-text.ts';
import { visible } from '../../../../lib/html/markup.ts';
import { oneLine, sanitizeLine, sanitizeText } from '../../../../lib/core/text/sanitize-text.ts';
import { createRedactor } from '../../../../lib/core/text/redactor.ts';
import { printable } from '../../../../lib/git/process/run-git.ts';
import { logLine } from '../../../../lib/report/annotations.ts';
import { markdownCode, markdownText } from '../../../../lib/report/markdown-text.ts';

/** One of each family of unsafe characters; tests below cover tab and line feed. */
const unsafe = [
  '\u0000',
  '\r',
  '\u001b',
  '\u007f',
  '\u009b',
  '\u00ad',
  '\u061c',
  '\u180e',
  '\u200b',
  '\u200f',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2060',
  '\u2066',
  '\ufeff',
  '\ufff9',
  '\u{e0001}',
];

const readers = {
  terminalText,
  visible,
  printable,
  logLine,
  markdownText,
  markdownCode: (text: string) => markdownCode(text).replaceAll(/<\/?code>/g, ''),
  oneLine,
};

describe.each(Object.entries(readers))('%s', (_, render) => {
  test.each(unsafe.map((character) => [character.codePointAt(0)?.toString(16), character]))(
    'removes U+%s',
    (_code, character) => {
      expect(render(`a${character}b`)).not.toContain(character);
    },
  );

  test('keeps visible text in any script', () => {
    expect(render('daily load é 東京 مرحبا 😀')).toBe('daily load é 東京 مرحبا 😀');
  });
});

test('text of several lines keeps tabs and line feeds, a single line does not', () => {
  expect(sanitizeText('a\tb\nc\u0007', () => '?')).toBe('a\tb\nc?');
  expect(sanitizeLine('a\tb\nc', '?')).toBe('a?b?c');
  expect(oneLine(' a\t\n\u0007b ')).toBe('a b');
});

test('JSON that is sanitized for a terminal has the same value', () => {
  const value = { name: 'a\u{e0001}b\u202ec' };
  expect(JSON.parse(terminalText(JSON.stringify(value)))).toEqual(value);
});

test.each(unsafe.map((character) => [character.codePointAt(0)?.toString(16), character]))(
  'a secret that U+%s splits is masked',
  (_, character) => {
    expect(createRedactor(['hunter2hunter2']).text(`hunter2${character}hunter2`)).toBe('[secret]');
  },
);
