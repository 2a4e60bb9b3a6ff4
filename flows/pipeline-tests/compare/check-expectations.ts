import type { Located } from '../../../engine/index.ts';
import { checkTable } from './check-table.ts';
import { comparableOfNode, areEqual } from './compare-values.ts';
import { parseDecimal } from '../../../lib/core/values/decimal.ts';
import { checkOutcome } from './check-outcome.ts';
import { ranComponents } from './ran-components.ts';
import type { TestRun } from './test-run.ts';
import type { TestVariable } from '../files/test-file.ts';
import type { Difference, Shown } from './test-result.ts';
import { gridOf } from '../../../lib/pipelines/model/grid.ts';
import { shownNode, shownNumber } from './shown-value.ts';

/** Finds all expectations of a test that are false. */
export async function checkExpectations(run: TestRun): Promise<readonly Difference[]> {
  const { expected } = run.planned.test;
  const outcome = checkOutcome(run);
  // After a refusal or at the time limit, what is in the warehouse says nothing about the pipeline.
  if (outcome.some(({ kind }) => kind === 'refused' || kind === 'timeout')) return outcome;
  const tables: Difference[] = [];
  for (const table of expected.tables) tables.push(...(await checkTable(table, run)));
  const variables = expected.variables.flatMap((variable) => checkVariable(variable, run));
  return [...outcome, ...tables, ...variables, ...checkRan(run)];
}

function checkRan({ planned: { test, document }, state }: TestRun): readonly Difference[] {
  const ran = ranComponents(document.path, state);
  const difference = (kind: 'ran' | 'not-ran', { text, place }: Located): Difference => ({
    kind,
    ...place,
    component: text,
    message:
      kind === 'ran'
        ? `the component "${text}" did not run`
        : `the component "${text}" ran; it was expected not to`,
  });
  return [
    ...test.expected.ran.filter(({ text }) => !ran.has(text)).map((name) => difference('ran', name)),
    ...test.expected.notRan.filter(({ text }) => ran.has(text)).map((name) => difference('not-ran', name)),
  ];
}

function checkVariable({ name, node, place }: TestVariable, run: TestRun): readonly Difference[] {
  const variable = run.variables.get(name.text);
  const difference = (actual: Shown, message: string): readonly Difference[] => [
    { kind: 'variable', ...place, expected: shownNode(node), actual, message },
  ];
  if (variable === undefined) return difference(null, `the variable "${name.text}" does not exist`);
  const { type, value } = variable;
  const what = `the variable "${name.text}"`;
  if (typeof value !== 'string') {
    const same = node.kind === 'list' && JSON.stringify(gridOf(node)) === JSON.stringify(value);
    return same ? [] : difference(value, `${what} has other rows`);
  }
  if (node.kind !== 'scalar') return difference(value, `${what} is not a grid`);
  if (node.value === null && value === '') return [];
  if (type !== 'NUMBER') {
    if (node.value === value) return [];
    const isText = typeof node.value === 'string' || node.value === null;
    const hint = isText
      ? ''
      : `. The actual value is a text: write the expected text "${node.text}" in quotes`;
    return difference(value, `${what} has a different value${hint}`);
  }
  const number = { name: 'NUMBER', precision: 38, scale: 0 } as const;
  const actual = parseDecimal(value);
  const actualValue =
    actual === undefined ? { key: `text:${value}` } : { key: `number:${writeKey(value)}`, number: actual };
  const isEqual = areEqual(comparableOfNode(node, number), actualValue, { units: 0n, scale: 0 });
  if (isEqual) return [];
  const isQuoted = typeof node.value === 'string' && parseDecimal(node.value) !== undefined;
  const hint = isQuoted ? '. The actual value is a number: write the expected number without quotes' : '';
  return difference(shownNumber(value), `${what} has a different value${hint}`);
}

function writeKey(text: string): string {
  const number = parseDecimal(text);
  return number === undefined ? text : `${number.units}e${-number.scale}`;
}
