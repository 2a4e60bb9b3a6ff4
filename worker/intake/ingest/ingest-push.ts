import { fitsAny } from '../../../lib/config/effective-policy.ts';
import type { ProjectConfig } from '../../../lib/config/project-schema.ts';
import type { WorkerConfig } from '../../../lib/config/read-worker-config.ts';
import { Failure } from '../../../lib/core/failure.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { GitHubRepository } from '../../../lib/github/repositories.ts';
import { admit, promotionIdOf } from '../../promotion/admit.ts';
import type { ReportRefusal } from '../../reporting/github/report-refusal.ts';
import type { PushEvent } from '../../records/push-event.ts';
import type { Engine } from '../../promotion/engine.ts';
import type { LanePlan, Pusher } from '../../records/plan.ts';
import type { StateGuard } from '../../promotion/state-guard.ts';
import type { RefChain } from './ref-chain.ts';
import type { IngestOrder } from './ingest-order.ts';
import { namesOf, type PlannedLane, planLanes } from './plan-lanes.ts';
import { directoriesOf, policyFileIn, readPolicyAt } from './policy-file.ts';

export interface IngestContext {
  readonly config: WorkerConfig;
  readonly github: GitHubPort;
  readonly engine: Engine;
  readonly reportRefusal: ReportRefusal;
  /** The trace that its promotions belong to. */
  readonly trace?: string | undefined;
  readonly guard: Pick<StateGuard, 'isRebuilding'>;
  readonly chain: RefChain;
  readonly order: IngestOrder;
}

/** Attempts to ingest a push while other pushes change its lanes. */
const maxAttempts = 10;

/**
 * Ingests a push into its lanes. Reads the head from GitHub, never from the event: events arrive late, twice
 * and out of order, and the ref has its current value. Returns the result as text. Throws errors of GitHub; the
 * job is then retried.
 */
export async function ingestPush(event: PushEvent, context: IngestContext): Promise<string> {
  const { github, guard, chain, engine } = context;
  if (await guard.isRebuilding(event.repositoryId)) {
    throw new Error('the records were lost, and the lanes of the repository are not rebuilt yet');
  }
  if ((await chain.link(event)) === 'gap') {
    engine.logger.warn('An earlier push of this ref was not delivered; a sweep looks for it.', {
      delivery_id: event.delivery,
      repository: event.repositoryName,
      ref: event.ref,
      before: event.before,
    });
  }
  // Of a branch only the newest commit counts; each tag is a version of its own.
  await using place = event.ref.startsWith('refs/tags/') ? await context.order.enter(event) : undefined;
  const repository = await github.repository(event.repositoryId);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const head = await github.head(repository.fullName, event.ref);
    if (head === undefined) return 'the ref was deleted';
    const { planned, refusal } = await planAll(event, repository, head, context);
    if (refusal !== undefined) await refuse(repository, head, refusal, context);
    if (planned === undefined) return 'there was no millrace.yaml before this push';
    if (planned.length === 0 && refusal !== undefined) return `refused: ${refusal.message}`;
    if (planned.some(({ lane }) => lane.policy === 'every')) await place?.untilFirst();
    const done = await takeIn(event, repository, head, planned, context);
    if (done !== undefined) return done;
  }
  throw new Error(
    `the lanes of ${repository.fullName} changed ${maxAttempts} times during the ingest of a push`,
  );
}

/**
 * The lanes of all projects that the push starts; undefined if no project had settings. An error in one project
 * does not stop the others.
 */
async function planAll(
  event: PushEvent,
  repository: GitHubRepository,
  head: string,
  context: IngestContext,
): Promise<{ readonly planned: readonly PlannedLane[] | undefined; readonly refusal: Failure | undefined }> {
  let planned: readonly PlannedLane[] | undefined;
  let refusal: Failure | undefined;
  const fileOf = new Map<string, string>();
  for (const directory of directoriesOf(context.config, repository.id)) {
    try {
      const { config } = await readPolicyAt(event, repository, head, context.github, directory);
      if (config === undefined) continue;
      const more = await plan(event, repository, head, { config, directory }, context);
      checkUniqueLanes(more, policyFileIn(directory), fileOf);
      planned = [...(planned ?? []), ...more];
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'github-failed') throw error;
      refusal ??= error;
      planned ??= [];
    }
  }
  return { planned, refusal };
}

/**
 * Two folders may name the same project, but not the same lane: only the first of the two lanes would ever run.
 */
function checkUniqueLanes(planned: readonly PlannedLane[], file: string, fileOf: Map<string, string>): void {
  const lanes = planned.flatMap(({ lane }) => withFollowing(lane));
  for (const { id, name } of lanes) {
    const other = fileOf.get(id);
    if (other === undefined) continue;
    throw new Failure('config-invalid', {
      message: `${file}: the lane "${name}" is also defined in ${other}, for the same project; rename one of them`,
      where: { file },
    });
  }
  for (const { id } of lanes) fileOf.set(id, file);
}

function withFollowing(lane: LanePlan): LanePlan[] {
  return [lane, ...lane.next.flatMap(withFollowing)];
}

async function plan(
  event: PushEvent,
  repository: GitHubRepository,
  commit: string,
  { config, directory }: { readonly config: ProjectConfig; readonly directory: string },
  { config: worker, github }: IngestContext,
): Promise<readonly PlannedLane[]> {
  const pushed = { repositoryId: repository.id, ref: event.ref, commit };
  const { tag } = namesOf(event.ref);
  if (tag === undefined) return planLanes(worker, config, { ...pushed, branchesOfTag: [] }, directory);
  // Skip the branch lookup when no lane matches the tag.
  if (!config.lanes.some(({ on }) => fitsAny(on?.tags ?? [], tag))) return [];
  const allowed = worker.repositories.find(({ id }) => id === repository.id)?.branches ?? [];
  const branch = await branchWith(commit, repository, allowed, github);
  const branchesOfTag = branch === undefined ? [] : [branch];
  return planLanes(worker, config, { ...pushed, branchesOfTag }, directory);
}

