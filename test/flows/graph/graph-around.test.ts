import { expect, test } from 'vitest';
import { graphAround } from '../../../flows/graph/graph-around.ts';
import type { PipelineGraph } from '../../../flows/graph/pipeline-graph.ts';

const node = (name: string) => ({ name: `${name}.orch.yaml`, kind: 'orchestration' as const, entry: false });
const call = (from: string, to: string) => ({ from: `${from}.orch.yaml`, to: `${to}.orch.yaml` });

const graph: PipelineGraph = {
  nodes: ['night', 'day', 'load', 'clean', 'mail', 'other'].map((name) => node(name)),
  calls: [
    call('night', 'load'),
    call('day', 'night'),
    call('load', 'clean'),
    call('clean', 'load'),
    call('day', 'mail'),
    call('other', 'mail'),
  ],
};

test('the graph around a pipeline has all its callers and called pipelines, also in cycles', () => {
  const around = graphAround(graph, 'load');
  expect(around.nodes.map(({ name }) => name.split('.')[0])).toEqual(['night', 'day', 'load', 'clean']);
  expect(around.calls).toEqual(graph.calls.slice(0, 4));
  expect(graphAround(graph, 'mail.orch.yaml').nodes.map(({ name }) => name.split('.')[0])).toEqual([
    'day',
    'mail',
    'other',
  ]);
});

test('an unknown pipeline is reported by its name, with the one that was meant', () => {
  expect(() => graphAround(graph, 'lod')).toThrow(
    /^The project has no pipeline "lod"\. Did you mean "load"\?$/,
  );
  expect(() => graphAround(graph, 'x/mail')).toThrow(/Did you mean "mail"\?$/);
  expect(() => graphAround(graph, 'something')).toThrow(/^The project has no pipeline "something"\.$/);
});
