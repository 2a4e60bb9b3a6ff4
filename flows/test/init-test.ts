import { describeType, type FailedComponent, type Warehouse } from '../../engine/index.ts';
import { withoutSuffix } from '../../lib/pipelines/pipeline-kind.ts';
import { type DeclaredTables, namedTable } from './declared-tables.ts';
import { type ExampleColumn, exampleValue, expectedColumns, guessType } from './example-columns.ts';
import { planTests } from './planned-test.ts';
import { readTestFile } from './read-test-file.ts';
import { recordExpectations } from './record-expectations.ts';
import { execute, runTest, type TestSetting } from './run-test.ts';
import { labelOf } from './table-label.ts';
import type { TestProject } from './test-project.ts';
import type { TestRun } from './test-run.ts';
import { yamlRow, yamlText } from './yaml-text.ts';

/** A first test of a pipeline. */
export interface FirstTest {
  readonly text: string;
  /** Components that the test mocks, as it names them. */
  readonly mocked: readonly string[];
  /** Constructs that the engine refused: then there is no test. */
  readonly refused: readonly FailedComponent[];
}

/** What the first test needs so far. */
interface TestParts {
  readonly pipeline: string;
  /** The path of its file. */
  readonly path: string;
  readonly file: string;
  /** A type for a column of which only the name is known. */
  readonly guess: (column: string, project: TestProject) => string;
  /** Tables that the pipeline reads, by the name that the test gives them. */
  readonly tables: Map<string, ExampleColumn[]>;
  /** The lines of mocks. */
  readonly mocks: string[];
}

/** Each round adds one table, column or mock. */
const maxRounds = 300;

/**
 * Writes a first test: runs the pipeline, adds what it lacks (a table, a column, a mock), until it ends, and records
 * what it leaves. The test passes when it runs.
 */
export async function initTest(
  pipeline: string,
  file: string,
  warehouse: Warehouse,
  setting: TestSetting,
): Promise<FirstTest> {
  const first = await attempt({ pipeline, file, guess: guessType }, warehouse, setting);
  if (first.hasSucceeded) return first;
  // A wrong guess fails where the pipeline converts values itself: most conversions start from a text.
  const second = await attempt({ pipeline, file, guess: () => 'VARCHAR' }, warehouse, setting);
  return second.hasSucceeded ? second : first;
}

async function attempt(
  {
    pipeline,
    file,
    guess,
  }: { readonly pipeline: string; readonly file: string; readonly guess: TestParts['guess'] },
  warehouse: Warehouse,
  setting: TestSetting,
): Promise<FirstTest & { readonly hasSucceeded: boolean }> {
  const { project, declared } = setting;
  const name = withoutSuffix(pipeline);
  const parts: TestParts = { pipeline: name, path: pipeline, file, guess, tables: new Map(), mocks: [] };
  const context = { project, declared };
  for (let round = 0; round < maxRounds; round += 1) {
    const [planned] = planTests(readParts(parts, placeholder(pipeline, project), project), project);
    if (planned === undefined) throw new Error('a first test without a test');
    try {
      const run = await execute(planned, warehouse, setting);
      if (run.failures.some((failure) => repair(parts, failure, context))) continue;
      const refused = run.failures.filter(({ refusal }) => refusal !== undefined);
      if (refused.length > 0) return { text: '', mocked: [], refused, hasSucceeded: false };
      const text = await finish(parts, run, warehouse, setting);
      const mocked = planned.test.mocks.map((mock) => mock.name.text);
      return { text, mocked, refused, hasSucceeded: run.state.status === 'SUCCESS' };
    } finally {
      await warehouse.clear();
    }
  }
  throw new Error(`the pipeline ${pipeline} needs more than ${maxRounds} tables, columns and mocks`);
}

/** Records the expectations. Those that a second run does not meet are left out. */
async function finish(
  parts: TestParts,
  run: TestRun,
  warehouse: Warehouse,
  setting: TestSetting,
): Promise<string> {
  const expected = await recordExpectations(run);
  await warehouse.clear();
  const text = render(parts, expected, setting.project);
  const [planned] = planTests(readText(text, parts.file, setting.project), setting.project);
  const result = planned === undefined ? undefined : await runTest(planned, warehouse, setting);
  return result?.status === 'passed' ? text : render(parts, ranOnly(run), setting.project);
}

/** What also holds where rows differ from run to run. */
function ranOnly({ planned: { document }, state, failures: [failed] }: TestRun): string {
  const [first] = document.components.keys();
  const outcome = state.status === 'SUCCESS' ? '' : '      outcome: { failure: {} }\n';
  return `${outcome}      ran: [${yamlText(failed?.pipeline === document.path ? failed.component : (first ?? ''))}]\n`;
}

function placeholder(pipeline: string, project: TestProject): string {
  const [first = ''] = project.pipeline(pipeline)?.components.keys() ?? [];
  return `      ran: [${yamlText(first)}]\n`;
}

interface Repairing {
  readonly project: TestProject;
  readonly declared: DeclaredTables;
}

/** Adds what a failed component lacked; false if the failure has another cause. */
function repair(parts: TestParts, failure: FailedComponent, context: Repairing): boolean {
  const lines = mockLines(parts, failure, context);
  if (lines === undefined)
    return addTable(parts, failure.message, context) || addColumn(parts, failure.message, context);
  if (parts.mocks.includes(lines)) return false;
  parts.mocks.push(lines);
  return true;
}

