import fc from 'fast-check';
import { stringify } from 'yaml';
import { expect, test } from 'vitest';
import { scalarText } from '../../../engine/parameters/scalar-text.ts';
import { LineIndex } from '../../../lib/yaml/text-position.ts';
import { scalarOf } from './reader.ts';

/** Line and column of a word of the value. */
function placeOf(yaml: string, word: string): string {
  const { node, reader } = scalarOf(yaml);
  const text = scalarText(node, reader.source);
  const offset = text.text.indexOf(word);
  if (offset < 0) throw new Error(`no ${word} in ${JSON.stringify(text.text)}`);
  const { file, line, column } = text.placeOf(offset);
  return `${file}:${line}:${column}`;
}

test.each([
  ['a plain text', 'p: SELECT x', 'x', 'a.yaml:1:11'],
  ['a plain text of several lines', 'p: SELECT\n  a,\n\n  x', 'x', 'a.yaml:4:3'],
  ['double quotes', String.raw`p: "a\t\"\u00e4\x41\U0001F600 x"`, 'x', 'a.yaml:1:31'],
  ['double quotes of several lines', 'p: "a  \n   b\n\n   c\\\n   d x"', 'x', 'a.yaml:5:6'],
  ['an escaped space after an escaped line end', 'p: "a\\\n  \\ b x"', 'x', 'a.yaml:2:7'],
  ['an escaped space after an empty line', 'p: "a\\ \n\n  \\ x"', 'x', 'a.yaml:3:5'],
  ['single quotes', "p: 'it''s x'", 'x', 'a.yaml:1:11'],
  ['single quotes of several lines', "p: 'it''s\n   x'", 'x', 'a.yaml:2:4'],
  ['a block', 'p: |\n  SELECT 1\n\n    FROM t\n  x\n', 'x', 'a.yaml:5:3'],
  ['a block whose first lines are empty', 'p: |\n\n\n  x\n', 'x', 'a.yaml:4:3'],
  ['a block with a comment and without a line end', 'p: |- # note\n  y\n  x', 'x', 'a.yaml:3:3'],
  ['a block with an indentation indicator', 'p: |2\n     y\n  x\n', 'x', 'a.yaml:3:3'],
  ['a block with its first line deeper than the rest', 'p: |2\n     y\n  x\n', 'y', 'a.yaml:2:6'],
  ['a folded block', 'p: >\n  a\n  b\n\n  c\n    deep\n  x\n', 'x', 'a.yaml:7:3'],
  ['the deeper line of a folded block', 'p: >\n  a\n    deep\n  x\n', 'deep', 'a.yaml:3:5'],
  ['a block at the end of a file without a line end', 'p: |\n  y\n  x', 'x', 'a.yaml:3:3'],
  ['a block with CRLF', 'p: |\r\n  a\r\n\r\n  x\r\n', 'x', 'a.yaml:4:3'],
  ['a file with a byte order mark', '\uFEFFp: y x', 'x', 'a.yaml:1:6'],
  ['a text with an anchor and a tag', 'p: &a !!str y x', 'x', 'a.yaml:1:15'],
  ['a character beyond the basic plane', 'p: 😀 x', 'x', 'a.yaml:1:7'],
  ['an alias', 'q: &a y x\np: *a', 'x', 'a.yaml:2:4'],
])('the place of a word in %s', (_, yaml, word, place) => {
  expect(placeOf(yaml, word)).toBe(place);
});

test('the end of a text has a place', () => {
  const { node, reader } = scalarOf('p: abc');
  expect(scalarText(node, reader.source).placeOf(3)).toEqual({ file: 'a.yaml', line: 1, column: 7 });
});

const styles = ['PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_LITERAL', 'BLOCK_FOLDED'] as const;

test('each letter of a text in any style has the place where it is written', () => {
  const texts = fc.array(
    fc.constantFrom('a', 'B', ' ', '  ', '\n', "'", '"', '\\', ':', ' # ', '😀', 'é', 'words of a line '),
    {
      maxLength: 40,
    },
  );
  const property = fc.property(texts, fc.constantFrom(...styles), (parts, style) => {
    const yaml = stringify({ p: parts.join('') }, { defaultStringType: style, lineWidth: 20 });
    const { node, reader } = scalarOf(yaml);
    const text = scalarText(node, reader.source);
    const index = new LineIndex(yaml);
    for (const { 0: letter, index: offset } of text.text.matchAll(/[a-zé'"]/gi)) {
      const written = yaml.slice(index.offset(text.placeOf(offset)));
      expect(written.replace(/^\\(?=")/, '').startsWith(letter)).toBe(true);
    }
  });
  expect(() => fc.assert(property, { numRuns: 300 })).not.toThrow();
});
