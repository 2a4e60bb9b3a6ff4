import { expect, test } from 'vitest';
import type { DataDiff } from '../../../flows/diff/data-diff.ts';
import { temporaryRepository } from '../../lib/git/temporary-repository.ts';
import { inProcess } from '../in-process.ts';

const { PATH = '', HOME = '' } = process.env;

const caller = (name: string, version = '[Latest]') => `pipeline:
  components:
    Start: { type: start, transitions: { success: [Shared] } }
    Shared:
      type: run-shared-pipeline
      parameters:
        pipelineName: ${name}
        version: "${version}"
        setScalarVariables: [[kind, a]]
`;
const shared = (value: string) => `pipeline:
  components:
    Start: { type: start, transitions: { success: [Write] } }
    Write: { type: sql-executor, parameters: { sqlScript: "create table t as select '\${kind}${value}' as k" } }
  variables:
    kind: { metadata: { type: TEXT } }
`;
const testFile = `pipeline: main
tests:
  - name: writes
    expect: { tables: { T: { rows: [{ K: a1 }] } } }
`;

function project() {
  const work = temporaryRepository();
  work.write('millrace.yaml', 'version: 1\nrelease: { shared: { prefix: finance } }\n');
  work.write('.platform/shared-pipelines.yaml', 'pipelines:\n  - { pipeline: parts/load, id: load }\n');
  work.write('main.orch.yaml', caller('finance#load'));
  work.write('parts/load.orch.yaml', shared('1'));
  work.write('main.test.yaml', testFile);
  work.commit('A project');
  const run = (...args: string[]) => inProcess(args, { cwd: work.directory, env: { PATH, HOME } });
  return { ...work, run, [Symbol.dispose]: () => work[Symbol.dispose]() };
}

test('a test runs a shared pipeline of the project itself without a mock', async () => {
  using work = project();
  expect(await work.run('test')).toMatchObject({ code: 0 });
  work.write('parts/load.orch.yaml', shared('2'));
  const failed = await work.run('test');
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringContaining('a2') });
});

test('a wrong key in a shared pipeline of the project fails the test', async () => {
  using work = project();
  work.write('parts/load.orch.yaml', shared('1').replace('variables:', 'variabels:'));
  expect(await work.run('test')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('parts/load.orch.yaml'),
  });
});

test('a mock replaces a shared pipeline of the project', async () => {
  using work = project();
  work.write(
    'main.test.yaml',
    testFile.replace(
      '    expect:',
      '    mock: { Shared: { tables: { T: { columns: { K: VARCHAR }, rows: [{ K: a1 }] } } } }\n    expect:',
    ),
  );
  work.write('parts/load.orch.yaml', shared('2'));
  expect(await work.run('test')).toMatchObject({ code: 0 });
});

test('an id that the project does not share fails the test, with the nearest one', async () => {
  using work = project();
  work.write('main.orch.yaml', caller('finance#laod'));
  expect((await work.run('test')).stdout).toContain(
    'this project has no shared pipeline "finance#laod" in shared-pipelines.yaml; did you mean "finance#load"?',
  );
});

test('an id whose pipeline does not exist fails the test, with the path of the pipeline', async () => {
  using work = project();
  work.git('rm', '-q', 'parts/load.orch.yaml');
  expect((await work.run('test')).stdout).toContain(
    'the shared pipeline "finance#load" is "parts/load" in shared-pipelines.yaml, which does not exist',
  );
});

test.each(['./parts/load', '/parts/load', 'parts/load.tran.yaml'])(
  'an entry with the path %s fails the test, because the platform leaves it out',
  async (pipeline) => {
    using work = project();
    work.write('.platform/shared-pipelines.yaml', `pipelines:\n  - { pipeline: ${pipeline}, id: load }\n`);
    const { code, stdout } = await work.run('test');
    expect(code).toBe(1);
    expect(stdout).toContain(
      pipeline.includes('tran')
        ? `the shared pipeline "finance#load" is "${pipeline}" in shared-pipelines.yaml, which does not exist`
        : `the shared pipeline "finance#load" is "${pipeline}" in shared-pipelines.yaml, which the platform does not read as "parts/load.orch.yaml"; write "parts/load"`,
    );
  },
);

test.each([
  ['finance#load', 'v1'],
  ['other#load', '[Latest]'],
])('%s in version %s is not in the project, so it needs a mock', async (name, version) => {
  using work = project();
  work.write('main.orch.yaml', caller(name, version));
  expect((await work.run('test')).stdout).toMatch(/run-shared-pipeline[^]*mock the component/);
});

test('diff shows what a change of a shared pipeline of the project changes for its callers', async () => {
  using work = project();
  work.write('parts/load.orch.yaml', shared('2'));
  const { changes } = JSON.parse((await work.run('diff', '--json')).stdout) as DataDiff;
  expect(changes[0]?.tables[0]).toMatchObject({ table: 'T', added: 1, removed: 1 });
});

test('diff compares with what the project shared before', async () => {
  using work = project();
  work.write('parts/other.orch.yaml', shared('2'));
  work.write('.platform/shared-pipelines.yaml', 'pipelines:\n  - { pipeline: parts/other, id: load }\n');
  const { changes } = JSON.parse((await work.run('diff', '--json')).stdout) as DataDiff;
  expect(changes[0]?.tables[0]).toMatchObject({ table: 'T', added: 1, removed: 1 });
});

test('the graph leads to the shared pipeline itself, and marks an id that the project does not share', async () => {
  using work = project();
  const graph = async () =>
    JSON.parse((await work.run('graph', '--working-tree', '--json')).stdout) as {
      nodes: { name: string; kind: string; entry: boolean }[];
      calls: object[];
    };
  const { nodes, calls } = await graph();
  expect(nodes.map(({ name, entry }) => [name, entry])).toEqual([
    ['main.orch.yaml', true],
    ['parts/load.orch.yaml', false],
  ]);
  expect(calls).toEqual([{ from: 'main.orch.yaml', to: 'parts/load.orch.yaml' }]);
  work.write('main.orch.yaml', caller('finance#gone'));
  expect((await graph()).nodes).toContainEqual({ name: 'finance#gone', kind: 'missing', entry: false });
});

test('a diff runs the tests when config-dir names another folder with other shared pipelines', async () => {
  using work = project();
  work.write('parts/other.orch.yaml', shared('2'));
  work.write('.other/shared-pipelines.yaml', 'pipelines:\n  - { pipeline: parts/other, id: load }\n');
  work.commit('Another folder');
  work.write('millrace.yaml', 'version: 1\nconfig-dir: .other\nrelease: { shared: { prefix: finance } }\n');
  const { code, stdout } = await work.run('diff', '--exit-code');
  expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('table "T"') });
});
