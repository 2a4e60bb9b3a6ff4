import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { annotationCommand, annotationCommands } from '../../../lib/report/annotations.ts';
import { parseCommand } from '../../runner/workflow-command.ts';
import { finding } from '../github/findings.ts';

// A fixed seed: every run tests the same cases.
fc.configureGlobal({ seed: 20_310_101 });

test('a finding has its line and columns, with inclusive ends', () => {
  const [line = ''] = annotationCommands([finding()], { rest: 'elsewhere' });
  expect(parseCommand(line)).toEqual({
    name: 'error',
    properties: {
      file: 'daily/load.orch.yaml',
      line: '4',
      endLine: '4',
      col: '5',
      endColumn: '11',
      title: 'component-naming-convention',
    },
    message: 'The component "load 1" does not match the pattern.',
  });
});

test('a finding over several lines has no columns', () => {
  const [line = ''] = annotationCommands([finding({ endLine: 6 })], { rest: '' });
  expect(parseCommand(line)?.properties).not.toHaveProperty('col');
});

test('ten findings of a level are shown; of eleven nine, and the last line has the number of the others', () => {
  const many = (count: number) =>
    annotationCommands(
      Array.from({ length: count }, (_, line) => finding({ line: line + 1, endLine: line + 1 })),
      { rest: 'the summary' },
    );
  expect(many(10)).toHaveLength(10);
  expect(many(11)).toHaveLength(10);
  expect(many(11).at(-1)).toContain('2 more error findings. See the summary for all findings.');
});

test('the most severe come first, each level has its own ten, and fixed and known ones are omitted', () => {
  const lines = annotationCommands(
    [
      finding({ severity: 'notice' }),
      finding({ severity: 'error' }),
      finding({ state: 'fixed', severity: 'warning' }),
      finding({ state: 'known', severity: 'error', message: 'old' }),
    ],
    { rest: '' },
  );
  expect(lines.map((line) => parseCommand(line)?.name)).toEqual(['error', 'notice']);
});

test('a long message is shortened with an ellipsis below the runner’s limit of 4,096 characters', () => {
  const command = parseCommand(annotationCommand('error', `${'x'.repeat(3_998)}\n${'%'.repeat(2_000)}`));
  expect(command?.message.length).toBeLessThanOrEqual(4_096);
  expect(command?.message.endsWith('…')).toBe(true);
});

test('foreign text does not end the command, start another or get lost', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 });
  fc.assert(
    fc.property(text, text, (file, message) => {
      const line = annotationCommand('warning', message, { file, line: 1 });
      expect(line).not.toMatch(/[\r\n]/u);
      const command = parseCommand(line);
      expect([command?.name, command?.properties['line']]).toEqual(['warning', '1']);
      expect(Object.keys(command?.properties ?? {})).toEqual(['file', 'line']);
    }),
  );
});
