import { describe, expect, test } from 'vitest';
import { callsOf, resolveCall, sharedReferenceOf } from '../../../../lib/pipelines/model/calls.ts';
import { readPipeline } from '../../../../lib/pipelines/model/read-pipeline.ts';

const document = readPipeline(
  'main.orch.yaml',
  [
    'pipeline:',
    '  components:',
    '    Transform:',
    '      type: run-transformation',
    '      parameters:',
    '        transformationJob: "daily/build orders"',
    '        setScalarVariables:',
    '        - - "day"',
    '          - "${today}"',
    '        - - "count"',
    '          - 10',
    '        - - "empty"',
    '          -',
    '    Log: { type: print-variables }',
    '    Orchestrate: { type: run-orchestration, parameters: { orchestrationJob: daily/load.orch.yaml } }',
    '    Shared:',
    '      type: run-shared-pipeline',
    '      parameters: { pipelineName: "finance#close-month", version: "[Latest]" }',
    '    Any: { type: run-orchestration, parameters: { orchestrationJob: "${which}" } }',
    '    None: { type: run-transformation, parameters: { transformationJob: } }',
  ].join('\n'),
);

describe('the calls of a document', () => {
  const calls = callsOf(document);

  test('are the three kinds, in the order of the file', () => {
    expect(calls.map(({ component, kind, target }) => [component.name, kind, target])).toEqual([
      ['Transform', 'transformation', 'daily/build orders'],
      ['Orchestrate', 'orchestration', 'daily/load.orch.yaml'],
      ['Shared', 'shared', 'finance#close-month'],
      ['Any', 'orchestration', '${which}'],
      ['None', 'transformation', ''],
    ]);
  });

  test('hand over variables as pairs of name and text', () => {
    expect(calls[0]?.scalarVariables).toEqual([
      ['day', '${today}'],
      ['count', '10'],
      ['empty', ''],
    ]);
  });

  test('a target that holds a variable is known only while it runs', () => {
    expect(calls.map(({ dynamic }) => dynamic)).toEqual([false, false, false, true, false]);
  });

  test('only a shared pipeline has a version', () => {
    expect(calls.map(({ version }) => version)).toEqual([
      undefined,
      undefined,
      '[Latest]',
      undefined,
      undefined,
    ]);
  });
});

describe('resolving a target', () => {
  const paths = new Set([
    'daily/load.orch.yaml',
    'daily/load.tran.yaml',
    'only.tran.yaml',
    'Month End /Close.orch.yaml',
    'odd.tran.yaml.orch.yaml',
  ]);

  test.each([
    ['a path with its suffix', 'daily/load.tran.yaml', undefined, 'daily/load.tran.yaml'],
    ['a path without, by the kind of the call', 'daily/load', 'transformation', 'daily/load.tran.yaml'],
    ['a path without and no kind, the orchestration first', 'daily/load', undefined, 'daily/load.orch.yaml'],
    ['a path without and no kind, else the transformation', 'only', undefined, 'only.tran.yaml'],
    ['a folder that ends in a space', 'Month End /Close', 'orchestration', 'Month End /Close.orch.yaml'],
    ['not the same folder without the space', 'Month End/Close', 'orchestration', undefined],
    ['a path from the root', '/daily/load', 'orchestration', 'daily/load.orch.yaml'],
    ['a path from here', './daily/load', 'orchestration', 'daily/load.orch.yaml'],
    ['a name that only looks like a suffix', 'odd.tran.yaml', 'orchestration', 'odd.tran.yaml.orch.yaml'],
    ['nothing of the other kind', 'only', 'orchestration', undefined],
    ['nothing where there is no such file', 'weekly/load', 'orchestration', undefined],
    ['nothing for an empty target', '', 'orchestration', undefined],
    ['nothing for a shared pipeline', 'daily/load', 'shared', undefined],
    ['the same case', 'Daily/Load', 'orchestration', undefined],
  ] as const)('finds %s', (_title, target, kind, expected) => {
    expect(resolveCall(target, paths, kind)).toBe(expected);
  });
});

test('a shared pipeline is named by prefix and id', () => {
  expect(sharedReferenceOf('finance#close-month')).toEqual({ prefix: 'finance', id: 'close-month' });
  expect(sharedReferenceOf('My Project#a#b')).toEqual({ prefix: 'My Project', id: 'a#b' });
  for (const wrong of ['finance', '#close', 'finance#', '']) expect(sharedReferenceOf(wrong)).toBeUndefined();
});
