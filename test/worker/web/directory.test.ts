import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createDirectory, followDirectory } from '../../../worker/operators/directory.ts';
import { personOf } from '../../../worker/operators/person-of.ts';

const hash = (token: string): string => `sha256:${createHash('sha256').update(token).digest('hex')}`;
const ada = {
  name: 'ada',
  role: 'approver' as const,
  repositories: [77],
  github: 'Lovelace',
  tokenHashes: [hash('old'), hash('new')],
};

test('an operator is known by each of their tokens, and by no hash of one', () => {
  const directory = createDirectory([ada], undefined);
  expect(directory.identify('old')).toEqual({ name: 'ada', role: 'approver', repositories: [77] });
  expect(directory.identify('new')).toMatchObject({ name: 'ada' });
  for (const wrong of ['', 'older', 'OLD', hash('old'), hash('old').slice(7)])
    expect(directory.identify(wrong)).toBeUndefined();
});

test('the bearer of the worker’s own token is an admin under its own name', () => {
  const directory = createDirectory([ada], 'bootstrap');
  expect(directory.identify('bootstrap')).toEqual({
    name: 'worker-token',
    role: 'admin',
    repositories: 'all',
  });
  expect(directory.identify('old')).toMatchObject({ name: 'ada' });
});

test('a replaced token of the worker is valid at once, and the previous one no longer', () => {
  let token = 'first';
  const operators = [ada];
  const directory = followDirectory(
    () => operators,
    () => token,
  );
  const mark = directory.markOf('first', 'session') ?? expect.unreachable();
  expect(directory.byMark(mark, 'session')).toMatchObject({ name: 'worker-token' });
  token = 'second';
  expect(directory.identify('second')).toMatchObject({ role: 'admin' });
  expect(directory.identify('first')).toBeUndefined();
  expect(directory.byMark(mark, 'session')).toBeUndefined();
});

test('without operators and without a token every request is refused', () => {
  const directory = createDirectory([], undefined);
  expect(directory.isOpen).toBe(false);
  expect(directory.identify('')).toBeUndefined();
  expect(directory.identify('undefined')).toBeUndefined();
});

test('a person is one, by name or by login, in upper and lower case', () => {
  for (const name of ['ada', 'ADA', 'lovelace', 'LoveLace']) expect(personOf([ada], name)).toBe('ada');
  expect(personOf([ada], 'Grace')).toBe('grace');
});
