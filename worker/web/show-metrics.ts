import type { Canaries } from '../store/jobs/canaries.ts';
import { queueNames } from '../store/jobs/job-kinds.ts';
import { processMetrics } from '../telemetry/process-metrics.ts';
import { lanesOf, type ShownLane } from './api/operations/describe-lane.ts';
import { metricsOfLanes, spanOf, usualDays } from './metrics/describe-metrics.ts';
import { knownPast, type Past } from './metrics/past-promotions.ts';
import type {
  DeadLetterStore,
  GitHubReads,
  LiveVersions,
  Policy,
  Queues,
  Records,
  Telemetry,
  Timing,
} from '../promotion/context/ports.ts';
import type { Pauses } from '../store/gates/pauses.ts';
import type { Reporting } from '../store/reports/reporting.ts';
import type { LaneReads } from '../store/lanes/lane-reads.ts';

const metricsViewer = { name: 'metrics', role: 'viewer', repositories: 'all' } as const;

/** The text of `/metrics`. Values that can change without an event of this worker are read now. */
export async function showMetrics(
  ports: Records<LaneReads & Pauses & Reporting> &
    Pick<Policy, 'config' | 'configStatus'> &
    Queues &
    GitHubReads &
    Pick<Telemetry, 'metrics'> &
    Pick<Timing, 'clock'> &
    Pick<LiveVersions, 'live'> &
    DeadLetterStore,
  canaries: Canaries,
): Promise<string> {
  const { metrics, queues, deadLetters } = ports;
  for (const queue of Object.values(queueNames)) {
    metrics.canaryAge.set({ queue }, canaries.age(queue) / 1_000);
    metrics.poisonJobs.inc({ queue }, 0);
  }
  for (const { queue, state, jobs } of await queues.counts()) metrics.queueJobs.set({ queue, state }, jobs);
  metrics.configRefused.set(ports.configStatus().refused === undefined ? 0 : 1);
  metrics.deadLetters.set(await deadLetters.count());
  metrics.pauses.set((await ports.store.pauses()).length);
  const shown = await lanesOf(metricsViewer, ports);
  metrics.lanesOutOfStep.set(shown.filter(({ outOfStep }) => outOfStep === true).length);
  metrics.liveAge.set(Math.max(0, ...shown.map(({ live }) => live.ageSeconds ?? 0)));
  const now = ports.clock.now();
  const heldSince = shown.flatMap((lane) => lane.holds.map(({ since }) => Date.parse(since ?? '')));
  metrics.oldestHold.set(ageSeconds(Math.min(now, ...heldSince), now));
  metrics.approvalsOverdue.set(shown.filter(({ active }) => active?.approvalWait?.isOverdue === true).length);
  for (const { account, resource, remaining, limit, resetAt } of ports.github.allowances.all()) {
    // No request was sent since the hour ended, so the whole hour's limit is left.
    metrics.githubAllowance.set({ account, resource }, now < resetAt ? remaining : limit);
    metrics.githubAllowanceLimit.set({ account, resource }, limit);
  }
  const unsent = await ports.store.unsentUpdates();
  metrics.unsentUpdates.set(unsent.count);
  metrics.oldestUnsentUpdate.set(ageSeconds(unsent.since ?? now, now));
  const lanes = { held: 0, active: 0, idle: 0 };
  for (const lane of shown) {
    if (lane.holds.length > 0) lanes.held += 1;
    else if (lane.active === null) lanes.idle += 1;
    else lanes.active += 1;
  }
  for (const [state, count] of Object.entries(lanes)) metrics.lanes.set({ state }, count);
  setDeliveryMetrics(ports, shown, await knownPast(ports, shown));
  return `${await metrics.registry.metrics()}${await processMetrics()}`;
}

/** Nothing while the promotions of many lanes are read for the first time. */
function setDeliveryMetrics(
  { metrics, clock }: Pick<Telemetry, 'metrics'> & Pick<Timing, 'clock'>,
  lanes: readonly ShownLane[],
  past: Past | undefined,
): void {
  const { deployments, leadTime, changeFailureRate, timeToRestore } = metrics.delivery;
  for (const gauge of [deployments, leadTime, changeFailureRate, timeToRestore]) gauge.reset();
  if (past === undefined) return;
  const span = spanOf(clock.now(), usualDays);
  for (const lane of lanes) {
    const labels = { repository: lane.repository, lane: lane.id, environment: lane.to };
    const measured = metricsOfLanes([lane], past, span);
    deployments.set(labels, measured.deployments);
    if (measured.leadTimeMs !== null) leadTime.set(labels, measured.leadTimeMs / 1_000);
    if (measured.changeFailureRate !== null) changeFailureRate.set(labels, measured.changeFailureRate);
    if (measured.timeToRestoreMs !== null) timeToRestore.set(labels, measured.timeToRestoreMs / 1_000);
  }
}

const ageSeconds = (since: number, now: number): number => Math.max(0, now - since) / 1_000;
