import { join } from 'node:path';
import { cloneFacts } from '../../../flows/versions/clone-facts.ts';
import {
  type OlderChoice,
  olderChoices,
  type OrderGuard,
  orderGuardOf,
} from '../../../flows/versions/guard-order.ts';
import type { CommitFacts } from '../../../flows/versions/newer-version.ts';
import type { ProjectConfig } from '../../../lib/config/project/project-schema.ts';
import { annotationCommand } from '../../../lib/report/annotations.ts';
import { connectToGitHub } from '../step/connect-to-github.ts';
import { choice, secret } from '../inputs/input-field.ts';
import { openProject } from '../checkout/project.ts';
import { repositoryFolder } from '../checkout/repository-folder.ts';
import type { Step } from '../step/step.ts';

/** The input `older` of the actions that make a version live. */
export const olderInputs = {
  older: choice(olderChoices, 'refuse', 'What to do with a version that is older than the live one'),
  'github-token': secret(
    'Token for GitHub’s API: to compare commits that the check-out does not have, and for the deployment of an action that records one.',
    '${{ github.token }}',
  ),
};

interface GuardInputs {
  readonly older: OlderChoice;
  readonly 'working-directory': string;
  readonly 'github-token'?: string | undefined;
}

/**
 * The guard that compares versions for an action: by commits in the check-out, and if these are not enough, on
 * GitHub.
 */
export function orderGuard(
  config: ProjectConfig,
  environment: string | undefined,
  inputs: GuardInputs,
  step: Step,
): OrderGuard {
  const folder = join(step.facts.workspace, inputs['working-directory']);
  const checkOut = async (): Promise<CommitFacts | undefined> => {
    if ((await repositoryFolder(folder, step.facts.workspace)) === undefined) return undefined;
    const { repository } = await openProject(step, inputs['working-directory']);
    return cloneFacts(repository, step.context.signal);
  };
  const gitHub = async (): Promise<CommitFacts | undefined> => {
    const connection = await connectToGitHub(inputs['github-token'], step);
    if (connection === undefined) return undefined;
    const { commits, refs, repository } = connection;
    return {
      relation: (base, head) => commits.relation(repository, base, head),
      committedAt: (commit) => commits.committedAt(repository, commit),
      taggedAt: (ref) => refs.taggedAt(repository, ref),
    };
  };
  return orderGuardOf(config, environment, { older: inputs.older, commits: [checkOut, gitHub] });
}

/** Writes the warnings of a guard as annotations. */
export function warnOfOrder(
  { warnings = [] }: { readonly warnings?: readonly string[] | undefined },
  { command }: Pick<Step, 'command'>,
): void {
  for (const warning of warnings)
    command(annotationCommand('warning', warning, { title: 'Millrace: order of versions' }));
}
