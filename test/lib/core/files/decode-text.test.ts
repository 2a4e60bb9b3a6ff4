import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeText, requireText, utf8Check } from '../../../../lib/core/files/decode-text.ts';
import { Failure } from '../../../../lib/core/errors/failure.ts';

const utf16 = (text: string, mark = '') => Buffer.from(mark + text, 'utf16le');
const bigEndian = (bytes: Buffer) => Buffer.from(bytes).swap16();

describe('bytes that are a text are decoded unchanged', () => {
  test.each([
    ['nothing', ''],
    ['ASCII', 'a\r\nb\rc\n'],
    ['letters of two, three and four bytes', 'é€😀\u2028'],
    ['a byte order mark', '\uFEFFa'],
    ['U+FFFD itself', 'a\uFFFDb'],
    ['angle brackets that no merge wrote', 'a <<<<<<< b\n<<<<<<<<\n>>>>>>>>>\n=======\n >>>>>>> x\n'],
    ['names of columns that begin as a Parquet file', 'PAR1,PAR2\n'],
    ['text about pointers', 'versions\nversion https://git-lfs.github.com/spec/v1'],
  ])('%s', (_, text) => {
    expect(decodeText(Buffer.from(text))).toEqual({ text });
  });
});

describe('bytes that are not a text are refused with the byte, its line and its column', () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n';
  const start = { line: 1, column: 1 };
  test.each<[string, Uint8Array, string | RegExp, { line: number; column: number }]>([
    [
      'Latin-1',
      Buffer.from('id\né\n', 'latin1'),
      /^byte 4 is not UTF-8; save the file as UTF-8$/,
      { line: 2, column: 1 },
    ],
    [
      'Latin-1 that a comment of Python names',
      Buffer.from('#!/usr/bin/python3\n# -*- coding: latin-1 -*-\nx = "é"\n', 'latin1'),
      /^byte 51 is not UTF-8; save the file as UTF-8, and write "coding: utf-8" for "coding: latin-1" in its comment$/,
      { line: 3, column: 6 },
    ],
    [
      'a letter after others',
      Buffer.from('\uFEFFa\r\nb€', 'utf8').subarray(0, -1),
      /^byte 8 is not/,
      { line: 2, column: 2 },
    ],
    ['an overlong form', Buffer.from([0x61, 0xc0, 0x80]), /^byte 2 is not/, { line: 1, column: 2 }],
    ['a letter and a NUL later', Buffer.from('a\xe9\0', 'latin1'), /^byte 2 is not/, { line: 1, column: 2 }],
    ['half a surrogate pair', Buffer.from([0xed, 0xa0, 0x80]), /^byte 1 is not/, start],
    ['a cut U+FFFD', Buffer.from([0x61, 0xef, 0xbf]), /^byte 2 is not/, { line: 1, column: 2 }],
    ['UTF-16, little-endian', utf16('é', '\uFEFF'), /^it is UTF-16; save it as UTF-8$/, start],
    ['UTF-16, big-endian', bigEndian(utf16('id', '\uFEFF')), /^it is UTF-16;/, start],
    ['UTF-16 without a mark', utf16('id,né\n1,2\n'), /^it is UTF-16;/, start],
    ['UTF-16 without a mark, big-endian', bigEndian(utf16('id,name\n1,2\n')), /^it is UTF-16;/, start],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), /^it is UTF-32;/, start],
    [
      'a NUL',
      Buffer.from('a\nb\0c'),
      /^byte 4 is NUL, which a text file cannot contain$/,
      { line: 2, column: 2 },
    ],
    ['a Git LFS pointer', Buffer.from(pointer), /^it is a Git LFS pointer, not the file itself; run /, start],
    ['a gzip file', gzipSync('a'), /^it is compressed by gzip; unpack it$/, start],
    [
      'a ZIP archive',
      Buffer.from('PK\u0003\u0004\u0014\0'),
      /^it is a ZIP archive, as an Excel file is$/,
      start,
    ],
    ['a Parquet file', Buffer.from('PAR1\0'), /^it is a Parquet file$/, start],
    [
      'the start of a conflict',
      Buffer.from('a: 1\n<<<<<<< HEAD\n'),
      /^line 2 is a conflict marker of git; resolve/,
      { line: 2, column: 1 },
    ],
    [
      'the end of a conflict',
      Buffer.from('a\r>>>>>>> main'),
      /^line 2 is a conflict marker/,
      { line: 2, column: 1 },
    ],
    [
      'a conflict after a byte order mark',
      Buffer.from('\uFEFF<<<<<<<\n'),
      /^line 1 is a conflict marker/,
      start,
    ],
  ])('%s', (_, bytes, reason, place) => {
    expect(decodeText(bytes)).toEqual({ fault: { reason: expect.stringMatching(reason), ...place } });
  });
});

test('a Failure for such bytes names the file, the byte, the line and the column', () => {
  const read = () => requireText(Buffer.from('a: \xe9', 'latin1'), 'a.yaml');
  expect(read).toThrow(Failure);
  expect(read).toThrow(
    expect.objectContaining({
      code: 'config-invalid',
      message: 'a.yaml cannot be read: byte 4 is not UTF-8; save the file as UTF-8.',
      where: { file: 'a.yaml', line: 1, column: 4 },
    }),
  );
  expect(requireText(Buffer.from('é'), 'a.yaml')).toBe('é');
});

test('chunks of any size are UTF-8 exactly if the whole is', () => {
  const cases = ['a€😀b', 'é'].map((text) => Buffer.from(text));
  cases.push(
    Buffer.from('a€x').subarray(0, 3),
    Buffer.from('a€\xff', 'latin1'),
    Buffer.from([0x61, 0xff, 0x62]),
  );
  for (const bytes of cases) {
    const whole = utf8Check();
    const expected = whole(bytes) ?? whole(undefined);
    for (let size = 1; size <= bytes.length; size += 1) {
      const check = utf8Check();
      let found: number | undefined;
      for (let at = 0; at < bytes.length; at += size) found ??= check(bytes.subarray(at, at + size));
      expect(found ?? check(undefined)).toBe(expected);
    }
  }
});
