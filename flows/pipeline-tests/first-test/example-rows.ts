import { type ExampleColumn, exampleValue } from './examples/example-columns.ts';
import { dayBeside } from './examples/row-conditions.ts';
import type { TestParts } from './test-parts.ts';
import type { TestProject } from '../files/test-project.ts';
import { yamlQuoted, yamlRow, yamlText } from '../files/yaml-text.ts';

/**
 * The text of a table in `given`, with two rows, so that joins, filters and aggregates have data. If there are
 * several tables, a third row has keys that the others lack, so that a test can distinguish a left join from an
 * inner join.
 */
export function tableText(
  name: string,
  columns: readonly ExampleColumn[],
  { rows: { current, written }, tables, path }: TestParts,
  project: TestProject,
): string {
  const types = columns.map((column) => [column.name, yamlText(column.type)] as const);
  const lines = [`      ${yamlText(name)}:`, `        columns: ${yamlRow(types)}`];
  if (current.hasEmptyTargets && written.has(name)) return [...lines, '        rows: []'].join('\n');
  const position = [...tables.keys()].indexOf(name) + 1;
  // What the pipeline reads is ahead of what it has written before.
  const distance = current.isApart && !written.has(name) ? position + tables.size : 0;
  const isNested = columns.some((column) => exampleValue(column, 1, project, path).startsWith('{'));
  const all = tables.size > 1 && !isNested ? [0, distance, distance + position] : [0, distance];
  const distances = current.hasSingleRows ? all.slice(0, 1) : all;
  const rows = distances.map((far, index) =>
    yamlRow(
      columns.map((column) => {
        const value = exampleValue(column, index === 0 ? 0 : 1, project, path, current.hasSingleItems);
        const other = apart(value, far);
        return [column.name, fits(other, column) ? other : value] as const;
      }),
    ),
  );
  return [...lines, '        rows:', ...rows.map((row) => `          - ${row}`)].join('\n');
}

/** Whether a value is not longer than the type of its column allows. */
function fits(value: string, { type }: ExampleColumn): boolean {
  const [, size] = /\((\d+)/.exec(type) ?? [];
  return size === undefined || value.replaceAll("'", '').length <= Number(size);
}

/** A whole number, a text with one, or a day that is later by a distance. */
function apart(value: string, distance: number): string {
  if (distance === 0) return value;
  const [, day, time = ''] = /^'(\d{4}-\d\d-\d\d)([^']*)'$/.exec(value) ?? [];
  if (day !== undefined) return yamlQuoted(`${dayBeside(day, distance)}${time}`);
  if (/^\d{1,9}$/.test(value)) return String(Number(value) + distance);
  const [, text] = /^'(\d{1,9})'$/.exec(value) ?? [];
  return text === undefined ? value : yamlQuoted(String(Number(text) + distance));
}
