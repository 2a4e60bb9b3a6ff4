import { chmodSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryRepository } from '../../lib/git/temporary-repository.ts';
import { copyTest, diffProject, filtered, pipeline, testFile } from './diff-project.ts';
import { copyPipeline } from '../tests/test-project.ts';

const runner = (call: string) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Call] } }
    Call: { type: run-orchestration, parameters: { orchestrationJob: ${call} } }
`;
const script = (sql: string) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Fill] } }
    Fill: { type: sql-executor, parameters: { scriptLocation: Component, sqlScript: "${sql}" } }
`;
const ran = (name: string, component: string) =>
  `pipeline: ${name}\ntests:\n  - name: runs\n    expect: { ran: [${component}] }\n`;

describe('what git has at the base', () => {
  test('a folder that was a project of its own, and is a part of the project now', async () => {
    using folder = diffProject({
      'lib/millrace.yaml': 'version: 1\n',
      'lib/fill.orch.yaml': script('CREATE TABLE T AS SELECT 1 AS ID'),
    });
    folder.repository.git('rm', '-q', 'lib/millrace.yaml');
    folder.write('lib/fill.test.yaml', ran('lib/fill', 'Fill'));
    expect(await folder.diff()).toMatchObject({
      changes: [{ status: 'new-pipeline', tables: [{ table: 'T', kind: 'created' }] }],
    });
  });

  test('a folder that is a project of its own now keeps its files at the base', async () => {
    using folder = diffProject({
      'lib/fill.orch.yaml': script('CREATE TABLE T AS SELECT 1 AS ID'),
      'main.orch.yaml': runner('lib/fill'),
      'main.test.yaml': ran('main', 'Call'),
    });
    folder.write('lib/millrace.yaml', 'version: 1\n');
    expect(await folder.diff('main.test.yaml')).toMatchObject({
      changes: [{ end: { before: { status: 'success' }, after: { status: 'failure' } } }],
    });
  });

  test('a changed submodule is named, and a test that runs a file of it is not compared', async () => {
    using library = temporaryRepository();
    library.write('fill.orch.yaml', script('CREATE TABLE T AS SELECT 1 AS ID'));
    library.commit('library');
    using folder = diffProject({
      'main.orch.yaml': runner('shared/fill'),
      'main.test.yaml': ran('main', 'Call'),
    });
    const { git, directory } = folder.repository;
    git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.directory, 'shared');
    folder.repository.commit('with the library');
    // Git shows nothing of such a submodule by itself.
    git('config', '-f', '.gitmodules', 'submodule.shared.ignore', 'all');
    folder.repository.commit('without its changes');
    git('-C', path.join(directory, 'shared'), 'commit', '-q', '--allow-empty', '-m', 'newer');
    expect(git('status', '--porcelain')).toBe('');
    expect(await folder.diff()).toMatchObject({
      isSame: false,
      changes: [
        {
          status: 'not-compared',
          reason:
            'it runs with shared/fill.orch.yaml, which is in the submodule shared, which changed, so its earlier content is not known',
        },
      ],
      untested: [{ file: 'shared', isSubmodule: true }],
    });
    const { code, stdout } = await folder.text('--exit-code');
    expect(code).toBe(1);
    expect(stdout).toContain('1 test could not be compared; no test runs 1 change.');
    expect(stdout).toContain('shared (a submodule: both sides ran with its files on disk)');
  });

  test('a test that runs a file of which git does not know what it was is not compared', async () => {
    const file = script('').replace('Component, sqlScript: ""', 'File, fileName: inner/fill.sql');
    using folder = diffProject({ 'fill.orch.yaml': file, 'fill.test.yaml': ran('fill', 'Fill') });
    const { directory, git } = folder.repository;
    folder.write('inner/fill.sql', 'CREATE TABLE T AS SELECT 1 AS ID');
    const reasonOf = async () => {
      expect((await folder.text('--exit-code')).code).toBe(1);
      return (await folder.diff()).changes.map(({ reason }) => reason);
    };
    git('init', '-q', path.join(directory, 'inner'));
    expect(await reasonOf()).toEqual([
      'it runs with inner/fill.sql, which is in inner, another git repository, so its earlier content is not known',
    ]);
    rmSync(path.join(directory, 'inner/.git'), { recursive: true });
    folder.write('.gitignore', 'inner/\n');
    expect(await reasonOf()).toEqual([
      'it runs with inner/fill.sql, which is ignored by git, so its earlier content is not known',
    ]);
  });

  test('a pipeline that is a symbolic link, which another file is behind now, is a change that no test runs', async () => {
    using folder = diffProject({ one: copyPipeline, two: filtered(5) });
    const link = path.join(folder.repository.directory, 'linked.tran.yaml');
    symlinkSync('one', link);
    folder.repository.commit('with a link');
    rmSync(link);
    symlinkSync('two', link);
    expect(await folder.diff()).toMatchObject({
      isSame: false,
      untested: [{ file: 'linked.tran.yaml', change: 'changed' }],
    });
  });

  test('other ends of lines at the check-out, and another mode, are not a change', async () => {
    using folder = diffProject({ 'notes.sql': "SELECT '\n';\n" });
    folder.write('.gitattributes', '* text eol=crlf\n');
    folder.write('notes.sql', "SELECT '\r\n'; --\r\n");
    folder.write(pipeline, copyPipeline.replaceAll('\n', '\r\n'));
    chmodSync(path.join(folder.repository.directory, testFile), 0o755);
    const { changes, untested } = await folder.diff();
    expect(changes).toEqual([]);
    expect(untested).toEqual([{ file: 'notes.sql', change: 'changed' }]);
  });

  test('other ends of lines that git does not write are a change: a text in the SQL has them', async () => {
    const file = script('').replace('Component, sqlScript: ""', 'File, fileName: fill.sql');
    const sql = "CREATE TABLE T AS SELECT 1 AS ID, 'a\nb' AS X";
    using folder = diffProject({
      'fill.orch.yaml': file,
      'fill.sql': `${sql}\n`,
      'fill.test.yaml': ran('fill', 'Fill'),
      'größe.sql': 'SELECT 1\n',
    });
    folder.write('fill.sql', `${sql}\n`.replaceAll('\n', '\r\n'));
    folder.write('größe.sql', 'SELECT 1\r\n');
    expect(await folder.diff()).toMatchObject({
      isSame: false,
      changes: [{ tables: [{ table: 'T', changed: 1, cells: { X: 1 } }] }],
      untested: [{ file: 'größe.sql', change: 'changed' }],
    });
    // With other changes in the file, too.
    folder.write('fill.sql', `${sql}, 2 AS Y\n`.replaceAll('\n', '\r\n'));
    const [change] = (await folder.diff()).changes;
    const longer = { name: 'X', before: 'VARCHAR(3)', after: 'VARCHAR(4)' };
    expect(change?.tables[0]).toMatchObject({ cells: { X: 1 }, columns: [longer, { name: 'Y' }] });
    // Git writes them, so only the new column differs.
    folder.repository.git('config', 'core.autocrlf', 'true');
    const [other] = (await folder.diff()).changes;
    expect(other?.tables[0]).toMatchObject({ cells: {}, columns: [{ name: 'Y' }] });
    folder.write('fill.sql', `${sql}\n`.replaceAll('\n', '\r\n'));
    expect(await folder.diff()).toMatchObject({ isSame: true });
  });

  test('an invalid millrace.yaml of the base does not keep a change from being compared: it may repair the file', async () => {
    using folder = diffProject({ 'millrace.yaml': 'version: 1\nnothing: true\n' });
    folder.write('millrace.yaml', 'version: 1\n');
    folder.write(pipeline, filtered(10));
    expect(await folder.diff()).toMatchObject({ tables: [{ table: 'orders', removed: 2 }] });
  });
});

