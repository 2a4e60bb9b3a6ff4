import { describe, expect, test } from 'vitest';
import { parseCommand } from './workflow-command.ts';

describe('a line is a command', () => {
  test('with its properties and message unescaped', () => {
    expect(parseCommand('::error file=a%3Ab.yaml,line=3,title=x%2Cy::one%0Atwo 100%25')).toEqual({
      name: 'error',
      properties: { file: 'a:b.yaml', line: '3', title: 'x,y' },
      message: 'one\ntwo 100%',
    });
  });

  test('after white space', () => {
    expect(parseCommand('  ::group::Files')?.message).toBe('Files');
  });

  test('in the older form, even in the middle of a line', () => {
    expect(parseCommand('name ##[warning]boo')).toEqual({ name: 'warning', properties: {}, message: 'boo' });
  });
});

test.each(['::nothing known::x', 'a ::error::x', 'plain', '::error', '##[none]x'])(
  '%j is plain output',
  (line) => {
    expect(parseCommand(line)).toBeUndefined();
  },
);
