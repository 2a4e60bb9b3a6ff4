import { expect, test } from 'vitest';
import { reportKey } from '../../../../actions/kit/inputs/report-key.ts';

test('the key of a run with the default settings names the project only', () => {
  const folders = ['', '.', './', 'finance', './finance/', 'a/../finance'];
  expect(folders.map((folder) => reportKey('review', folder))).toEqual([
    'review',
    'review',
    'review',
    'review finance',
    'review finance',
    'review finance',
  ]);
  const settings = { files: [], scope: undefined, local: false, 'fail-on': '' };
  expect(reportKey('data', '', settings)).toBe('data');
});

test('settings that differ from the default are in the key, in any order of the files', () => {
  const settings = { files: ['b.orch.yaml', 'a.orch.yaml', 'b.orch.yaml'], 'fail-on': 'never', local: true };
  expect(reportKey('review', 'finance', settings)).toBe(
    'review finance (files: a.orch.yaml, b.orch.yaml; fail-on: never; local)',
  );
});

test('a long list is a number and a digest, and each list has its own', () => {
  const list = (last: string) => [
    ...Array.from({ length: 40 }, (_, index) => `daily/${index}.orch.yaml`),
    last,
  ];
  const [one, other] = [
    reportKey('review', '', { files: list('a') }),
    reportKey('review', '', { files: list('b') }),
  ];
  expect(one).toMatch(/^review \(files: 41 values [0-9a-f]{8}\)$/u);
  expect(other).not.toBe(one);
});

test.each([
  [['a, b'], ['a', 'b']],
  [['a\u200bb'], ['a b']],
  [['a; scope: all'], ['a']],
  [['a\nb'], ['a', 'b']],
])('files %j and %j have different keys, on one line', (one, other) => {
  const keys = [one, other].map((files) => reportKey('review', '', { files }));
  expect(new Set(keys).size).toBe(2);
  expect(keys.join('')).not.toMatch(/[\n\u200b]/u);
});

test.each(['(local)', 'finance (local)', '"finance"', 'fin\nance'])(
  'the folder %j is in quotes, so that no settings look like it',
  (folder) => {
    const key = reportKey('review', folder);
    expect(key).toBe(`review ${JSON.stringify(folder)}`);
    expect(key).not.toBe(reportKey('review', folder.replace(' (local)', ''), { local: true }));
  },
);