/** An allowed branch that contains the commit; the default branch is checked first. */
async function branchWith(
  commit: string,
  { fullName, defaultBranch }: GitHubRepository,
  allowed: readonly string[],
  github: GitHubPort,
): Promise<string | undefined> {
  const all = (await github.branches(fullName)).filter(({ name }) => fitsAny(allowed, name));
  const ordered = all.toSorted((a, b) => Number(b.name === defaultBranch) - Number(a.name === defaultBranch));
  for (const branch of ordered) {
    const relation = await github.relation(fullName, commit, branch.commit);
    if (relation === 'ahead' || relation === 'identical') return branch.name;
  }
  return undefined;
}

/** Undefined if the ref or a lane changed since it was read: then the caller reads everything again. */
async function takeIn(
  event: PushEvent,
  repository: GitHubRepository,
  head: string,
  planned: readonly PlannedLane[],
  { engine, github, trace }: IngestContext,
): Promise<string | undefined> {
  if (planned.length === 0) {
    return `no lane matches it (millrace.yaml counts as it was before the push; if this commit changed it, push another commit)`;
  }
  const { store } = engine;
  const seqs = await Promise.all(planned.map(({ lane }) => store.laneSeq(lane.id)));
  // Read after the sequences: a lane that has not changed until it accepts has seen no later head than this
  // one.
  if ((await github.head(repository.fullName, event.ref)) !== head) return undefined;
  const pusher = pusherOf(event, head);
  let made = 0;
  let live = 0;
  for (const [i, { lane, version }] of planned.entries()) {
    if (await isLiveInAllLanes(lane, head, store)) {
      live += 1;
      continue;
    }
    const older = await isOlder(event, repository, head, lane, { engine, github });
    const accepted = await admit(
      {
        promotionId: promotionIdOf(lane.id, `${event.digest} ${head}`),
        plan: {
          repository: { id: repository.id, fullName: repository.fullName },
          ref: event.ref,
          commit: head,
          delivery: event.delivery,
          ...(trace === undefined ? {} : { trace }),
          ...(pusher === undefined ? {} : { pusher }),
          version,
          lane,
        },
        order: older ? 'older' : 'differs',
        head: { field: event.ref, value: head },
        expectedSeq: seqs[i],
      },
      engine,
    );
    if (accepted.status === 'changed') return undefined;
    if (accepted.status === 'lost') throw new Error('the records were lost; the lanes must be rebuilt first');
    if (accepted.status === 'accepted') made += 1;
    // An earlier event may have brought this head in without the name of its pusher.
    else if (pusher !== undefined) await store.learnPusher(lane.id, { ref: event.ref, commit: head, pusher });
  }
  if (live > 0 && made === 0) return 'its version was found live after the records were lost';
  return made === 0
    ? 'its lanes have accepted this head before'
    : `accepted by ${made} of ${planned.length} lanes`;
}

/**
 * Whether a commit was found live in a lane's target after the records were lost, and is live in all following
 * lanes: then only the record of its verification is lost.
 */
async function isLiveInAllLanes(lane: LanePlan, head: string, store: Engine['store']): Promise<boolean> {
  const found = (await store.lane(lane.id))?.found;
  if (found?.commit !== head) return false;
  const after = lane.next.flatMap(withFollowing);
  const lanes = await Promise.all(after.map(({ id }) => store.lane(id)));
  return lanes.every((one) => (one?.found ?? one?.verified)?.version === found.version);
}

/**
 * The person who pushed the head. An event names only the person of its own push: if another push followed,
 * that person must not count as the pusher of this one and approve their own work.
 */
function pusherOf(
  { sender, senderId, after, headCommit = after }: PushEvent,
  head: string,
): Pusher | undefined {
  return sender === '' || headCommit !== head ? undefined : { login: sender, id: senderId };
}

/**
 * Whether a tag that is new to the lane is older in the history than the last commit that the lane accepted:
 * its push arrived late. Promoting it would take the target back, whatever the policy; an operator can still
 * retry it. A tag that was moved back on purpose counts.
 */
async function isOlder(
  event: PushEvent,
  { fullName }: GitHubRepository,
  head: string,
  lane: PlannedLane['lane'],
  { engine, github }: Pick<IngestContext, 'engine' | 'github'>,
): Promise<boolean> {
  if (!event.ref.startsWith('refs/tags/')) return false;
  if ((await engine.store.head(lane.id, event.ref)) !== undefined) return false;
  const last = (await engine.store.lane(lane.id))?.lastCommit;
  if (last === undefined || last === head) return false;
  return (await github.relation(fullName, last, head)) === 'behind';
}

/** Reports on the commit why nothing is promoted. */
async function refuse(
  { fullName }: GitHubRepository,
  sha: string,
  failure: Failure,
  { reportRefusal: report, engine }: IngestContext,
): Promise<void> {
  const { logger } = engine;
  logger.warn('Push refused.', {
    repository: fullName,
    commit: sha,
    code: failure.code,
    reason: failure.message,
  });
  const { file, line } = failure.where ?? {};
  const unnamed = file !== undefined && !failure.message.includes(file);
  const place = unnamed ? `${file}${line === undefined ? '' : `:${line}`}: ` : '';
  await report(fullName, sha, `${place}${failure.message}`);
}