describe('what is not known is not called equal', () => {
  test.each([100_001, 500_001])('a table of %i rows', async (rows) => {
    const many = (value: number) =>
      script(`CREATE TABLE BIG AS SELECT ${value} AS V FROM TABLE(GENERATOR(ROWCOUNT => ${rows}))`);
    using folder = diffProject({ 'big.orch.yaml': many(1), 'big.test.yaml': ran('big', 'Fill') });
    folder.write('big.orch.yaml', many(2));
    const { stdout } = await folder.text('big.test.yaml');
    expect(stdout).toContain(
      `table "BIG": its rows could not be compared: it has more than 100,000 rows or 500,000 values, and some rows differ (${rows} before, ${rows} now); written by "Fill"`,
    );
    expect(stdout).toContain('\n1 table could not be compared.\n');
    expect(await folder.text('big.test.yaml', '--exit-code')).toMatchObject({ code: 1 });
  });

  test('a large table that gets another column says how many rows it has, not that they differ', async () => {
    const many = (columns: string) =>
      script(`CREATE TABLE BIG AS SELECT ${columns} FROM TABLE(GENERATOR(ROWCOUNT => 100001))`);
    using folder = diffProject({ 'big.orch.yaml': many('1 AS V'), 'big.test.yaml': ran('big', 'Fill') });
    folder.write('big.orch.yaml', many('1 AS V, 2 AS W'));
    expect((await folder.diff('big.test.yaml')).changes[0]?.tables).toMatchObject([
      {
        unknown: 'it has more than 100,000 rows or 500,000 values (100001 before, 100001 now)',
        columns: [{ name: 'W' }],
      },
    ]);
  });

  test('a large table that only one side leaves', async () => {
    const many = (table: string) =>
      script(`CREATE TABLE ${table} AS SELECT 1 AS V FROM TABLE(GENERATOR(ROWCOUNT => 100001))`);
    using folder = diffProject({ 'big.orch.yaml': many('A'), 'big.test.yaml': ran('big', 'Fill') });
    folder.write('big.orch.yaml', many('B'));
    expect((await folder.diff('big.test.yaml')).changes[0]?.tables).toMatchObject([
      { table: 'A', kind: 'removed', unknown: expect.stringContaining('(100001 before)') as string },
      { table: 'B', kind: 'created', unknown: expect.stringContaining('(100001 now)') as string },
    ]);
  });

  test('a pipeline that fails on both sides, where the test does not expect it', async () => {
    const broken = (table: string) =>
      copyPipeline.replace('note]', 'nothing]').replace('targetTable: orders', `targetTable: ${table}`);
    using folder = diffProject({ [pipeline]: broken('orders') });
    folder.write(pipeline, broken('sales'));
    expect(await folder.diff()).toMatchObject({
      changes: [{ status: 'not-compared', reason: 'the pipeline fails on both sides, now in "Staged"' }],
    });
  });

  test('a given table whose name has another case is an error of the test file, as in a test', async () => {
    using folder = diffProject({ [testFile]: copyTest.replace('staging_orders', 'STAGING_ORDERS') });
    folder.write(pipeline, filtered(10));
    const { code, stderr } = await folder.text();
    expect(code).toBe(2);
    expect(stderr).toContain('daily/build-orders.test.yaml:5');
  });
});

