import { describe, expect, test } from 'vitest';
import type { DataDiff } from '../../flows/diff/data-diff.ts';
import { temporaryRepository, type TemporaryRepository } from '../lib/git/temporary-repository.ts';
import { inProcess } from './in-process.ts';
import { copyPipeline, loadPipeline } from './test-project.ts';

const copyTest = `pipeline: daily/build-orders
tests:
  - name: copies the orders
    given:
      staging_orders:
        columns: { id: NUMBER, day: DATE, amount: 'NUMBER(10,2)', note: VARCHAR }
        rows: [{ id: 1, amount: 5, note: a }, { id: 2, amount: 10, note: b }, { id: 3, amount: 20, note: c }]
    expect: { tables: { orders: { count: 3 } } }
`;

const pipeline = 'daily/build-orders.tran.yaml';
const testFile = 'daily/build-orders.test.yaml';

/** Keeps orders of more than `limit`. */
const filtered = (limit: number) =>
  copyPipeline
    .replace(
      '    Write Orders:',
      `    Large Orders:
      type: filter
      sources: [Staged]
      parameters: { filterConditions: [[amount, Is, Greater than, '${limit}']], combineCondition: And }
    Write Orders:`,
    )
    .replace('sources: [Staged]\n      parameters:\n', 'sources: [Large Orders]\n      parameters:\n');

/** Doubles the amounts, and adds a column. */
const doubled = copyPipeline
  .replace(
    '    Write Orders:',
    `    Amounts:
      type: calculator
      sources: [Staged]
      parameters:
        includeInputColumns: "Yes"
        calculations: [['"amount" * 2', amount], ['"id" + 1', next_id]]
    Write Orders:`,
  )
  .replace(
    'sources: [Staged]\n      parameters:\n        database',
    'sources: [Amounts]\n      parameters:\n        database',
  );

interface Project extends Disposable {
  readonly repository: TemporaryRepository;
  write(file: string, text: string): void;
  text(...args: string[]): ReturnType<typeof inProcess>;
  diff(...args: string[]): Promise<DataDiff>;
}

/** A repository whose first commit has these files; `diff` compares the files on disk with HEAD. */
function project(files: Readonly<Record<string, string>> = {}, folder = ''): Project {
  const repository = temporaryRepository();
  const at = (file: string) => (folder === '' ? file : `${folder}/${file}`);
  const all = { [pipeline]: copyPipeline, [testFile]: copyTest, ...files };
  for (const [file, text] of Object.entries(all)) repository.write(at(file), text);
  repository.commit('base');
  const text = (...args: string[]) =>
    inProcess(['diff', ...args], { cwd: `${repository.directory}/${folder}` });
  return {
    repository,
    write: (file, content) => repository.write(at(file), content),
    text,
    async diff(...args) {
      const { stdout, stderr } = await text('--json', ...args);
      const found = JSON.parse(stdout) as DataDiff;
      if (!Array.isArray(found.changes)) throw new Error(`no diff: ${stdout}${stderr}`);
      return found;
    },
    [Symbol.dispose]: () => repository[Symbol.dispose](),
  };
}

