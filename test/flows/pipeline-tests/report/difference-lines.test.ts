import { expect, test } from 'vitest';
import { differenceLines } from '../../../../flows/pipeline-tests/report/difference-lines.ts';
import type { Difference } from '../../../../flows/pipeline-tests/compare/test-result.ts';

const failed: Difference = {
  kind: 'outcome',
  file: 'a.test.yaml',
  line: 7,
  column: 5,
  component: 'Load',
  message: 'the pipeline failed: component "Load": a.orch.yaml:9:13: Division by zero',
};

function linesOf(sql: Difference['sql']) {
  const file = 'a.test.yaml';
  const differences = [{ ...failed, ...(sql === undefined ? {} : { sql }) }];
  const pipeline = 'a.orch.yaml';
  return differenceLines({
    file,
    line: 3,
    name: 'A',
    pipeline,
    status: 'failed',
    durationMs: 1,
    differences,
  });
}

test('a failure shows the SQL as written and what the engine made of it', () => {
  const written = 'select 1 / zero\nfrom t';
  expect(linesOf({ written, ran: 'SELECT CASE WHEN' }).slice(1)).toEqual([
    '  SQL as written:',
    '    select 1 / zero',
    '    from t',
    '  SQL as the engine ran it:',
    '    SELECT CASE WHEN',
  ]);
});

test('SQL that could not be translated is shown as written only', () => {
  expect(linesOf({ written: 'selct 1', ran: undefined }).slice(1)).toEqual([
    '  SQL as written:',
    '    selct 1',
  ]);
  expect(linesOf(undefined)).toHaveLength(1);
});

test('long SQL is cut after 20 lines, and a long line after 500 characters', () => {
  const lines = linesOf({ written: 'x\n'.repeat(30), ran: 'y'.repeat(1_000) });
  expect(lines.filter((line) => line === '    x')).toHaveLength(20);
  expect(lines).toContain('    …');
  expect(lines.at(-1)).toBe(`    ${'y'.repeat(499)}…`);
});