test('a table with too many rows to show is equal if both sides leave the same rows, in any order', async () => {
  const many = (columns: string, order: string) =>
    script(
      `CREATE TABLE BIG AS SELECT ${columns} FROM (SELECT SEQ4() AS A, MOD(SEQ4(), 7) AS B FROM TABLE(GENERATOR(ROWCOUNT => 100001))) ORDER BY A ${order}`,
    );
  using folder = diffProject({ 'big.orch.yaml': many('A, B', 'ASC'), 'big.test.yaml': ran('big', 'Fill') });
  folder.write('big.orch.yaml', many('B, A', 'DESC'));
  expect(await folder.text('big.test.yaml', '--exit-code')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No data changes: the tables are equal in 1 chosen test.') as string,
  });
  // The same values of each column, in other rows.
  folder.write('big.orch.yaml', many('B, 100000 - A AS A', 'DESC'));
  expect((await folder.diff('big.test.yaml')).changes[0]?.tables).toMatchObject([
    { table: 'BIG', unknown: expect.stringContaining('some rows differ') as string },
  ]);
});

test('given tables have the types that the project on disk declares, on both sides', async () => {
  const declared = (scale: number) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Create] } }
    Create:
      type: create-table-v2
      parameters:
        database: '[Environment Default]'
        schema: '[Environment Default]'
        table: staging_orders
        createReplace: Create if not exists
        columns: [[id, NUMBER, '38', '0'], [day, DATE], [amount, NUMBER, '12', '${scale}'], [note, VARCHAR, '10']]
