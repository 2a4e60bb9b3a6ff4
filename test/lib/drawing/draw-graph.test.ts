import { expect, test } from 'vitest';
import { drawGraph } from '../../../lib/drawing/draw-graph.ts';
import type { DrawnGraph, DrawnUse } from '../../../lib/drawing/drawn-graph.ts';
import { pictureOf } from '../../../lib/drawing/picture-of.ts';

const use = (pipeline: string, effect: DrawnUse['effect'], table: string): DrawnUse => ({
  pipeline,
  effect,
  table,
  component: 'Part',
  file: pipeline,
  line: 7,
});

const graph: DrawnGraph = {
  nodes: [
    { name: 'main.orch.yaml', kind: 'orchestration', entry: true, worst: 'error' },
    { name: 'daily/build.tran.yaml', kind: 'transformation', entry: false },
    { name: 'late/report.tran.yaml', kind: 'transformation', entry: false },
    { name: 'late/gone', kind: 'missing', entry: false },
    { name: 'finance#close', kind: 'foreign', entry: false },
  ],
  calls: [
    { from: 'main.orch.yaml', to: 'daily/build.tran.yaml' },
    { from: 'main.orch.yaml', to: 'late/gone' },
    { from: 'main.orch.yaml', to: 'finance#close' },
    { from: 'main.orch.yaml', to: 'main.orch.yaml' },
  ],
  tables: ['RAW', 'ORDERS', 'LOG', 'LOCAL'].map((label) => ({ name: `DB.S.${label}`, label })),
  uses: [
    use('daily/build.tran.yaml', 'reads', 'DB.S.RAW'),
    use('late/report.tran.yaml', 'reads', 'DB.S.RAW'),
    use('daily/build.tran.yaml', 'creates', 'DB.S.ORDERS'),
    use('late/report.tran.yaml', 'reads', 'DB.S.ORDERS'),
    use('late/report.tran.yaml', 'reads', 'DB.S.LOG'),
    use('late/report.tran.yaml', 'writes', 'DB.S.LOG'),
    use('late/report.tran.yaml', 'reads', 'DB.S.LOCAL'),
  ],
};

/** The names of elements that are open at the end, or closed without being open. */
function unbalanced(svg: string): readonly string[] {
  const open: string[] = [];
  for (const [, close = '', name = '', rest = ''] of svg.matchAll(/<(\/?)([\w:]+)((?:[^<>"]|"[^"<]*")*)>/g)) {
    if (rest.endsWith('/')) continue;
    if (close === '') open.push(name);
    else if (open.pop() !== name) return [`</${name}>`];
  }
  return open;
}

test('a table is in the folder that creates it, or of its only reader, or outside of the project', () => {
  const { nodes, groupName } = pictureOf(graph);
  const groups = Object.fromEntries(nodes.map(({ lines, group }) => [lines[0], groupName(group ?? '')]));
  expect(groups).toEqual({
    main: 'Root folder',
    build: 'daily',
    report: 'late',
    gone: 'late',
    'finance#close': 'Outside',
    RAW: 'Outside',
    ORDERS: 'daily',
    LOG: 'late',
    LOCAL: 'late',
  });
});

test('every call and every use is a line whose title names component and line; a table that is read and written has one line', () => {
  const svg = drawGraph(graph, { title: 'Shop', note: '2 components may use more.' }).text;
  const lines = [...svg.matchAll(/<path class="edge (\w+)"[^>]*>(?:<title>([^<]*)<\/title>)/g)];
  expect(lines.map(([, kind, title]) => `${kind} ${title}`.replaceAll('&#34;', '"'))).toEqual([
    'call main.orch.yaml calls daily/build.tran.yaml',
    'call main.orch.yaml calls late/gone',
    'call main.orch.yaml calls finance#close',
    'call main.orch.yaml calls main.orch.yaml',
    'read daily/build.tran.yaml reads DB.S.RAW: component "Part", line 7',
    'read late/report.tran.yaml reads DB.S.RAW: component "Part", line 7',
    'write daily/build.tran.yaml creates DB.S.ORDERS: component "Part", line 7',
    'read late/report.tran.yaml reads DB.S.ORDERS: component "Part", line 7',
    'write late/report.tran.yaml reads DB.S.LOG: component "Part", line 7\nlate/report.tran.yaml writes DB.S.LOG: component "Part", line 7',
    'read late/report.tran.yaml reads DB.S.LOCAL: component "Part", line 7',
  ]);
  expect(svg.match(/marker-start=/g)).toHaveLength(1);
  for (const text of [
    '<title id="graph-title">Shop</title>',
    '3 pipelines with 4 calls.',
    '2 components may use more.',
    'does not exist',
  ])
    expect(svg).toContain(text);
});

test('a file has its style, light and dark, and loads nothing; in a page there is no style that its policy refuses', () => {
  const file = drawGraph(graph, { title: 'Shop' }).text;
  expect(file).toContain('@media (prefers-color-scheme: dark)');
  expect(file.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
    /https?:|<script|@import|url\((?!#)| href=/,
  );
  expect(unbalanced(file)).toEqual([]);
  const links = { pipeline: (name: string) => `/p?name=${name}&x`, table: () => undefined };
  const part = drawGraph(graph, { title: 'Shop', isStyled: true, links }).text;
  expect(part).not.toMatch(/<style|style=/);
  expect(part).toContain('<a href="/p?name=main.orch.yaml&#38;x">');
  expect(part).toContain('role="group"');
  expect(part.match(/<a /g)).toHaveLength(3);
  expect(drawGraph(graph, { title: 'Shop' }).text).toBe(file);
});

test('a name cannot bring elements of its own, nor characters that XML does not have', () => {
  const name = 'x/"><script>alert(1)</script>&\u0000\u202e\ufffe\ud800\'.orch.yaml';
  const svg = drawGraph(
    {
      nodes: [{ name, kind: 'orchestration', entry: false, sharedId: '</title><b>' }],
      calls: [{ from: name, to: name }],
      tables: [{ name: ']]><svg onload="x">', label: '<![CDATA[' }],
      uses: [use(name, 'drops', ']]><svg onload="x">')],
    },
    { title: '</title>' },
  ).text;
  expect(unbalanced(svg)).toEqual([]);
  expect(svg).not.toMatch(/<script|<b>|<svg onload|<!\[|[\u0000\u202e\ufffe]/);
  expect(svg.isWellFormed()).toBe(true);
});
