import { z } from 'zod';
import { requireSetting } from '../../lib/config/environment/require-setting.ts';
import type { PlatformContext } from '../../flows/context/context.ts';
import { reviewOnPlatform } from '../../flows/review/review-on-platform.ts';
import { reviewPolicy } from '../../flows/review/scope/review-policy.ts';
import type { ReviewReport } from '../../flows/review/scope/review-request.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { StepResult } from '../kit/step/action.ts';
import { readSettings } from '../kit/inputs/platform-access.ts';
import type { ReleaseSource } from '../kit/releases/release-source.ts';
import { describeCounts } from '../../flows/review/conclude/count-findings.ts';
import { reportOfReview } from '../../flows/review/report.ts';
import type { Step } from '../kit/step/step.ts';
import type { publishInputs } from './inputs.ts';

const payloadSchema = z.object({ repository: z.object({ default_branch: z.string().min(1) }) });

/** The branch for the review: the platform reviews branches only, and a tag has none (spec §4.5). */
function branchOf(inputBranch: string | undefined, { branch }: ReleaseSource, { facts }: Step): string {
  const payload = payloadSchema.safeParse(facts.payload);
  const reviewBranch = inputBranch ?? branch ?? payload.data?.repository.default_branch;
  if (reviewBranch !== undefined) return reviewBranch;
  throw new Failure('usage', {
    message: 'The platform reviews branches only (spec §4.5), and the branch of the commit is unknown.',
    where: { input: 'review-branch' },
    hint: 'Set the input review-branch to a branch that contains the commit.',
  });
}

/**
 * Reviews every pipeline of the commit on the platform before it is published. Returns the failed result, or `undefined`
 * if the review passes. Throws Failure 'usage', 'no-agent-version', and errors of the client.
 */
export async function reviewBeforePublish(
  source: ReleaseSource,
  inputs: z.output<typeof publishInputs>,
  { platform, step }: { readonly platform: PlatformContext; readonly step: Step },
): Promise<StepResult | undefined> {
  const { project, config, commit, version } = source;
  const agentVersion = requireSetting('no-agent-version', {
    flag: inputs['agent-version'],
    environment: readSettings(inputs, step.environment).agentVersion,
    file: config.review.agentVersion,
  }).value;
  const reviewed = await reviewOnPlatform(
    {
      repository: project.repository,
      directory: project.directory,
      branch: branchOf(inputs['review-branch'], source, step),
      commit,
      scope: 'all',
      include: config.files.include,
      exclude: config.files.exclude,
      configDir: config.configDir,
      agentVersion,
      failOn: config.review.failOn,
      ...reviewPolicy(config, project.directory),
    },
    platform,
  );
  return reviewed.outcome === 'failed' ? refusal(reviewed, version) : undefined;
}

function refusal(reviewed: ReviewReport, version: string): StepResult {
  const report = reportOfReview(reviewed);
  return {
    report: {
      ...report,
      title: 'Publish',
      headline: `${version} was not published: the review of its commit failed (${describeCounts(reviewed.counts)}).`,
    },
    details: { review: reviewed },
    outputs: { version, environment: '', commit: reviewed.commit, files: 0 },
  };
}
