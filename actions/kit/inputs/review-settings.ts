import type { z } from 'zod';
import { choice, flag, lines, optionalChoice, text } from './input-field.ts';
import type { RunFacts, Target } from '../../../lib/github/workflow-run/event-target.ts';
import { platformInputs } from './platform-inputs.ts';
import type { RunSettings } from './report-key.ts';

/** The inputs that decide what a review covers and how it judges. */
export const reviewSettingInputs = {
  project: platformInputs.project,
  'agent-version': text(
    'Runner version, sent in the header Agent-Version. Default: `review.agent-version` in millrace.yaml, then `MILLRACE_AGENT_VERSION`.',
  ),
  scope: optionalChoice(
    ['changed', 'all'],
    'Which pipelines to review. Default: `review.scope` in millrace.yaml',
  ),
  files: lines('Files to review instead of the changed files, relative to the repository, one per line.'),
  base: text(
    'Commit id to compare the reviewed commit with, and whose millrace.yaml applies. For events without a base; a pull request and the merge queue have their own.',
  ),
  'fail-on': optionalChoice(
    ['error', 'warning', 'notice', 'never'],
    'Lowest severity that fails the step. Default: `review.fail-on` in millrace.yaml',
  ),
  'new-only': flag(
    false,
    'Count only problems that the base does not have, without a committed baseline. The action reviews the merge base with its own settings and rules.',
  ),
  'policy-from': choice(
    ['base', 'head'],
    'base',
    'Which millrace.yaml applies on a pull request and in the merge queue. With `base`, a change cannot loosen its own gate',
  ),
  local: flag(
    false,
    'Evaluate the rules in the action, without the platform. This is always so for pull requests from forks.',
  ),
};

/** The settings of a review that differ from the default, for the key of its reports. */
export function reviewSettings({
  project,
  'agent-version': agentVersion,
  files,
  scope,
  base,
  'fail-on': failOn,
  'new-only': newOnly,
  'policy-from': policyFrom,
  local,
}: z.output<z.ZodObject<typeof reviewSettingInputs>>): RunSettings {
  return {
    project,
    'agent-version': agentVersion,
    files,
    scope,
    base: base !== undefined,
    'fail-on': failOn,
    'new-only': newOnly,
    'policy-from': policyFrom === 'base' ? undefined : policyFrom,
    local,
  };
}

/**
 * What a review covers according to its event, for the key of its reports. A commit may be reviewed as the head of
 * a pull request, as a push and by a schedule; a push that changes little must not replace the result of the pull
 * request.
 */
export function coverageOf(
  { kind, branch, tag, base }: Target,
  { eventName }: Pick<RunFacts, 'eventName'>,
): RunSettings {
  if (kind === 'pull-request' || kind === 'merge-group') return {};
  if (eventName === 'push') return { push: branch, tag };
  return { everything: base === undefined };
}
