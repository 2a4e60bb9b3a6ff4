import { describe, expect, test } from 'vitest';
import { copyTest, diffProject as project, doubled, filtered, pipeline, testFile } from './diff-project.ts';
import { copyPipeline, loadPipeline } from '../tests/test-project.ts';

describe('rows', () => {
  test('removed rows are shown, with the component that writes the table', async () => {
    using folder = project();
    folder.write(pipeline, filtered(10));
    const { code, stdout, stderr } = await folder.text();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^daily\/build-orders\.test\.yaml:3 copies the orders\n {2}table "orders": \+0 −2 ~0; key id; written by "Write Orders" \(daily\/build-orders\.tran\.yaml:16\)\n {6}id +day +amount +note\n {4}- 1 +null +5 +a\n {4}- 2 +null +10 +b\n\nTables\n {2}table +added +removed .*\n {2}orders +0 +2 +0 +1\n\nCompared with HEAD \([0-9a-f]{12}\), on the rows of 1 test\.\nData changes in 1 table: orders \+0 −2 ~0 in 1 test\.\n$/,
    );
  });

  test('added rows are the removed ones of the other direction', async () => {
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

  test('an SQL NULL that becomes a JSON null is a change', async () => {
    const noted = (value: string) => doubled.replace('"amount" * 2\', amount', `${value}', amount`);
    using folder = project({ [pipeline]: noted('NULL::VARIANT') });
    folder.write(pipeline, noted("parse_json(''null'')"));
    const { changes } = await folder.diff();
    expect(changes[0]?.tables[0]?.rows[0]).toEqual({
      before: { id: 1, amount: null },
      after: { id: 1, amount: { jsonNull: true } },
    });
  });

  test('an SQL NULL in an array that becomes a JSON null is a change', async () => {
    const listed = (item: string) =>
      doubled.replace('"amount" * 2\', amount', `array_construct("note", ${item})', amount`);
    using folder = project({ [pipeline]: listed('NULL') });
    folder.write(pipeline, listed("parse_json(''null'')"));
    const { changes } = await folder.diff();
    expect(changes[0]?.tables[0]?.rows[0]).toEqual({
      before: { id: 1, amount: ['a', { sqlNull: true }] },
      after: { id: 1, amount: ['a', null] },
    });
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

describe('keys', () => {
  const aggregated = (more: string) =>
    copyPipeline
      .replace(
        '    Write Orders:',
        `    Totals:
      type: aggregate
      sources: [Staged]
      parameters: { groupingType: Group By, groupings: [id, note], aggregations: [[amount, Sum], [day, Count]] }
    Result:
      type: calculator
      sources: [Totals]
      parameters: { includeInputColumns: "Yes", calculations: [['"sum_amount" * ${more}', sum_amount]] }
    Write Orders:`,
      )
      .replace(
        'sources: [Staged]\n      parameters:\n        database',
        'sources: [Result]\n      parameters:\n        database',
      );
  const rows =
    'rows: [{ id: 1, amount: 1, note: a }, { id: 1, amount: 2 }, { id: 2, amount: 4, note: a }, { id: 2, amount: 8 }]';
  const test2 = copyTest.replace(/rows: .*/, rows).replace('count: 3', 'count: 4');

  test('several columns are a key together, also with null, but no result of an aggregation', async () => {
    using folder = project({ [pipeline]: aggregated('1'), [testFile]: test2 });
    folder.write(pipeline, aggregated('2'));
    const { changes } = await folder.diff();
    expect(changes[0]?.tables[0]).toMatchObject({
      key: ['id', 'note'],
      added: 0,
      removed: 0,
      changed: 4,
      cells: { sum_amount: 4 },
    });
  });

  test('a key of the table that is not unique any more is named', async () => {
    using folder = project();
    const twice = copyPipeline
      .replace(
        '    Write Orders:',
        `    Again:
      type: table-input
      parameters: { database: '[Environment Default]', schema: '[Environment Default]', targetTable: staging_orders, columnNames: [id, day, amount, note] }
    Both:
      type: unite
      sources: [Staged, Again]
      parameters: { method: All Columns }
    Write Orders:`,
      )
      .replace(
        'sources: [Staged]\n      parameters:\n        database',
        'sources: [Both]\n      parameters:\n        database',
      );
    folder.write(pipeline, twice);
    const { changes } = await folder.diff();
    expect(changes[0]?.tables[0]).toMatchObject({ added: 3, lostKey: { columns: ['id'], rows: 2 } });
    const { stdout } = await folder.text();
    expect(stdout).toContain('! id was unique and is not any more: 1 is in 2 rows');
  });

  test('a renamed column with the same values is one change', async () => {
    using folder = project();
    folder.write(
      pipeline,
      copyPipeline
        .replace(
          '    Write Orders:',
          `    Names:
      type: rename
      sources: [Staged]
      parameters: { columnMapping: [[id, id], [day, day], [amount, total], [note, note]], includeInputColumns: "No" }
    Write Orders:`,
        )
        .replace(
          'sources: [Staged]\n      parameters:\n        database',
          'sources: [Names]\n      parameters:\n        database',
        ),
    );
    const { changes, tables } = await folder.diff();
    expect(changes[0]?.tables[0]?.columns).toMatchObject([{ name: 'total', renamedFrom: 'amount' }]);
    expect(tables[0]).toMatchObject({ changed: 0, columns: ['column amount is now total'] });
  });
});

test('nothing differs: no test runs, and the output says how to compare a branch', async () => {
  using folder = project();
  expect(await folder.diff()).toMatchObject({ isSame: true, tests: 0, changes: [] });
  const { code, stdout } = await folder.text();
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect(stdout).toContain('No file of the project differs, so no data changes; no test ran.\n');
  expect(stdout).toContain('--base main');
});

test('nothing differs, but a test file is wrong: it is listed, and the exit code is 2', async () => {
  using folder = project({ [testFile]: copyTest.replace('count: 3', 'cuont: 3') });
  const { code, stdout, stderr } = await folder.text('--exit-code');
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('cuont') });
  expect(stdout).not.toContain('so no data changes');
  expect(await folder.text('--json')).toMatchObject({ code: 2, stdout: expect.stringContaining('cuont') });
});

test('a change without an effect on the data says so', async () => {
  using folder = project();
  folder.write(pipeline, filtered(1));
  const { stdout } = await folder.text('--exit-code');
  expect(stdout).toContain('No data changes: the tables are equal in 1 test.\n');
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
    expect(base).toEqual({ name: 'main', commit: fork, isFork: true });
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

  test('a new pipeline that fails is not "no data changes": its failure is reported', async () => {
    using folder = project();
    folder.write('daily/new.tran.yaml', copyPipeline.replace('note]', 'nothing]'));
    folder.write('daily/new.test.yaml', copyTest.replace('build-orders', 'new'));
    const { changes } = await folder.diff();
    expect(changes).toMatchObject([
      {
        status: 'new-pipeline',
        end: {
          after: { status: 'failure', component: 'Staged', message: expect.stringContaining('nothing') },
        },
        tables: [],
      },
    ]);
    expect(changes[0]?.end).not.toHaveProperty('before');
    const { code, stdout } = await folder.text('--exit-code');
    expect(stdout).toContain('daily/new.tran.yaml is new\n  now:    the pipeline fails in "Staged": ');
    expect(stdout).toContain('\n1 test runs a new pipeline that fails; ');
    expect(code).toBe(1);
    const markdown = await folder.text('--format', 'markdown');
    expect(markdown.stdout).toMatch(/^### ✅ Data diff: passed\n\n1 test runs a new pipeline that fails; /);
    expect(markdown.stdout).toContain('now:    the pipeline fails in "Staged": ');
  });

  test('a new pipeline that fails as its test expects is compared with the given tables', async () => {
    using folder = project();
    folder.write('daily/new.tran.yaml', copyPipeline.replace('note]', 'nothing]'));
    const failing = copyTest.replace(/expect: .*/, 'expect: { outcome: { failure: { component: Staged } } }');
    folder.write('daily/new.test.yaml', failing.replace('build-orders', 'new'));
    expect(await folder.diff()).toMatchObject({ changes: [] });
  });

  test('a new pipeline that does not end as its test expects is reported', async () => {
    using folder = project();
    folder.write('daily/new.tran.yaml', copyPipeline.replace('note]', 'nothing]'));
    const other = copyTest.replace(
      /expect: .*/,
      'expect: { outcome: { failure: { component: Staged, message: full } } }',
    );
    folder.write('daily/new.test.yaml', other.replace('build-orders', 'new'));
    expect((await folder.diff()).changes).toMatchObject([
      { status: 'new-pipeline', end: { after: { status: 'failure', isUnexpected: true } } },
    ]);
    const { code, stdout } = await folder.text('--exit-code');
    expect(stdout).toMatch(/now: {4}the pipeline fails in "Staged": .*; the test expects another failure\n/);
    expect(stdout).toContain('\n1 test runs a new pipeline that fails; ');
    expect(code).toBe(1);
    folder.write('daily/new.tran.yaml', copyPipeline);
    const succeeds = await folder.text('--exit-code');
    expect(succeeds.stdout).toContain('  now:    the pipeline succeeds; the test expects a failure\n');
    expect(succeeds.stdout).toContain('; 1 test does not end as expected');
    expect(succeeds.code).toBe(1);
  });

  test('a pipeline that fails for another reason than before is reported, but not for another line', async () => {
    const fails = (column: string) => copyPipeline.replace('note]', `${column}]`);
    const expected = copyTest.replace(
      /expect: .*/,
      'expect: { outcome: { failure: { component: Staged, message: first } } }',
    );
    using folder = project({ [pipeline]: fails('first'), [testFile]: expected });
    folder.write(pipeline, `# A comment.\n${fails('first')}`);
    expect(await folder.diff()).toMatchObject({ compared: 1, changes: [] });
    folder.write(pipeline, fails('second'));
    const { code, stdout } = await folder.text('--exit-code');
    expect(stdout).toMatch(
      /before: the pipeline fails in "Staged": .*first.*\n {2}now: .*; the test expects another failure/,
    );
    expect(stdout).toContain('1 test ends in another way');
    expect(code).toBe(1);
  });

  test('a failure that the test does not expect is reported, also if it is the one at the base', async () => {
    const expected = copyTest.replace(
      /expect: .*/,
      'expect: { outcome: { failure: { component: Staged, message: full } } }',
    );
    const fails = copyPipeline.replace('note]', 'nothing]');
    using folder = project({ [pipeline]: fails, [testFile]: expected });
    folder.write(pipeline, `# A comment.\n${fails}`);
    const { code, stdout } = await folder.text('--exit-code');
    expect(stdout).toContain('\n1 test does not end as expected.');
    expect(code).toBe(1);
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
        { file: 'a.tran.yaml', change: 'changed' },
        { file: 'b.tran.yaml', change: 'deleted' },
        { file: 'c.tran.yaml', change: 'added' },
      ],
    });
    const { stdout } = await folder.text();
    expect(stdout).toContain(
      'Changed, but not run by any test, so their effect on the data is unknown\n  a.tran.yaml (changed)\n',
    );
  });
});

test.each([
  ['9007199254740992', '9007199254740993'],
  ['1', '1.0'],
  ['.inf', 'null'],
])('a mocked component whose parameter changes from %s to %s is listed', async (old, now) => {
  const load = (limit: string) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Load] } }
    Load: { type: s3-load, parameters: { targetTable: t, limit: ${limit} } }
