import fc from 'fast-check';
import { expect, test } from 'vitest';
import { environmentDepths, pathsOf } from '../../../../../worker/web/dashboard/board/environment-order.ts';

const link = (from: string, to: string) => ({ from, to });
const environment = fc.constantFrom('dev', 'test', 'qa', 'prod', 'demo');
const links = fc.array(fc.record({ from: environment, to: environment }), { maxLength: 12 });

test('environments are in the order in which versions pass them', () => {
  const depths = environmentDepths([link('test', 'prod'), link('dev', 'test'), link('dev', 'prod')]);
  expect(Object.fromEntries(depths)).toEqual({ dev: 0, test: 1, prod: 2 });
});

test('a path follows the lanes from the first environment, and a branch is a path of its own', () => {
  const lanes = [link('test', 'prod'), link('dev', 'qa'), link('dev', 'test')];
  expect(pathsOf(lanes)).toEqual([[link('dev', 'qa')], [link('dev', 'test'), link('test', 'prod')]]);
});

test('of any lanes, also in cycles, each is in exactly one path and begins where the one before it ends', () => {
  fc.assert(
    fc.property(links, (given) => {
      const lanes = given.map((one, id) => ({ ...one, id }));
      const paths = pathsOf(lanes);
      expect(
        paths
          .flat()
          .map(({ id }) => id)
          .toSorted((a, b) => a - b),
      ).toEqual(lanes.map(({ id }) => id));
      for (const path of paths)
        for (const [i, lane] of path.entries()) if (i > 0) expect(lane.from).toBe(path[i - 1]?.to);
    }),
    { numRuns: 100 },
  );
});
