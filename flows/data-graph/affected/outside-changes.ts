import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { DeclaredTable } from '../../pipeline-tests/outside/project-schemas.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import type { ChangedPipeline, ProjectBefore } from './changed-pipelines.ts';
import { tableKey } from '../bind/project-tables.ts';
import { type Definition } from '../bind/table-definitions.ts';

/** The streaming pipelines whose definitions changed. */
export function changedStreaming(
  graph: DataGraph,
  before: DataGraph,
  { changed }: Pick<ProjectBefore, 'changed'>,
): readonly ChangedPipeline[] {
  const [now, old] = [graph, before].map(({ streamed }) => Map.groupBy(streamed, ({ pipeline }) => pipeline));
  const paths = new Set([...(now?.keys() ?? []), ...(old?.keys() ?? [])]);
  return [...paths].flatMap((path): ChangedPipeline[] => {
    if (!graph.project.has(path)) return [{ pipeline: path, line: undefined, what: 'is deleted' }];
    if (!changed.has(path) && now?.has(path) === old?.has(path)) return [];
    return [{ pipeline: path, line: lineOf(now?.get(path)), what: 'changed' }];
  });
}

function lineOf(definitions: readonly Definition[] = []): number {
  return definitions[0]?.place.line ?? 1;
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

/** The readers of tables that the files of `schemas` declare otherwise than before. */
export function readersOfChangedDeclarations(
  graph: DataGraph,
  before: DataGraph,
): readonly ReaderOfDeclared[] {
  const now = byTable(graph);
  const old = byTable(before);
  const files = new Map<string, string>();
  for (const key of new Set([...now.keys(), ...old.keys()])) {
    const table = now.get(key) ?? old.get(key);
    if (table !== undefined && contentOf(now.get(key)) !== contentOf(old.get(key)))
      files.set(key, table.place.file);
  }
  return [...graph.pipelines].flatMap(([pipeline, { reads }]) =>
    reads.flatMap(({ table, place }): ReaderOfDeclared[] => {
      const file = files.get(tableKey(table));
      if (file === undefined || !graph.tables.isOutside(table)) return [];
      return [
        {
          pipeline,
          line: place.line,
          file,
          table: table.table,
          how: `reads ${table.table}, which ${withoutSuffix(file)} declares`,
        },
      ];
    }),
  );
}

function byTable({ schemas }: DataGraph): ReadonlyMap<string, DeclaredTable> {
  return new Map(schemas.all.map((declared) => [tableKey(declared.table), declared]));
}

function contentOf(declared: DeclaredTable | undefined): string {
  return JSON.stringify(declared?.columns.map(({ name, type }) => [name, type]) ?? null);
}
