import { compareTexts } from '../../../lib/core/text/compare-texts.ts';
import { type Column, rowsOf, type Table, type Value, type WrittenRows } from '../../../engine/index.ts';
import { readYaml, type YamlPath, type YamlSource } from '../../../lib/yaml/read-yaml.ts';
import {
  childOf,
  itemsOf,
  textOf,
  type YamlEntry,
  type YamlList,
  type YamlNode,
} from '../../../lib/yaml/yaml-node.ts';
import { columnOf, compareRows, countRows, readRows, type Rows } from '../compare/compare-table.ts';
import type { RowMatch } from '../compare/match-rows.ts';
import type { Inspect } from '../run/run-test.ts';
import { tableNamed } from '../outside/table-named.ts';
import type { ExpectedTable, TestFile, TestVariable } from '../files/test-file.ts';
import type { Difference } from '../compare/test-result.ts';
import type { TestProject } from '../files/test-project.ts';
import type { TestRun } from '../compare/test-run.ts';
import { canEditCells, editRows, hasComments, type RowEdits, type RowStep } from './edit-rows.ts';
import { type Change, type LeftChange, updateFile } from './update-file.ts';
import { leftParts, leftRows, leftTest } from './left-expectations.ts';
import { yamlRow, yamlText, yamlValue } from '../files/yaml-text.ts';