`;
  using folder = project({
    'load.orch.yaml': load(old),
    'load.test.yaml':
      'pipeline: load\ntests: [{ name: loads, mock: { Load: {} }, expect: { ran: [Load] } }]\n',
  });
  folder.write('load.orch.yaml', load(now));
  expect(await folder.diff()).toMatchObject({
    untested: [{ file: 'load.orch.yaml', change: 'changed', component: 'Load', isMocked: true }],
  });
});

test('a decimal of semi-structured data is compared and shown with all digits', async () => {
  const write = (number: string) => `pipeline:
  components:
    Start: { type: start, transitions: { success: [Write] } }
    Write:
      type: sql-executor
      parameters: { scriptLocation: Component, sqlScript: "create table T as select 1 as id, parse_json('${number}') as v" }
`;
  using folder = project({
    'a.orch.yaml': write('12345678901234567.25'),
    'a.test.yaml': 'pipeline: a\ntests: [{ name: t, expect: { tables: { T: { count: 1 } } } }]\n',
  });
  for (const number of ['12345678901234567.26', '12345678901234568']) {
    folder.write('a.orch.yaml', write(number));
    const { stdout } = await folder.text();
    expect(stdout).toContain('12345678901234567.25');
    expect(stdout).toContain(number);
  }
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
      'Not compared\n  daily/build-orders.test.yaml:3 copies the orders\n    at the base: daily/build-orders.tran.yaml:12:5 component "Write Orders": Millrace does not support the component type rewrite-lake',
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

  test('a called pipeline that is wrong keeps its callers from being compared, and nothing says "no data changes"', async () => {
    using folder = project({
      'daily/load.orch.yaml': loadPipeline,
      'daily/load.test.yaml':
        'pipeline: daily/load\ntests:\n  - name: loads\n    mock: { Load Files: {}, Notify Failure: {} }\n    expect: { ran: [Load Files] }\n',
    });
    folder.write(pipeline, copyPipeline.replace('sources: [Staged]', 'sources: [Stagd]'));
    const { code, stdout } = await folder.text('daily/load.test.yaml');
    expect(code).toBe(2);
    expect(stdout).toContain(
      'Not compared\n  daily/load.test.yaml:3 loads\n    daily/build-orders.tran.yaml:14',
    );
    expect(stdout).not.toContain('No data changes');
  });
});

describe('what no test runs', () => {
  const mocked = `pipeline: daily/load
