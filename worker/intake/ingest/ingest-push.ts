import type { Admission } from '../../store/admission.ts';
import type { GateDecisions } from '../../store/gates/gate-decisions.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import { headDelay } from '../../../flows/push/await-head.ts';
import { fitsAny } from '../../../lib/config/worker/effective-policy.ts';
import type { WorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import type { Failure } from '../../../lib/core/errors/failure.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { GitHubRepository } from '../../../lib/github/endpoints/repositories.ts';
import type {
  GitHubReads,
  LiveVersions,
  Policy,
  Queues,
  Records,
  Telemetry,
  Timing,
} from '../../promotion/context/ports.ts';
import type { StateGuard } from '../../promotion/state-guard.ts';
import type { IngestResult, NoPromotion } from '../../records/ingest-result.ts';
import { isFoundBySweep, type PushEvent } from '../../records/push-event.ts';
import type { ReportRefusal } from '../../reporting/github/report-refusal.ts';
import type { EarlyReader, EarlyReads } from './early-reads.ts';
import { headState } from './head-state.ts';
import type { IngestOrder } from './ingest-order.ts';
import { namesOf } from './match-lanes.ts';
import { matchPush } from './match-push.ts';
import type { RefChain } from './ref-chain.ts';
import { isHeadWaitOver, notShown, readHead } from './read-head.ts';
import type { MatchedPush, MatchedPushes } from './matched-pushes.ts';
import { readSeqs, takeIn } from './take-in.ts';

/** The ports that the ingest of a push uses. */
export interface IngestPorts
  extends
    Records<Admission & GateDecisions & LaneReads>,
    Timing,
    Pick<Policy, 'settings'>,
    Queues,
    GitHubReads,
    Pick<Telemetry, 'logger'>,
    Pick<LiveVersions, 'live'> {}

export interface IngestContext {
  readonly config: WorkerConfig;
  readonly github: GitHubPort;
  readonly ports: IngestPorts;
  readonly reportRefusal: ReportRefusal;
  /** The trace that its promotions belong to. */
  readonly trace?: string | undefined;
  readonly guard: Pick<StateGuard, 'isRebuilding'>;
  readonly chain: RefChain;
  readonly order: IngestOrder;
  readonly matched: MatchedPushes;
  readonly early: EarlyReader;
}

/** Attempts to ingest a push while its ref moves. */
const maxAttempts = 10;

/**
 * Milliseconds until a push that waits for others is tried again, if none of them wakes it: longer, the longer it has
 * waited.
 */
const turnDelay = (waitedMs: number): number => Math.min(Math.max(100, waitedMs / 4), 5_000);

/**
 * Ingests a push into its lanes. Reads the ref's current commit from GitHub, not from the event, because events
 * arrive late, twice and out of order. If the result is that the push waits, the caller tries again with the event
 * in the result. Throws errors of GitHub; the job is then retried.
 */
export async function ingestPush(event: PushEvent, context: IngestContext): Promise<IngestResult> {
  const { guard, order, early } = context;
  const [isRebuilding, read] = await Promise.all([
    guard.isRebuilding(event.repositoryId),
    // A push that waits for others is matched already.
    event.waits?.turnSince === undefined ? early.read(event) : undefined,
  ]);
  if (isRebuilding) {
    throw new Error(
      'Redis lost the records of the worker, and the lanes of the repository are not rebuilt yet',
    );
  }
  const result = (await waitForTurn(event, context)) ?? (await ingestHead(event, read, context));
  if (result.status === 'done') await order.leave(event);
  return result;
}

async function ingestHead(
  event: PushEvent,
  early: EarlyReads | undefined,
  context: IngestContext,
): Promise<IngestResult> {
  const { github, config } = context;
  const kept = await context.matched.take(event, config);
  if (kept !== undefined) {
    const result = await conclude(event, kept, context);
    if (result !== undefined) return result;
  }
  const repository = await github.repository(event.repositoryId);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    // The ref has moved: what was read before its first read no longer counts.
    const reads = attempt === 0 ? early : undefined;
    const read = isAllowed(event, config)
      ? await readHead(event, repository, reads, context)
      : await github.head(repository.fullName, event.ref);
    if (typeof read === 'object') return read;
    if (attempt === 0) await link(event, context);
    if (read === undefined) return done('the ref was deleted', 'ref-not-shown');
    const result = await ingestAt(read, event, { repository, early: reads }, context);
    if (result !== undefined) return result;
  }
  throw new Error(
    `${event.ref} of ${repository.fullName} moved ${maxAttempts} times during the ingest of a push`,
  );
}

/** Undefined if the ref has moved since `head` was read. */
async function ingestAt(
  head: string,
  event: PushEvent,
  { repository, early }: { readonly repository: GitHubRepository; readonly early: EarlyReads | undefined },
  context: IngestContext,
): Promise<IngestResult | undefined> {
  const { matched, refusal, isDoubtful } = await matchPush(event, repository, head, context);
  const again = isDoubtful ? matchAgain(event, context.ports) : undefined;
  if (again !== undefined) return again;
  if (matched === undefined) return done('the branch had no millrace.yaml before this push', 'no-settings');
  if (matched.length === 0) {
    if (refusal === undefined) return done(noLane, 'no-lane');
    await refuse({ repository, head, event }, refusal, context);
    return done(`refused: ${refusal.message}`, 'refused');
  }
  context.early.expect(event, matched);
  const seqs = await readSeqs({ event, repository, head, matched }, early?.seqs, context);
  if (seqs === undefined) return undefined;
  const push = { repository, head, matched, refusal, seqs };
  return (await waitForFirstTurn(event, push, context)) ?? conclude(event, push, context);
}

