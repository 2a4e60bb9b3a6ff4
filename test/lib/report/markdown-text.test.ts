import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { oneLine } from '../../../lib/core/text/sanitize-text.ts';
import { logLine } from '../../../lib/report/annotations.ts';
import { markdownBlock, markdownCode, markdownText, urlPath } from '../../../lib/report/markdown-text.ts';
import { shorten, shortenBytes } from '../../../lib/core/text/shorten.ts';
import { parseCommand } from '../../runner/workflow-command.ts';
import { nasty } from '../github/nasty-text.ts';

// A fixed seed: every run tests the same cases.
fc.configureGlobal({ seed: 20_310_101 });

describe('no foreign text', () => {
  test('starts a workflow command from a line of the log', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(parseCommand(logLine(text))).toBeUndefined();
      }),
    );
  });

  test('starts a workflow command after the blanks of its indentation, which are kept', () => {
    expect(logLine('  ::error::x')).toMatch(/^ {2}\u200B::error/u);
    expect(logLine('    id  note ')).toBe('    id  note');
    expect(logLine('\n  a\n::b')).toBe('a ::b');
  });

  test('sends an escape or a line break to a terminal', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(logLine(text)).not.toMatch(/\p{Cc}|\p{Zl}|\p{Zp}/u);
      }),
    );
  });

  test('leaves a character in Markdown that could start markup, a table cell, a mention or HTML', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const entities = markdownText(text).replaceAll(/&#\d+;/gu, '');
        expect(entities).not.toMatch(/[&<>"'`*_~|\\[\]{}$:@#!\n\r]/u);
      }),
    );
  });

  test('mentions, refers or links after GitHub has decoded entities', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const page = markdownText(text).replaceAll(/&#(\d+);/gu, (_, code) =>
          String.fromCharCode(Number(code)),
        );
        expect(page).not.toMatch(/@\w|#\d|GH-\d|:\/\/|www\.|\b[0-9a-f]{7,40}\b/iu);
      }),
    );
  });

  test('ends its code block', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        const [fence = '', ...rest] = markdownBlock([text, '````']);
        const closing = fence.replace('text', '');
        expect(rest.filter((line) => line.trim().startsWith(closing))).toEqual([closing]);
      }),
    );
  });

  test('ends its code span', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(
          markdownCode(text)
            .replace(/^<code>/u, '')
            .replace(/<\/code>$/u, ''),
        ).not.toMatch(/[<>|`\n]/u);
      }),
    );
  });
});

test('a text is shortened with an ellipsis and never inside a surrogate pair', () => {
  expect(shorten('abcdef', 4)).toBe('abc…');
  expect(shorten('ab😀cd', 4)).toBe('ab…');
  expect(shorten('abcd', 4)).toBe('abcd');
});

test('a text is shortened to a number of bytes between characters', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.integer({ min: 4, max: 60 }),
      (text, limit) => {
        const cut = shortenBytes(text, limit);
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(limit);
        expect(cut === text || (cut.endsWith('…') && text.startsWith(cut.slice(0, -1)))).toBe(true);
      },
    ),
  );
});

test('direction marks and zero-width characters become a space', () => {
  expect(oneLine('a\u202Eb\u200Bc\r\nd')).toBe('a b c d');
});

test('a path with spaces and special characters becomes an address', () => {
  expect(urlPath('daily loads /a(1)#b.yaml')).toBe('daily%20loads%20/a%281%29%23b.yaml');
});