describe('rows', () => {
  test('removed rows are shown, with the component that writes the table', async () => {
    using folder = project();
    folder.write(pipeline, filtered(10));
    const { code, stdout, stderr } = await folder.text();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^daily\/build-orders\.test\.yaml:3 copies the orders\n {2}table "orders": \+0 −2 ~0; key id; written by "Write Orders" \(daily\/build-orders\.tran\.yaml:16\)\n {6}id +day +amount +note\n {4}- 1 +null +5 +a\n {4}- 2 +null +10 +b\n\nData changes in 1 table: orders \+0 −2 ~0\.\nCompared with HEAD \([0-9a-f]{12}\), on the rows of 1 test\.\n$/,
    );
  });

  test('added rows are those of the other direction', async () => {
    using folder = project({ [pipeline]: filtered(10) });
    folder.write(pipeline, copyPipeline);
    const { tables, changes } = await folder.diff();
    expect(tables).toEqual([
      { table: 'orders', tests: 1, added: 2, removed: 0, changed: 0, cells: {}, columns: [] },
    ]);
    expect(changes[0]?.tables[0]?.rows).toEqual([
      { after: { id: 1, day: null, amount: 5, note: 'a' } },
      { after: { id: 2, day: null, amount: 10, note: 'b' } },
    ]);
  });

  test('a changed row has its key and both values; a new column its type and first values', async () => {
    using folder = project();
    folder.write(pipeline, doubled);
    const { changes } = await folder.diff();
    const [table] = changes[0]?.tables ?? [];
    expect(table).toMatchObject({
      kind: 'changed',
      key: ['id'],
      added: 0,
      removed: 0,
      changed: 3,
      cells: { amount: 3 },
      columns: [
        { name: 'amount', before: 'NUMBER(10,2)' },
        { name: 'next_id', values: [2, 3, 4], nulls: 0 },
      ],
    });
    expect(table?.rows[0]).toEqual({ before: { id: 1, amount: 5 }, after: { id: 1, amount: 10 } });
    const { stdout } = await folder.text();
    expect(stdout).toContain('~ 1   5 → 10');
    expect(stdout).toContain('+ column next_id NUMBER');
  });

  test('without a key, equal rows count as often as they occur', async () => {
    const rows = 'rows: [{ note: a }, { note: a }, { note: b }]';
    using folder = project({
      [testFile]: copyTest.replace(/rows: .*/, rows),
      [pipeline]: copyPipeline,
    });
    folder.write(
      pipeline,
      copyPipeline
        .replace(
          '    Write Orders:',
          '    Once:\n      type: distinct\n      sources: [Staged]\n      parameters: { columns: [note] }\n    Write Orders:',
        )
        .replace(
          'sources: [Staged]\n      parameters:\n        database',
          'sources: [Once]\n      parameters:\n        database',
        ),
    );
    const { changes } = await folder.diff();
    expect(changes[0]?.tables[0]).toMatchObject({ key: [], added: 0, removed: 1, changed: 0 });
  });
});

test('nothing differs: no test runs, and the output says how to compare a branch', async () => {
  using folder = project();
  expect(await folder.diff()).toMatchObject({ isSame: true, tests: 0, changes: [] });
  const { code, stdout } = await folder.text();
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect(stdout).toContain('No file of the project differs, so no data changes.\n');
  expect(stdout).toContain('--base main');
});

test('a change without an effect on the data says so', async () => {
  using folder = project();
  folder.write(pipeline, filtered(1));
  const { stdout } = await folder.text('--exit-code');
  expect(stdout).toContain('No data changes in the tables of 1 test.\n');
});

test('--exit-code ends with 1 where data changes, and 0 where it does not', async () => {
  using folder = project();
  folder.write(pipeline, filtered(1));
  expect(await folder.text('--exit-code')).toMatchObject({ code: 0 });
  folder.write(pipeline, filtered(10));
  expect(await folder.text('--exit-code')).toMatchObject({ code: 1 });
  expect(await folder.text()).toMatchObject({ code: 0 });
});

describe('what is compared with', () => {
  test('--base compares with where the branch left it: later changes of the base do not count', async () => {
    using folder = project({ 'daily/other.tran.yaml': copyPipeline });
    const { repository } = folder;
    const fork = repository.git('rev-parse', 'HEAD');
    repository.git('checkout', '-q', '-b', 'feature');
    folder.write(pipeline, filtered(10));
    repository.commit('filter');
    repository.git('checkout', '-q', 'main');
    folder.write(testFile, copyTest.replace('copies', 'moves'));
    folder.write(pipeline, doubled);
    repository.commit('later');
    repository.git('checkout', '-q', 'feature');
    const { base, tables } = await folder.diff('--base', 'main');
    expect(base).toEqual({ name: 'main', commit: fork });
    expect(tables).toMatchObject([{ table: 'orders', added: 0, removed: 2, changed: 0 }]);
  });

  test('a project in a folder of the repository', async () => {
    using folder = project({ 'millrace.yaml': 'version: 1\n' }, 'projects/sales');
    folder.write(pipeline, filtered(10));
    folder.repository.write('other.tran.yaml', 'outside of the project');
    expect(await folder.diff()).toMatchObject({ tables: [{ removed: 2 }], untested: [] });
  });

  test('a file of SQL that a pipeline runs', async () => {
    const orchestration = `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Fill] } }
    Fill: { type: sql-executor, parameters: { scriptLocation: File, fileName: sql/fill.sql } }
`;
    using folder = project({
      'fill.orch.yaml': orchestration,
      'sql/fill.sql': 'CREATE TABLE T AS SELECT 1 AS ID;\n',
      'fill.test.yaml': 'pipeline: fill\ntests:\n  - name: fills\n    expect: { ran: [Fill] }\n',
    });
    folder.write('sql/fill.sql', 'CREATE TABLE T AS SELECT 1 AS ID UNION ALL SELECT 2;\n');
    expect(await folder.diff()).toMatchObject({
      changes: [{ file: 'fill.test.yaml', tables: [{ table: 'T', added: 1, removed: 0 }] }],
    });
  });

  test('an unknown commit is an error that names it', async () => {
    using folder = project();
    folder.write(pipeline, filtered(10));
    const { code, stderr } = await folder.text('--base', 'nowhere');
    expect(code).not.toBe(0);
    expect(stderr).toContain('nowhere');
  });
});

