import { describe, expect, test } from 'vitest';
import { LineIndex } from '../../../lib/yaml/text-position.ts';

describe('LineIndex', () => {
  test('lines end with LF, with CRLF and with a lone CR', () => {
    const index = new LineIndex('a\nb\r\nc\rd');
    expect([0, 2, 5, 7].map((offset) => index.at(offset))).toEqual([
      { line: 1, column: 1 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
      { line: 4, column: 1 },
    ]);
  });

  test('a line feed still belongs to the line that it ends', () => {
    expect(new LineIndex('ab\nc').at(2)).toEqual({ line: 1, column: 3 });
  });

  test('a byte order mark takes no column of the first line', () => {
    const index = new LineIndex('\uFEFFab\ncd');
    expect(index.at(0)).toEqual({ line: 1, column: 1 });
    expect(index.at(1)).toEqual({ line: 1, column: 1 });
    expect(index.at(2)).toEqual({ line: 1, column: 2 });
    expect(index.at(4)).toEqual({ line: 2, column: 1 });
  });

  test('columns count UTF-16 units, as editors and GitHub do', () => {
    expect(new LineIndex('ü😀x').at(3)).toEqual({ line: 1, column: 4 });
  });

  test('a range over several lines ends on the last of them', () => {
    expect(new LineIndex('ab\ncd\n').range(1, 4)).toEqual({ line: 1, column: 2, endLine: 2, endColumn: 2 });
  });

  test('an end before its start gives an empty range at the start', () => {
    expect(new LineIndex('abc').range(2, 0)).toEqual({ line: 1, column: 3, endLine: 1, endColumn: 3 });
  });
});
