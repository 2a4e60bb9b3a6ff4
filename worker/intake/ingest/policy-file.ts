import type { ProjectConfig } from '../../../lib/config/project-schema.ts';
import type { WorkerConfig } from '../../../lib/config/read-worker-config.ts';
import { readProjectConfig } from '../../../lib/config/read-project-config.ts';
import { Failure } from '../../../lib/core/failure.ts';
import type { GitHubPort, GitHubRepository } from '../../../lib/github/github-port.ts';
import { isNoCommit, type PushEvent } from '../../records/push-event.ts';

/** The settings of the project in a folder of its repository; `.` is the root. */
export function policyFileIn(directory: string): string {
  return directory === '.' ? 'millrace.yaml' : `${directory}/millrace.yaml`;
}

/** The folders of a repository whose projects the worker serves. */
export function directoriesOf({ repositories }: WorkerConfig, repositoryId: number): readonly string[] {
  return repositories.find(({ id }) => id === repositoryId)?.['working-directories'] ?? ['.'];
}

/** The settings that a push runs under, and where they were read. */
export interface PolicyAtPush {
  readonly config: ProjectConfig | undefined;
  readonly commit: string | undefined;
}

/**
 * The `millrace.yaml` that was there before the push: a push that changes the rules must not be the first to profit
 * from them (design, "Configuration").
 *
 * A push to a branch: the file at its `before`; of a new branch, at the default branch, and where that is the new
 * branch itself, nothing was there before and the file of the commit holds. A tag: the file of its commit, unless that
 * very commit changed it: then its parent's.
 * Where that file cannot be read, the one of the head counts: else no push could repair it.
 * Throws Failure 'config-invalid', 'github-failed'.
 */
export async function readPolicyAt(
  event: PushEvent,
  repository: GitHubRepository,
  head: string,
  github: GitHubPort,
  directory: string,
): Promise<PolicyAtPush> {
  const { fullName } = repository;
  const policyFile = policyFileIn(directory);
  const commit = await policyCommit(event, repository, head, github, policyFile);
  if (commit === undefined) return { config: undefined, commit };
  const at = async (place: string): Promise<PolicyAtPush> => {
    const text = await github.textAt(fullName, policyFile, place);
    return { config: text === undefined ? undefined : readProjectConfig(text, policyFile), commit: place };
  };
  try {
    return await at(commit);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'config-invalid' || commit === head) throw error;
    return await at(head);
  }
}

async function policyCommit(
  event: PushEvent,
  { fullName, defaultBranch }: GitHubRepository,
  head: string,
  github: GitHubPort,
  policyFile: string,
): Promise<string | undefined> {
  if (event.ref.startsWith('refs/heads/')) {
    if (!isNoCommit(event.before)) return event.before;
    if (event.ref === `refs/heads/${defaultBranch}`) return head;
    return github.head(fullName, `refs/heads/${defaultBranch}`);
  }
  const parent = await github.parentOf(fullName, head);
  if (parent === undefined) return head;
  const [now, before] = await Promise.all([
    github.textAt(fullName, policyFile, head),
    github.textAt(fullName, policyFile, parent),
  ]);
  return now === before ? head : parent;
}
