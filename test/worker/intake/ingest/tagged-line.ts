import { createHash } from 'node:crypto';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { createGitHubPort } from '../../../../lib/github/create-github-port.ts';
import { tokenAccess } from '../../../../lib/github/access/github-access.ts';
import type { GitHubPort } from '../../../../lib/github/github-port.ts';
import type { PushEvent } from '../../../../worker/records/push-event.ts';
import { projectFile, repositoryId, repositoryName } from '../../../environment/worker/worker-environment.ts';

const commitOf = (i: number): string => createHash('sha1').update(`commit ${i}`).digest('hex');
const indexOf = (commit: string, count: number): number =>
  Array.from({ length: count }, (_, i) => commitOf(i)).indexOf(commit);

/** When an answer comes. */
export type Late = <T>(answer: T) => Promise<T>;

/** A line of commits, with the tag v0, v1 and so on on each. */
export function taggedLine(count: number, lanes: string, late: Late): GitHubPort {
  const elsewhere = createGitHubPort({
    apiUrl: 'http://127.0.0.1:1',
    access: tokenAccess(() => ''),
    clock: systemClock,
  });
  return {
    ...elsewhere,
    repository: async () => late({ id: repositoryId, fullName: repositoryName, defaultBranch: 'main' }),
    head: async (_, ref) => late(commitOf(Number(ref.slice('refs/tags/v'.length)))),
    textAt: async () => late(projectFile(lanes)),
    parentOf: async (_, commit) => late(commitOf(indexOf(commit, count) - 1)),
    branches: async () => late([{ name: 'main', commit: commitOf(count - 1) }]),
    tags: async () => late([]),
    relation: async (_, base, commit) => {
      const difference = indexOf(commit, count) - indexOf(base, count);
      return late(difference === 0 ? 'identical' : difference > 0 ? 'ahead' : 'behind');
    },
  };
}

/** The push of such a tag. */
export const pushOf = (i: number): PushEvent => ({
  repositoryId,
  repositoryName,
  ref: `refs/tags/v${i}`,
  before: '0'.repeat(40),
  after: commitOf(i),
  created: true,
  deleted: false,
  forced: false,
  sender: 'octocat',
  delivery: `d-${i}`,
  digest: createHash('sha256').update(`body ${i}`).digest('hex'),
  receivedAt: Date.now(),
});