/** The lines of the mock that a component needs, as the engine says them, with the columns that the project expects. */
function mockLines(parts: TestParts, failure: FailedComponent, { project }: Repairing): string | undefined {
  const { message, refusal, pipeline, component } = failure;
  const lines = /(?:^|, or )mock the component:\nmock:\n([^]+)$/.exec(refusal?.hint ?? '')?.[1];
  if (lines === undefined) {
    if (refusal !== undefined || !message.endsWith('mock the component')) return undefined;
    return `  ${yamlText(pipeline === parts.path ? component : `${pipeline}#${component}`)}: {}`;
  }
  const [, label = ''] = /\n {6}(.+):\n {8}rows:\n {10}- \{ column: value \}$/.exec(lines) ?? [];
  const names = label === '' ? [] : expectedColumns(label.split('.').at(-1) ?? '', project);
  if (names.length === 0) return withExamples(lines, parts, project);
  const columns = names.map((name) => ({ name, type: parts.guess(name, project) }));
  const types = yamlRow(columns.map(({ name, type }) => [name, yamlText(type)] as const));
  const row = yamlRow(columns.map((column) => [column.name, exampleValue(column, 0, project)] as const));
  return lines.replace(/ {8}rows:\n.*$/, `        columns: ${types}\n        rows:\n          - ${row}`);
}

function addTable(parts: TestParts, message: string, { project, declared }: Repairing): boolean {
  const [, database, schema, table] =
    /table "([^"]+)"\."([^"]+)"\."([^"]+)" (?:was not found|not found|does not exist)/.exec(message) ?? [];
  if (database === undefined || schema === undefined || table === undefined) return false;
  const name = { database, schema, table };
  const label = labelOf(name, project);
  if (parts.tables.has(label)) return false;
  const typed = declared(name);
  const columns =
    typed?.map((column) => ({ name: column.name, type: describeType(column.type) })) ??
    expectedColumns(table, project).map((column) => ({ name: column, type: parts.guess(column, project) }));
  parts.tables.set(label, columns.length === 0 ? [{ name: 'ID', type: 'NUMBER' }] : columns);
  return true;
}

/** Texts that a pipeline may convert to the type that their column's name suggests. */
function withExamples(lines: string, { guess }: TestParts, project: TestProject): string {
  return lines.replaceAll(/(\w+): text(?=[,\s])/g, (_, name: string) => {
    const example = exampleValue({ name, type: guess(name, project) }, 0, project);
    return `${name}: ${/^['"]/.test(example) ? example : `'${example}'`}`;
  });
}

/** The columns of a table that only SQL names show up when it runs. */
function addColumn(parts: TestParts, message: string, { project }: Repairing): boolean {
  const [, name] = /column "([^"]+)" (?:was )?not found/.exec(message) ?? [];
  if (name === undefined) return false;
  const named = /in the table "[^"]*"\."[^"]*"\."([^"]+)"/.exec(message)?.[1];
  const known = /; known: (.*)$/
    .exec(message)?.[1]
    ?.split(', ')
    .map((text) => text.slice(1, -1));
  const open = [...parts.tables].filter(
    ([label, columns]) =>
      (named === undefined || namedTable(label, project).table === named) &&
      columns.every((column) => column.name.toLowerCase() !== name.toLowerCase()),
  );
  const isKnown = (columns: readonly ExampleColumn[]) =>
    known !== undefined && columns.every((column) => known.includes(column.name));
  const [, columns] = open.find(([, own]) => isKnown(own)) ?? open.at(-1) ?? [];
  if (columns === undefined) return false;
  columns.push({ name, type: parts.guess(name, project) });
  return true;
}

function readParts(parts: TestParts, expected: string, project: TestProject) {
  return readText(render(parts, expected, project), parts.file, project);
}

function readText(text: string, file: string, project: TestProject) {
  return readTestFile(text, file, project.beside(file));
}

function render(parts: TestParts, expected: string, project: TestProject): string {
  const { pipeline, tables, mocks } = parts;
  const given = [...tables].map(([name, columns]) => tableText(name, columns, project));
  return [
    `pipeline: ${yamlText(pipeline)}`,
    'tests:',
    `  - name: ${yamlText(`runs ${pipeline.split('/').at(-1) ?? pipeline}`)}`,
    ...variableLines(parts.path, project),
    ...(given.length === 0 ? [] : ['    given:', ...given]),
    ...(mocks.length === 0
      ? []
      : ['    mock:', ...mocks.map((lines) => lines.replaceAll(/^(?=.)/gm, '    ').trimEnd())]),
    '    expect:',
    expected.trimEnd(),
    '',
  ].join('\n');
}

/** Two rows, so that joins, filters and aggregates have something to do. */
function tableText(name: string, columns: readonly ExampleColumn[], project: TestProject): string {
  const types = columns.map((column) => [column.name, yamlText(column.type)] as const);
  const rows = ([0, 1] as const).map((row) =>
    yamlRow(columns.map((column) => [column.name, exampleValue(column, row, project)] as const)),
  );
  return [
    `      ${yamlText(name)}:`,
    `        columns: ${yamlRow(types)}`,
    '        rows:',
    ...rows.map((row) => `          - ${row}`),
  ].join('\n');
}

/** Values for variables that have none and that a caller sets. */
function variableLines(path: string, project: TestProject): readonly string[] {
  const declared = project.pipeline(path)?.variables.values() ?? [];
  const values = [...declared].flatMap(({ name, type, visibility, defaultValue }) => {
    if (visibility === 'PRIVATE' || type === 'GRID' || (defaultValue ?? '') !== '') return [];
    const column = { name, type: type === 'NUMBER' ? 'NUMBER' : guessType(name, project) };
    const example = exampleValue(column, 0, project);
    return [[name, type === 'NUMBER' || /^['"]/.test(example) ? example : `'${example}'`] as const];
  });
  return values.length === 0 ? [] : [`    variables: ${yamlRow(values)}`];
}
