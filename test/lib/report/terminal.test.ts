import { expect, test } from 'vitest';
import { findingLines } from '../../../lib/report/terminal.ts';
import { paintFinding, wantsColour } from '../../../cli/terminal/paint.ts';
import type { Finding } from '../../../lib/core/outcomes/finding.ts';
import { PassThrough } from 'node:stream';

const finding = (range: Partial<Finding>): Finding => ({
  rule: 'r',
  severity: 'error',
  file: 'a.orch.yaml',
  line: 3,
  column: 5,
  endLine: 3,
  endColumn: 9,
  message: 'Bad name',
  source: 'millrace',
  state: 'new',
  fingerprint: 'f',
  ...range,
});
const lines = (range: Partial<Finding>, source: string | undefined) =>
  findingLines([finding(range)], () => source);

test('a finding shows its source line with carets under its range', () => {
  expect(lines({}, '    load:')).toEqual([
    'a.orch.yaml',
    '  3:5      error    Bad name (r, f)',
    '      3 |     load:',
    '        |     ^^^^',
    '',
  ]);
});

test('a tab counts as one column, and a range of several lines is marked to the end of its first line', () => {
  expect(lines({ column: 2, endLine: 5, endColumn: 1 }, '\tload: [').slice(2, 4)).toEqual([
    '      3 |  load: [',
    '        |  ^^^^^^^',
  ]);
});

test('a finding in a very long line shows the part around the finding', () => {
  const [, , shown = '', carets = ''] = lines(
    { column: 5001, endColumn: 5005 },
    `${'x'.repeat(5000)}load${'y'.repeat(5000)}`,
  );
  expect(shown.length).toBeLessThan(120);
  expect(shown.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('load');
});

test('a finding about the whole file, or about a removed file, has no excerpt', () => {
  expect(lines({ line: 1, column: 1, endLine: 1, endColumn: 1 }, 'type: x')).toHaveLength(3);
  expect(lines({}, undefined)).toHaveLength(3);
});

test('only the severity and the carets are coloured, not text that looks like them', () => {
  expect(paintFinding('  3:5      error    Bad error (r)')).toBe(
    '  3:5      \u001b[31merror\u001b[39m    Bad error (r)',
  );
  expect(paintFinding('        |     ^^^^')).toContain('\u001b[32m');
  expect(paintFinding('error.orch.yaml')).toBe('error.orch.yaml');
});

test('colours are for terminals only, and not where NO_COLOR is set', () => {
  const terminal = Object.assign(new PassThrough(), { isTTY: true });
  expect(wantsColour({ stdout: terminal, env: { TERM: 'xterm' } })).toBe(true);
  expect(wantsColour({ stdout: terminal, env: { NO_COLOR: '1' } })).toBe(false);
  expect(wantsColour({ stdout: new PassThrough(), env: {} })).toBe(false);
});
