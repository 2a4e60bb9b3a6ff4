import type { TestRequest } from '../../flows/pipeline-tests/run/run-tests.ts';
import type { Shard } from '../../flows/pipeline-tests/shards/choose-shard.ts';
import { readInput } from '../kit/read-input.ts';
import type { Session } from '../kit/session.ts';
import type { TestOptions } from './test-options.ts';

/** The part of the tests that `--shard` names. */
export interface ShardSelection {
  readonly shard: Shard;
  /** The text of the file of durations. */
  readonly durations: string | undefined;
  readonly select: NonNullable<TestRequest['select']>;
}

/**
 * Reads `--shard` and `--durations`. Undefined without `--shard`. Throws Failure 'usage' if the file does not
 * contain durations.
 */
export async function shardSelection(
  session: Session,
  { shard, durations: file }: Pick<TestOptions, 'shard' | 'durations'>,
): Promise<ShardSelection | undefined> {
  if (shard === undefined) return undefined;
  const { selectShard } = await import('../../flows/pipeline-tests/shards/choose-shard.ts');
  const { readDurations } = await import('../../flows/pipeline-tests/shards/durations-file.ts');
  const text = file === undefined ? undefined : await readInput(session, '--durations', file);
  const durations = text === undefined ? new Map() : readDurations(text, file ?? '');
  return { shard, durations: text, select: selectShard(shard, durations) };
}