describe('pipelines that exist on one side only', () => {
  test('a new pipeline is compared with the given tables', async () => {
    using folder = project();
    folder.write('daily/new.tran.yaml', copyPipeline);
    folder.write('daily/new.test.yaml', copyTest.replace('build-orders', 'new'));
    const { changes, untested } = await folder.diff();
    expect(changes).toMatchObject([
      { status: 'new-pipeline', tables: [{ table: 'orders', kind: 'created', added: 3 }] },
    ]);
    expect(untested).toEqual([]);
  });

  test('a renamed pipeline is compared with the one of the old name', async () => {
    using folder = project();
    const { repository } = folder;
    repository.git('mv', pipeline, 'daily/renamed.tran.yaml');
    repository.git('mv', testFile, 'daily/renamed.test.yaml');
    folder.write('daily/renamed.test.yaml', copyTest.replace('build-orders', 'renamed'));
    repository.git('add', '-A');
    expect(await folder.diff()).toMatchObject({ tests: 1, changes: [], untested: [] });
    folder.write(
      'daily/renamed.tran.yaml',
      copyPipeline.replace('targetTable: orders', 'targetTable: sales'),
    );
    expect(await folder.diff()).toMatchObject({
      changes: [
        {
          status: 'changed',
          tables: [
            { table: 'orders', kind: 'removed', removed: 3 },
            { table: 'sales', kind: 'created', added: 3 },
          ],
        },
      ],
    });
  });

  test('changed, new and deleted pipelines without a test are listed: nothing is known about them', async () => {
    using folder = project({ 'a.tran.yaml': copyPipeline, 'b.tran.yaml': copyPipeline });
    folder.write('a.tran.yaml', filtered(10));
    folder.repository.git('rm', '-q', 'b.tran.yaml');
    folder.write('c.tran.yaml', copyPipeline);
    expect(await folder.diff()).toMatchObject({
      changes: [],
      untested: [
        { pipeline: 'a.tran.yaml', change: 'changed' },
        { pipeline: 'b.tran.yaml', change: 'deleted' },
        { pipeline: 'c.tran.yaml', change: 'added' },
      ],
    });
    const { stdout } = await folder.text();
    expect(stdout).toContain(
      'Changed, but run by no test, so that nothing is known about their data:\n  a.tran.yaml (changed)\n',
    );
  });
});

describe('runs that cannot be compared', () => {
  test('a pipeline that fails now, and did not before', async () => {
    using folder = project();
    folder.write(pipeline, copyPipeline.replace('note]', 'nothing]'));
    const { changes } = await folder.diff();
    expect(changes).toMatchObject([
      {
        status: 'changed',
        end: { before: { status: 'success' }, after: { status: 'failure', component: 'Staged' } },
        tables: [],
      },
    ]);
    const { stdout } = await folder.text();
    expect(stdout).toContain('before: the pipeline succeeds\n  now:    the pipeline fails in "Staged": ');
    expect(stdout).toContain('1 test ends in another way.\n');
  });

  test('a construct that the engine refuses, at the base or now', async () => {
    const refused = copyPipeline.replace('type: rewrite-table', 'type: rewrite-lake');
    using folder = project({ [pipeline]: refused });
    folder.write(pipeline, copyPipeline);
    const { code, stdout } = await folder.text('--exit-code');
    expect(code).toBe(1);
    expect(stdout).toContain(
      'Not compared:\n  daily/build-orders.test.yaml:3 copies the orders\n    at the base: daily/build-orders.tran.yaml:12:5 component "Write Orders": Millrace does not support the component type rewrite-lake',
    );
    folder.repository.commit('good');
    folder.write(pipeline, refused);
    expect(await folder.diff()).toMatchObject({
      changes: [{ status: 'not-compared', reason: expect.stringMatching(/^daily\/build-orders/) as string }],
    });
  });

  test('a pipeline of the base that cannot be read', async () => {
    using folder = project({ [pipeline]: 'type: transformation\nversion: "1.0"\npipeline: {\n' });
    folder.write(pipeline, copyPipeline);
    expect(await folder.diff()).toMatchObject({
      changes: [{ status: 'not-compared', reason: expect.stringMatching(/^at the base: daily/) as string }],
    });
  });

  test('a pipeline on disk that cannot be read is an error, and other tests are compared', async () => {
    using folder = project({
      'b.tran.yaml': copyPipeline,
      'b.test.yaml': copyTest.replace('daily/build-orders', 'b'),
    });
    folder.write(pipeline, 'type: transformation\nversion: "1.0"\npipeline: {\n');
    folder.write('b.tran.yaml', filtered(10));
    const { code, stdout, stderr } = await folder.text();
    expect(code).toBe(2);
    expect(stdout).toContain('orders +0 −2 ~0');
    expect(stderr).toContain('daily/build-orders.tran.yaml');
  });
});

