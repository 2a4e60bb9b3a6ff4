import { type Fact, signFacts } from '../../../../flows/evidence/sign-facts.ts';
import type { SigningKey } from '../../../../lib/evidence/keys.ts';
import { openGitObjects } from '../../../../local-github/git/git-objects.ts';
import { repositoryId, repositoryName } from '../../../environment/worker/worker-environment.ts';
import type { OneLane } from './one-lane.ts';

/** Puts statements about a commit, or about the one of a ref, in place of all others. `at`: milliseconds since the epoch. */
export async function storeStatements(
  { env }: OneLane,
  { ref, commit }: { readonly ref: string; readonly commit?: string },
  facts: readonly Fact[],
  { by, repository = repositoryId, at }: { by: SigningKey; repository?: number | undefined; at: number },
): Promise<void> {
  const { git } = env.github.repository(repositoryName);
  const of = commit ?? (await git.commit(ref)) ?? '';
  const [{ tree } = { tree: '' }] = await git.describe([of]);
  const about = { repository: repositoryName, repositoryId: repository, commit: of, tree, ref };
  const { branch, files, message } = signFacts(facts, about, { key: by, now: at });
  const objects = openGitObjects(git.path);
  const made = objects.commit({ tree: objects.tree(undefined, files), parents: [], message, seconds: 1 });
  objects.setRef(`refs/heads/${branch}`, made);
}
