import { type AffectedPipelines, affectedPipelines } from '../../snapshot/difference/affected-pipelines.ts';
import {
  type ChangedColumn,
  changedTables,
  type UnknownColumns,
} from '../../snapshot/difference/changed-columns.ts';
import { projectFacts } from '../../snapshot/difference/project-facts.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import type { ProjectBefore } from '../change/file-difference.ts';
import { snapshotOf } from '../snapshot/snapshot-of.ts';
import { type UnreadablePipeline, unreadablePipelines } from '../texts/unreadable-pipelines.ts';
import { type AffectedTest, affectedTests } from './affected-tests.ts';

export interface AffectedReport extends Omit<AffectedPipelines, 'callers'> {
  readonly tests: readonly AffectedTest[];
  /** Columns of tables that pipelines create, with their readers. */
  readonly columns: readonly ChangedColumn[];
  /** Tables whose definition changed, and whose columns are not all known. */
  readonly unknownColumns: readonly UnknownColumns[];
  /** Pipelines that cannot be read now: what they call and read is not among the others. */
  readonly unreadable: readonly UnreadablePipeline[];
}

/**
 * Finds what a change of a project affects: callers, readers of tables that changed pipelines write, and tests.
 * Renamed files are known from git.
 */
export function affected(graph: DataGraph, before: DataGraph, base: ProjectBefore): AffectedReport {
  const [now, old] = [projectFacts(snapshotOf(graph)), projectFacts(snapshotOf(before))];
  const { renamed, unknown = new Map<string, string>() } = base;
  const { callers, ...pipelines } = affectedPipelines(now, old, { renamed, unknown });
  const { columns, unknown: unknownColumns } = changedTables(now, old);
  return {
    ...pipelines,
    tests: affectedTests(graph, base, callers),
    columns,
    unknownColumns,
    unreadable: unreadablePipelines(graph.project),
  };
}
