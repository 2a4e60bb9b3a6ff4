import type { Redis } from 'ioredis';
import { createEarlyReader } from '../intake/ingest/early-reads.ts';
import { createIngestOrder } from '../intake/ingest/ingest-order.ts';
import { createPlannedPushes } from '../intake/ingest/planned-pushes.ts';
import { createRefChain } from '../intake/ingest/ref-chain.ts';
import { shareReads } from '../intake/ingest/share-reads.ts';
import { compareLanes } from '../intake/state/compare-lanes.ts';
import { rebuildLanes } from '../intake/state/rebuild-lanes.ts';
import { createSweeper } from '../intake/sweep/create-sweeper.ts';
import { createDeletedRefs } from '../intake/sweep/deleted-refs.ts';
import { createSweepState } from '../intake/sweep/sweep-state.ts';
import type { Engine } from '../promotion/context/engine.ts';
import { createStateGuard, type StateGuard } from '../promotion/state-guard.ts';
import { keysUnder } from '../store/scripts/keys.ts';
import type { EventContext } from './ingest-event.ts';

interface Intake {
  /** Notices that Redis lost the records. */
  readonly guard: StateGuard;
  /** Finds pushes whose events were missed. */
  readonly sweep: () => Promise<void>;
  readonly context: EventContext;
}

/** Opens what takes in events and finds missed pushes. */
export function openIntake(
  { github, reportRefusal, showAgain }: Pick<EventContext, 'github' | 'reportRefusal' | 'showAgain'>,
  engine: Engine,
  records: Redis,
): Intake {
  const { settings, clock, logger, failures } = engine;
  const keys = keysUnder(settings.prefix);
  const chain = createRefChain(records, keys, clock);
  const sweeper = createSweeper({
    get config() {
      return engine.config;
    },
    github,
    chain,
    state: createSweepState(records, keys, clock),
    deletedRefs: createDeletedRefs(records, keys),
    clock,
    logger,
    failures,
    settings,
    accept: (push) => engine.queues.addIncoming(push),
    onSwept: (at) => engine.metrics.oldestLook.set(at / 1_000),
    onRecovered: (what, count) => engine.metrics.recovered.inc({ what }, count),
  });
  const guard = createStateGuard({
    redis: records,
    engine,
    emptyMeans: engine.config['empty-redis'],
    repositories: () => engine.config.repositories.map(({ id }) => id),
    rebuild: (repositoryId) => rebuildLanes(repositoryId, { config: engine.config, github, engine }),
    compare: () => compareLanes(engine, github),
  });
  const order = createIngestOrder(records, keys, engine.queues);
  return {
    guard,
    sweep: sweeper.tick,
    context: {
      get config() {
        return engine.config;
      },
      github: shareReads(github, clock),
      engine,
      reportRefusal,
      showAgain,
      guard,
      chain,
      order,
      planned: createPlannedPushes(records, keys),
      early: createEarlyReader(engine.store, order),
    },
  };
}