tests:
  - name: loads
    given:
      staging_orders: { columns: { id: NUMBER, day: DATE, amount: NUMBER, note: VARCHAR } }
    mock: { Load Files: { rows: [{ id: 1 }] } }
    expect: { ran: [Done] }
`;

  test('a changed component that the tests mock', async () => {
    using folder = project({ 'daily/load.orch.yaml': loadPipeline, 'daily/load.test.yaml': mocked });
    folder.write(
      'daily/load.orch.yaml',
      loadPipeline.replace('targetTable: staging_orders', 'targetTable: staging_orders, bucket: b'),
    );
    expect(await folder.diff()).toMatchObject({
      changes: [],
      untested: [
        { file: 'daily/load.orch.yaml', change: 'changed', component: 'Load Files', isMocked: true },
      ],
    });
    const { stdout } = await folder.text();
    expect(stdout).toContain('"Load Files" (daily/load.orch.yaml:8, changed; mocked)');
  });

  test('a file of SQL or Python that no test reads', async () => {
    using folder = project({ 'sql/a.sql': 'SELECT 1;\n', 'python/b.py': 'print(1)\n', 'notes.md': 'x' });
    for (const file of ['sql/a.sql', 'python/b.py', 'notes.md']) folder.write(file, '# other\n');
    expect(await folder.diff()).toMatchObject({
      untested: [
        { file: 'python/b.py', change: 'changed' },
        { file: 'sql/a.sql', change: 'changed' },
      ],
    });
  });

  test('a step that no longer runs is named with what it no longer writes', async () => {
    using folder = project({ 'daily/load.orch.yaml': loadPipeline, 'daily/load.test.yaml': mocked });
    folder.write(
      'daily/load.orch.yaml',
      loadPipeline.replace('success: [Build Orders], failure', 'success: [Done], failure'),
    );
    const { changes } = await folder.diff();
    expect(changes).toMatchObject([
      {
        stopped: [{ component: 'Build Orders' }, { component: 'Count Orders' }, { component: 'Any Orders' }],
        tables: [{ table: 'orders', kind: 'removed', component: 'Write Orders' }],
      },
    ]);
    const { stdout } = await folder.text();
    expect(stdout).toContain('no longer runs: "Build Orders" (daily/load.orch.yaml:12)');
    expect(stdout).toContain('table "orders" (no longer written): +0 −1 ~0; was written by "Write Orders"');
  });
});

test('a step that no longer runs is named also if no table changes', async () => {
  const steps = (first: string) => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [${first}] } }
    Tell: { type: send-email, transitions: { success: [Done] } }
    Done: { type: end-success }
`;
  const ranTest =
    'pipeline: tell\ntests:\n  - { name: tells, mock: { Tell: {} }, expect: { ran: [Done] } }\n';
  using folder = project({ 'tell.orch.yaml': steps('Tell'), 'tell.test.yaml': ranTest });
  folder.write('tell.orch.yaml', steps('Done'));
  const { code, stdout } = await folder.text('--exit-code', 'tell.test.yaml');
  expect(stdout).toContain('tell.test.yaml:3 tells\n  no longer runs: "Tell" (tell.orch.yaml:6)\n');
  expect(stdout).toContain(
    '\nNo data changes: the tables are equal in 1 chosen test; other components run in 1 chosen test.\n',
  );
  expect(code).toBe(0);
  folder.repository.commit('quiet');
  folder.write('tell.orch.yaml', steps('Tell'));
  expect((await folder.text('tell.test.yaml')).stdout).toContain('runs now: "Tell" (tell.orch.yaml:6)\n');
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
          // Whole numbers without a type have another one in each kind.
          { table: 'staging_orders', columns: [{ name: 'id', after: 'INTEGER' }, { name: 'amount' }] },
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
  expect(stdout).toContain('### ✅ Data diff: passed\n\nData changes in 1 table');
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

test('with --find-rows, rows show a change that no test shows, and an equal change is only perhaps equal', async () => {
  using folder = project({ [pipeline]: filtered(3) });
  folder.write(pipeline, filtered(4));
  const { rows, ...without } = await folder.diff('--find-rows', '60s');
  expect(without).toEqual(await folder.diff());
  expect(rows).toMatchObject([
    {
      pipeline,
      status: 'found',
      test: { file: testFile, line: 3, name: 'copies the orders' },
      given: [{ table: 'staging_orders', rows: [{ id: '1', amount: '4', note: 'a' }] }],
      tables: [{ table: 'orders', added: 0, removed: 1 }],
    },
  ]);
  const { stdout } = await folder.text('--find-rows', '60s');
  expect(stdout).toContain(`No test shows a difference, but these rows would: ${pipeline}`);
  expect(stdout).toContain('id: 1, day: null, amount: 4, note: a');
  folder.write(pipeline, filtered(3).replace("'3'", "'3.0'"));
  const equal = await folder.text('--find-rows', '60s');
  expect(equal.stdout).toContain('the search found no rows that do: the change may have no effect');
});
