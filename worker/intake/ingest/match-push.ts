import { fitsAny } from '../../../lib/config/worker/effective-policy.ts';
import type { ProjectConfig } from '../../../lib/config/project/project-schema.ts';
import type { WorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { GitHubRepository } from '../../../lib/github/endpoints/repositories.ts';
import { type BranchOfCommit, findAllowedBranch } from '../../promotion/advance/allowed-branch.ts';
import type { PromotionLane } from '../../records/promotion-task.ts';
import type { PushEvent } from '../../records/push-event.ts';
import { namesOf, type MatchedLane, matchLanes } from './match-lanes.ts';
import { directoriesOf, policyFileIn, readPolicyAt } from './policy-file.ts';

export interface MatchContext {
  readonly config: WorkerConfig;
  readonly github: GitHubPort;
}

/** The lanes that a push starts, and the errors of projects. */
export interface PushMatch {
  /** Undefined if no project had settings. */
  readonly matched: readonly MatchedLane[] | undefined;
  /** The first error in the settings, or denial. */
  readonly refusal: Failure | undefined;
  /**
   * No settings were found, or no allowed branch has the tag's commit. Perhaps GitHub only does not show them yet.
   */
  readonly isDoubtful: boolean;
}

/**
 * Finds the lanes of all projects that a push starts. An error in one project does not affect the others. Throws
 * errors of GitHub.
 */
export async function matchPush(
  event: PushEvent,
  repository: GitHubRepository,
  head: string,
  context: MatchContext,
): Promise<PushMatch> {
  let matched: readonly MatchedLane[] | undefined;
  let refusal: Failure | undefined;
  let isOnBranch = true;
  const fileOf = new Map<string, string>();
  for (const directory of directoriesOf(context.config, repository.id)) {
    try {
      const { config } = await readPolicyAt(event, repository, head, context.github, directory);
      if (config === undefined) continue;
      const branch = await findBranchOfTag(event, repository, head, config, context);
      isOnBranch &&= typeof branch !== 'string';
      const pushed = { repositoryId: repository.id, ref: event.ref, commit: head };
      const branchesOfTag = typeof branch === 'object' ? [branch.branch] : [];
      const more = matchLanes(context.config, config, { ...pushed, branchesOfTag }, directory);
      checkUniqueLanes(more, policyFileIn(directory), fileOf);
      matched = [...(matched ?? []), ...more];
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'github-failed') throw error;
      refusal ??= error;
      matched ??= [];
    }
  }
  return { matched, refusal, isDoubtful: matched === undefined || !isOnBranch };
}

/**
 * Two folders may name the same project, but not the same lane: only the first of the two lanes would ever run.
 */
function checkUniqueLanes(matched: readonly MatchedLane[], file: string, fileOf: Map<string, string>): void {
  const lanes = matched.flatMap(({ lane }) => withFollowing(lane));
  for (const { id, name } of lanes) {
    const other = fileOf.get(id);
    if (other === undefined) continue;
    throw new Failure('config-invalid', {
      message: `${file}: the lane "${name}" is also defined in ${other}, for the same project.`,
      hint: 'Rename one of the two lanes.',
      where: { file },
    });
  }
  for (const { id } of lanes) fileOf.set(id, file);
}

/** A lane and all that follow it. */
export function withFollowing(lane: PromotionLane): PromotionLane[] {
  return [lane, ...lane.next.flatMap(withFollowing)];
}

/** An allowed branch with the commit of a tag; undefined if none is needed. */
async function findBranchOfTag(
  event: PushEvent,
  repository: GitHubRepository,
  commit: string,
  config: ProjectConfig,
  { config: worker, github }: MatchContext,
): Promise<BranchOfCommit | undefined> {
  const { tag } = namesOf(event.ref);
  // Skip the branch lookup when no lane matches the tag.
  if (tag === undefined || !config.lanes.some(({ on }) => fitsAny(on?.tags ?? [], tag))) return undefined;
  const allowed = worker.repositories.find(({ id }) => id === repository.id)?.branches ?? [];
  return findAllowedBranch(commit, repository, allowed, github);
}
