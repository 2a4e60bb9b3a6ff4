import { FileProblems, type TableName } from '../../../engine/index.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { type DeclaredTables, declaredTables } from '../../pipeline-tests/files/declared-tables.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { fileDifference, type ProjectBefore } from '../change/file-difference.ts';
import type { ReadTestFile } from '../bind/test-tables.ts';

/** A test file whose result a change may change. */
export interface AffectedTest {
  readonly test: string;
  /** Why, as a path from the test to the change: one step after the other. */
  readonly because: readonly string[];
}

/**
 * Finds the test files whose result a change may change. A test runs its pipeline and the pipelines that it calls,
 * on its own rows, so only these pipelines and the files that it reads count.
 * @param reached the changed pipelines and their callers, with the reasons
 */
export function affectedTests(
  { tests, project }: DataGraph,
  base: ProjectBefore,
  reached: ReadonlyMap<string, { readonly because: readonly string[] }>,
): readonly AffectedTest[] {
  const [declared, declaredBefore] = [project, base.project].map((side) => declaredTables(side)) as [
    DeclaredTables,
    DeclaredTables,
  ];
  return tests.files.flatMap((file): AffectedTest[] => {
    const { test, pipeline, fault, beside } = file;
    for (const path of [test, ...beside]) {
      const difference = fileDifference(path, project, base);
      if (difference === undefined) continue;
      const isKnown = difference === 'changed' || difference === 'is new';
      const own = isKnown ? 'the test changed' : `the test ${difference}`;
      return [{ test, because: [path === test ? own : `it reads ${path}, which ${difference}`] }];
    }
    if (pipeline === undefined) return [{ test, because: [`it is refused: ${fault ?? ''}`] }];
    const because = reached.get(pipeline)?.because;
    if (because !== undefined && project.has(pipeline))
      return [{ test, because: [`it tests ${withoutSuffix(pipeline)}`, ...because] }];
    const read = otherRead(file, { declared, declaredBefore, base });
    return read === undefined ? [] : [{ test, because: [read] }];
  });
}

/** The first thing that a test would not read as before, besides its files. */
function otherRead(
  { pipeline = '', reads: { presence, mentions, declared: tables } }: ReadTestFile,
  {
    declared,
    declaredBefore,
    base: { project: before },
  }: {
    readonly declared: DeclaredTables;
    readonly declaredBefore: DeclaredTables;
    readonly base: Pick<ProjectBefore, 'project'>;
  },
): string | undefined {
  for (const [path, has] of presence)
    if (before.has(path) !== has)
      return has ? `it names ${path}, which is new` : `it named ${path}, and tests ${pipeline} now`;
  for (const [variable, isMentioned] of mentions)
    if (before.mentions(variable) !== isMentioned)
      return `it sets the variable ${variable}, which ${isMentioned ? 'a pipeline uses now' : 'no pipeline uses any more'}`;
  for (const key of tables.keys()) {
    const table = JSON.parse(key) as TableName;
    if (columnsOf(table, declared) !== columnsOf(table, declaredBefore))
      return `it gives rows to ${table.table}, and the project declares other columns or types of this table than before`;
  }
  return undefined;
}

/** What a project declares of a table, without where. A file that cannot be read declares nothing. */
function columnsOf(table: TableName, declared: DeclaredTables): string {
  try {
    const { created, schema } = declared(table) ?? {};
    return JSON.stringify([created, schema?.map(({ name, type }) => [name, type])]);
  } catch (error) {
    if (error instanceof FileProblems) return '';
    throw error;
  }
}
