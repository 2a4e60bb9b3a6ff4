import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import type { PlannedTest } from '../files/planned-test.ts';
import type { Durations } from './durations-file.ts';

/** One part of the tests, such as part 2 of 8. */
export interface Shard {
  /** Counted from 1. */
  readonly number: number;
  readonly count: number;
}

/** The file and the name of a test, which identify it in a project. */
export interface TestName {
  readonly file: string;
  readonly name: string;
}

/** The maximum number of shards: GitHub starts at most 256 jobs of a matrix. */
export const maxShards = 256;

/** Parses `2/8`; undefined for anything else. */
export function parseShard(text: string): Shard | undefined {
  const [, number = '', count = ''] = /^([1-9]\d{0,2})\/([1-9]\d{0,2})$/.exec(text) ?? [];
  const shard = { number: Number(number), count: Number(count) };
  const isValid = number !== '' && shard.number <= shard.count && shard.count <= maxShards;
  return isValid ? shard : undefined;
}

/** The file and the name that identify a planned test. */
export function testName({ file: { file }, test: { name } }: PlannedTest): TestName {
  return { file, name };
}

/** Chooses the tests of a shard. */
export function selectShard({ number, count }: Shard, durations: Durations) {
  return (planned: readonly PlannedTest[]): readonly PlannedTest[] => {
    const shards = splitTests(planned.map(testName), count, durations);
    return planned.filter((_, index) => shards[index] === number);
  };
}

/**
 * Splits tests into shards that take about the same time: assigns the longest test first, each to the shard with
 * the least total. The result depends only on names and durations. A test without a duration counts as the median
 * of the others.
 * @returns for each test, in the same order, the number of its shard
 */
export function splitTests(
  tests: readonly TestName[],
  count: number,
  durations: Durations,
): readonly number[] {
  const known = tests.map(({ file, name }) => durations.get(file)?.get(name));
  const sorted = known.filter((duration) => duration !== undefined).toSorted((a, b) => a - b);
  const usual = sorted[Math.floor(sorted.length / 2)] ?? 1;
  const order = tests
    .map((test, index) => ({ ...test, index, duration: known[index] ?? usual }))
    .toSorted(
      (a, b) => b.duration - a.duration || compareTexts(a.file, b.file) || compareTexts(a.name, b.name),
    );
  // The number of tests decides between shards with the same time, also if all durations are 0.
  const loads = Array.from({ length: count }, (_, index) => ({ number: index + 1, time: 0, tests: 0 }));
  const shards = tests.map(() => 0);
  for (const { index, duration } of order) {
    const least = loads.reduce((a, b) =>
      b.time < a.time || (b.time === a.time && b.tests < a.tests) ? b : a,
    );
    least.time += duration;
    least.tests += 1;
    shards[index] = least.number;
  }
  return shards;
}
