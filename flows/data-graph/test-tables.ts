import { FileProblems, noRows, type Place, storedName, type WrittenTable } from '../../engine/index.ts';
import { declaredTables } from '../pipeline-tests/files/declared-tables.ts';
import { testFiles } from '../pipeline-tests/files/find-tests.ts';
import { tableNamed, tableRows, type TypeSources } from '../pipeline-tests/files/table-rows.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { traceReads } from '../pipeline-tests/files/trace-reads.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import { planFile } from '../pipeline-tests/run/run-tests.ts';
import type { NamedTable } from './project-tables.ts';

/** A table that a test gives, with the columns that the test writes. */
export interface GivenTable extends NamedTable {
  readonly test: string;
  /** The path of the tested pipeline. */
  readonly pipeline: string;
  readonly written: readonly { readonly name: string; readonly place: Place }[];
}

/** A test file and what it reads. */
export interface ReadTestFile {
  readonly test: string;
  /** The path of the tested pipeline; undefined if the file is wrong. */
  readonly pipeline: string | undefined;
  /** Files besides pipelines: rows and schemas. */
  readonly beside: readonly string[];
}

/** The tables in the tests of a project. */
export interface TestTables {
  readonly files: readonly ReadTestFile[];
  readonly given: readonly GivenTable[];
  /** Tables of mocks, which have the rows that a load writes. */
  readonly mocked: readonly NamedTable[];
  /** Tables of the files of schemas that tests name. */
  readonly declared: readonly NamedTable[];
}

/** Reads all tests of a project. A test file that is wrong has no tables: `millrace test` says what is wrong with it. */
export async function testTables(project: TestProject): Promise<TestTables> {
  const files: ReadTestFile[] = [];
  const given: GivenTable[] = [];
  const mocked: NamedTable[] = [];
  const declared: NamedTable[] = [];
  const created = declaredTables(project);
  for (const path of testFiles(project)) {
    const traced = traceReads(project, created);
    const [first, ...more] = (await unlessWrong(() => planFile(path, traced.project, {}))) ?? [];
    const beside = [...traced.reads.texts.keys(), ...traced.reads.digests.keys()].filter(
      (file) => file !== path && kindOf(file) === undefined,
    );
    files.push({ test: path, pipeline: first?.document.path, beside: [...new Set(beside)] });
    if (first === undefined) continue;
    const types: TypeSources = { schemas: first.file.schemas, declared: created };
    const add = async (table: WrittenTable, list: (named: NamedTable) => void) => {
      const named = await unlessWrong(async () => namedTable(table, types, project));
      if (named !== undefined) list(named);
    };
    for (const { test, document } of [first, ...more]) {
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
    for (const [name, columns] of first.file.schemas) {
      const place = columns[0]?.place ?? { file: path, line: 1, column: 1 };
      await add({ name: { text: name, place }, columns, content: noRows }, (named) => declared.push(named));
    }
  }
  return { files, given, mocked, declared };
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

async function unlessWrong<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileProblems) return undefined;
    throw error;
  }
}
