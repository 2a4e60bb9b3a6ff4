import { expect, test } from 'vitest';
import { parseKeyValues } from './command-files.ts';

test('simple and heredoc values are read', () => {
  expect(parseKeyValues('a=1\nb<<END\nx=y\n\nEND\nc=<<no\n')).toEqual({ a: '1', b: 'x=y\n', c: '<<no' });
});

test.each(['just text\n', '=x\n', 'a<<\nx\n', 'a<<END\nx\n'])('%j fails the step', (text) => {
  expect(() => parseKeyValues(text)).toThrow('Invalid');
});
