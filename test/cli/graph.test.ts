import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TemporaryRepository, temporaryRepository } from '../lib/git/temporary-repository.ts';
import { codeBlocks } from './code-blocks.ts';
import { inProcess } from './in-process.ts';

const files = {
  'shop/millrace.yaml': 'version: 1\n',
  'shop/main.orch.yaml': `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Build, Script, Code] } }
    Build: { type: run-transformation, parameters: { transformationJob: daily/build } }
    Script: { type: sql-executor, parameters: { scriptLocation: File, fileName: sql/load.sql } }
    Code: { type: python-script, parameters: { script: 'print(1)' } }
`,
  'shop/daily/build.tran.yaml': `pipeline:
  components:
    In: { type: table-input, parameters: { targetTable: STG_ORDERS, columnNames: [ID] } }
    Out: { type: rewrite-table, sources: [In], parameters: { targetTable: ORDERS } }
`,
  'shop/other.tran.yaml': `pipeline:
  components:
    In: { type: table-input, parameters: { targetTable: ORDERS, columnNames: [ID] } }
`,
  'shop/sql/load.sql': '\ninsert into stg_orders select * from outer_db.raw.orders;\n',
};

let work: TemporaryRepository;
beforeAll(() => {
  work = temporaryRepository();
  for (const [path, text] of Object.entries(files)) work.write(path, text);
});
afterAll(() => work[Symbol.dispose]());

const graph = (...args: string[]) =>
  inProcess(['graph', '--working-tree', ...args], {
    cwd: `${work.directory}/shop`,
    env: { PATH: process.env['PATH'] ?? '' },
  });

test('the graph has the tables of each pipeline, with component, file and line, and what is not known', async () => {
  const { code, stdout } = await graph('--json');
  expect(code).toBe(0);
  const { nodes, calls, tables, uses, unknown } = JSON.parse(stdout) as Record<string, unknown[]>;
  expect(nodes).toHaveLength(3);
  expect(calls).toEqual([{ from: 'main.orch.yaml', to: 'daily/build.tran.yaml' }]);
  expect(tables).toEqual([
    {
      name: 'OUTER_DB.RAW.ORDERS',
      database: 'OUTER_DB',
      schema: 'RAW',
      table: 'ORDERS',
      label: 'OUTER_DB.RAW.ORDERS',
      created: false,
    },
    expect.objectContaining({ name: 'TEST.PUBLIC.ORDERS', label: 'ORDERS', created: true }),
    expect.objectContaining({ name: 'TEST.PUBLIC.STG_ORDERS', created: false }),
  ]);
  const [build] = uses ?? [];
  expect(build).toEqual({
    pipeline: 'daily/build.tran.yaml',
    component: 'In',
    table: 'TEST.PUBLIC.STG_ORDERS',
    effect: 'reads',
    file: 'daily/build.tran.yaml',
    line: 3,
  });
  expect(uses).toContainEqual(
    expect.objectContaining({
      table: 'TEST.PUBLIC.STG_ORDERS',
      effect: 'writes',
      file: 'sql/load.sql',
      line: 2,
    }),
  );
  expect(unknown).toEqual([
    {
      pipeline: 'main.orch.yaml',
      component: 'Code',
      file: 'main.orch.yaml',
      line: 6,
      reason: 'it runs a program, whose use of tables is not analysed',
    },
  ]);
});

test('with --calls-only, the graph has nodes and calls alone, as text, as JSON and as Mermaid', async () => {
  const { stdout } = await graph('--calls-only', '--json');
  expect(Object.keys(JSON.parse(stdout) as object)).toEqual(['nodes', 'calls']);
  expect(await graph('--calls-only')).toEqual({
    code: 0,
    stderr: 'Reviewing 3 files\n',
    stdout: `flowchart LR
  n0[/"daily/build"/]
  n1(["main"])
  n2(["other"])
  n1 --> n0
`,
  });
  expect((await graph('--calls-only', '--format', 'text')).stdout).toMatch(/3 pipelines, 1 call\.\n$/);
});

