import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  parseShard,
  splitTests,
  type TestName,
} from '../../../../flows/pipeline-tests/shards/choose-shard.ts';
import { durationsText, readDurations } from '../../../../flows/pipeline-tests/shards/durations-file.ts';
import type { TestResult } from '../../../../flows/pipeline-tests/compare/test-result.ts';

const testArbitrary = fc.record({
  file: fc.constantFrom('a.test.yaml', 'b/a.test.yaml', 'b/é.test.yaml'),
  name: fc.string(),
  duration: fc.option(
    fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5_000 }), fc.double({ min: 0, max: 9, noNaN: true })),
  ),
});
const keyOf = ({ file, name }: TestName) => JSON.stringify([file, name]);
const testsArbitrary = fc.uniqueArray(testArbitrary, { selector: keyOf, maxLength: 60 });

test.each(Array.from({ length: 20 }, (_, seed) => seed))(
  'seed %i: each test is in one shard, which depends on names and durations only',
  (seed) => {
    const property = fc.property(testsArbitrary, fc.integer({ min: 1, max: 12 }), (tests, count) => {
      const durations = new Map<string, Map<string, number>>();
      for (const { file, name, duration } of tests) {
        const names = durations.get(file) ?? new Map<string, number>();
        if (duration !== null) durations.set(file, names.set(name, duration));
      }
      const shards = splitTests(tests, count, durations);
      expect(shards.every((shard) => shard >= 1 && shard <= count)).toBe(true);
      // The same tests in another order, and again.
      const byKey = (list: readonly TestName[], numbers: readonly number[]) =>
        new Map(list.map((one, index) => [keyOf(one), numbers[index]]));
      const other = tests.toReversed();
      expect(byKey(other, splitTests(other, count, durations))).toEqual(byKey(tests, shards));
      // No shard has more than another by more than its longest test.
      const known = tests.flatMap(({ duration }) => duration ?? []).toSorted((a, b) => a - b);
      const usual = known[Math.floor(known.length / 2)] ?? 1;
      const loads = Array.from({ length: count }, (_, index) =>
        tests.reduce(
          (sum, { duration }, at) => sum + (shards[at] === index + 1 ? (duration ?? usual) : 0),
          0,
        ),
      );
      const longest = Math.max(0, ...tests.map(({ duration }) => duration ?? usual));
      expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(longest + 1e-6);
    });
    fc.assert(property, { seed, numRuns: 25 });
  },
);

test('a shard is a number of at most 256', () => {
  expect(['2/8', '1/1', '256/256'].map(parseShard)).toEqual([
    { number: 2, count: 8 },
    { number: 1, count: 1 },
    { number: 256, count: 256 },
  ]);
  expect(['0/2', '3/2', '1/257', '1', '1/2/3', ' 1/2', '01/2', '1.0/2'].map(parseShard)).toEqual(
    Array.from({ length: 8 }, () => undefined),
  );
});

test('durations are read as they were written, and a wrong file says how to fix it', () => {
  const result = (file: string, name: string, durationMs: number) =>
    ({ file, name, durationMs }) as TestResult;
  const text = durationsText([result('b', 'z', 1.4), result('b', 'a', 2.5), result('a', 'x', 0)]);
  expect(readDurations(text, 'd.json')).toEqual(
    new Map([
      ['a', new Map([['x', 0]])],
      [
        'b',
        new Map([
          ['a', 3],
          ['z', 1],
        ]),
      ],
    ]),
  );
  for (const wrong of ['', '[]', '{ "version": 2, "unit": "ms", "tests": {} }', text.replace('3', '"3"')])
    expect(() => readDurations(wrong, 'd.json')).toThrow(
      expect.objectContaining({
        code: 'usage',
        where: { file: 'd.json' },
        message: expect.stringContaining('It is not a file of durations:') as string,
        hint: expect.stringContaining('--write-durations') as string,
      }),
    );
});
