import { expect, test } from 'vitest';
import { readBranchTip } from '../../../lib/github/branch-tip.ts';
import { oneRepository } from '../../environment/github/one-repository.ts';

const here = oneRepository();

test('a deleted branch has no tip', async () => {
  expect(await readBranchTip(here.connect('writer'), 'gone')).toBeUndefined();
});