`;
  using folder = diffProject({
    'create.orch.yaml': declared(2),
    [testFile]: copyTest.replace(/ {8}columns: .*\n/, '').replace('amount: 5', 'amount: 1.2345'),
  });
  folder.write('create.orch.yaml', declared(4));
  folder.write(pipeline, filtered(10));
  expect(await folder.diff(testFile)).toMatchObject({
    changes: [{ tables: [{ table: 'orders', removed: 2, columns: [] }] }],
  });
});

describe('rows that the test had at the base', () => {
  const reads = (column: string) => copyPipeline.replace('amount, note]', `${column}, note]`);
  const has = (column: string) => copyTest.replaceAll('amount:', `${column}:`);

  test('are used where only a name is new, and given tables do not count then', async () => {
    using folder = diffProject({ [pipeline]: reads('amount'), [testFile]: has('amount') });
    folder.write(pipeline, reads('total'));
    folder.write(testFile, has('total'));
    expect(await folder.diff()).toMatchObject({
      changes: [
        {
          rowsAtBase: 'own',
          tables: [{ table: 'orders', columns: [{ name: 'total', renamedFrom: 'amount' }] }],
        },
      ],
    });
  });

  test('are not used where the test has other rows now', async () => {
    using folder = diffProject({ [pipeline]: reads('amount'), [testFile]: has('amount') });
    folder.write(pipeline, reads('total'));
    folder.write(testFile, has('total').replace('total: 5', 'total: 6'));
    expect(await folder.diff()).toMatchObject({
      changes: [{ rowsAtBase: 'same', end: { before: { status: 'failure' } } }],
    });
  });

  test('are not used where the old pipeline fails for another reason', async () => {
    const cast = (sql: string) => script(`CREATE TABLE T AS SELECT ${sql}('x') AS A`);
    using folder = diffProject({
      'cast.orch.yaml': cast('TO_NUMBER'),
      'cast.test.yaml': ran('cast', 'Fill'),
    });
    folder.write('cast.orch.yaml', cast('TRY_TO_NUMBER'));
    expect(await folder.diff('cast.test.yaml')).toMatchObject({
      changes: [{ rowsAtBase: 'same', end: { before: { status: 'failure', component: 'Fill' } } }],
    });
  });
});

describe('what changed and no test runs', () => {
  const two = (limit: number, more = '') => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Fill] } }
    Fill: { type: sql-executor, parameters: { scriptLocation: Component, sqlScript: "CREATE TABLE T AS SELECT 1 AS A" } }
    Never: { type: sql-executor, parameters: { scriptLocation: Component, sqlScript: "DELETE FROM T WHERE A > $\{limit}" } }
${more}  variables:
    limit: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: ${limit} }
`;

  test('a variable that only such a component uses', async () => {
    using folder = diffProject({ 'two.orch.yaml': two(1), 'two.test.yaml': ran('two', 'Fill') });
    folder.write('two.orch.yaml', two(2));
    expect(await folder.diff()).toMatchObject({
      changes: [],
      untested: [{ file: 'two.orch.yaml', change: 'changed', component: 'Never' }],
    });
  });

  test('a component that is gone and that no test ran', async () => {
    const more =
      '    Old: { type: sql-executor, parameters: { scriptLocation: Component, sqlScript: "SELECT 1" } }\n';
    using folder = diffProject({ 'two.orch.yaml': two(1, more), 'two.test.yaml': ran('two', 'Fill') });
    folder.write('two.orch.yaml', two(1));
    expect(await folder.diff()).toMatchObject({
      untested: [{ file: 'two.orch.yaml', change: 'deleted', component: 'Old' }],
    });
    expect((await folder.text()).stdout).toContain('  "Old" (two.orch.yaml, deleted)\n');
  });

  test('with chosen tests, the report speaks of these', async () => {
    using folder = diffProject({ 'two.orch.yaml': two(1), 'two.test.yaml': ran('two', 'Fill') });
    folder.write('two.orch.yaml', two(2));
    folder.write(pipeline, filtered(10));
    const { stdout } = await folder.text('two.test.yaml');
    expect(stdout).toContain('Changed, but not run by any chosen test');
    expect(stdout).toContain('; no chosen test runs 2 changes.\n');
  });
});

test('with more changed rows than are shown, half of the lines are for the others', async () => {
  const rows = (factor: number, last: number) =>
    script(
      `CREATE TABLE T AS SELECT SEQ4() AS ID, SEQ4() * ${factor} AS A FROM TABLE(GENERATOR(ROWCOUNT => ${last}))`,
    );
  using folder = diffProject({ 'rows.orch.yaml': rows(1, 300), 'rows.test.yaml': ran('rows', 'Fill') });
  folder.write('rows.orch.yaml', rows(2, 301));
  const { stdout } = await folder.text('rows.test.yaml');
  expect(stdout).toContain('+1 −0 ~299');
  expect(stdout).toMatch(/\n {4}\+ 300 +600\n/);
});
