import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { NotFound, RequestInvalid } from '../../../client/index.ts';
import { readStatus } from '../../../flows/run/execution-status.ts';
import { findArtifact } from '../../../flows/versions/find-artifact.ts';
import { silentProgress } from '../../../lib/core/ports/ports.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { LaneReads } from '../../store/lanes/lane-reads.ts';
import type { PlatformCalls, Platforms, Records } from '../context/ports.ts';
import type { Verdict } from './resume-at.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';

/**
 * The reason why a verdict is not accepted: the platform or the worker's records contradict it, or the platform did
 * not answer.
 */
export interface Objection {
  readonly kind: 'refuted' | 'unreachable';
  readonly reason: string;
}

/** Shorter than the command line and a browser wait, so that their message matches what happened. */
const callTimeoutMs = 6_000;

/** The clocks of the platform and the worker may differ by this much, in milliseconds. */
const maxClockSkewMs = 300_000;

/** Records searched for the start of an execution; older ones began long before. */
const maxSearched = 200;

const refuted = (reason: string): Objection => ({ kind: 'refuted', reason });

/**
 * Compares a verdict on an indeterminate promotion with the platform and the records. Undefined if nothing
 * contradicts it. The verdict that an execution was never started cannot be checked, because no call lists
 * executions (spec §4.4).
 */
export async function verifyVerdict(
  promotion: PromotionRecord,
  { executionId, happened }: Verdict,
  ports: Records<LaneReads> & PlatformCalls,
): Promise<Objection | undefined> {
  const { step } = promotion;
  if ((step.name === 'start' || step.name === 'watch') && executionId !== undefined) {
    const owned = await verifyOwner(promotion, executionId, ports);
    if (owned !== undefined) return owned;
  }
  const signal = AbortSignal.timeout(callTimeoutMs);
  try {
    if (step.name === 'promote' && happened !== undefined)
      return await verifyPromotion(promotion, happened, ports, signal);
    if (step.name !== 'start' && step.name !== 'watch') return undefined;
    if (executionId !== undefined) return await verifyExecution(promotion, executionId, ports, signal);
    if (step.name === 'watch' && happened !== undefined)
      return await verifyEnd(promotion, { executionId: step.executionId, happened }, ports, signal);
    return undefined;
  } catch (error) {
    const reason = signal.aborted ? `no answer within ${callTimeoutMs / 1_000} s` : messageOf(error);
    return { kind: 'unreachable', reason: `the platform could not be reached: ${withoutStop(reason)}` };
  }
}

async function verifyPromotion(
  { task, version = '' }: PromotionRecord,
  happened: boolean,
  { platformFor, clock, random, logger }: PlatformCalls,
  signal: AbortSignal,
): Promise<Objection | undefined> {
  const { project, to, credential } = task.lane;
  const { client } = platformFor(credential);
  const context = { client, projectId: project, clock, random, logger, progress: silentProgress, signal };
  const isThere = (await findArtifact(to, version, context)) !== undefined;
  if (isThere === happened) return undefined;
  return refuted(
    isThere
      ? `${version} is among the artifacts of ${to}: the promotion happened`
      : `${version} is not among the artifacts of ${to}: the promotion did not happen`,
  );
}

async function verifyExecution(
  promotion: PromotionRecord,
  executionId: string,
  ports: Platforms,
  signal: AbortSignal,
): Promise<Objection | undefined> {
  const execution = await askExecution(promotion, executionId, ports, signal);
  return execution === undefined
    ? refuted(`the platform does not know execution ${executionId} in project ${promotion.task.lane.project}`)
    : objectionTo(promotion, executionId, execution);
}

