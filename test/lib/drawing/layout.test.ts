import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Box, Layout, LayoutEdge, LayoutNode } from '../../../lib/drawing/boxes.ts';
import { layoutGraph } from '../../../lib/drawing/layout.ts';

const node = (index: number, group: string | undefined, width = 90): LayoutNode => ({
  id: `n${index}`,
  group,
  width,
  height: 32,
});

const graphs = fc.integer({ min: 1, max: 40 }).chain((count) =>
  fc.record({
    nodes: fc
      .array(fc.tuple(fc.constantFrom(undefined, 'a', 'b', 'c', 'd'), fc.integer({ min: 40, max: 260 })), {
        minLength: count,
        maxLength: count,
      })
      .map((list) => list.map(([group, width], index) => node(index, group, width))),
    edges: fc.array(
      fc
        .tuple(fc.nat({ max: count - 1 }), fc.nat({ max: count - 1 }))
        .map(([from, to]) => ({ from: `n${from}`, to: `n${to}` })),
      { maxLength: 80 },
    ),
  }),
);

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const isIn = (outer: Box, inner: Box) =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

/** What is wrong with a layout. */
function faults(
  nodes: readonly LayoutNode[],
  edges: readonly LayoutEdge[],
  layout: Layout,
): readonly string[] {
  const found: string[] = [];
  const page = { x: 0, y: 0, width: layout.width, height: layout.height };
  const boxes = nodes.map(({ id, group }) => ({ id, group, box: layout.nodes.get(id) ?? page }));
  for (const [index, { id, group, box }] of boxes.entries()) {
    if (!isIn(page, box)) found.push(`${id} is not on the page`);
    for (const other of boxes.slice(index + 1))
      if (overlap(box, other.box)) found.push(`${id} overlaps ${other.id}`);
    for (const [name, outer] of layout.groups)
      if (name === group ? !isIn(outer, box) : overlap(outer, box)) found.push(`${id} and group ${name}`);
  }
  const groups = [...layout.groups];
  for (const [index, [name, box]] of groups.entries())
    for (const [otherName, other] of groups.slice(index + 1))
      if (overlap(box, other)) found.push(`group ${name} overlaps ${otherName}`);
  for (const [index, { from, to }] of edges.entries()) {
    const line = layout.edges[index] ?? [];
    const [start, end] = [layout.nodes.get(from) ?? page, layout.nodes.get(to) ?? page];
    const [first, last] = [line[0], line.at(-1)];
    if (first?.x !== start.x + start.width || first.y !== start.y + start.height / 2)
      found.push(`edge ${index} does not begin at ${from}`);
    if (last?.x !== end.x || last.y !== end.y + end.height / 2)
      found.push(`edge ${index} does not end at ${to}`);
    if (line.length % 2 === 0) found.push(`edge ${index} has ${line.length} points`);
    for (let at = 0; at + 1 < line.length - 1; at += 2) {
      const [a = { x: 0, y: 0 }, b = a] = [line[at], line[at + 1]];
      if (a.y !== b.y) found.push(`edge ${index} is not horizontal`);
      // Without its ends, which touch their own nodes.
      const across = { x: Math.min(a.x, b.x) + 0.5, y: a.y - 1, width: Math.abs(a.x - b.x) - 1, height: 2 };
      for (const { id, box } of boxes)
        if (across.width > 0 && overlap(across, box)) found.push(`edge ${index} runs through ${id}`);
    }
  }
  return found;
}

test('in any graph, boxes do not overlap, groups hold their nodes alone, and lines touch no other node', () => {
  fc.assert(
    fc.property(graphs, ({ nodes, edges }) => {
      const layout = layoutGraph(nodes, edges, () => 200);
      expect(faults(nodes, edges, layout)).toEqual([]);
      expect(layoutGraph(nodes, edges, () => 200)).toEqual(layout);
    }),
    { numRuns: 150, seed: 44 },
  );
});

test('edges lead to the right, except the one that closes a cycle, and in a deep graph to another group', () => {
  const left = (layout: Layout, id: string) => layout.nodes.get(id)?.x ?? NaN;
  const chain = (count: number) =>
    Array.from({ length: count - 1 }, (_, index) => ({ from: `n${index}`, to: `n${index + 1}` }));
  const cycle = layoutGraph(
    [0, 1, 2].map((index) => node(index, 'a')),
    [...chain(3), { from: 'n2', to: 'n0' }],
  );
  expect(['n0', 'n1', 'n2'].map((id) => left(cycle, id))).toEqual(
    ['n0', 'n1', 'n2'].map((id) => left(cycle, id)).toSorted((a, b) => a - b),
  );
  const deep = layoutGraph(
    Array.from({ length: 30 }, (_, index) => node(index, index < 10 ? 'a' : index < 20 ? 'b' : 'c')),
    chain(30),
  );
  // A group to which an edge leads begins one column later.
  expect(left(deep, 'n10')).toBe(left(deep, 'n1'));
  expect(left(deep, 'n20')).toBe(left(deep, 'n10'));
  expect([...deep.groups.values()].map(({ y }) => y)).toEqual(
    [...deep.groups.values()].map(({ y }) => y).toSorted((a, b) => a - b),
  );
});

test('a project of 200 pipelines and their tables in 15 folders has no overlap', () => {
  const nodes = Array.from({ length: 400 }, (_, index) =>
    node(index, `folder ${index % 15}`, 60 + ((index * 37) % 180)),
  );
  const edges = nodes
    .slice(1)
    .flatMap(({ id }, index) =>
      [index >> 2, (index * 31) % (index + 1)].map((from) => ({ from: `n${from}`, to: id })),
    );
  expect(
    faults(
      nodes,
      edges,
      layoutGraph(nodes, edges, () => 120),
    ),
  ).toEqual([]);
});

test('what is used by one node next to it lies at its height, without a crossing', () => {
  const ids = ['a0', 'a1', 'a2', 'b2', 'b1', 'b0'];
  const { nodes } = layoutGraph(
    ids.map((id) => ({ id, group: 'g', width: 60, height: 32 })),
    [0, 1, 2].map((index) => ({ from: `a${index}`, to: `b${index}` })),
  );
  for (const index of [0, 1, 2]) expect(nodes.get(`b${index}`)?.y).toBe(nodes.get(`a${index}`)?.y);
});

test('an edge whose node is missing is an error', () => {
  expect(() => layoutGraph([node(0, 'a')], [{ from: 'n0', to: 'n1' }])).toThrow('names the node "n1"');
});

test('3,000 pipelines with their tables are placed in seconds', () => {
  const nodes = Array.from({ length: 6000 }, (_, index) => node(index, `folder ${index % 150}`));
  const edges = nodes.flatMap(({ id }, index) =>
    index === 0 ? [] : [index >> 1, (index * 7919) % index].map((from) => ({ from: `n${from}`, to: id })),
  );
  const before = process.cpuUsage();
  const { width } = layoutGraph(nodes, edges);
  const { user } = process.cpuUsage(before);
  expect(width).toBeGreaterThan(0);
  // Usually half a second; the limit shows only what is out of proportion.
  expect(user / 1e6).toBeLessThan(15);
});
