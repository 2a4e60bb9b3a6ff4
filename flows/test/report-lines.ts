import { numberOf } from '../../lib/core/number-of.ts';
import { oneLine, sanitizeLine } from '../../lib/core/sanitize-text.ts';
import type { Coverage } from './coverage.ts';
import { isRow, rowLines, shownText } from './row-lines.ts';
import type { TestReport } from './run-tests.ts';
import type { Difference, TestResult } from './test-result.ts';

/** The report for a terminal: every test, then every failed one with its differences. */
export function reportLines(report: TestReport): readonly string[] {
  const files = Map.groupBy(report.tests, ({ file }) => file);
  const list = [...files].flatMap(([file, tests]) => [
    oneLine(file),
    ...tests.map(
      (test) => `  ${test.status.padEnd(7)}  ${oneLine(test.name)}  ${Math.round(test.durationMs)} ms`,
    ),
  ]);
  const failed = report.tests.filter(({ status }) => status !== 'passed');
  return [
    ...list,
    '',
    ...failed.flatMap((test) => [...failureLines(test), '']),
    ...(report.coverage === undefined ? [] : [...coverageLines(report.coverage), '']),
    totalLine(report),
  ];
}

/** `3 tests: 2 passed, 1 failed, 0 refused.` */
export function totalLine({ tests, passed, failed, refused }: TestReport): string {
  return `${numberOf(tests.length, 'test')}: ${passed} passed, ${failed} failed, ${refused} refused.`;
}

function failureLines(test: TestResult): readonly string[] {
  return [
    `${oneLine(test.file)}:${test.line} ${oneLine(test.name)}`,
    ...differenceLines(test).map((line) => `  ${line}`),
  ];
}

/** The differences of a test; those of the rows of one table are shown together. */
export function differenceLines({ differences, file }: TestResult): readonly string[] {
  const tables = Map.groupBy(differences.filter(isRow), ({ table }) => table ?? '');
  const others = differences.filter((one) => !isRow(one));
  return [
    ...others.flatMap((one) => [...messageLines(one, file), ...valueLines(one)]),
    ...[...tables].flatMap(([table, rows]) => [
      `${rowsPlace(rows, file)}  table "${oneLine(table)}": ${rowSummary(rows)}${rows[0] === undefined ? '' : writerText(rows[0])}`,
      ...rowLines(rows).map((line) => `  ${line}`),
    ]),
  ];
}

/** A message may have several lines: those of a mock to add. */
function messageLines(difference: Difference, file: string): readonly string[] {
  const [first = '', ...more] = difference.message.split('\n');
  return [
    `${placeText(difference, file)}  ${oneLine(first)}${writerText(difference)}`,
    ...more.map((line) => `    ${sanitizeLine(line, ' ').trimEnd()}`),
  ];
}

function valueLines({ kind, expected, actual }: Difference): readonly string[] {
  if (kind !== 'variable') return [];
  return [`  expected  ${shownText(expected ?? null)}`, `  actual    ${shownText(actual ?? null)}`];
}

/** The line of the first row that the test has; of the table for rows that it does not expect. */
function rowsPlace(rows: readonly Difference[], file: string): string {
  const [first] = rows.toSorted((a, b) => a.line - b.line);
  return first === undefined ? '' : placeText(first, file);
}

/** In the test file itself, the line is enough: its name is in the head. */
function placeText({ file, line, column }: Difference, own: string): string {
  return file === own ? `${line}:${column}` : `${oneLine(file)}:${line}:${column}`;
}

function rowSummary(rows: readonly Difference[]): string {
  const count = (kind: Difference['kind']) => rows.filter((row) => row.kind === kind).length;
  const parts = [
    { count: count('changed-row'), one: 'row differs', many: 'rows differ' },
    { count: count('missing-row'), one: 'row is missing', many: 'rows are missing' },
    { count: count('extra-row'), one: 'row was not expected', many: 'rows were not expected' },
  ];
  const found = parts.filter((part) => part.count > 0);
  const cut = /; of its .*$/.exec(rows[0]?.message ?? '')?.[0] ?? '';
  return found.map((part) => numberOf(part.count, part.one, part.many)).join(', ') + cut;
}

function writerText({ kind, component, at }: Difference): string {
  if (component === undefined || kind === 'ran' || kind === 'not-ran' || kind === 'refused') return '';
  const place = at === undefined ? '' : ` (${oneLine(at.file)}:${at.line})`;
  return kind === 'outcome' ? place : `; written by "${oneLine(component)}"${place}`;
}

/** What no test reached, on its lines. */
export function coverageLines({ pipelines }: Coverage): readonly string[] {
  return pipelines.flatMap(({ pipeline, components, transitions, unreached }) => [
    `${oneLine(pipeline)}  ${components.reached} of ${numberOf(components.all, 'component')}, ${transitions.reached} of ${numberOf(transitions.all, 'transition')}`,
    ...unreached.map(({ line, column, message }) => `  ${line}:${column}  ${oneLine(message)}`),
  ]);
}
