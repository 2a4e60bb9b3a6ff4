import { expect, test } from 'vitest';
import { writtenSpans } from '../../../engine/parameters/scalar-text.ts';
import { writtenTokens } from '../../../engine/parameters/written-tokens.ts';
import { scalarOf } from './reader.ts';

test.each([
  ['a word', 'select ${a} from t', ['select', '${a}*', 'from', 't']],
  ['a part of a word', 'a_${b}c.${d}', ['a_${b}c*', '.', '${d}*']],
  ['the end of a number', 'a > 1${b}', ['a', '>', '1${b}*']],
  ['the end of a word with digits', 'from t1${b}', ['from', 't1${b}*']],
  ['a part of a text', "a = 'x ${b.replace('}', \"'\")} y'", ['a', '=', "'x ${b.replace('}', \"'\")} y'*"]],
  ['a part of a quoted name', '"a ${b}"', ['"a ${b}"*']],
  ['a part of a comment', 'a -- ${b}\n, c', ['a', ',', 'c']],
  ['no variable without its end', 'a = ${b', undefined],
])('a variable is %s of SQL as the file has it', (_, text, expected) => {
  const tokens = writtenTokens(text, 'WAREHOUSE_ONE');
  expect(tokens?.map(({ raw, hasVariable }) => `${raw}${hasVariable ? '*' : ''}`)).toEqual(expected);
});

test.each([
  ['double quotes', String.raw`p: "a\"b\u0020c"`, 1, 4, String.raw`\"b\u0020`],
  ['single quotes', "p: 'a''b'", 1, 2, "''"],
  ['a block', 'p: |\n  ab\n  cd\n', 1, 4, 'b\n  c'],
  ['no character', 'p: ab', 1, 1, ''],
])('a part of a text in %s is found in the file', (_, yaml, start, end, expected) => {
  const { node, reader } = scalarOf(yaml);
  const span = writtenSpans(node, reader.source)(start, end);
  expect(span && yaml.slice(span.start, span.end)).toBe(expected);
});

test('the text of an alias is elsewhere', () => {
  const { node, reader } = scalarOf('q: &a xyz\np: *a');
  expect(writtenSpans(node, reader.source)(0, 1)).toBeUndefined();
});
