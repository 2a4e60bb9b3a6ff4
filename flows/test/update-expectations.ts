import type { Column, Value } from '../../engine/index.ts';
import type { Edit } from '../../lib/core/finding.ts';
import { applyEdits } from '../../lib/yaml/apply-edits.ts';
import { childOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import { columnOf, compareRows, countRows, readRows, type Rows } from './compare-table.ts';
import type { RowMatch } from './match-rows.ts';
import type { Inspect } from './run-test.ts';
import { tableNamed } from './table-rows.ts';
import type { ExpectedTable, TestVariable } from './test-file.ts';
import type { TestProject } from './test-project.ts';
import type { TestRun } from './test-run.ts';
import { yamlRow, yamlText, yamlValue } from './yaml-text.ts';

/** A test file with the found values in its expectations. */
export interface UpdatedFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** More rows are not written: nobody could check them. */
const maxRows = 1000;

/** Collects the edits of `--update`: found rows, counts and variables in place of the expected ones. */
export function openUpdate(project: TestProject): {
  readonly inspect: Inspect;
  readonly files: () => readonly UpdatedFile[];
} {
  const edits = new Map<string, Edit[]>();
  return {
    async inspect(run, differences) {
      // What a pipeline leaves that fails, or that was refused, is not what it should leave.
      if (differences.some(({ kind }) => ['outcome', 'refused', 'timeout'].includes(kind))) return;
      const { file } = run.planned.file;
      const all = edits.get(file) ?? [];
      edits.set(file, all);
      const names = new Set(differences.map(({ table }) => table));
      for (const table of run.planned.test.expected.tables)
        if (names.has(table.name.text)) all.push(...(await tableEdits(table, run)));
      const lines = new Set(differences.filter(({ kind }) => kind === 'variable').map(keyOf));
      for (const variable of run.planned.test.expected.variables)
        if (lines.has(keyOf(variable.place))) all.push(...variableEdit(variable, run));
    },
    files: () =>
      [...edits].flatMap(([file, list]) => {
        const before = project.text(file) ?? '';
        const after = applyEdits(before, list).text;
        return after === before ? [] : [{ file, before, after }];
      }),
  };
}

function keyOf({ line, column }: { readonly line: number; readonly column: number }): string {
  return `${line}:${column}`;
}

async function tableEdits(expected: ExpectedTable, run: TestRun): Promise<readonly Edit[]> {
  const { warehouse, project, planned } = run;
  const { text, place } = expected.name;
  const table = warehouse.catalog.find(tableNamed(text, place, project));
  const node = childOf(childOf(childOf(planned.test.node, 'expect'), 'tables'), text);
  if (table === undefined || node?.kind !== 'map') return [];
  const count = await countRows(table, run);
  const counted = childOf(node, 'count');
  const edits = counted === undefined ? [] : [replace(counted, String(count), run)];
  const list = childOf(node, 'rows');
  if (expected.rows === undefined || list?.kind !== 'list' || count > maxRows) return edits;
  const named = expected.rows.columns.flatMap((name) => columnOf(table, name, run) ?? []);
  const columns = named.length === 0 ? table.columns : named;
  const { rows: actual } = await readRows(table, columns, run);
  const written = { ...expected.rows, columns: columns.map(({ name }) => name) };
  const match = compareRows(expected, written, columns, actual);
  const kept = named.length === expected.rows.columns.length ? list.items : [];
  const rows = rowTexts({ kept, match, actual, columns }, run.planned.file.source.text);
  return [...edits, replace(list, listText(rows, list, run), run)];
}

/** The rows in the order of the test; unchanged ones keep their text. */
function rowTexts(
  found: {
    readonly kept: readonly YamlNode[];
    readonly match: RowMatch;
    readonly actual: Rows;
    readonly columns: readonly Column[];
  },
  source: string,
): readonly string[] {
  const { kept, match, actual, columns } = found;
  const text = (index: number) => rowText(actual[index] ?? [], columns);
  if (kept.length === 0) return actual.map((_, index) => text(index));
  const missing = new Set(match.missing);
  const changed = new Map(match.changed.map((pair) => [pair.expected, pair.actual]));
  const own = kept.flatMap((node, index) => {
    const other = changed.get(index);
    if (other !== undefined) return [text(other)];
    return missing.has(index) ? [] : [source.slice(node.start, node.end)];
  });
  return [...own, ...match.extra.map(text)];
}

function rowText(row: readonly Value[], columns: readonly Column[]): string {
  return yamlRow(
    columns.map(({ name, type }, index) => [name, yamlValue(row[index] ?? null, type)] as const),
  );
}

/** In the form that the list has: one line for each row, or brackets. */
function listText(rows: readonly string[], list: YamlNode, { planned: { file } }: TestRun): string {
  const { text } = file.source;
  if (rows.length === 0) return '[]';
  if (text[list.start] === '[') return `[${rows.join(', ')}]`;
  const { column } = file.source.toRange(list);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  return rows.map((row) => `- ${row}`).join(`${end}${' '.repeat(column - 1)}`);
}

function variableEdit({ name, node }: TestVariable, run: TestRun): readonly Edit[] {
  const variable = run.variables.get(name.text);
  if (variable === undefined) return [];
  const { type, value } = variable;
  if (typeof value !== 'string') {
    return [replace(node, `[${value.map((row) => `[${row.map(yamlText).join(', ')}]`).join(', ')}]`, run)];
  }
  if (value === '') return [replace(node, "''", run)];
  return [replace(node, type === 'NUMBER' ? value : yamlText(value), run)];
}

function replace(node: YamlNode, text: string, { planned: { file } }: TestRun): Edit {
  return { ...file.source.toRange(node), text };
}
