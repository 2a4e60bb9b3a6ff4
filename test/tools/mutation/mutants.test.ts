import { expect, test } from 'vitest';
import { mutantsOf } from '../../../tools/mutation/product/mutants.ts';
import { relatedTests } from '../../../tools/mutation/product/related-tests.ts';

const source = `interface Limits {
  readonly most: 3 | 4;
}
export async function run(limits: Limits, count = 1): Promise<string> {
  if (count < limits.most && limits.most !== 4) logger.info('few');
  await store.write(count ?? 2);
  return count > 1 ? 'many' : 'one';
}
`;

test('a comparison, a condition, a connective, a number and a choice are changed, and a call is left out', () => {
  expect(
    mutantsOf('a.ts', source)
      .map(({ line, change }) => `${line} ${change}`)
      .toSorted(),
  ).toEqual(
    [
      '4 1 → 2',
      '5 && → ||',
      '5 !== → ===',
      '5 4 → 5',
      '5 < → <=',
      '5 count < limits.most && limits.most !== 4 → !(count < limits.most && limits.most !== 4)',
      '6 2 → 3',
      '6 await store.write(count ?? 2); → ;',
      '6 count ?? 2 → count',
      "7 'many' : 'one' → ('one') : ('many')",
      '7 1 → 2',
      '7 > → >=',
    ].toSorted(),
  );
});

test('a mutant is the file with one change', () => {
  const [first] = mutantsOf('a.ts', 'export const isMore = (a: number) => a > 3;\n');
  expect(first).toEqual({
    file: 'a.ts',
    line: 1,
    change: '> → >=',
    text: 'export const isMore = (a: number) => a >= 3;\n',
  });
});

test('the tests whose paths share rare words with the file come first, then the nearest, and no deep ones', () => {
  const importers = new Map([
    ['flows/diff/row-table.ts', new Set(['flows/diff/diff-lines.ts', 'test/flows/far/rows.test.ts'])],
    [
      'flows/diff/diff-lines.ts',
      new Set(['test/cli/diff/diff.test.ts', 'test/cli/kit/help.test.ts', 'test/cli/diff/big.deep.test.ts']),
    ],
  ]);
  expect(relatedTests('flows/diff/row-table.ts', importers, 2)).toEqual([
    'test/flows/far/rows.test.ts',
    'test/cli/diff/diff.test.ts',
  ]);
});
