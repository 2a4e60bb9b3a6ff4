import {
  type FileProblem,
  FileProblems,
  noRows,
  type Place,
  storedName,
  type WrittenTable,
} from '../../../engine/index.ts';
import { type DeclaredTables, declaredTables } from '../../pipeline-tests/files/declared-tables.ts';
import { testFiles } from '../../pipeline-tests/files/find-tests.ts';
import { tableNamed } from '../../pipeline-tests/outside/table-named.ts';
import { tableRows, type TypeSources } from '../../pipeline-tests/files/table-rows.ts';
import type { EnvironmentNames } from '../../pipeline-tests/outside/environment-names.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { changedReads, type Reads, traceReads } from '../../pipeline-tests/files/trace-reads.ts';
import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { planFile } from '../../pipeline-tests/run/plan-file.ts';
import type { NamedTable } from './tables-outside.ts';

/** A table that a test gives, with the columns that the test writes. */
export interface GivenTable extends NamedTable {
  readonly test: string;
  /** The path of the tested pipeline. */
  readonly pipeline: string;
  readonly written: readonly { readonly name: string; readonly place: Place }[];
}

/** A test file, with the files that it reads. */
export interface ReadTestFile {
  readonly test: string;
  /** The path of the tested pipeline; undefined if the file is wrong. */
  readonly pipeline: string | undefined;
  /** Why the file is wrong; undefined if it has nothing wrong. */
  readonly fault?: string | undefined;
  /** Files besides pipelines: rows and schemas. */
  readonly beside: readonly string[];
  readonly reads: Reads;
}

/** The tables that the tests of a project give. */
export interface TestTables {
  readonly files: readonly ReadTestFile[];
  readonly given: readonly GivenTable[];
  /** Tables of mocks, which have the rows that a load writes. */
  readonly mocked: readonly NamedTable[];
  /** Tables of the files of schemas that tests name. */
  readonly declared: readonly NamedTable[];
}

/** Reads the tests of a project. Later reads only read tests again whose files have changed. */
export type TestReader = (project: TestProject, names: EnvironmentNames) => Promise<TestTables>;

/** Creates the reader. A test file with errors gives no tables; `millrace test` reports its errors. */
export function createTestReader(): TestReader {
  let known = new Map<string, { readonly reads: Reads; readonly tables: FileTables }>();
  return async (project, names) => {
    const created = declaredTables(project);
    const next: typeof known = new Map();
    for (const path of testFiles(project)) {
      const before = known.get(path);
      const isSame = before !== undefined && changedReads(before.reads, project, created) === undefined;
      next.set(path, isSame ? before : await readTables(path, project, { created, names }));
    }
    known = next;
    const files = Array.from(next.values(), ({ tables }) => tables);
    return {
      files: files.map(({ file }) => file),
      given: files.flatMap(({ given }) => given),
      mocked: files.flatMap(({ mocked }) => mocked),
      declared: files.flatMap(({ declared }) => declared),
    };
  };
}

interface FileTables extends Omit<TestTables, 'files'> {
  readonly file: ReadTestFile;
}

async function readTables(
  path: string,
  project: TestProject,
  { created, names }: { readonly created: DeclaredTables; readonly names: EnvironmentNames },
): Promise<{ readonly reads: Reads; readonly tables: FileTables }> {
  const given: GivenTable[] = [];
  const mocked: NamedTable[] = [];
  const declared: NamedTable[] = [];
  const traced = traceReads(project, created);
  const faults: FileProblem[] = [];
  const planned = await unlessWrong(() => planFile(path, traced.project, {}), faults);
  const [first, ...more] = planned ?? [];
  const types: TypeSources = { schemas: first?.file.schemas ?? new Map(), declared: traced.declared };
  const add = async (table: WrittenTable, list: (named: NamedTable) => void) => {
    const named = await unlessWrong(async () => namedTable(table, types, project));
    if (named !== undefined) list({ ...named, table: names.canonical(named.table) });
  };
  for (const { test, document } of first === undefined ? [] : [first, ...more]) {
    for (const table of test.given)
      await add(table, (named) =>
        given.push({
          ...named,
          test: test.name,
          pipeline: document.path,
          written: writtenColumns(table, project),
        }),
      );
    for (const table of test.mocks.flatMap(({ tables }) => tables))
      await add(table, (named) => mocked.push(named));
  }
  for (const [name, columns] of first?.file.schemas ?? []) {
    const place = columns[0]?.place ?? { file: path, line: 1, column: 1 };
    const areTypesKnown = columns.every((column) => column.type.toLowerCase() !== 'unknown');
    await add({ name: { text: name, place }, columns, content: noRows }, (named) =>
      declared.push({ ...named, areTypesKnown }),
    );
  }
  const { reads } = traced;
  const [fault] = faults;
  const file = {
    test: path,
    pipeline: first?.document.path,
    fault: fault && `${fault.file}:${fault.line}:${fault.column}: ${fault.message}`,
    beside: besideOf(path, reads),
    reads,
  };
  return { reads, tables: { file, given, mocked, declared } };
}

/** The files that a test reads, also the ones that declare its tables. */
function besideOf(path: string, reads: Reads): readonly string[] {
  const read = [...reads.texts.keys(), ...reads.digests.keys()].filter(
    (file) => file !== path && kindOf(file) === undefined,
  );
  return [...new Set([...read, ...reads.declaredIn])];
}

function namedTable(table: WrittenTable, types: TypeSources, project: TestProject): NamedTable {
  const name = tableNamed(table.name.text, table.name.place, project);
  return { table: name, columns: tableRows(table, types, project).columns };
}

function writtenColumns(
  { name: table, columns, content }: WrittenTable,
  { kind }: TestProject,
): GivenTable['written'] {
  const placeOf = (name: string) =>
    columns.find((column) => column.name === name)?.place ??
    content.rows.find((row) => row.cells.has(name))?.placeOf(name) ??
    table.place;
  const names = new Set([...columns.map(({ name }) => name), ...content.columns]);
  return Array.from(names, (name) => ({ name: storedName(name, kind), place: placeOf(name) }));
}

/** Undefined if a file is wrong; `faults` gets why. */
async function unlessWrong<Result>(
  work: () => Promise<Result>,
  faults: FileProblem[] = [],
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FileProblems)) throw error;
    faults.push(...error.problems);
    return undefined;
  }
}
