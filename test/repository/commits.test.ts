import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from './repository-files.ts';

/** The last commit before the rule. */
const before = '0d12585';
const maxLength = 72;

const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' });

test('commit subjects have at most 72 characters', (context) => {
  const isShallow = git('rev-parse', '--is-shallow-repository').trim() === 'true';
  if (isShallow) context.skip('a shallow clone does not have the commits');
  const subjects = git('log', '--no-merges', '--format=%s', `${before}..HEAD`).split('\n');
  expect(subjects.filter((subject) => subject.length > maxLength)).toEqual([]);
});
