import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { PushEvent } from '../../records/push-event.ts';
import type { IngestOrder } from './ingest-order.ts';
import type { MatchedLane } from './match-lanes.ts';

/** The facts about a push that are read from Redis before GitHub is asked. */
export interface EarlyReads {
  /** See `IngestOrder.departedAt`. */
  readonly departedAt: number | undefined;
  /**
   * The sequences of lanes that the push is expected to start, by the id of the lane. A head that is read after them need not be read again
   * (`readSeqs`).
   */
  readonly seqs: ReadonlyMap<string, number>;
}

/** Reads in one go what the ingest of most pushes needs from Redis. This saves single reads later. */
export interface EarlyReader {
  read(event: PushEvent): Promise<EarlyReads>;
  /** Learns which lanes a push starts: a later one of the same kind most likely starts them too. */
  expect(event: PushEvent, matched: readonly MatchedLane[]): void;
}

/** Kinds of pushes that are remembered. */
const maxKinds = 500;

/**
 * Lanes of each kind that are remembered: those that started last. If a push starts other lanes, or more, these are
 * read once they are known.
 */
const maxLanes = 20;

export function createEarlyReader(store: LaneReads, order: Pick<IngestOrder, 'departedAt'>): EarlyReader {
  const expected = new Map<string, readonly string[]>();
  return {
    async read(event) {
      const lanes = expected.get(kindOf(event)) ?? [];
      const [departedAt, seqs] = await Promise.all([
        order.departedAt(event),
        Promise.all(lanes.map(async (id) => [id, await store.laneSeq(id)] as const)),
      ]);
      return { departedAt, seqs: new Map(seqs) };
    },
    expect(event, matched) {
      const kind = kindOf(event);
      const started = matched.map(({ lane }) => lane.id);
      // In a repository of several projects, the tags of each one start lanes of their own.
      const before = (expected.get(kind) ?? []).filter((id) => !started.includes(id));
      // The first entry of the map was not pushed for the longest time.
      expected.delete(kind);
      if (started.length <= maxLanes) expected.set(kind, [...started, ...before].slice(0, maxLanes));
      const [oldest] = expected.keys();
      if (expected.size > maxKinds && oldest !== undefined) expected.delete(oldest);
    },
  };
}

/** The tags of a repository start few lanes, and most pushes to one branch the same ones. */
const kindOf = ({ repositoryId, ref }: PushEvent): string =>
  `${repositoryId} ${ref.startsWith('refs/tags/') ? 'tags' : ref}`;
