import { type ExampleColumn, exampleValue } from './example-columns.ts';
import { dayBeside } from './row-conditions.ts';
import type { TestParts } from './test-parts.ts';
import type { TestProject } from './test-project.ts';
import { yamlQuoted, yamlRow, yamlText } from './yaml-text.ts';

/** A table of `given`: two rows, so that joins, filters and aggregates have something to do. */
export function tableText(
  name: string,
  columns: readonly ExampleColumn[],
  { rows: { current, written }, tables, path }: TestParts,
  project: TestProject,
): string {
  const types = columns.map((column) => [column.name, yamlText(column.type)] as const);
  const lines = [`      ${yamlText(name)}:`, `        columns: ${yamlRow(types)}`];
  if (current.hasEmptyTargets && written.has(name)) return [...lines, '        rows: []'].join('\n');
  // What the pipeline reads is ahead of what it has written before.
  const distance = current.isApart && !written.has(name) ? [...tables.keys()].indexOf(name) + 1 : 0;
  const rows = ([0, 1] as const).map((row) =>
    yamlRow(
      columns.map((column) => {
        const value = exampleValue(column, row, project, path);
        return [column.name, row === 0 ? value : apart(value, distance)] as const;
      }),
    ),
  );
  return [...lines, '        rows:', ...rows.map((row) => `          - ${row}`)].join('\n');
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
