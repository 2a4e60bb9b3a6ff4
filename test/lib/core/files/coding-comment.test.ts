import { expect, test } from 'vitest';
import { codingComment, differsInEncoding } from '../../../../lib/core/files/coding-comment.ts';

test.each([
  ['# coding: latin-1', 'latin-1', 10],
  ['\uFEFF# -*- coding: Latin_1 -*-\r\n', 'Latin_1', 15],
  ['#!/usr/bin/python3\n \t# vim: set fileencoding=cp1252 :\n', 'cp1252', 45],
  ['\r\n# coding=utf8', 'utf8', 11],
  ['x = 1 # coding: latin-1\n', undefined, 0],
  ['x = 1\n# coding: latin-1\n', undefined, 0],
  ['#\n#\n# coding: latin-1\n', undefined, 0],
  ['# encoded in latin-1', undefined, 0],
])('the comment of %j names %s', (text, encoding, offset) => {
  expect(codingComment(text)).toEqual(encoding === undefined ? undefined : { encoding, offset });
  if (encoding !== undefined) expect(text.slice(offset)).toMatch(new RegExp(`^${encoding}`));
});

test.each([
  ['UTF-8', 'é', false],
  ['utf_8_sig', 'é', false],
  ['utf-8-unix', 'é', false],
  ['UTF_8-dos', 'é', false],
  ['utf-8-mac', 'é', false],
  ['utf', 'é', false],
  ['U8', 'é', false],
  ['utf8_ucs4', 'é', false],
  ['utf8_ucs2', 'é', false],
  ['utf8-unix', 'é', true],
  ['utf-80', 'é', true],
  ['latin-1', 'é', true],
  ['utf8-sig', 'é', true],
  ['latin-1-unix', 'é', true],
  ['latin-1-unix', 'e', false],
  ['iso-latin-1-dos', 'e', false],
  ['Latin_1', 'e', false],
  ['windows-1252', 'e', false],
  ['iso-8859-15', '\u007f', false],
  ['utf-7', 'e', true],
  ['shift_jis', '~', true],
  ['unheard-of', 'e', true],
  ['latin10', 'e', false],
  ['cp1258', 'e', false],
  ['mac_roman', 'e', false],
])('a text with the encoding %s and the letter %j may be another one: %s', (encoding, text, differs) => {
  expect(differsInEncoding(text, { encoding, offset: 0 })).toBe(differs);
});

test.each(['latin-11', 'l0', 'l11', 'iso-8859-12', 'iso-8859-2-unix', 'cp1259', 'cp853', 'mac-foo'])(
  'Python refuses the name %s, so a text of ASCII may be another one',
  (encoding) => {
    expect(differsInEncoding('e', { encoding, offset: 0 })).toBe(true);
  },
);
