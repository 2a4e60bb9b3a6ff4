import type { Redis } from 'ioredis';
import { createEarlyReader } from '../intake/ingest/early-reads.ts';
import { createIngestOrder } from '../intake/ingest/ingest-order.ts';
import { createMatchedPushes } from '../intake/ingest/matched-pushes.ts';
import { createRefChain } from '../intake/ingest/ref-chain.ts';
import { shareReads } from '../intake/ingest/share-reads.ts';
import { compareLanes } from '../intake/state/compare-lanes.ts';
import { rebuildLanes } from '../intake/state/rebuild-lanes.ts';
import { createSweeper } from '../intake/sweep/create-sweeper.ts';
import { createDeletedRefs } from '../intake/sweep/deleted-refs.ts';
import { createSweepState } from '../intake/sweep/sweep-state.ts';
import type { WorkerPorts } from './open-ports.ts';
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

/** Opens the intake: the parts that ingest events and find missed pushes. */
export function openIntake(
  {
    github,
    reportRefusal,
    showAgain,
    answerComment,
  }: Pick<EventContext, 'github' | 'reportRefusal' | 'showAgain' | 'answerComment'>,
  ports: WorkerPorts,
  records: Redis,
): Intake {
  const { settings, clock, logger, failures } = ports;
  const keys = keysUnder(settings.prefix);
  const chain = createRefChain(records, keys, clock);
  const sweeper = createSweeper({
    get config() {
      return ports.config;
    },
    github,
    chain,
    state: createSweepState(records, keys, clock),
    deletedRefs: createDeletedRefs(records, keys),
    clock,
    logger,
    failures,
    settings,
    accept: (push) => ports.queues.addIncoming(push),
    onSwept: (at) => ports.metrics.oldestLook.set(at / 1_000),
    onRecovered: (what, count) => ports.metrics.recovered.inc({ what }, count),
  });
  const guard = createStateGuard({
    redis: records,
    ports,
    emptyMeans: ports.config['empty-redis'],
    repositories: () => ports.config.repositories.map(({ id }) => id),
    rebuild: (repositoryId) => rebuildLanes(repositoryId, { config: ports.config, github, ports }),
    compare: () => compareLanes(ports, github),
  });
  const order = createIngestOrder(records, keys, ports.queues);
  return {
    guard,
    sweep: sweeper.tick,
    context: {
      get config() {
        return ports.config;
      },
      github: shareReads(github, clock),
      ports,
      reportRefusal,
      showAgain,
      answerComment,
      guard,
      chain,
      order,
      matched: createMatchedPushes(records, keys),
      early: createEarlyReader(ports.store, order),
    },
  };
}
