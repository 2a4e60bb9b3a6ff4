import { execFileSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestReport } from '../../../flows/pipeline-tests/run/test-report.ts';
import { copyPipeline, testFolder } from '../tests/test-project.ts';

/** A folder beside the project, with what the project must not get, and must not change. */
let outside: string;
const secret = 'a secret of the machine';
beforeAll(() => {
  outside = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace-outside-')));
  writeFileSync(path.join(outside, 'secret.csv'), `${secret}\n1\n`);
});
afterAll(() => rmSync(outside, { recursive: true, force: true }));

const untouched = () => {
  expect(readdirSync(outside)).toEqual(['secret.csv']);
  expect(readFileSync(path.join(outside, 'secret.csv'), 'utf8')).toBe(`${secret}\n1\n`);
};

const text = (value: string) => JSON.stringify(value);
const orchestration = (type: string, parameters: string, variables = '') => `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Attack] } }
    Attack: { type: ${type}, parameters: { ${parameters} } }
  variables:
    v: { metadata: { type: TEXT, scope: SHARED, visibility: PUBLIC }, defaultValue: ${variables === '' ? '""' : variables} }
`;
const transformation = (component: string) => `type: transformation
version: "1.0"
pipeline:
  components:
    In: { type: fixed-flow, parameters: { columns: [[A, VARCHAR, "", ""]], values: [[x]] } }
    Attack: { ${component} }
    Out: { type: rewrite-table, sources: [Attack], parameters: { targetTable: STOLEN } }
`;

/** Queries that would read files, the network, settings or variables of the process. */
const queries = [
  "select * from read_csv('$F/secret.csv')",
  "select * from read_text('$F/secret.csv')",
  "select * from read_blob('$F/secret.csv')",
  "select * from read_json('$F/secret.csv')",
  "select * from read_parquet('$F/secret.csv')",
  "select * from glob('$F/*')",
  "select * from '$F/secret.csv'",
  'select * from "$F/secret.csv"',
  "select * from 'http://127.0.0.1:1/a.csv'",
  "select * from query('select * from read_text(''$F/secret.csv'')')",
  "select * from query_table('x')",
  'select * from duckdb_settings()',
  'select * from duckdb_secrets()',
  'select * from duckdb_tables',
  'select * from pragma_database_list()',
  'select * from sqlite_master',
  'select * from pg_catalog.pg_tables',
  'select * from main.millrace_planted',
  "select read_text('$F/secret.csv')",
  "select getenv('HOME')",
  "select current_setting('memory_limit')",
  "select getvariable('millrace_clock')",
  "select * from table(read_text('$F/secret.csv'))",
  "select content from read_text('$F/secret.csv') union all select 'x'",
  "select (select content from read_text('$F/secret.csv'))",
  "with x as (select * from read_text('$F/secret.csv')) select * from x",
  'select * from @stage/secret.csv',
];
const statements = [
  "copy (select 1) to '$F/out.csv'",
  "copy t from '$F/secret.csv'",
  "copy into t from '$F/secret.csv'",
  "attach '$F/other.db' as other",
  "attach ':memory:' as other",
  'detach warehouse',
  'install httpfs',
  'load httpfs',
  "load '$F/x.duckdb_extension'",
  'pragma enable_profiling',
  "pragma memory_limit = '10GB'",
  "set (memory_limit) = ('10GB')",
  "set session memory_limit = '10GB'",
  'set global enable_external_access = true',
  'reset memory_limit',
  "create secret s (type http, bearer_token 'x')",
  "create persistent secret s (type http, bearer_token 'x')",
  "export database '$F/export'",
  "import database '$F/export'",
  "create macro m() as table select * from read_text('$F/secret.csv')",
  "create view w as select * from read_text('$F/secret.csv')",
  "create table w as select * from read_csv('$F/secret.csv')",
  "insert into t select * from read_csv('$F/secret.csv')",
  "execute immediate 'select 1'",
  'call pragma_version()',
  'checkpoint',
  'vacuum',
  'put file://$F/secret.csv @stage',
  'get @stage file://$F/',
  'begin',
];

