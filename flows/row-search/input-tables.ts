import {
  describeType,
  type SqlType,
  tableOfRows,
  type WrittenColumn,
  type WrittenRow,
  type WrittenRows,
  type WrittenTable,
} from '../../engine/index.ts';
import { atOnce } from '../../lib/core/ports/long-work.ts';
import { readYaml } from '../../lib/yaml/read-yaml.ts';
import { itemsOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import type { PlannedTest } from '../pipeline-tests/files/planned-test.ts';
import { tableRows } from '../pipeline-tests/files/table-rows.ts';
import type { TestMock } from '../pipeline-tests/files/test-file.ts';
import { yamlValue } from '../pipeline-tests/files/yaml-text.ts';
import type { TestSetting } from '../pipeline-tests/run/run-test.ts';

/** A row of an input that the search tries. */
export interface InputRow {
  /** The values of the columns, in their order, as YAML writes them. */
  readonly cells: readonly string[];
  /** What the row is for, as a comment beside it says; undefined for a row that the test has. */
  readonly purpose?: string | undefined;
}

export interface InputColumn {
  readonly name: string;
  readonly type: SqlType;
}

/** The place in a test where the rows of an input are. */
export type InputPlace =
  | { readonly kind: 'given'; readonly index: number }
  /** A table that the pipeline writes, and that the test does not give. */
  | { readonly kind: 'target' }
  | { readonly kind: 'mock-table'; readonly mock: number; readonly index: number }
  | { readonly kind: 'mock-output' | 'mock-rows'; readonly mock: number };

/** Rows that a pipeline reads: a given table, or the rows of a mock. */
export interface InputTable {
  /** As the test names it; of `mock-rows`, the component. */
  readonly name: string;
  readonly place: InputPlace;
  readonly columns: readonly InputColumn[];
  /** The columns whose types the test must declare, with their types as the test writes them. */
  readonly declared: readonly (readonly [name: string, type: string])[];
  readonly rows: readonly InputRow[];
}

/** The rows of all inputs of a test. */
export type Inputs = readonly InputTable[];

/** More rows of a test are not looked at: a search starts from few rows. */
const maxRows = 20;

/** Reads the inputs of a test, with the test's own rows. Throws FileProblems. */
export function inputsOf({ file, test }: PlannedTest, { project, declared }: TestSetting): Inputs {
  const sources = { schemas: file.schemas, declared };
  const { kind } = project;
  const given = test.given.map((table, index): InputTable => {
    const all = tableRows(table, sources, project);
    const without = tableRows(
      { ...table, columns: [], content: { columns: [], rows: [], isUntyped: false } },
      sources,
      project,
    );
    const known = new Set(table.columns.length === 0 ? without.columns.map(({ name }) => name) : []);
    return {
      name: table.name.text,
      place: { kind: 'given', index },
      columns: all.columns,
      declared: all.columns.flatMap(({ name, type }) => {
        const written = table.columns.find((column) => column.name === name)?.type;
        return known.has(name) ? [] : [[name, written ?? describeType(type, kind)] as const];
      }),
      rows: rowsOf(all),
    };
  });
  const mocked = test.mocks.flatMap((mock, index) => mockInputs(mock, index, kind));
  return [...given, ...mocked];
}

function mockInputs(
  { name, tables, output, rows }: TestMock,
  mock: number,
  kind: TestSetting['project']['kind'],
): readonly InputTable[] {
  const input = (place: InputPlace, table: WrittenTable): readonly InputTable[] => {
    if (table.content.rows.length === 0) return [];
    const all = atOnce(tableOfRows(table, kind));
    const declared = table.columns.map((column) => [column.name, column.type] as const);
    return [{ name: table.name.text, place, columns: all.columns, declared, rows: rowsOf(all) }];
  };
  return [
    ...tables.flatMap((table, index) => input({ kind: 'mock-table', mock, index }, table)),
    ...(output === undefined ? [] : input({ kind: 'mock-output', mock }, output)),
    ...(rows === undefined ? [] : input({ kind: 'mock-rows', mock }, { name, columns: [], content: rows })),
  ];
}

function rowsOf({ columns, rows }: ReturnType<typeof tableRows>): readonly InputRow[] {
  return rows.slice(0, maxRows).map((row) => ({
    cells: columns.map(({ type }, index) => yamlValue(row[index] ?? null, type)),
  }));
}

/** The test with other rows in its inputs. */
export function withInputs(planned: PlannedTest, inputs: Inputs): PlannedTest {
  const { test, file } = planned;
  const written = inputs.map((input) => [input.place, writtenTable(input, file.file)] as const);
  const at = (accepts: (place: InputPlace) => boolean) => written.find(([place]) => accepts(place))?.[1];
  const mocks = test.mocks.map((mock, number): TestMock => {
    const tables = mock.tables.map(
      (table, index) =>
        at((place) => place.kind === 'mock-table' && place.mock === number && place.index === index) ?? table,
    );
    const output = at((place) => place.kind === 'mock-output' && place.mock === number);
    const rows = at((place) => place.kind === 'mock-rows' && place.mock === number);
    return { ...mock, tables, output: output ?? mock.output, rows: rows?.content ?? mock.rows };
  });
  const given = test.given.map(
    (table, index) => at((place) => place.kind === 'given' && place.index === index) ?? table,
  );
  const targets = written.flatMap(([place, table]) => (place.kind === 'target' ? [table] : []));
  return { ...planned, test: { ...test, given: [...given, ...targets], mocks } };
}

function writtenTable({ name, columns, declared, rows }: InputTable, file: string): WrittenTable {
  const place = { file, line: 1, column: 1 };
  const names = columns.map((column) => column.name);
  const content: WrittenRows = {
    columns: names,
    isUntyped: false,
    rows: rows.map(({ cells }): WrittenRow => {
      const nodes = new Map(names.map((column, index) => [column, nodeOf(cells[index] ?? 'null')]));
      return { cells: nodes, place, placeOf: () => place };
    }),
  };
  const types = declared.map(([column, type]): WrittenColumn => ({ name: column, type, place }));
  return { name: { text: name, place }, columns: types, content };
}

const nodes = new Map<string, YamlNode>();

/** Parses a text as a YAML value. */
export function nodeOf(text: string): YamlNode {
  const before = nodes.get(text);
  if (before !== undefined) return before;
  const { root } = readYaml(`- ${text}\n`, { file: '' });
  const node = itemsOf(root)[0] ?? { kind: 'scalar', value: null, text: '', start: 0, end: 0 };
  // Texts repeat in a search, and a long process searches often.
  if (nodes.size > 20_000) nodes.clear();
  nodes.set(text, node);
  return node;
}
