import { expect, test } from 'vitest';
import { readRulesFile, rulesFilePath } from '../../../lib/pipelines/rules-file.ts';

test('the rules file is in the configuration folder, whose name is a setting', () => {
  expect(rulesFilePath()).toBe('.platform/config/pipeline_quality_rules.yaml');
  expect(rulesFilePath('.other')).toBe('.other/config/pipeline_quality_rules.yaml');
});

test('enabled entries are read in order, with the place of their id', () => {
  const { entries, problems } = readRulesFile(
    'rules.yaml',
    [
      'rules:',
      '  - id: maximum-components',
      '    enabled: true',
      '    enforcementLevel: "warn"',
      '    config:',
      '      maxComponents: 12',
      '  - id: unused-components',
      '    enabled: false',
      '  - enabled: true',
      '    id: copied-variables',
    ].join('\n'),
  );
  expect(problems).toEqual([]);
  expect(
    entries.map(({ id, enforcementLevel, range }) => [id, enforcementLevel, range.line, range.column]),
  ).toEqual([
    ['maximum-components', 'warn', 2, 9],
    ['copied-variables', undefined, 10, 9],
  ]);
});

test('unknown keys are ignored', () => {
  const text = 'version: 2\nrules:\n- { id: a, enabled: true, enforcementLevel: warn, note: x }';
  expect(readRulesFile('rules.yaml', text).problems).toEqual([]);
});

test.each([
  ['a text', 'hello', '1:1'],
  ['a list at the top', '- id: a', '1:1'],
  ['no rules', 'rule: []', '1:1'],
  ['bare rules', 'version: 1\nrules:', '2:1'],
  ['an entry that is a text', 'rules:\n- unused-components', '2:3'],
  ['an enabled that is a word', 'rules:\n- { id: a, enabled: yes }', '2:21'],
  ['an enabled that is a number', 'rules:\n- { id: a, enabled: 1 }', '2:21'],
  ['a bare enabled', 'rules:\n- id: a\n  enabled:', '3:3'],
  ['an empty id', 'rules:\n- { id: "", enabled: true }', '2:9'],
  ['an id that is a list', 'rules:\n- { id: [a], enabled: true }', '2:9'],
  ['a second document', 'rules: []\n---\nrules: []', '2:1'],
])('%s is a problem at its place', (_title, text, place) => {
  const [problem] = readRulesFile('rules.yaml', text).problems;
  expect(problem && `${problem.line}:${problem.column}`).toBe(place);
});

test('one bad entry makes the whole file unreadable', () => {
  const text = 'rules:\n- { id: a, enabled: true }\n- { enabled: true }';
  expect(readRulesFile('rules.yaml', text).entries).toEqual([]);
});
