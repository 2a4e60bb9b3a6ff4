import { expect, test } from 'vitest';
import { wrongKeys } from '../../../flows/test/wrong-keys.ts';
import { readPipeline } from '../../../lib/pipelines/read-pipeline.ts';

const found = (text: string) =>
  wrongKeys(readPipeline('a.orch.yaml', text)).map(
    ({ file, line, column, message }) => `${file}:${line}:${column} ${message}`,
  );

test('a pipeline with all keys that real files have has no wrong key', () => {
  const text = `type: orchestration
version: "1.0"
pipeline:
  metadata: { description: x }
  components:
    Start: { type: start, transitions: { unconditional: [A], success: [], failure: [], "true": [], false: [] } }
    A: { type: loop, parameters: {}, sources: [], iterationTarget: B, skipped: true, postProcessing: {} }
    B:
  variables: { x: { metadata: { type: TEXT }, defaultValue: "" } }
design: { components: { A: { position: { x: 1 } } } }
`;
  expect(found(text)).toEqual([]);
});

test.each([
  ['pipeline:\n  component: {}\n', 'a.orch.yaml:2:3 unknown key `component`; did you mean `components`?'],
  ['pipelines: {}\npipeline: {}\n', 'a.orch.yaml:1:1 unknown key `pipelines`; did you mean `pipeline`?'],
  ['pipeline: {}\nvariables: {}\n', 'a.orch.yaml:2:1 `variables` must be below `pipeline`: indent it'],
  [
    'pipeline:\n  components:\n    A: { type: start, transitions: { succes: [A] } }\n',
    'a.orch.yaml:3:38 unknown transition `succes` of a component; did you mean `success`?',
  ],
  [
    'pipeline:\n  components:\n    A: { type: start, transitions: { then: [A] } }\n',
    'a.orch.yaml:3:38 unknown transition `then` of a component; known transitions: success, failure, unconditional, true, false',
  ],
  [
    'pipeline:\n  components:\n    A: { type: start, transition: {} }\n',
    'a.orch.yaml:3:23 unknown key `transition` of a component; did you mean `transitions`?',
  ],
  [
    'pipeline:\n  components:\n    A: { type: start, sqlScript: x }\n',
    'a.orch.yaml:3:23 unknown key `sqlScript` of a component; a parameter must be below `parameters`; known keys: type, parameters, transitions, sources, iterationTarget, skipped, postProcessing',
  ],
])('%j has a wrong key', (text, problem) => {
  expect(found(text)).toEqual([problem]);
});

test('other keys of the file and of the pipeline are left alone', () => {
  expect(found('pipeline: { owner: x }\nnotes: x\n')).toEqual([]);
});
