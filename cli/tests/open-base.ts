import type { BaseProject } from '../../flows/diff/base-project.ts';
import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import { resolveNamedCommit } from '../kit/git/resolve-named-commit.ts';
import type { Session } from '../kit/session.ts';

/** Opens the project at a commit; for a branch, at the merge base with HEAD. Throws Failure 'git-failed'. */
export async function openBase(session: Session, project: TestProject, name: string): Promise<BaseProject> {
  const { openWorkCopy } = await import('../../lib/git/work-tree/work-copy.ts');
  const { projectAtBase } = await import('../../flows/diff/base-project.ts');
  const { env: environment, signal } = session.io;
  const [{ repository, directory }, workTree] = await Promise.all([
    session.repository(),
    openWorkCopy(session.directory, 'working-tree', { environment, signal }),
  ]);
  const named = await resolveNamedCommit(repository, name, session);
  const fork =
    workTree.commit === '' ? undefined : await repository.mergeBase(named, workTree.commit, { signal });
  const isFork = fork !== undefined && fork !== named;
  return projectAtBase(project, {
    repository,
    workTree,
    directory,
    commit: fork ?? named,
    name,
    isFork,
    environment,
    signal,
  });
}