/** Checks a verdict on an execution that the worker could not follow to its end. */
async function verifyEnd(
  promotion: PromotionRecord,
  { executionId, happened }: { readonly executionId: string; readonly happened: boolean },
  ports: Platforms,
  signal: AbortSignal,
): Promise<Objection | undefined> {
  const execution = await askExecution(promotion, executionId, ports, signal);
  // The platform no longer knows it: only the verdict is left.
  if (execution === undefined) return undefined;
  const { end } = readStatus(execution);
  // An execution that never ends has not succeeded: a verdict may give it up.
  if (end === 'running' && !happened) return undefined;
  if (end !== 'running' && (end === 'succeeded') === happened) return undefined;
  const endText = end === 'running' ? `is ${execution.status}` : `ended ${execution.status}`;
  return refuted(
    `execution ${executionId} ${endText}: give its id, and the promotion continues from its end`,
  );
}

/** Undefined if the platform does not know it. */
async function askExecution(
  { task: { lane } }: PromotionRecord,
  executionId: string,
  { platformFor }: Platforms,
  signal: AbortSignal,
) {
  try {
    const ids = { projectId: lane.project, pipelineExecutionId: executionId };
    const { result } = await platformFor(lane.credential).client.executions.get(ids, { signal });
    return result;
  } catch (error) {
    if (error instanceof NotFound || error instanceof RequestInvalid) return undefined;
    throw error;
  }
}

/** Facts of an execution that a deployment may return (spec §4.4 shows none of them). */
const comparableFacts = ['pipelineName', 'environmentName', 'versionName'] as const;

/** The reason why an execution cannot be the one that this promotion started; undefined if nothing contradicts it. */
export function objectionTo(
  { task: { lane }, step, version, intent, createdAt }: PromotionRecord,
  executionId: string,
  execution: { readonly startedAt?: string | null | undefined } & Readonly<Record<string, unknown>>,
): Objection | undefined {
  const verify = 'verify' in step ? lane.verify[step.verify] : undefined;
  const expected = { pipelineName: verify?.pipeline, environmentName: lane.to, versionName: version };
  for (const fact of comparableFacts) {
    const [is, should] = [execution[fact], expected[fact]];
    if (typeof is !== 'string' || should === undefined || withoutSuffix(is) === withoutSuffix(should))
      continue;
    return refuted(`execution ${executionId} has the ${fact} ${is}, and the promotion's has ${should}`);
  }
  const earliest = intent?.effect === 'start' ? intent.at : createdAt;
  const startedAt = Date.parse(execution.startedAt ?? '');
  if (Number.isNaN(startedAt) || startedAt >= earliest - maxClockSkewMs) return undefined;
  const [then, sent] = [startedAt, earliest].map((ms) => new Date(ms).toISOString());
  return refuted(
    `execution ${executionId} began at ${then ?? ''}, before the promotion's start at ${sent ?? ''}`,
  );
}

/** Checks whether the records name the execution as started by another promotion. */
async function verifyOwner(
  promotion: PromotionRecord,
  executionId: string,
  { store }: Records<LaneReads>,
): Promise<Objection | undefined> {
  const { step, task } = promotion;
  if (step.name === 'watch' && step.executionId === executionId) return undefined;
  const lanes = (await store.laneIds()).filter((id) => id.split('/')[1] === task.lane.project.toLowerCase());
  const promotions = new Set([promotion.id, ...(await store.promotionIdsOf(lanes, maxSearched))]);
  const owners = await Promise.all(
    [...promotions].map(async (id) =>
      (await store.history({ promotion: id })).some(
        ({ what, data }) =>
          (what === 'started' || what === 'verdict') && data.includes(`"executionId":"${executionId}"`),
      )
        ? id
        : undefined,
    ),
  );
  const owner = owners.find((id) => id !== undefined);
  if (owner === undefined) return undefined;
  return refuted(
    owner === promotion.id
      ? `execution ${executionId} belongs to an earlier verification of this promotion`
      : `execution ${executionId} belongs to promotion ${owner}`,
  );
}

const withoutStop = (text: string): string => text.replace(/\.$/, '');
