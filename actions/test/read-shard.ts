import type { z } from 'zod';
import { maxShards, parseShard, type Shard } from '../../flows/pipeline-tests/shards/choose-shard.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { testInputs } from './inputs.ts';

/**
 * Reads which part of the tests to run; undefined for all. Throws Failure 'usage' for inputs that contradict each
 * other.
 */
export function readShard(inputs: z.output<typeof testInputs>): Shard | undefined {
  const { shard: text, durations, blobs, files, filter, jobs } = inputs;
  const shard = text === undefined ? undefined : parseShard(text);
  if (text !== undefined && shard === undefined) {
    throw new Failure('usage', {
      message: `"${text}" is not a part of the tests.`,
      where: { input: 'shard' },
      hint: `Write the number of the part and the number of all parts, at most ${maxShards}, such as 2/8.`,
    });
  }
  if (durations !== undefined && shard === undefined) {
    throw new Failure('usage', {
      message: 'The input durations has no effect without shard.',
      where: { input: 'durations' },
      hint: 'Add shard with the part to run, such as 2/8, or remove durations.',
    });
  }
  refuseMutation(inputs);
  const others = {
    shard: text !== undefined,
    files: files.length > 0,
    filter: filter !== undefined,
    jobs: jobs !== undefined,
  };
  const [other] = Object.entries(others).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (blobs === undefined || other === undefined) return shard;
  throw new Failure('usage', {
    message: `The input ${other} has no effect with blobs, because the tests have run already.`,
    where: { input: other },
    hint: `Remove ${other} here, and set it in the jobs that run the shards.`,
  });
}

/** Throws Failure 'usage' for planted changes in a part of the tests, and for inputs about them without `mutate`. */
function refuseMutation(inputs: z.output<typeof testInputs>): void {
  const { shard, mutate } = inputs;
  if (shard !== undefined && mutate) {
    throw new Failure('usage', {
      message:
        'The input mutate has no effect with shard: a planted change counts as not noticed only if no test of any shard notices it.',
      where: { input: 'mutate' },
      hint: 'Set mutate in the job that merges the shards, which is the one with the input blobs.',
    });
  }
  const [unused] = (['mutate-max', 'mutate-threshold'] as const).filter((name) => inputs[name] !== undefined);
  if (unused === undefined || mutate) return;
  throw new Failure('usage', {
    message: `The input ${unused} has no effect without mutate.`,
    where: { input: unused },
    hint: `Add mutate: true, or remove ${unused}.`,
  });
}
