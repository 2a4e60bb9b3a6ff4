import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { field, type Talk, talk } from '../talk.ts';

const transformation = (source: string, target: string) => `pipeline:
  components:
    In: { type: table-input, parameters: { targetTable: ${source}, columnNames: [ID] } }
    Out: { type: rewrite-table, sources: [In], parameters: { targetTable: ${target} } }
`;
const files: Record<string, string> = {
  'main.orch.yaml': `type: "orchestration"
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Build] } }
    Build:
      type: run-transformation
      transitions: { success: [Script] }
      parameters: { componentName: Build, transformationJob: daily/build }
    Script:
      type: sql-executor
      transitions: { success: [Foreign] }
      parameters: { componentName: Script, scriptLocation: File, fileName: sql/load.sql }
    Foreign: { type: run-shared-pipeline, parameters: { pipelineName: 'finance#close' } }
`,
  'daily/build.tran.yaml': transformation('STG_ORDERS', 'ORDERS'),
  'sql/load.sql': 'insert into "<b>" select * from stg_orders;\ncall refresh();\n',
};

let platform: Talk;
let id: number;
beforeAll(async () => {
  platform = await talk();
  await platform.publish('1.0', files);
  const { body } = await platform.get('/_platform/versions');
  id = (body as { projects: { versions: { id: number }[] }[] }).projects[0]?.versions[0]?.id ?? 0;
});
afterAll(() => platform[Symbol.asyncDispose]());

/** A page as a browser gets it. */
async function open(path: string) {
  const response = await fetch(`${platform.platform.baseUrl}${path}`, { headers: { accept: 'text/html' } });
  return { status: response.status, text: (await response.text()).replaceAll('<wbr />', '') };
}

/** The address that a click on the node with this text opens. */
function linkOf(page: string, node: string): string {
  const nodes = page.split('<g class="node ').slice(1);
  const href = nodes.find((each) => each.includes(`>${node}</text>`))?.match(/<a href="([^"]*)"/)?.[1];
  return (href ?? '').replaceAll('&#38;', '&');
}

test('the page of a version draws its pipelines and tables, in the style of the inspector and without a script', async () => {
  expect((await open('/_platform/versions')).text).toContain(`<a href="/_platform/versions/${id}">1.0</a>`);
  const { status, text } = await open(`/_platform/versions/${id}`);
  expect(status).toBe(200);
  const names = [...text.matchAll(/<g class="node[^"]*">(?:<a [^>]*>)?<title>([^:<]*)/g)].map(
    ([, name = '']) => name,
  );
  expect(names.toSorted(compareTexts)).toEqual([
    'DEV.PUBLIC.&#60;b&#62;',
    'DEV.PUBLIC.ORDERS',
    'DEV.PUBLIC.STG_ORDERS',
    'daily/build.tran.yaml',
    'finance#close',
    'main.orch.yaml',
  ]);
  expect(text.match(/<path class="edge/g)).toHaveLength(6 + 3);
  expect(text).not.toMatch(/<style|\sstyle=|<b>/);
  expect(text).toMatch(/<main id="main" tabindex="-1"\s*>/);
  expect(text).toContain('the statement runs code that may use any table');
  const style = await fetch(`${platform.platform.baseUrl}/_platform/inspector.css`);
  expect(await style.text()).toContain('.graph .table path');
});

test('a click on a pipeline shows its executions, also those that called it, and its tables with components', async () => {
  const started = await platform.post(`${platform.project}/pipeline-executions`, {
    pipelineName: 'main',
    environmentName: 'dev',
  });
  expect(started.status).toBe(201);
  await platform.clock.advance(60_000);
  const execution = field(started, 'pipelineExecutionId');
  const page = (await open(`/_platform/versions/${id}`)).text;
  const build = await open(linkOf(page, 'build'));
  expect(build.status).toBe(200);
  expect(build.text).toContain('<g class="node pipeline transformation current">');
  expect(build.text).toMatch(/<h1>daily\/.*build/);
  expect(build.text).toContain(`<a href="/_platform/executions/${execution}">main.orch.yaml</a>`);
  const rows = [...build.text.matchAll(/<th scope="row" data-label="Component"[^>]*>\s*(\w+)/g)].map(
    ([, name = '']) => name,
  );
  expect(rows).toEqual(['In', 'Out']);
  const { body } = await platform.get(linkOf(page, 'build'));
  expect(body).toMatchObject({
    selected: { pipeline: 'daily/build.tran.yaml', executions: [{ id: execution }] },
  });
});

test('a click on a table shows the components that use it; a name that nothing has is not found', async () => {
  const page = (await open(`/_platform/versions/${id}`)).text;
  const { text } = await open(linkOf(page, 'STG_ORDERS'));
  expect(text).toContain('sql/load.sql:1');
  expect(text).toContain('daily/build.tran.yaml:3');
  expect(linkOf(text, 'ORDERS')).toBe('');
  const odd = await open(linkOf(page, '&#60;b&#62;'));
  expect([odd.status, odd.text.includes('<b>')]).toEqual([200, false]);
  for (const query of ['?pipeline=none', '?table=NONE'])
    expect((await open(`/_platform/versions/${id}${query}`)).status).toBe(404);
  expect((await open('/_platform/versions/99')).status).toBe(404);
  expect((await open('/_platform/versions/x')).status).toBe(404);
});

test('a version of 200 pipelines is drawn whole', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [
      `folder ${index % 15}/build ${index}.tran.yaml`,
      transformation(`T${index >> 1}`, `T${index + 1}`),
    ]),
  );
  expect((await platform.publish('2.0', many)).status).toBe(201);
  const { status, text } = await open(`/_platform/versions/${id + 1}`);
  expect(status).toBe(200);
  expect(text.match(/<g class="node pipeline transformation">/g)).toHaveLength(200);
  // The folders, and the table that no pipeline creates.
  expect(text.match(/<g class="group">/g)).toHaveLength(15 + 1);
});
