import { truncateSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { declaredTables } from '../../../../flows/pipeline-tests/files/declared-tables.ts';
import { testFiles } from '../../../../flows/pipeline-tests/files/find-tests.ts';
import { openTestProject } from '../../../../flows/pipeline-tests/files/test-project.ts';
import { openTestSession, type TestSession } from '../../../../flows/pipeline-tests/run/test-session.ts';
import { changedReads, traceReads } from '../../../../flows/pipeline-tests/files/trace-reads.ts';
import { systemClock } from '../../../../lib/core/ports/system-clock.ts';
import { type TestFolder, testFolder } from '../../../cli/tests/test-project.ts';

const reader = (table: string) => `pipeline:
  components:
    Read: { type: table-input, parameters: { targetTable: ${table}, columnNames: [id] } }
    Write: { type: rewrite-table, sources: [Read], parameters: { targetTable: copy } }
`;
const expectCopy = 'expect: { tables: { copy: { count: 1 } } }';

const files = {
  'plain.tran.yaml': reader('plain'),
  'plain.test.yaml': `pipeline: plain\ntests: [{ name: plain, given: { plain: { rows: [{ id: 1 }] } }, ${expectCopy} }]\n`,
  'csv.tran.yaml': reader('csv'),
  'tests/csv.test.yaml': `pipeline: csv\ntests: [{ name: csv, given: { csv: { file: data/rows.csv } }, ${expectCopy} }]\n`,
  'tests/data/rows.csv': 'id\n1\n',
  'typed.tran.yaml': reader('typed'),
  'tests/typed.test.yaml': `pipeline: typed\nschemas: data/schemas.yaml\ntests: [{ name: typed, given: { typed: { rows: [{ id: 1 }] } }, ${expectCopy} }]\n`,
  'tests/data/schemas.yaml': 'typed: { id: NUMBER }\n',
  'caller.orch.yaml': `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Call] } }
    Call: { type: run-transformation, transitions: { success: [Script] }, parameters: { transformationJob: called } }
    Script: { type: sql-executor, parameters: { scriptLocation: File, fileName: sql/script.sql } }
`,
  'called.tran.yaml': reader('called'),
  'caller.test.yaml': `pipeline: caller\ntests: [{ name: caller, given: { called: { rows: [{ id: 1 }] } }, ${expectCopy} }]\n`,
  'create.orch.yaml': `pipeline:
  components:
    Create: { type: create-table, parameters: { newTableName: plain, columns: [[id, NUMBER, '', '']] } }
`,
  'unused.tran.yaml': reader('unused'),
};

let folder: TestFolder;
let session: TestSession;
beforeAll(async () => {
  folder = testFolder(files);
  session = openTestSession(
    { jobs: 1, withCoverage: false },
    { clock: systemClock, signal: new AbortController().signal },
  );
  await run();
  return () => folder[Symbol.dispose]();
});

async function run() {
  const project = openTestProject(folder.directory, 'WAREHOUSE_ONE');
  return await session.run(project, testFiles(project));
}

test.each([
  ['a tested pipeline', 'plain.tran.yaml', ['plain.test.yaml']],
  ['a test file', 'plain.test.yaml', ['plain.test.yaml']],
  ['a fixture', 'tests/data/rows.csv', ['tests/csv.test.yaml']],
  ['a file of schemas', 'tests/data/schemas.yaml', ['tests/typed.test.yaml']],
  ['a called pipeline', 'called.tran.yaml', ['caller.test.yaml']],
])('a change of %s runs the tests that read it', async (_, file, expected) => {
  folder.write(file, `${folder.read(file)}\n`);
  const found = await run();
  expect([...(found?.ran ?? [])]).toEqual(expected);
  expect(found?.changed).toEqual([file]);
});

test('a file that no test reads, and one that is written without a change, run nothing', async () => {
  folder.write('unused.tran.yaml', reader('other'));
  folder.write('sql/other.sql', 'SELECT 1');
  folder.write('plain.tran.yaml', folder.read('plain.tran.yaml'));
  expect(await run()).toBeUndefined();
});

test('other columns in a create-table component run the tests whose types they are', async () => {
  folder.write('create.orch.yaml', files['create.orch.yaml'].replace('NUMBER', 'VARCHAR'));
  expect([...((await run())?.ran ?? [])]).toEqual(['plain.test.yaml']);
});

test('a file that a test looked for in vain runs it when it appears', async () => {
  folder.write('sql/script.sql', 'SELECT 2');
  const found = await run();
  expect([...(found?.ran ?? [])]).toEqual(['caller.test.yaml']);
  expect(found?.changed).toEqual(['sql/script.sql']);
});

test('another list of pipelines, and another kind of warehouse, run all tests', async () => {
  folder.write('later.tran.yaml', reader('later'));
  expect((await run())?.ran.size).toBe(4);
  const project = openTestProject(folder.directory, 'WAREHOUSE_TWO');
  expect((await session.run(project, testFiles(project)))?.ran.size).toBe(4);
});

test('a variable that a pipeline mentions no longer, and a file that exists now, are changes', () => {
  using own = testFolder({ 'a.tran.yaml': `${reader('a')}# \${day}\n` });
  const open = () => openTestProject(own.directory, 'WAREHOUSE_ONE');
  const before = open();
  const { project, reads } = traceReads(before, declaredTables(before));
  expect([project.mentions('day'), project.has('x.sql')]).toEqual([true, false]);
  expect(changedReads(reads, open(), declaredTables(open()))).toBeUndefined();
  own.write('a.tran.yaml', reader('a'));
  expect(changedReads(reads, open(), declaredTables(open()))).toEqual(new Set());
  own.write('x.sql', '');
  expect(changedReads(reads, open(), declaredTables(open()))).toEqual(new Set(['x.sql']));
});
test('other bytes of a fixture that is not text, and a fixture that appears, are changes', () => {
  using own = testFolder({ 'a.tran.yaml': reader('a'), 'rows.parquet': 'PAR1 a' });
  const open = () => openTestProject(own.directory, 'WAREHOUSE_ONE');
  const before = open();
  const { project, reads } = traceReads(before, declaredTables(before));
  expect(project.beside('a.test.yaml')('rows.parquet')?.bytes()).toHaveLength(6);
  expect(project.beside('a.test.yaml')('more.parquet')).toBeUndefined();
  expect(changedReads(reads, open(), declaredTables(open()))).toBeUndefined();
  own.write('rows.parquet', 'PAR1 b');
  own.write('more.parquet', 'PAR1');
  const changed = changedReads(reads, open(), declaredTables(open()));
  expect([...(changed ?? [])].toSorted()).toEqual(['more.parquet', 'rows.parquet']);
});

test('a fixture that has become too large to read is a change', () => {
  using own = testFolder({ 'a.tran.yaml': reader('a'), 'rows.parquet': 'PAR1' });
  const open = () => openTestProject(own.directory, 'WAREHOUSE_ONE');
  const before = open();
  const { project, reads } = traceReads(before, declaredTables(before));
  expect(project.bytes('rows.parquet')).toHaveLength(4);
  truncateSync(path.join(own.directory, 'rows.parquet'), 65 * 1024 * 1024);
  expect(changedReads(reads, open(), declaredTables(open()))).toEqual(new Set(['rows.parquet']));
});