const noLane =
  'no lane of millrace.yaml starts on this branch or tag (the millrace.yaml before the push counts; if this push changed it, push once more)';

/** Begins to wait for earlier pushes, if a lane promotes every version. */
async function waitForFirstTurn(
  event: PushEvent,
  push: MatchedPush,
  context: IngestContext,
): Promise<IngestResult | undefined> {
  const isOrdered = push.matched.some(({ lane }) => lane.policy === 'every');
  if (!isOrdered || event.waits?.turnSince !== undefined) return undefined;
  const waiting = { ...event, waits: { ...event.waits, turnSince: context.ports.clock.now() } };
  const later = await waitForTurn(waiting, context);
  if (later !== undefined) await context.matched.keep(waiting, push, context.config);
  return later;
}

interface ReadPush {
  readonly event: PushEvent;
  readonly repository: GitHubRepository;
  readonly head: string;
}

/** Accepts a matched push into its lanes. Undefined if the ref has moved since its head was read. */
async function conclude(
  event: PushEvent,
  push: MatchedPush,
  context: IngestContext,
): Promise<IngestResult | undefined> {
  const { head, repository, refusal } = push;
  const isStillCurrent = async (): Promise<boolean> => {
    const state = await headState(head, event, repository, context);
    return state === 'current' || (state === 'doubtful' && (await isHeadWaitOver(event, context)));
  };
  const result = await takeIn({ ...push, event }, { ...context, isStillCurrent });
  if (result === undefined) return undefined;
  if (result.noPromotion === undefined && isFoundBySweep(event)) {
    const correction = { since: `GitHub shows it now: ${result.text}`, insteadOf: notShown(event.ref, head) };
    await context.reportRefusal(repository, head, correction);
  }
  // Last: the lanes of other projects need not wait until GitHub accepts the report.
  if (refusal !== undefined) await refuse({ repository, head, event }, refusal, context);
  return result;
}

/** Matches a push with the lanes again for some seconds, if what it found may be an older state of GitHub. */
function matchAgain(
  event: PushEvent,
  { clock, random, settings }: Pick<Policy, 'settings'> & Timing,
): IngestResult | undefined {
  const now = clock.now();
  const { since, reads } = event.waits?.match ?? { since: now, reads: 0 };
  const delay = headDelay({ since, reads }, now, settings.matchWaitMs);
  if (delay === undefined) return undefined;
  const text = 'waits until GitHub shows the millrace.yaml of this push, and its commit on an allowed branch';
  const waits = { ...event.waits, match: { since, reads: reads + 1 } };
  return { status: 'waits', text, ms: delay * (0.75 + random() / 2), event: { ...event, waits } };
}

const done = (text: string, noPromotion: NoPromotion): IngestResult => ({
  status: 'done',
  text,
  noPromotion,
});

/** Whether worker.yaml allows a ref. For all others only the commits are recorded. */
function isAllowed({ repositoryId, ref }: PushEvent, { repositories }: WorkerConfig): boolean {
  const { branches = [], tags = [] } = repositories.find(({ id }) => id === repositoryId) ?? {};
  const { branch, tag } = namesOf(ref);
  return branch === undefined ? fitsAny(tags, tag ?? '') : fitsAny(branches, branch);
}

/**
 * Waits while pushes that were received before are still to be ingested, if the push waited for them already: then one of
 * its lanes promotes every version. The wait is limited: GitHub may not answer about one of them. Undefined if it is
 * its turn.
 */
async function waitForTurn(
  event: PushEvent,
  { order, ports }: Pick<IngestContext, 'order' | 'ports'>,
): Promise<IngestResult | undefined> {
  const { clock, random, settings, logger } = ports;
  const since = event.waits?.turnSince;
  if (since === undefined || (await order.isFirst(event))) return undefined;
  if (clock.now() - since >= settings.orderMs) {
    logger.warn('A push waited too long for earlier pushes, so it is processed before them.', {
      delivery_id: event.delivery,
      repository: event.repositoryName,
      ref: event.ref,
    });
    return undefined;
  }
  const ms = turnDelay(clock.now() - since) * (0.75 + random() / 2);
  return { status: 'waits', text: 'waits until earlier pushes are processed', ms, event };
}

/** Notes the push in the chain of its ref; only now, because a push that GitHub does not show may come to nothing. */
async function link(event: PushEvent, { chain, ports }: IngestContext): Promise<void> {
  if ((await chain.link(event)) !== 'gap') return;
  ports.logger.warn(
    'The webhook of an earlier push to this ref did not arrive; the next sweep searches GitHub for the push.',
    {
      delivery_id: event.delivery,
      repository: event.repositoryName,
      ref: event.ref,
      before: event.before,
    },
  );
}

/** Reports on the commit why nothing is promoted. */
async function refuse(
  { repository, head, event }: ReadPush,
  failure: Failure,
  { reportRefusal: report, ports, order }: IngestContext,
): Promise<void> {
  const { logger } = ports;
  logger.warn('Push refused.', {
    repository: repository.fullName,
    commit: head,
    code: failure.code,
    reason: failure.message,
  });
  const { file, line } = failure.where ?? {};
  const unnamed = file !== undefined && !failure.message.includes(file);
  const place = unnamed ? `${file}${line === undefined ? '' : `:${line}`}: ` : '';
  await order.leave(event);
  await report(repository, head, `${place}${failure.message}`);
}
