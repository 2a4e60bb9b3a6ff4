import { Failure } from '../../../lib/core/errors/failure.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { bindProject } from '../bind/bind-project.ts';
import { snapshotOf } from './snapshot-of.ts';

export interface SnapshotRequest {
  /** `if-possible`: with columns where DuckDB is installed; otherwise the snapshot says that columns are not known. */
  readonly columns: boolean | 'if-possible';
  /** The folder whose `node_modules` has DuckDB's package. Default: where Millrace itself finds its packages. */
  readonly packages?: string | undefined;
  /** Whether wrong files about what is outside of the project say nothing. Default: they are refused. */
  readonly isLenient?: boolean;
  /** What is not known of the files of the project: one sentence each. */
  readonly unread?: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * Creates the snapshot of a project in a folder or at a commit (`projectOfCommit`). Throws Failure 'engine-missing'
 * if columns are requested without DuckDB, and 'config-invalid' for an invalid file about tables from outside the
 * project.
 */
export async function takeSnapshot(
  project: TestProject,
  { columns, unread = [], ...options }: SnapshotRequest,
): Promise<Snapshot> {
  const take = async (areColumnsKnown: boolean) =>
    snapshotOf(await bindProject(project, { ...options, columns: areColumnsKnown }), unread);
  if (columns !== 'if-possible') return take(columns);
  try {
    return await take(true);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'engine-missing') throw error;
    return take(false);
  }
}
