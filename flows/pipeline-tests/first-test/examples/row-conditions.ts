import { compareTexts } from '../../../../lib/core/text/compare-texts.ts';
import type { Component } from '../../../../lib/pipelines/model/component.ts';
import { gridOf } from '../../../../lib/pipelines/model/grid.ts';
import { variableName } from '../../../../lib/pipelines/model/variable-name.ts';
import { calledPipelines } from './called-pipelines.ts';
import { sameColumns } from './same-columns.ts';
import type { TestProject } from '../../files/test-project.ts';

interface Condition {
  readonly isNegated: boolean;
  readonly comparator: string;
  readonly value: string;
}

/**
 * A value that passes the filters on a column, without quotes: the example if it passes, else a value that a filter
 * names or one next to it. Considers the filters in the tested pipeline and those that it calls; if these have
 * none, the filters of the first pipeline of the project that has some. Undefined without a filter.
 */
export function passingValue(
  column: string,
  example: string,
  project: TestProject,
  tested?: string,
): string | undefined {
  const testedFiles = new Set(tested === undefined ? [] : calledPipelines(tested, project));
  const others = project.pipelines.filter((file) => !testedFiles.has(file)).map((file) => [file]);
  for (const files of [[...testedFiles], ...others]) {
    const conditions: Condition[] = [];
    for (const [file, component] of componentsOf(files, project)) {
      const document = testedFiles.has(file) ? project.pipeline(file) : undefined;
      const columns = document === undefined ? [column] : sameColumns(column, document);
      const more = columns.flatMap((name) => {
        const all = [...conditionsOf(component, name, file, project), ...conditionsInSql(component, name)];
        // A joined column may be null because the join found no row.
        return name === column ? all : all.filter(({ comparator }) => !isNullTest(comparator));
      });
      // Branches of a pipeline may filter the same column for other values.
      if (passing([...conditions, ...more], example) !== undefined) conditions.push(...more);
    }
    if (conditions.length > 0) return passing(conditions, example);
  }
  return undefined;
}

function* componentsOf(
  files: readonly string[],
  project: TestProject,
): Generator<readonly [file: string, component: Component]> {
  for (const file of files)
    for (const component of project.pipeline(file)?.components.values() ?? []) yield [file, component];
}

function passing(conditions: readonly Condition[], example: string): string | undefined {
  const candidates = [example, ...conditions.flatMap(({ value }) => around(value)), ''];
  return candidates.find((candidate) => conditions.every((condition) => holds(condition, candidate)));
}

function conditionsOf(
  component: Component,
  column: string,
  file: string,
  project: TestProject,
): readonly Condition[] {
  return gridOf(component.parameter('filterConditions')).flatMap(
    ([name, word = '', comparator = '', text = '']) => {
      if (name !== column) return [];
      const value = text.replaceAll(
        new RegExp(String.raw`\$\{(${variableName})\}`, 'gu'),
        (reference, variable: string) => {
          const defaultValue = project.pipeline(file)?.variables.get(variable)?.defaultValue;
          return typeof defaultValue === 'string' && defaultValue !== '' ? defaultValue : reference;
        },
      );
      if (value.includes('${')) return [];
      return [
        {
          isNegated: word.trim().toLowerCase() === 'not',
          comparator: comparator.trim().toLowerCase(),
          value: value.replace(/^'(.*)'$/, '$1'),
        },
      ];
    },
  );
}

/** Texts that SQL compares a column with. */
function conditionsInSql(component: Component, column: string): readonly Condition[] {
  const text = component.text('query') ?? component.text('sqlScript') ?? '';
  if (!text.toUpperCase().includes(column.toUpperCase())) return [];
  const name = `(?:\\w+\\.)?"?${RegExp.escape(column)}"?`;
  const pattern = new RegExp(`\\b(?:WHERE|AND|ON)\\s+${name}\\s*=\\s*'([^'$]+)'`, 'gi');
  return [...text.matchAll(pattern)].map(([, value = '']) => ({
    isNegated: false,
    comparator: 'equal to',
    value,
  }));
}

/** A value, and those beside it if it is a number or a day. */
function around(value: string): readonly string[] {
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return [value, String(Number(value) + 1), String(Number(value) - 1)];
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return [value, dayBeside(value, 1), dayBeside(value, -1)];
  const [first = ''] = value.split(',');
  return [value, value.replaceAll('%', '').replaceAll('_', '1'), first.trim().replace(/^'(.*)'$/, '$1')];
}

/** The day a number of days later or earlier. */
export function dayBeside(day: string, step: number): string {
  const time = Date.parse(day);
  return Number.isNaN(time) ? day : new Date(time + step * 86_400_000).toISOString().slice(0, 10);
}

function isNullTest(comparator: string): boolean {
  return /^null(?: or blank)?$|^blank$/.test(comparator);
}

/** Unknown comparators do not decide. An empty candidate means null. */
function holds({ isNegated, comparator, value }: Condition, candidate: string): boolean {
  const result = compare(comparator, candidate, value);
  return result === undefined || result !== isNegated;
}

function compare(comparator: string, left: string, right: string): boolean | undefined {
  if (isNullTest(comparator)) return left === '';
  if (left === '') return false;
  const [a, b] = [Number(left), Number(right)];
  const areNumbers = left !== '' && right !== '' && !Number.isNaN(a) && !Number.isNaN(b);
  const order = areNumbers ? a - b : compareTexts(left, right);
  if (comparator === 'equal to') return order === 0;
  // Another text may be the name of a column.
  if (comparator.includes('than') && !areNumbers && !/^\d{4}-\d{2}-\d{2}/.test(right)) return undefined;
  switch (comparator) {
    case 'less than':
      return order < 0;
    case 'less than or equal to':
      return order <= 0;
    case 'greater than':
      return order > 0;
    case 'greater than or equal to':
      return order >= 0;
    case 'like':
      return left === right.replaceAll('%', '').replaceAll('_', '1');
    case 'in':
      return right.split(',').some((item) => item.trim().replace(/^'(.*)'$/, '$1') === left);
    default:
      return undefined;
  }
}
