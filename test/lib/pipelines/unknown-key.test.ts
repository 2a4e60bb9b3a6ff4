import { expect, test } from 'vitest';
import { firstBreaches } from '../../../lib/pipelines/checks/breach.ts';
import { unknownKeys } from '../../../lib/pipelines/checks/unknown-key.ts';
import { readPipeline } from '../../../lib/pipelines/model/read-pipeline.ts';

const found = (text: string) =>
  Array.from(
    firstBreaches(unknownKeys(readPipeline('a.orch.yaml', text))),
    ({ file, range, message }) => `${file}:${range.line}:${range.column} ${message}`,
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
  ['pipeline:\n  component: {}\n', 'a.orch.yaml:2:3 Unknown key `component`; did you mean "components"?'],
  ['pipelines: {}\npipeline: {}\n', 'a.orch.yaml:1:1 Unknown key `pipelines`; did you mean "pipeline"?'],
  ['pipeline: {}\nvariables: {}\n', 'a.orch.yaml:2:1 `variables` must be below `pipeline`: indent it.'],
  [
    'pipeline:\n  components:\n    A: { type: start, transitions: { succes: [A] } }\n',
    'a.orch.yaml:3:38 Unknown transition `succes` of a component; did you mean "success"?',
  ],
  [
    'pipeline:\n  components:\n    A: { type: start, transitions: { then: [A] } }\n',
    'a.orch.yaml:3:38 Unknown transition `then` of a component; known transitions: success, failure, unconditional, true, false.',
  ],
  [
    'pipeline:\n  components:\n    A: { type: start, transition: {} }\n',
    'a.orch.yaml:3:23 Unknown key `transition` of a component; did you mean "transitions"?',
  ],
  [
    'pipeline:\n  components:\n    A: { type: start, sqlScript: x }\n',
    'a.orch.yaml:3:23 Unknown key `sqlScript` of a component; a parameter must be below `parameters`; known keys: type, parameters, transitions, sources, iterationTarget, skipped, postProcessing.',
  ],
])('%j has a wrong key', (text, problem) => {
  expect(found(text)).toEqual([problem]);
});

test('other keys of the file and of the pipeline are left alone', () => {
  expect(found('pipeline: { owner: x }\nnotes: x\n')).toEqual([]);
});
