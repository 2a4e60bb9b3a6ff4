import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { ChangedPipeline } from './changed-pipelines.ts';
import { byLine } from './edges.ts';
import type { ProjectFacts } from './project-facts.ts';

/** The streaming pipelines whose definitions changed. */
export function changedStreaming(now: ProjectFacts, before: ProjectFacts): readonly ChangedPipeline[] {
  const [files, old] = [now, before].map(
    ({ snapshot }) => new Map(snapshot.streaming.map((each) => [each.file, each])),
  );
  const paths = new Set([...(files?.keys() ?? []), ...(old?.keys() ?? [])]);
  return [...paths].flatMap((pipeline): ChangedPipeline[] => {
    const file = files?.get(pipeline);
    if (file === undefined) return [{ pipeline, line: undefined, what: 'is deleted' }];
    if (file.digest === old?.get(pipeline)?.digest) return [];
    return [{ pipeline, line: file.line, what: 'changed' }];
  });
}

/** A component that reads a table whose declaration in a file of `schemas` changed. */
export interface ReaderOfDeclared {
  readonly pipeline: string;
  readonly line: number;
  /** The file, and why its change concerns the reader: the end of a sentence. */
  readonly file: string;
  readonly how: string;
  /** The table's name without database and schema. */
  readonly table: string;
}

/** The readers of tables whose declaration in a file of `schemas` changed. */
export function readersOfChangedDeclarations(
  now: ProjectFacts,
  before: ProjectFacts,
): readonly ReaderOfDeclared[] {
  const files = new Map<string, string>();
  for (const key of new Set([...now.tables.keys(), ...before.tables.keys()])) {
    const [declared, old] = [now.tables.get(key)?.declared, before.tables.get(key)?.declared];
    const file = (declared ?? old)?.file;
    if (file !== undefined && declared?.digest !== old?.digest) files.set(key, file);
  }
  if (files.size === 0) return [];
  return [...now.pipelines.values()].flatMap(({ path: pipeline, reads }) =>
    byLine(reads).flatMap(({ table: key, line }): ReaderOfDeclared[] => {
      const file = files.get(key);
      if (file === undefined || !now.isOutside(key)) return [];
      const table = now.tables.get(key)?.name[2] ?? key;
      return [{ pipeline, line, file, table, how: `reads ${table}, which ${withoutSuffix(file)} declares` }];
    }),
  );
}
