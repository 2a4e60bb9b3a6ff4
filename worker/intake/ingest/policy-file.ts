import type { ProjectConfig } from '../../../lib/config/project/project-schema.ts';
import type { WorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { readProjectConfig } from '../../../lib/config/project/read-project-config.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { GitHubPort } from '../../../lib/github/github-port.ts';
import type { GitHubRepository } from '../../../lib/github/endpoints/repositories.ts';
import { isNoCommit, type PushEvent } from '../../records/push-event.ts';

/** Path of a project's settings in its repository; `.` is the root. */
export function policyFileIn(directory: string): string {
  return directory === '.' ? 'millrace.yaml' : `${directory}/millrace.yaml`;
}

/** The folders of a repository whose projects the worker serves. */
export function directoriesOf({ repositories }: WorkerConfig, repositoryId: number): readonly string[] {
  return repositories.find(({ id }) => id === repositoryId)?.['working-directories'] ?? ['.'];
}

/** The millrace.yaml that applies to a push, and the commit that it was read from. */
export interface PolicyAtPush {
  readonly config: ProjectConfig | undefined;
  readonly commit: string | undefined;
}

/**
 * Reads the `millrace.yaml` from before the push: a push that changes the rules must not be the first that uses
 * them (design, "Configuration").
 *
 * A push to a branch: the file at its `before`. A new branch: the file at the default branch; if the new branch is
 * the default branch, there was no earlier file, and the file of the commit applies. A tag: the file of its commit
 * or, if that commit changed the file, of its parent. If that file cannot be parsed, the file of the head applies:
 * otherwise no push could repair it. Throws Failure 'config-invalid', 'github-failed'.
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
    return { config: text === undefined ? undefined : parse(text, policyFile), commit: place };
  };
  try {
    return await at(commit);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'config-invalid' || commit === head) throw error;
    return await at(head);
  }
}

/** Texts that are remembered, and how long one may be. */
const maxTexts = 100;
const maxTextLength = 65_536;

/** What was parsed, by file and text: most pushes do not change the file, and reading it costs more than accepting a push. */
const parsed = new Map<string, ProjectConfig>();

/** Throws Failure 'config-invalid'. */
function parse(text: string, file: string): ProjectConfig {
  const key = `${file}\n${text}`;
  const config = parsed.get(key) ?? readProjectConfig(text, file);
  if (text.length > maxTextLength) return config;
  // The first entry of the map was not used for the longest time.
  parsed.delete(key);
  parsed.set(key, config);
  const [oldest] = parsed.keys();
  if (parsed.size > maxTexts && oldest !== undefined) parsed.delete(oldest);
  return config;
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
  // A file that is not text is refused only if it is used: otherwise no push could repair it.
  const textAt = (commit: string) =>
    github.textAt(fullName, policyFile, commit).catch((error: unknown) => {
      if (error instanceof Failure && error.code === 'config-invalid') return undefined;
      throw error;
    });
  const [now, before] = await Promise.all([textAt(head), textAt(parent)]);
  return now === before ? head : parent;
}
