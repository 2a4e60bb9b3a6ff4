import type { DataGraph } from '../../flows/data-graph/bind/bind-project.ts';
import { snapshotOf } from '../../flows/data-graph/snapshot/snapshot-of.ts';
import { writeSnapshot } from '../../flows/snapshot/read-snapshot.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { openProject } from '../kit/checkout/project.ts';
import { snapshotFileName } from '../kit/releases/snapshot-file.ts';
import type { ReportFile } from '../kit/step/action.ts';
import type { Step } from '../kit/step/step.ts';

/** The snapshot of the tested files, for the job that publishes them; undefined for a project that is too large for one. */
export async function snapshotFile(
  graph: DataGraph,
  commit: string,
  workingDirectory: string,
  step: Step,
): Promise<ReportFile | undefined> {
  const { repository, directory } = await openProject(step, workingDirectory);
  const tree = await repository.treeOf(commit, { signal: step.context.signal });
  try {
    return { name: snapshotFileName({ tree, directory }), text: writeSnapshot(snapshotOf(graph)) };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'snapshot-invalid') throw error;
    step.log(error.message);
    return undefined;
  }
}
