import { expect, test } from 'vitest';
import { compileHelp } from '../../../flows/data-graph/compile/compile-help.ts';
import type { CompileSettings } from '../../../flows/data-graph/compile/conclude-compile.ts';
import { reportOfCompile, suppressedOf } from '../../../flows/data-graph/compile/report.ts';
import { compileRules } from '../../../lib/config/project/compile-schema.ts';
import { readProjectConfig } from '../../../lib/config/project/read-project-config.ts';
import { terminalLines } from '../../../lib/report/terminal.ts';
import { compiled, copy, findings, script } from './small-projects.ts';

const before = {
  'setup.orch.yaml': script('create or replace table ORDERS (ID number, AMOUNT number(10,2));'),
  'a.tran.yaml': copy('ORDERS', ['ID', 'AMOUNT'], 'SALES'),
  'b.tran.yaml': copy('SALES', ['ID', 'AMOUNT'], 'REPORT'),
};
const renamed = { ...before, 'a.tran.yaml': copy('ORDERS', ['ID', 'AMOUNT'], 'SALES', ['ID', 'TOTAL']) };

const rename = {
  table: 'public.sales',
  column: 'amount',
  reason: 'Renamed in two steps; b follows in the next release.',
  until: '2026-01-31',
};

test('one entry accepts a column that is renamed in two steps: in the change, and after it at the readers', async () => {
  const settings = { accept: [rename] };
  const change = await compiled(renamed, before, settings);
  expect(findings(change)).toEqual([]);
  expect(change.accepted[0]?.findings.map(({ rule }) => rule)).toEqual(['breaking-change']);
  const after = await compiled(renamed, undefined, settings);
  expect(after.accepted[0]?.findings.map(({ rule, file }) => `${rule} ${file}`)).toEqual([
    'missing-column b.tran.yaml',
  ]);

  const report = reportOfCompile(change, { prefix: 'finance/' });
  expect(report.outcome).toBe('passed');
  expect(terminalLines(report)).toEqual(
    expect.arrayContaining([
      'Accepted in millrace.yaml, and still open',
      '  until       what                 findings               reason',
      '  2026-01-31  public.sales.amount  finance/b.tran.yaml:7  Renamed in two steps; b follows in the next release.',
    ]),
  );
  expect(suppressedOf(change).map(({ rule, reason }) => `${rule}: ${reason}`)).toEqual([
    `compile/breaking-change: ${rename.reason}`,
  ]);
});

test('an acceptance ends after its last day, and says so', async () => {
  const on = (now: string): Partial<CompileSettings> => ({ accept: [rename], now: Date.parse(now) });
  const last = await compiled(renamed, before, on('2026-01-31T23:59:59Z'));
  expect(reportOfCompile(last).outcome).toBe('passed');
  const over = reportOfCompile(await compiled(renamed, before, on('2026-02-01T00:00:00Z')));
  expect(over.outcome).toBe('failed');
  expect(over.findings.map(({ rule }) => rule)).toEqual(['compile/breaking-change']);
  expect(over.notes).toEqual([
    'The entry "public.sales.amount" of compile.accept in millrace.yaml expired on 2026-01-31: change what still reads it, or set a new date.',
  ]);
});

test('an entry that matches nothing is named, unless only a comparison with a base could tell', async () => {
  const settings = { accept: [rename, { ...rename, rule: 'breaking-change' as const }] };
  const note = 'The entry "public.sales.amount" of compile.accept in millrace.yaml matches no finding.';
  expect(reportOfCompile(await compiled(before, undefined, settings)).notes).toEqual([
    `${note} Remove it if the change is complete.`,
  ]);
  expect(reportOfCompile(await compiled(before, before, settings)).notes).toHaveLength(2);
});

test('an entry matches only what it names', async () => {
  for (const other of [
    { table: 'ORDERS' },
    { column: 'ID' },
    { rule: 'missing-table' as const },
    { file: 'c/**' },
    { component: 'Read' },
  ]) {
    const { findings: left } = await compiled(renamed, before, { accept: [{ ...rename, ...other }] });
    expect([other, left.length]).toEqual([other, 1]);
  }
});

test('severities of millrace.yaml apply, and `off` leaves a rule out', async () => {
  const missing = async (rules: CompileSettings['rules']) => {
    const report = reportOfCompile(await compiled(renamed, undefined, { rules }));
    return [report.outcome, ...report.findings.map(({ severity }) => severity)];
  };
  expect(await missing({})).toEqual(['failed', 'error']);
  expect(await missing({ 'missing-column': 'warning' })).toEqual(['passed', 'warning']);
  expect(await missing({ 'missing-column': 'off' })).toEqual(['passed']);
});

test('what the baseline has is known also when its line moves, and new findings still count', async () => {
  const { nextBaseline } = await compiled(renamed);
  const moved = { ...renamed, 'b.tran.yaml': `# moved\n${renamed['b.tran.yaml']}` };
  const known = reportOfCompile(await compiled(moved, undefined, { baseline: nextBaseline }));
  expect([known.outcome, known.headline]).toEqual(['passed', '3 pipelines compiled: 0 new findings.']);
  expect(known.findings.map(({ state, line }) => `${state} ${line}`)).toEqual(['known 8']);
  const second = { ...moved, 'c.tran.yaml': copy('SALES', ['AMOUNT'], 'LAST') };
  const more = reportOfCompile(await compiled(second, undefined, { baseline: nextBaseline }));
  expect([more.outcome, more.headline]).toEqual(['failed', '4 pipelines compiled: 1 new finding.']);
});

test('a baseline never knows what a change breaks', async () => {
  const { nextBaseline, findings: broken } = await compiled(renamed, before);
  expect(nextBaseline).toEqual([]);
  const entry = { rule: 'compile/breaking-change', file: 'a.tran.yaml', component: 'Write' };
  const baseline = broken.map(({ fingerprint }) => ({ ...entry, fingerprint }));
  const { findings: again } = await compiled(renamed, before, { baseline });
  expect(again.map(({ state }) => state)).toEqual(['new']);
});

test('an entry of millrace.yaml says what it accepts, and until when', () => {
  const read = (entry: string) =>
    readProjectConfig(`version: 1\ncompile:\n  accept:\n    - ${entry}\n`, 'millrace.yaml').compile.accept;
  expect(read('{ rule: cannot-run, file: legacy/**, reason: The warehouse knows this. }')).toHaveLength(1);
  expect(() => read('{ reason: Agreed with all readers., until: 2026-12-31 }')).toThrow(
    'must name a rule, a table, a column, a file or a component',
  );
  expect(() => read('{ table: SALES, reason: Agreed with all readers. }')).toThrow('must have `until`');
});

test('every rule has a help of its own', () => {
  const texts = compileRules.map((rule) => compileHelp(`compile/${rule}`).summary);
  expect(new Set(texts).size).toBe(compileRules.length);
});
