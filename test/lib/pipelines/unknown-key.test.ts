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
  variables:
    x: { metadata: { type: TEXT, description: x, scope: COPIED, visibility: PRIVATE }, defaultValue: "" }
    g:
      metadata: { type: GRID, columns: { a: { columnType: TEXT }, b: { columnType: NUMBER } } }
      defaultValue: [[x, "1"], [y, "2"]]
    h: { metadata: { type: GRID, columns: { a: { columnType: TEXT } } }, defaultValue: [] }
    other: { metadata: { type: CURRENCY, scope: GLOBAL } }
    empty:
design: { components: { A: { position: { x: 1 } } } }
`;
  expect(found(text)).toEqual([]);
});

const variable = (text: string) => `pipeline:\n  components: {}\n  variables: { v: ${text} }\n`;
const at = (column: number, message: string) => `a.orch.yaml:3:${column} ${message}`;

test.each([
  ['{ metdata: {} }', at(21, 'Unknown key `metdata` of the variable "v"; did you mean "metadata"?')],
  ['{ type: NUMBER }', at(21, 'Unknown key `type` of the variable "v": it must be below `metadata`.')],
  ['{ value: x }', at(21, 'Unknown key `value` of the variable "v"; known keys: metadata, defaultValue.')],
  [
    '{ metadata: { scop: COPIED } }',
    at(33, 'Unknown key `scop` in `metadata` of the variable "v"; did you mean "scope"?'),
  ],
  [
    '{ metadata: { type: number } }',
    at(39, 'The `type` "number" of the variable "v" has no effect; write NUMBER.'),
  ],
  [
    '{ metadata: { visibility: Private } }',
    at(45, 'The `visibility` "Private" of the variable "v" has no effect; write PRIVATE.'),
  ],
  [
    'x',
    at(19, 'The variable "v" must be a map of `metadata` and `defaultValue`; this value would be ignored.'),
  ],
  [
    '{ metadata: { type: TEXT }, defaultValue: [x] }',
    at(61, '`defaultValue` of the variable "v" must be one value; this value would be ignored.'),
  ],
  [
    '{ metadata: { type: GRID, columns: [a] }, defaultValue: [{ a: x }] }',
    at(
      76,
      '`defaultValue` of the variable "v" must be a list of rows, such as [[a, b]]; this value would be ignored.',
    ),
  ],
  [
    '{ metadata: { type: TEXT }, defaultValue: null }',
    at(
      61,
      '`defaultValue` of the variable "v" has an unquoted null, which may mean a text or nothing; write "null" for the text, or "" for an empty text.',
    ),
  ],
  [
    '{ metadata: { type: GRID, columns: [a, b] }, defaultValue: [[~, k]] }',
    at(
      80,
      '`defaultValue` of the variable "v" has an unquoted ~, which may mean a text or nothing; write "~" for the text, or "" for an empty text.',
    ),
  ],
  [
    '{ metadata: { type: GRID, columns: [a] }, defaultValue: [[x, y]] }',
    at(76, 'A row of `defaultValue` of the variable "v" has 2 cells, but the grid has 1 column.'),
  ],
])('the variable %s has another meaning than it seems', (text, message) => {
  expect(found(variable(text))).toEqual([message]);
});

test.each([
  [
    '{ type: and, transitions: { "true": [A] } }',
    'Only an `if` has the transition `true`: it is never taken here.',
  ],
  [
    '{ type: and, iterationTarget: A }',
    'Only iterators and `retry` have an `iterationTarget`: nothing is repeated here.',
  ],
  [
    '{ type: retry, iterationTarget: [A, B] }',
    '`iterationTarget` must be one component: only the first one would be repeated.',
  ],
  [
    '{ type: and, postProcessing: { updateScalarVariable: [] } }',
    'Unknown key of postProcessing `updateScalarVariable` of a component; did you mean "updateScalarVariables"?',
  ],
])('the component %s has a key that nothing reads', (text, message) => {
  expect(found(`pipeline:\n  components:\n    A: ${text}\n`)).toEqual([expect.stringContaining(message)]);
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