/** A test file whose expectations have the actual values. */
export interface UpdatedFile {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** The changes that `--update` makes, and what it leaves unchanged, with the reason. */
export interface Update {
  readonly files: readonly UpdatedFile[];
  readonly left: readonly LeftChange[];
}

/** More rows are not written: nobody could check them. */
const maxRows = 1000;

/** The differences in the rows of a table. */
const rowKinds: ReadonlySet<Difference['kind']> = new Set([
  'missing-column',
  'missing-row',
  'extra-row',
  'changed-row',
]);

/** Collects the changes of `--update`: actual rows, counts and variables in place of the expected ones. */
export function openUpdate(project: TestProject): {
  readonly inspect: Inspect;
  readonly update: () => Update;
} {
  const changes = new Map<TestFile, Change[]>();
  const leftInTests: LeftChange[] = [];
  return {
    async inspect(run, differences) {
      // What a pipeline leaves that fails, or that was refused, is not what it should leave.
      const reason = leftTest(run.planned, differences);
      if (reason !== undefined) {
        leftInTests.push(reason);
        return;
      }
      leftInTests.push(...leftParts(differences));
      const { file } = run.planned;
      const all = changes.get(file) ?? [];
      changes.set(file, all);
      const kinds = Map.groupBy(differences, ({ table }) => table);
      for (const table of run.planned.test.expected.tables) {
        const ofTable = kinds.get(table.name.text) ?? [];
        if (ofTable.length > 0) {
          const update = await tableChanges(table, ofTable, run);
          all.push(...update.changes);
          leftInTests.push(...update.left);
        }
      }
      const lines = new Set(differences.filter(({ kind }) => kind === 'variable').map(keyOf));
      for (const variable of run.planned.test.expected.variables)
        if (lines.has(keyOf(variable.place))) all.push(...variableChange(variable, run));
    },
    update() {
      const files: UpdatedFile[] = [];
      const left = [...leftInTests];
      for (const [{ file, source }, list] of changes) {
        const before = project.text(file) ?? '';
        const updated = updateFile(source, list);
        left.push(...updated.left);
        if (updated.text !== before) files.push({ file, before, after: updated.text });
      }
      return { files, left: left.toSorted(byPlace) };
    },
  };
}

function byPlace(a: LeftChange, b: LeftChange): number {
  return compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column;
}

function keyOf({ line, column }: { readonly line: number; readonly column: number }): string {
  return `${line}:${column}`;
}

async function tableChanges(
  expected: ExpectedTable,
  differences: readonly Difference[],
  run: TestRun,
): Promise<{ readonly changes: readonly Change[]; readonly left: readonly LeftChange[] }> {
  const { warehouse, project, planned } = run;
  const { text: name, place } = expected.name;
  const table = warehouse.catalog.find(tableNamed(name, place, project));
  const node = childOf(childOf(childOf(planned.test.node, 'expect'), 'tables'), name);
  if (table === undefined || node?.kind !== 'map') return { changes: [], left: [] };
  const path = [...expectPath(run), 'tables', name];
  const count = await countRows(table, run);
  const counted = childOf(node, 'count');
  const changes =
    counted === undefined
      ? []
      : [scalarChange([...path, 'count'], `the number of rows of table "${name}"`, String(count))];
  const hasOtherRows = differences.some(({ kind }) => rowKinds.has(kind));
  if (expected.rows === undefined || !hasOtherRows) return { changes, left: [] };
  const list = childOf(node, 'rows');
  const missing = expected.rows.columns.filter((column) => columnOf(table, column, run) === undefined);
  if (list?.kind !== 'list' || count > maxRows || missing.length > 0) {
    const file = list?.kind === 'list' ? undefined : textOf(childOf(node, 'file'));
    return { changes, left: [leftRows(expected, { file, count, maxRows, missing })] };
  }
  return {
    changes: [
      ...changes,
      await rowsChange(expected.rows, expected, { table, list, path: [...path, 'rows'] }, run),
    ],
    left: [],
  };
}

async function rowsChange(
  written: WrittenRows,
  expected: ExpectedTable,
  { table, list, path }: { readonly table: Table; readonly list: YamlList; readonly path: YamlPath },
  run: TestRun,
): Promise<Change> {
  const source = run.planned.file.source.text;
  const named = written.columns.flatMap((column) => columnOf(table, column, run) ?? []);
  const isAll = named.length === 0;
  const columns = isAll ? table.columns : named;
  const names = isAll ? columns.map(({ name }) => name) : written.columns;
  const { rows: actual } = await readRows(table, columns, run);
  const match = compareRows(expected, { ...written, columns: names }, columns, actual);
  // In brackets, in place of an alias, a row of several lines cannot keep its text.
  const isKept = list.alias === undefined || list.items.every((row) => source[row.start] === '{');
  const parts = { kept: isKept ? list.items : [], match, actual, columns, names };
  const edits = rowEdits(parts);
  const isInPlace = hasComments(list, run.planned.file.source, edits);
  const rows = isInPlace ? rowsInPlace(parts, edits) : rowsToWrite(parts, source);
  const newValue: YamlList = { ...list, items: rows.map(({ read }) => read) };
  const again = compareRows(
    expected,
    { ...rowsOf(newValue, () => expected.name.place), columns: names },
    columns,
    actual,
  );
  const isExact = again.missing.length + again.extra.length + again.changed.length === 0;
  const subject = `the rows of table "${expected.name.text}"`;
  const inPlace: Change['write'] = (replaced, file) =>
    replaced.kind === 'list' ? editRows(replaced, file, edits) : { lost: replaced.start };
  return { path, subject, newValue, isExact, write: isInPlace ? inPlace : writeRows(rows) };
}

/** A row as it is written, and as it must be read again. */
interface RowToWrite {
  readonly text: string;
  readonly read: YamlNode;
}

interface RowParts {
  readonly kept: readonly YamlNode[];
  readonly match: RowMatch;
  readonly actual: Rows;
  readonly columns: readonly Column[];
  readonly names: readonly string[];
}

/** What happens to each expected row, and the rows to add. */
function rowEdits({ kept, match, actual, columns, names }: RowParts): RowEdits {
  const text = (index: number) => rowText(actual[index] ?? [], columns, names);
  const missing = new Set(match.missing);
  const changed = new Map(match.changed.map((pair) => [pair.expected, pair]));
  const steps = kept.map((_, index): RowStep => {
    const pair = changed.get(index);
    if (pair === undefined) return { kind: missing.has(index) ? 'remove' : 'keep' };
    const cells = pair.columns.map((column): [string, string] => {
      const value = actual[pair.actual]?.[column] ?? null;
      return [names[column] ?? '', yamlValue(value, columns[column]?.type)];
    });
    return { kind: 'change', cells: new Map(cells), text: text(pair.actual) };
  });
  return { steps, added: match.extra.map(text) };
}

/** The rows as they are read again after they were changed where they are. */
function rowsInPlace({ kept }: RowParts, { steps, added }: RowEdits): readonly RowToWrite[] {
  const rows = kept.flatMap((node, index): readonly YamlNode[] => {
    const step = steps[index];
    if (step === undefined || step.kind === 'remove') return [];
    if (step.kind === 'keep') return [node];
    if (!canEditCells(node, step.cells)) return [valueOf(step.text)];
    const entries = Array.from(node.entries, ([name, entry]): [string, YamlEntry] => {
      const cell = step.cells.get(name);
      return [name, cell === undefined ? entry : { ...entry, value: valueOf(cell) }];
    });
    return [{ ...node, entries: new Map(entries) }];
  });
  return [...rows, ...added.map(valueOf)].map((read) => ({ text: '', read }));
}

/** The rows in the order of the test; unchanged ones keep their text. */
function rowsToWrite(parts: RowParts, source: string): readonly RowToWrite[] {
  const { kept, match, actual, columns, names } = parts;
  const row = (index: number): RowToWrite => {
    const text = rowText(actual[index] ?? [], columns, names);
    return { text, read: valueOf(text) };
  };
  if (kept.length === 0) return actual.map((_, index) => row(index));
  const missing = new Set(match.missing);
  const changed = new Map(match.changed.map((pair) => [pair.expected, pair.actual]));
  const keptRows = kept.flatMap((node, index) => {
    const other = changed.get(index);
    if (other !== undefined) return [row(other)];
    const text = source.slice(node.start, node.end);
    const isAnchored = node.anchor !== undefined && node.alias === undefined;
    return missing.has(index) ? [] : [{ text: isAnchored ? `&${node.anchor} ${text}` : text, read: node }];
  });
  return [...keptRows, ...match.extra.map(row)];
}

function rowText(row: readonly Value[], columns: readonly Column[], names: readonly string[]): string {
  return yamlRow(
    columns.map(
      ({ name, type }, index) => [names[index] ?? name, yamlValue(row[index] ?? null, type)] as const,
    ),
  );
}

/** The value that YAML reads from a text. */
function valueOf(text: string): YamlNode {
  const { root } = readYaml(`- ${text}\n`, { file: '' });
  return itemsOf(root)[0] ?? { kind: 'scalar', value: null, text: '', start: 0, end: 0 };
}

/** Writes rows in the form that the replaced list has: one line for each row, or brackets. */
function writeRows(rows: readonly RowToWrite[]) {
  const texts = rows.map(({ text }) => text);
  return (list: YamlNode, { text, toRange }: YamlSource): string => {
    if (texts.length === 0) return '[]';
    if (list.alias !== undefined || text[list.start] === '[') return `[${texts.join(', ')}]`;
    const { column } = toRange(list);
    const end = text.includes('\r\n') ? '\r\n' : '\n';
    return texts.map((row) => `- ${row}`).join(`${end}${' '.repeat(column - 1)}`);
  };
}

function variableChange({ name }: TestVariable, run: TestRun): readonly Change[] {
  const variable = run.variables.get(name.text);
  if (variable === undefined) return [];
  const path = [...expectPath(run), 'variables', name.text];
  return [scalarChange(path, `the variable "${name.text}"`, variableText(variable))];
}

function variableText({ type, value }: NonNullable<ReturnType<TestRun['variables']['get']>>): string {
  if (typeof value !== 'string')
    return `[${value.map((row) => `[${row.map(yamlText).join(', ')}]`).join(', ')}]`;
  if (value === '') return "''";
  return type === 'NUMBER' ? value : yamlText(value);
}

function scalarChange(path: YamlPath, subject: string, text: string): Change {
  return { path, subject, newValue: valueOf(text), isExact: true, write: () => text };
}

/** The path of the expectations of a test. */
function expectPath({ planned: { file, test } }: TestRun): YamlPath {
  const tests = itemsOf(childOf(file.source.root, 'tests'));
  return ['tests', tests.indexOf(test.node), 'expect'];
}