test('Mermaid has tables as cylinders, folders as boxes and calls as dotted arrows, and stderr counts what is left out', async () => {
  const { stdout, stderr } = await graph('--around', 'main');
  expect(stdout.split('\n').map((line) => line.trim())).toEqual([
    'flowchart LR',
    'n1(["main"])',
    'subgraph f1["daily"]',
    'n0[/"daily/build"/]',
    'end',
    't0[("OUTER_DB.RAW.ORDERS")]',
    't1[("ORDERS")]',
    't2[("STG_ORDERS")]',
    'n1 -.-> n0',
    't2 --> n0',
    'n0 --> t1',
    'n1 --> t2',
    't0 --> n1',
    'classDef outside stroke-dasharray:4 3',
    'class t0,t2 outside',
    '',
  ]);
  expect(stderr).toContain(
    'warning: 1 component of 1 pipeline may use tables that the graph does not show. `--format text` says why.',
  );
});

test('around a table are the pipelines that use it, and no other table', async () => {
  const { stdout } = await graph('--around', 'stg_orders', '--format', 'text');
  expect(stdout).toContain(`daily/build.tran.yaml (transformation)
  reads STG_ORDERS (component "In", line 3)
main.orch.yaml (orchestration, no pipeline calls it)
  calls daily/build.tran.yaml
  writes STG_ORDERS (component "Script", sql/load.sql, line 2)
`);
  expect(stdout).toMatch(/2 pipelines, 1 call, 1 table\./);
  // Two tables have this name.
  expect((await graph('--around', 'ORDERS', '--format', 'text')).stdout).toMatch(
    /3 pipelines, 1 call, 2 tables\./,
  );
  const { code, stderr } = await graph('--around', 'NOTHING');
  expect([code, stderr]).toEqual([2, expect.stringContaining('The project has no pipeline "NOTHING".')]);
});

test('as text, each pipeline lists its calls and tables, and the end says what is not known', async () => {
  const { stdout, stderr } = await graph('--format', 'text');
  expect(stderr).not.toContain('warning');
  expect(stdout).toContain(`main.orch.yaml (orchestration, no pipeline calls it)
  calls daily/build.tran.yaml
  writes STG_ORDERS (component "Script", sql/load.sql, line 2)
  reads OUTER_DB.RAW.ORDERS (component "Script", sql/load.sql, line 2)
`);
  expect(stdout).toContain(`Tables that no pipeline creates:
  OUTER_DB.RAW.ORDERS
  STG_ORDERS

Not known before a run:
  main.orch.yaml (component "Code", line 6): it runs a program, whose use of tables is not analysed

3 pipelines, 1 call, 3 tables. 1 component of 1 pipeline may use tables that the graph does not show.
`);
});

