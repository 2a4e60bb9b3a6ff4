import { describe, expect, test } from 'vitest';
import { componentGraph, type Edge, reachable } from '../../../../lib/pipelines/model/graph.ts';
import { readPipeline } from '../../../../lib/pipelines/model/read-pipeline.ts';

const show = (edges: readonly Edge[]) => edges.map(({ from, by, to }) => `${from} -${by}-> ${to}`);

describe('the graph of an orchestration', () => {
  const graph = componentGraph(
    readPipeline(
      'a.orch.yaml',
      [
        'pipeline:',
        '  components:',
        '    Start: { type: start, transitions: { unconditional: [Each] } }',
        '    Each: { type: grid-iterator, iterationTarget: Load, transitions: { success: [End], failure: [Gone] } }',
        '    Load: { type: run-transformation, sources: [Start] }',
        '    End: { type: end-success }',
      ].join('\n'),
    ),
  );

  test('holds transitions and iteration targets, in both directions', () => {
    expect(show(graph.edges)).toEqual([
      'Start -unconditional-> Each',
      'Each -success-> End',
      'Each -iteration-> Load',
    ]);
    expect(show(graph.from('Each'))).toEqual(['Each -success-> End', 'Each -iteration-> Load']);
    expect(show(graph.to('Each'))).toEqual(['Start -unconditional-> Each']);
    expect(graph.from('End')).toEqual([]);
    expect(graph.to('Start')).toEqual([]);
  });

  test('keeps ways to names that no component bears apart', () => {
    expect(show(graph.dangling)).toEqual(['Each -failure-> Gone']);
  });

  test('knows every component, joined or not', () => {
    expect(graph.names).toEqual(['Start', 'Each', 'Load', 'End']);
  });
});

test('the graph of a transformation is the flow of its data', () => {
  const graph = componentGraph(
    readPipeline(
      'a.tran.yaml',
      [
        'pipeline:',
        '  components:',
        '    Join: { type: join, sources: [Orders, Stock, Gone] }',
        '    Orders: { type: table-input, transitions: { success: [Join] } }',
        '    Stock: { type: table-input }',
      ].join('\n'),
    ),
  );
  expect(show(graph.to('Join'))).toEqual(['Orders -data-> Join', 'Stock -data-> Join']);
  expect(show(graph.from('Orders'))).toEqual(['Orders -data-> Join']);
  expect(show(graph.dangling)).toEqual(['Gone -data-> Join']);
});

test('reachable walks cycles once and holds its roots', () => {
  const ways: Record<string, string[]> = { a: ['b'], b: ['a', 'c'], c: [], d: ['a'] };
  expect([...reachable(['a'], (name) => ways[name] ?? [])]).toEqual(['a', 'b', 'c']);
});
