import { evidenceBranch } from '../../evidence/evidence-branch.ts';
import { denied, type EffectivePolicy, fitsAny } from './effective-policy.ts';
import type { Lane } from '../project/lane-schema.ts';

/** The part of a push that the policy checks. It has exactly one of branch and tag. */
export interface Push {
  readonly branch?: string;
  readonly tag?: string;
  /** The branches that contain the tag's commit, read from the repository (not from the event). */
  readonly branchesOfTag?: readonly string[];
}

/**
 * The lanes that a push starts; empty if no lane matches, and for the branch of evidence. Throws Failure
 * 'not-allowed-here', with the line of worker.yaml, if a lane matches but the push is not allowed: the branch
 * matches no `branches`, the tag matches no `tags`, or the commit of the tag is on no allowed branch.
 */
export function lanesForPush(
  policy: EffectivePolicy,
  { branch, tag, branchesOfTag = [] }: Push,
): readonly Lane[] {
  if (branch === evidenceBranch) return [];
  const { repository, placeOf } = policy;
  const lanes = policy.lanes.filter(
    ({ on }) =>
      on !== undefined &&
      ((branch !== undefined && fitsAny(on.branches, branch)) ||
        (tag !== undefined && fitsAny(on.tags, tag))),
  );
  if (lanes.length === 0) return [];
  if (branch !== undefined && !fitsAny(repository.branches, branch)) {
    throw denied([
      { message: `the branch "${branch}" matches no pattern of \`branches\``, where: placeOf(['branches']) },
    ]);
  }
  if (tag !== undefined && !fitsAny(repository.tags, tag)) {
    throw denied([{ message: `the tag "${tag}" matches no pattern of \`tags\``, where: placeOf(['tags']) }]);
  }
  if (tag !== undefined && !branchesOfTag.some((name) => fitsAny(repository.branches, name))) {
    const message = `the commit of the tag "${tag}" is on no branch that matches \`branches\``;
    throw denied([{ message, where: placeOf(['branches']) }]);
  }
  return lanes;
}
