import { expect, test } from 'vitest';
import { readYaml } from '../../../lib/yaml/read-yaml.ts';

test.each([
  ['a tab as indentation', 'a:\n\tb: 1\n', 'Tabs are not allowed as indentation: use spaces'],
  ['an indentation that is too small', 'a:\n    b: 1\n  c: 2\n', /^The keys of a map, .* same column/],
  ['a list among keys', 'a:\n  b: 1\n  - c\n', /^An item of a list cannot be here/],
  ['a missing colon', 'a\nb: 1\n', 'A key must be followed by a colon and a space, on the same line'],
  [
    'a missing space after a colon',
    'a:b\nc: d\n',
    'A key must be followed by a colon and a space, on the same line',
  ],
  [
    'a key at the end without a colon',
    'a: 1\nb\n',
    'A key must be followed by a colon and a space, on the same line',
  ],
  ['a colon in a text', 'a: keeps: paid\n', /^A text with a colon must be in quotation marks/],
  ['a brace that is not closed', 'a: { b: 1\nc: 2\n', 'A "}" is missing before this place'],
  ['a bracket that is not closed', 'a: [1\nc: 2\n', 'A "]" is missing before this place'],
  ['a brace too many', '{ a: 1 }}\n', 'This "}" has no "{"'],
  ['a bracket too many', 'a: [1]]\n', 'This "]" has no "["'],
  ['a missing comma', 'a: { b: 1 c: 2 }\n', 'A comma is missing between two entries in braces or brackets'],
  ['a quotation mark in a quoted text', "a: 'it's'\n", /^Unexpected text after the end of a value/],
  [
    'a text that begins with a special character',
    'a: @b\n',
    'A text that begins with @ must be in quotation marks',
  ],
  ['a missing quotation mark', 'a: "b\nc: d\n', 'The closing quotation mark " is missing'],
])('the message about %s says what to correct', (_, text, message) => {
  const [problem] = readYaml(text, { file: 'a.yaml' }).problems;
  expect(problem?.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
});
