import { type Fact, signFacts } from '../../../../flows/evidence/sign-facts.ts';
import type { SigningKey } from '../../../../lib/evidence/keys.ts';
import { openGitObjects } from '../../../../local-github/git/git-objects.ts';
import { repositoryId, repositoryName } from '../../../environment/worker/worker-environment.ts';
import type { OneLane } from './one-lane.ts';

interface Signed {
  readonly by: SigningKey;
  readonly repository?: number | undefined;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Keeps the statements that are there. */
  readonly isAdded?: boolean;
}

/** Puts statements about a commit, or about the one of a ref, in place of all others. */
export async function storeStatements(
  { env }: OneLane,
  { ref, commit }: { readonly ref: string; readonly commit?: string },
  facts: readonly Fact[],
  { by, repository = repositoryId, at, isAdded = false }: Signed,
): Promise<void> {
  const { git } = env.github.repository(repositoryName);
  const of = commit ?? (await git.commit(ref)) ?? '';
  const [{ tree } = { tree: '' }] = await git.describe([of]);
  const about = { repository: repositoryName, repositoryId: repository, commit: of, tree, ref };
  const { branch, files, message } = signFacts(facts, about, { key: by, now: at });
  const objects = openGitObjects(git.path);
  const name = `refs/heads/${branch}`;
  const before = isAdded ? await git.commit(name) : undefined;
  const made = objects.commit({ tree: objects.tree(before, files), parents: [], message, seconds: 1 });
  objects.setRef(name, made);
}
