import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import type { Session } from '../kit/session.ts';
import { openBase } from './open-base.ts';

/**
 * The test files, of `files`, whose result a change since a commit, or since the branch left it, may change. Throws Failure 'git-failed' and
 * 'engine-missing'.
 */
export async function affectedTests(
  session: Session,
  project: TestProject,
  { files, base: name }: { readonly files: readonly string[]; readonly base: string },
): Promise<readonly string[]> {
  const { bindProject } = await import('../../flows/data-graph/bind-project.ts');
  const { affected } = await import('../../flows/data-graph/affected.ts');
  const { signal } = session.flow;
  const base = await openBase(session, project, name);
  const graph = await bindProject(project, { signal });
  const { tests } = affected(graph, await bindProject(base.project, { signal, isBefore: true }), base);
  const names = new Set(tests.map(({ test }) => test));
  return files.filter((file) => names.has(file));
}
