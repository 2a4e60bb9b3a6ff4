import fc from 'fast-check';
import { expect, test } from 'vitest';
import { callCycles } from '../../../../lib/pipelines/model/call-cycles.ts';

const pipelines = (...numbers: readonly number[]) => numbers.map((number) => `p${number}`);
const ring = (size: number) =>
  new Map(Array.from({ length: size }, (_, index) => [`p${index}`, pipelines((index + 1) % size)]));
const lasso = new Map([
  ['p0', pipelines(1)],
  ['p1', pipelines(2)],
  ['p2', pipelines(1)],
]);

test.each([
  ['one pipeline', ring(1), { path: pipelines(0), isCut: false }],
  ['two pipelines', ring(2), { path: pipelines(1, 0), isCut: false }],
  ['ten pipelines', ring(10), { path: pipelines(1, 2, 3, 4, 5, 6, 7, 8, 9, 0), isCut: false }],
  ['eleven pipelines', ring(11), { path: pipelines(1, 2, 3, 4, 5, 6, 7, 8, 9, 0), isCut: true }],
  [
    'twelve pipelines with a short cut',
    ring(12).set('p3', pipelines(4, 9)),
    { path: pipelines(1, 2, 3, 9, 10, 11, 0), isCut: false },
  ],
  ['pipelines that it only calls', lasso, undefined],
])('the cycle through %s is the shortest one, cut after ten pipelines', (_, next, cycle) => {
  const [called = ''] = next.get('p0') ?? [];
  expect(callCycles(next).through('p0', called)).toEqual(cycle);
});

test('a call is in a cycle exactly if the called pipeline leads back, and the path follows calls', () => {
  const calls = fc.array(fc.array(fc.nat(6), { maxLength: 3 }), { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(calls, (lists) => {
      const next = new Map(lists.map((list, index) => [`p${index}`, pipelines(...list)]));
      const cycles = callCycles(next);
      for (const [file, called] of next)
        for (const first of called) {
          const path = cycles.through(file, first)?.path;
          expect(path?.length).toBe(distance(first, file, next));
          for (const [index, to] of (path ?? []).entries())
            expect(next.get(index === 0 ? file : (path?.[index - 1] ?? ''))).toContain(to);
        }
    }),
  );
});

/** The number of pipelines on a shortest way, both ends included; undefined without one. */
function distance(
  from: string,
  to: string,
  next: ReadonlyMap<string, readonly string[]>,
): number | undefined {
  const found = new Map([[from, 1]]);
  for (const [at, length] of found)
    for (const other of next.get(at) ?? []) if (!found.has(other)) found.set(other, length + 1);
  return found.get(to);
}

test('pipelines that all call each other in a cycle of 20,000 get their cycles in time that grows with their number', () => {
  const next = ring(20_000);
  const cycles = callCycles(next);
  for (const [file, [called = '']] of next) expect(cycles.through(file, called)?.isCut).toBe(true);
});
