import type { z } from 'zod';
import type { ProjectConfig } from '../../lib/config/project/project-schema.ts';
import { requireSetting } from '../../lib/config/environment/require-setting.ts';
import { reviewOnPlatform } from '../../flows/review/review-on-platform.ts';
import type { ReviewReport, ReviewRequest } from '../../flows/review/scope/review-request.ts';
import type { GitHubConnection } from '../../lib/github/workflow-run/connect-github.ts';
import type { Target } from '../../lib/github/workflow-run/event-target.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { branchState } from '../kit/checkout/branch-state.ts';
import { openPlatform, readSettings } from '../kit/inputs/platform-access.ts';
import type { Step } from '../kit/step/step.ts';
import type { reviewInputs } from './inputs.ts';

export interface PlatformReview {
  readonly inputs: z.output<typeof reviewInputs>;
  readonly policy: ProjectConfig;
  readonly step: Step;
  readonly target: Target;
  readonly connection: GitHubConnection | undefined;
}

/**
 * Resolves the settings, then lets the platform review. Returns `moved` if the branch has a newer commit by then,
 * `deleted` if it no longer exists. Throws Failure 'usage' for a tag, 'no-token', 'no-base-url', 'no-project',
 * 'no-agent-version', and errors of the flow.
 */
export async function reviewByPlatform(
  request: ReviewRequest,
  { inputs, policy, step, target, connection }: PlatformReview,
): Promise<ReviewReport | 'moved' | 'deleted'> {
  if (target.branch === '') {
    throw new Failure('usage', {
      message: `The platform reviews branches only, but this run is for a ${target.kind === 'tag' ? 'tag' : 'commit without a branch'} (spec §4.5).`,
      where: { input: 'GITHUB_REF' },
      hint: 'Start the workflow on pull_request, merge_group or a push to a branch. To review without the platform, set the input local to true.',
    });
  }
  const { agentVersion } = readSettings(inputs, step.environment);
  const choices = {
    flag: inputs['agent-version'],
    environment: agentVersion,
    file: policy.review.agentVersion,
  };
  await using platform = openPlatform(inputs, policy, step, Infinity);
  try {
    const agent = requireSetting('no-agent-version', choices).value;
    return await reviewOnPlatform({ ...request, agentVersion: agent }, platform);
  } catch (error) {
    // The platform reads the head of the branch. A newer commit there is not an error, because a newer run reviews it; a
    // branch that was deleted has nothing left to review.
    const asked =
      error instanceof Failure && !['usage', 'no-agent-version', 'cancelled'].includes(error.code);
    const state = asked && connection !== undefined ? await branchState(connection, target) : 'current';
    if (state === 'current' || (state === 'moved' && !hasOtherRun(target, step))) throw error;
    return state;
  }
}

/**
 * Whether the newer commit of the branch has a run of its own. A schedule, for example, starts none. And a person who runs
 * an old run again asks for this commit: its verdict must not turn from failed to superseded.
 */
function hasOtherRun({ kind }: Target, { facts }: Step): boolean {
  return (kind === 'pull-request' || facts.eventName === 'push') && facts.attempt === 1;
}