/** Every place where a user's SQL, names and expressions enter. */
const entries: readonly (readonly [file: string, content: string])[] = [
  ...[...queries, ...statements].map(
    (sql, index) =>
      [`script${index}.orch.yaml`, orchestration('sql-script', `sqlScript: ${text(sql)}`)] as const,
  ),
  ...queries.map(
    (sql, index) =>
      [
        `sql${index}.tran.yaml`,
        transformation(`type: sql, sources: [In], parameters: { query: ${text(sql)} }`),
      ] as const,
  ),
  ...[
    "read_text('$F/secret.csv')",
    "(select content from read_text('$F/secret.csv'))",
    "getenv('HOME')",
    "1) from read_text('$F/secret.csv') --",
  ].flatMap((sql, index) => [
    [
      `calculator${index}.tran.yaml`,
      transformation(
        `type: calculator, sources: [In], parameters: { includeInputColumns: "Yes", calculations: [[${text(sql)}, B]] }`,
      ),
    ] as const,
    [
      `expanded${index}.orch.yaml`,
      orchestration('sql-script', 'sqlScript: "create table STOLEN as select ${v} as a"', text(sql)),
    ] as const,
    [
      `scalar${index}.orch.yaml`,
      orchestration(
        'query-to-scalar',
        `mode: Advanced, query: ${text(`select ${sql} as a`)}, scalarVariableMapping: [[v, a]]`,
      ),
    ] as const,
  ]),
  ...[
    '$F/secret.csv',
    'x" union all select * from "y',
    "x'; drop table y; --",
    '../secret',
    'a\u0000b',
  ].flatMap((name, index) => [
    [
      `table${index}.tran.yaml`,
      transformation(`type: table-input, parameters: { targetTable: ${text(name)}, columnNames: [A] }`),
    ] as const,
    [
      `column${index}.tran.yaml`,
      transformation(
        `type: filter, sources: [In], parameters: { filterConditions: [[${text(name)}, Is, Equal to, x]], combineCondition: And }`,
      ),
    ] as const,
    [
      `script-file${index}.orch.yaml`,
      orchestration('sql-executor', `scriptLocation: File, fileName: ${text(name)}`),
    ] as const,
  ]),
  ...[
    '$F/secret.csv',
    '../outside/secret.csv',
    'link.sql',
    'fifo.sql',
    'zero.sql',
    '/dev/zero',
    'file:///etc/passwd',
  ].map(
    (name, index) =>
      [
        `include${index}.orch.yaml`,
        orchestration('sql-executor', `scriptLocation: File, fileName: ${text(name)}`),
      ] as const,
  ),
  ...[
    'v.constructor',
    "v['constructor']",
    "v['__proto__']",
    'v.constructor.constructor("return process")()',
    'this',
    'globalThis',
    'process.env',
    'require("fs")',
    'import("fs")',
    'Object.keys(v)',
    '(() => { for (;;) {} })()',
    'while (true) {}',
    'new Function("return 1")()',
    'eval("1")',
    'v.padEnd(1e9)',
    'v.repeat(1e9)',
    '[].constructor',
    'v.toString.call(1)',
    'v = 1',
    '`${v}`',
    'fetch("http://127.0.0.1:1")',
  ].map(
    (expression, index) =>
      [
        `expression${index}.orch.yaml`,
        orchestration('sql-script', `sqlScript: ${text(`select '\${${expression}}'`)}`, 'x'),
      ] as const,
  ),
  ...['python-script', 'python-pushdown', 'bash-script'].map(
    (type, index) =>
      [
        `program${index}.orch.yaml`,
        orchestration(type, `pythonScript: ${text("open('$F/out', 'w')")}, script: ${text('touch $F/out')}`),
      ] as const,
  ),
];

describe('a project that attacks gets nothing', () => {
  let report: TestReport;
  beforeAll(async () => {
    const files = entries.flatMap(([file, content]) => {
      const name = file.replace(/\.(?:orch|tran)\.yaml$/, '');
      return [
        [file, content.replaceAll('$F', outside)] as const,
        [
          `${name}.test.yaml`,
          `pipeline: ${name}\ntests:\n  - name: attacks\n    expect: { tables: { STOLEN: absent } }\n`,
        ] as const,
      ];
    });
    using folder = testFolder(Object.fromEntries(files));
    symlinkSync(path.join(outside, 'secret.csv'), path.join(folder.directory, 'link.sql'));
    symlinkSync('/dev/zero', path.join(folder.directory, 'zero.sql'));
    execFileSync('mkfifo', [path.join(folder.directory, 'fifo.sql')]);
    report = await folder.report();
  });

  test.each(entries.map(([file]) => file))('%s', (file) => {
    const found = report.tests.find(({ pipeline }) => pipeline === file);
    expect(found?.status).toMatch(/failed|refused/);
    const messages = JSON.stringify(found?.differences);
    expect(messages).toContain(`${file}:`.slice(0, -1));
    expect(messages).toMatch(/Attack|In/);
    for (const word of ['Millrace itself', secret, 'Maximum call stack', 'Internal', 'present-table'])
      expect(messages).not.toContain(word);
    untouched();
  });
});

