import type { AffectedReport } from '../../flows/data-graph/affected/affected.ts';
import type { BaseProject } from '../../flows/diff/base-project.ts';
import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import type { Session } from '../kit/session.ts';

/** What the changes of a project since its base affect. Throws Failure 'engine-missing'. */
export async function affectedOf(
  { flow: { signal } }: Session,
  project: TestProject,
  base: BaseProject,
): Promise<AffectedReport> {
  const { bindProject } = await import('../../flows/data-graph/bind/bind-project.ts');
  const { affected } = await import('../../flows/data-graph/affected/affected.ts');
  const graph = await bindProject(project, { signal });
  return affected(graph, await bindProject(base.project, { signal, after: graph }), base);
}

/** Splits test files into those whose result the change since the base may change, and the others. */
export async function affectedTests(
  session: Session,
  project: TestProject,
  { files, base }: { readonly files: readonly string[]; readonly base: BaseProject },
): Promise<{
  readonly files: readonly string[];
  readonly others: readonly string[];
  /** The pipelines that do something else. */
  readonly changed: ReadonlySet<string>;
}> {
  const { tests, changed } = await affectedOf(session, project, base);
  const names = new Set(tests.map(({ test }) => test));
  return {
    files: files.filter((file) => names.has(file)),
    others: files.filter((file) => !names.has(file)),
    changed: new Set(changed.map(({ pipeline }) => pipeline)),
  };
}
