import { Failure } from '../../lib/core/errors/failure.ts';
import { inRepository } from '../../lib/git/in-repository.ts';
import type { Snapshot } from '../../lib/git/snapshot.ts';
import type { Session } from '../kit/session.ts';
import { affectedOf } from './affected-tests.ts';
import { openBase } from './open-base.ts';
import { openTests } from './open-tests.ts';

/**
 * Finds the pipelines that a change affects without changing their files. Paths are relative to the repository.
 * Throws Failure 'usage' if the files on disk differ from the commit `reviewed`, 'git-failed' and 'engine-missing'.
 * @param name the commit that the change begins at; for a branch, the merge base counts
 */
export async function affectedPipelines(
  session: Session,
  { name, reviewed }: { readonly name: string; readonly reviewed: Snapshot | string },
): Promise<ReadonlySet<string>> {
  const project = await openTests(session);
  if (typeof reviewed === 'string') {
    const { commit, isOther } = await openBase(session, project, reviewed);
    if (commit !== reviewed || isOther)
      throw new Failure('usage', {
        message: `The files on disk differ from the commit ${reviewed.slice(0, 12)}, so what the commit affects is not known.`,
        where: { input: '--affected' },
        hint: 'Review the files on disk with --local --working-tree, or check the commit out.',
      });
  }
  const { affected } = await affectedOf(session, project, await openBase(session, project, name));
  const { directory } = await session.repository();
  return new Set(affected.map(({ pipeline }) => inRepository(directory, pipeline)));
}
