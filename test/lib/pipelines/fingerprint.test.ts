import { expect, test } from 'vitest';
import { fingerprints } from '../../../lib/pipelines/fingerprint.ts';

const finding = (rule: string, file: string, component?: string) => ({ rule, file, component });

test('a fingerprint is 32 hexadecimal digits and the same for the same finding', () => {
  const [first] = fingerprints([finding('unused-components', 'a.orch.yaml', 'Load')]);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(fingerprints([finding('unused-components', 'a.orch.yaml', 'Load')])).toEqual([first]);
});

test('it is recorded in baselines, so it never changes from one version of Millrace to the next', () => {
  expect(fingerprints([finding('unused-components', 'a.orch.yaml', 'Load'), finding('x', 'y')])).toEqual([
    'c88cdfccba70059563ad9a0e2a524b02',
    '858ff5f2842253bf808c4a95c8510474',
  ]);
});

test('rule, file and component each make another', () => {
  const all = fingerprints([
    finding('a', 'b', 'c'),
    finding('x', 'b', 'c'),
    finding('a', 'x', 'c'),
    finding('a', 'b', 'x'),
    finding('a', 'b'),
    finding('a', 'b', 'null'),
  ]);
  expect(new Set(all).size).toBe(6);
});

test('equal findings are distinguished by their order; others between them do not matter', () => {
  const [first, second] = fingerprints([finding('a', 'b'), finding('a', 'b')]);
  const [again, , twice] = fingerprints([finding('a', 'b'), finding('other', 'b'), finding('a', 'b')]);
  expect(second).not.toBe(first);
  expect([again, twice]).toEqual([first, second]);
});