describe('the test of the files on disk is what both sides run', () => {
  test('a new test shows what the change does, although the base does not have the test', async () => {
    using folder = project({ [testFile]: copyTest.replace('copies', 'moves') });
    folder.write(testFile, copyTest);
    folder.write(pipeline, filtered(10));
    expect(await folder.diff()).toMatchObject({
      changes: [{ name: 'copies the orders', status: 'changed' }],
    });
  });

  test('other rows in a test do not count as a change of the data', async () => {
    using folder = project();
    folder.write(testFile, copyTest.replace('amount: 5', 'amount: 6'));
    expect(await folder.diff()).toMatchObject({ isSame: false, tests: 1, changes: [] });
  });

  const loads = (mock: string) => `pipeline: daily/load
tests:
  - name: loads
    given:
      staging_orders: { columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR } }
    mock: { ${mock} }
    expect: { ran: [Done] }
`;

  test('a component that is gone keeps the mock that its test had at the base', async () => {
    using folder = project({
      'daily/load.orch.yaml': loadPipeline,
      'daily/load.test.yaml': loads('Load Files: { rows: [{ id: 1 }, { id: 2 }] }'),
    });
    folder.write('daily/load.orch.yaml', loadPipeline.replaceAll('Load Files', 'Get Files'));
    folder.write('daily/load.test.yaml', loads('Get Files: { rows: [{ id: 1 }] }'));
    expect(await folder.diff()).toMatchObject({
      changes: [
        {
          file: 'daily/load.test.yaml',
          tables: [
            { table: 'orders', added: 0, removed: 1 },
            { table: 'staging_orders', added: 0, removed: 1 },
          ],
        },
      ],
    });
  });
});

test('the base runs on the kind of warehouse that it names: kind 2 has lower-case names only', async () => {
  using folder = project({
    'millrace.yaml': 'version: 1\n',
    [pipeline]: copyPipeline.replace('targetTable: orders', 'targetTable: ORDERS'),
    [testFile]: copyTest
      .replace(/ {8}columns: .*\n/, '')
      .replace(/rows: .*/, 'rows: [{ id: 1, day: x, amount: 1, note: a }]')
      .replace(/expect: .*/, 'expect: { ran: [Write Orders] }'),
  });
  folder.write('millrace.yaml', 'version: 1\nengine: { warehouse: WAREHOUSE_TWO }\n');
  expect(await folder.diff()).toMatchObject({
    changes: [
      {
        tables: [
          { table: 'ORDERS', kind: 'removed', removed: 1 },
          { table: 'orders', kind: 'created', added: 1 },
        ],
      },
    ],
  });
});

test('a project that the base had in a folder of the project is not part of it', async () => {
  using folder = project({ 'other/millrace.yaml': 'version: 1\n', 'other/x.tran.yaml': copyPipeline });
  folder.repository.git('rm', '-rq', 'other');
  folder.write(pipeline, filtered(10));
  expect(await folder.diff()).toMatchObject({ tables: [{ removed: 2 }], untested: [] });
});

test('--format markdown shows the same in a code block, with foreign text made harmless', async () => {
  using folder = project({ [testFile]: copyTest.replace('copies', 'copies @someone <b> to') });
  folder.write(pipeline, filtered(10));
  const { stdout } = await folder.text('--format', 'markdown');
  expect(stdout).toContain('**Data changes in 1 table');
  expect(stdout).toContain('```text\ntable "orders": +0 −2 ~0');
  expect(stdout).not.toContain('<b>');
  expect(stdout).not.toContain(' @someone');
});

test('--json and another format together are refused', async () => {
  using folder = project();
  const { code, stdout } = await folder.text('--json', '--format', 'text');
  expect(code).toBe(2);
  expect(stdout).toContain('--json cannot be combined with --format text.');
});