describe('a test file that attacks gets nothing', () => {
  const withFixture = (file: string) =>
    `pipeline: copy\ntests:\n  - name: t\n    given: { staging_orders: { file: ${text(file)} } }\n    expect: { ran: [Staged] }\n`;
  const aliases = Array.from(
    { length: 30 },
    (_, index) =>
      `  a${index}: &a${index} [${Array.from({ length: 9 }, () => (index === 0 ? 'x' : `*a${index - 1}`)).join(', ')}]`,
  ).join('\n');
  const missing = /does not exist in the project/;
  const above = /is outside of the project/;

  test.each<[what: string, content: string, message: RegExp]>([
    ['a fixture in a folder above', withFixture('../outside/secret.csv'), above],
    ['a fixture with an absolute path', withFixture('$F/secret.csv'), missing],
    ['a fixture that is a link', withFixture('link.csv'), missing],
    ['a fixture that is a device', withFixture('zero.csv'), missing],
    ['a fixture that is a pipe', withFixture('fifo.csv'), missing],
    ['a fixture of 3 GB', withFixture('huge.csv'), /huge\.csv.*(?:MB|bytes|large)/],
    ['a fixture whose values are nested too deep', withFixture('deep.json'), /deep\.json/],
    [
      'a pipeline in a folder above',
      'pipeline: ../outside/p\ntests: [{ name: t, expect: { ran: [A] } }]\n',
      missing,
    ],
    [
      'a pipeline with an absolute path',
      'pipeline: $F/p\ntests: [{ name: t, expect: { ran: [A] } }]\n',
      missing,
    ],
    [
      'schemas in a folder above',
      'pipeline: copy\nschemas: ../outside/secret.csv\ntests: [{ name: t, expect: { ran: [Staged] } }]\n',
      above,
    ],
    [
      'aliases that expand without an end',
      `x:\n${aliases}\npipeline: copy\n`,
      /of this file expand to too many values/,
    ],
    [
      'lists in lists',
      `pipeline: ${'['.repeat(10_000)}${']'.repeat(10_000)}\n`,
      /levels deep|nested too deep/,
    ],
    [
      'a map with a key __proto__',
      'pipeline: copy\ntests: [{ name: t, __proto__: { a: 1 }, expect: { ran: [Staged] } }]\n',
      /__proto__/,
    ],
  ])('%s', async (_, content, message) => {
    using folder = testFolder({
      'copy.tran.yaml': copyPipeline,
      'a.test.yaml': content.replaceAll('$F', outside),
    });
    symlinkSync(path.join(outside, 'secret.csv'), path.join(folder.directory, 'link.csv'));
    symlinkSync('/dev/zero', path.join(folder.directory, 'zero.csv'));
    execFileSync('mkfifo', [path.join(folder.directory, 'fifo.csv')]);
    folder.write('huge.csv', '');
    truncateSync(path.join(folder.directory, 'huge.csv'), 3 * 1024 ** 3);
    folder.write('deep.json', `[{ "id": ${'['.repeat(20_000)}${']'.repeat(20_000)} }]`);
    const ended = await folder.run();
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(message);
    expect(ended.stderr).not.toMatch(/internal|stack/i);
    untouched();
  });

  test('a pipeline and a script of 3 GB are refused', async () => {
    using folder = testFolder({
      'run.orch.yaml': orchestration('sql-executor', 'scriptLocation: File, fileName: huge.sql'),
      'run.test.yaml':
        'pipeline: run\ntests: [{ name: t, variables: { v: x }, expect: { ran: [Attack] } }]\n',
      'huge.tran.yaml': '',
      'huge.test.yaml': 'pipeline: huge\ntests: [{ name: t, expect: { ran: [A] } }]\n',
      'huge.sql': '',
    });
    for (const name of ['huge.sql', 'huge.tran.yaml'])
      truncateSync(path.join(folder.directory, name), 3 * 1024 ** 3);
    const script = await folder.run('run.test.yaml');
    expect(script).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('huge.sql is larger than 64 MiB'),
    });
    const ended = await folder.run('huge.test.yaml');
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('larger than 4 MiB') });
  });

  test.each([
    ['--init', 'copy'],
    ['--update', 'linked.test.yaml'],
  ])('%s writes nothing through a link', async (...args) => {
    using folder = testFolder({ 'copy.tran.yaml': copyPipeline });
    for (const name of ['copy.test.yaml', 'linked.test.yaml'])
      symlinkSync(path.join(outside, 'secret.csv'), path.join(folder.directory, name));
    const ended = await folder.run(...args);
    expect(ended.code).toBe(2);
    untouched();
  });
});
