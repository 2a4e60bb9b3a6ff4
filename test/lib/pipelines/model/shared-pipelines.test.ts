import { expect, test } from 'vitest';
import {
  readSharedPipelines,
  sharedPipelinesPath,
} from '../../../../lib/pipelines/model/shared-pipelines.ts';

const text = [
  'version: "1.0"',
  'type: shared-pipelines-config',
  'pipelines:',
  '  - pipeline: shared/close month',
  '    displayName: Close the month',
  '    id: close-month',
  '    description: Closes the books of one month',
  '    enabled: true',
  '    parameters:',
  '      month:',
  '        type: TEXT',
  '        exportAllowed: true',
  '        description: Which month',
  '        default: 2026-01',
  '      accounts:',
  '        type: GRID',
  '        exportAllowed: false',
  '        columns: [account, name]',
  '        default: [["1", cash]]',
  '  - { pipeline: shared/old.orch.yaml, id: old, enabled: false }',
  '  - { pipeline: shared/new.orch.yaml, id: new }',
].join('\n');

test('the file is in the configuration folder', () => {
  expect(sharedPipelinesPath()).toBe('.platform/shared-pipelines.yaml');
  expect(sharedPipelinesPath('.other')).toBe('.other/shared-pipelines.yaml');
});

test('entries are read with their parameters and the line that they begin at', () => {
  const { pipelines, problems } = readSharedPipelines('shared.yaml', text);
  expect(problems).toEqual([]);
  expect(pipelines[0]).toEqual({
    pipeline: 'shared/close month',
    id: 'close-month',
    displayName: 'Close the month',
    description: 'Closes the books of one month',
    enabled: true,
    parameters: [
      {
        name: 'month',
        range: expect.objectContaining({ line: 10, column: 7 }),
        type: 'TEXT',
        exportAllowed: true,
        description: 'Which month',
        default: '2026-01',
        columns: [],
      },
      {
        name: 'accounts',
        range: expect.objectContaining({ line: 15, column: 7 }),
        type: 'GRID',
        exportAllowed: false,
        description: undefined,
        default: [['1', 'cash']],
        columns: ['account', 'name'],
      },
    ],
    range: { line: 4, column: 5, endLine: 4, endColumn: 13 },
  });
  expect(pipelines.map(({ id, enabled }) => [id, enabled])).toEqual([
    ['close-month', true],
    ['old', false],
    ['new', true],
  ]);
});

test('a file without pipelines shares none', () => {
  for (const none of ['type: shared-pipelines-config', 'version: "1.0"\npipelines:', 'pipelines: []']) {
    expect(readSharedPipelines('shared.yaml', none)).toMatchObject({ pipelines: [], problems: [] });
  }
});

test.each([
  ['another type', 'type: something-else\npipelines: []', '1:7'],
  ['pipelines that are a map', 'pipelines: { a: b }', '1:1'],
  ['an empty file', '', '1:1'],
  ['an entry without an id', 'pipelines:\n- pipeline: a', '2:3'],
  ['an entry without a pipeline', 'pipelines:\n- id: a', '2:3'],
  ['an entry that is a text', 'pipelines:\n- a', '2:3'],
  ['a duplicate id', 'pipelines:\n- { id: a, pipeline: b }\n- { id: a, pipeline: c }', '3:5'],
  ['broken YAML', 'pipelines: [', '1:13'],
])('%s is a problem at its place', (_title, broken, place) => {
  const [problem] = readSharedPipelines('shared.yaml', broken).problems;
  expect(problem && `${problem.file} ${problem.line}:${problem.column}`).toBe(`shared.yaml ${place}`);
});

test.each(['false', 'False', 'FALSE', '"false"'])('an entry with enabled: %s is disabled', (enabled) => {
  const entry = `{ pipeline: a, id: a, enabled: ${enabled}, parameters: { p: { exportAllowed: True } } }`;
  const { pipelines } = readSharedPipelines('shared.yaml', `pipelines: [${entry}]`);
  expect(pipelines).toMatchObject([{ enabled: false, parameters: [{ exportAllowed: true }] }]);
});

test.each([
  ['enabled: no', '1:44', '"enabled" must be true or false'],
  ['enabled: 0', '1:44', '"enabled" must be true or false'],
  ['enabled: flase', '1:44', '"enabled" must be true or false'],
  ['enabled: ~', '1:35', '"enabled" must be true or false'],
  ['enabled: [false]', '1:44', '"enabled" must be true or false'],
  ['enable: false', '1:35', 'There is no key "enable"; did you mean "enabled"?'],
  ['Enabled: false', '1:35', 'There is no key "Enabled"; did you mean "enabled"?'],
])('%s is a problem, because the entry would be enabled', (written, place, message) => {
  const entry = `pipelines: [{ pipeline: a, id: a, ${written} }]`;
  const { problems } = readSharedPipelines('shared.yaml', entry);
  expect(problems.map((one) => `${one.line}:${one.column} ${one.message}`)).toEqual([`${place} ${message}`]);
});

test('a key that is not like any of ours is left to the platform', () => {
  const entry = 'pipelines: [{ pipeline: a, id: a, owner: finance, enabled: True }]';
  expect(readSharedPipelines('shared.yaml', entry)).toMatchObject({ problems: [] });
});