test('a streaming pipeline is drawn as the writer that creates its tables, except with --calls-only', async () => {
  using project = temporaryRepository();
  project.write('shop/millrace.yaml', "version: 1\nstreaming: ['streams/*.yaml']\n");
  project.write(
    'shop/streams/crm.yaml',
    `name: crm
streamingSource:
  connection: { database: crm }
  tables:
    - { schema: public, table: orders }
streamingTarget: { database: TEST, tableSchema: PUBLIC, stagePrefix: '', tablePrefixType: NONE, transformationType: COPY_TABLE }
`,
  );
  project.write('shop/other.tran.yaml', files['shop/other.tran.yaml']);
  const drawn = async (...args: string[]) => {
    const { stdout } = await inProcess(['graph', '--working-tree', ...args], {
      cwd: `${project.directory}/shop`,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    return stdout;
  };
  expect(await drawn('--format', 'text')).toBe(`other.tran.yaml (transformation, no pipeline calls it)
  reads ORDERS (component "In", line 3)
streams/crm.yaml (streaming pipeline)
  creates ORDERS (component "crm", line 5)

1 pipeline, 1 streaming pipeline, 0 calls, 1 table.
`);
  const mermaid = await drawn('--around', 'ORDERS');
  expect(mermaid).toContain('n1["streams/crm.yaml<br/>streaming pipeline"]');
  expect(mermaid).toContain('  n1 --> t0\n');
  expect(await drawn('--format', 'svg')).toContain('<title>streams/crm.yaml: streaming pipeline</title>');
  expect(await drawn('--calls-only')).not.toContain('crm');
});

test('as SVG, the picture has each pipeline and table, and says below what it does not show', async () => {
  const { code, stdout } = await graph('--format', 'svg');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" class="graph" [^>]*role="img"/);
  expect(
    [...stdout.matchAll(/<g class="node[^"]*"><title>([^<]*)</g)].map(([, title]) => title),
  ).toHaveLength(6);
  expect(stdout).toContain(
    'main.orch.yaml writes TEST.PUBLIC.STG_ORDERS: component &#34;Script&#34;, sql/load.sql line 2',
  );
  expect(stdout).toContain('>1 component of 1 pipeline may use tables that the graph does not show.</text>');
  const calls = await graph('--format', 'svg', '--calls-only');
  expect(calls.stdout).not.toContain('class="node table');
  expect((await graph('--format', 'svg', '--json')).code).toBe(2);
});

test('of a commit, names mean what its file of provision says, and a script may have a name that a variable chooses', async () => {
  using project = temporaryRepository();
  const connection = (database: string) =>
    `{ account: a, username: u, defaultRole: r, defaultWarehouse: w, defaultDatabase: ${database}, defaultSchema: SHOP, privateKey: { secretName: s } }`;
  const environment = (name: string) =>
    `  ${name}: { defaultAgentId: 11111111-2222-4333-8444-555555555555, defaultUserAccessLevel: admin, connections: { shop-${name}: ${connection(name)} } }\n`;
  project.write('shop/millrace.yaml', 'version: 1\nprovision: setup.yaml\n');
  project.write(
    'shop/setup.yaml',
    `version: 1
project: { name: shop, warehouse: WAREHOUSE_ONE }
connections: { shop-dev: { authType: key_pair }, shop-prod: { authType: key_pair } }
environments:
${environment('dev')}${environment('prod')}`,
  );
  project.write(
    'shop/main.orch.yaml',
    `pipeline:
  variables:
    kind: { metadata: { type: TEXT, scope: SHARED, visibility: PUBLIC }, defaultValue: daily }
  components:
    Start: { type: start, transitions: { unconditional: [Script] } }
    Script: { type: sql-executor, parameters: { scriptLocation: File, fileName: '\${kind}.sql' } }
`,
  );
  project.write('shop/daily.sql', 'insert into orders select * from prod.shop.orders, other.shop.orders;\n');
  project.commit('all');
  rmSync(join(project.directory, 'shop/daily.sql'));
  const { stdout } = await inProcess(['graph', '--format', 'text'], {
    cwd: `${project.directory}/shop`,
    env: { PATH: process.env['PATH'] ?? '' },
  });
  expect(stdout).toContain(`main.orch.yaml (orchestration, no pipeline calls it)
  writes ORDERS (component "Script", daily.sql, line 1)
  reads ORDERS (component "Script", daily.sql, line 1)
  reads OTHER.SHOP.ORDERS (component "Script", daily.sql, line 1)
`);
  rmSync(join(project.directory, 'shop/setup.yaml'));
  project.commit('without provision');
  const without = await inProcess(['graph'], {
    cwd: `${project.directory}/shop`,
    env: { PATH: process.env['PATH'] ?? '' },
  });
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('setup.yaml')]);
});

test('what docs/graph.md shows is what the command prints', async () => {
  const [shown = ''] = codeBlocks('graph.md', '').filter((block) => block.startsWith('$ '));
  const { stdout } = await inProcess(
    ['graph', '--working-tree', '--around', 'Month End/close', '--format', 'text'],
    { cwd: 'examples/warehouse', env: { PATH: process.env['PATH'] ?? '' } },
  );
  expect(stdout).toBe(shown.replace('$ npx millrace graph --around "Month End/close" --format text\n', ''));
});
