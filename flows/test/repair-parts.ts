import { describeType, type FailedComponent, linesOfMock } from '../../engine/index.ts';
import { itemsOf, textOf } from '../../lib/yaml/yaml-node.ts';
import { type DeclaredTables, namedTable } from './declared-tables.ts';
import {
  type ExampleColumn,
  exampleValue,
  expectedColumns,
  guessType,
  variantType,
  wholeType,
} from './example-columns.ts';
import { labelOf } from './table-label.ts';
import type { TestProject } from './test-project.ts';
import { yamlRow, yamlText } from './yaml-text.ts';

/** What a first test needs so far. */
export interface TestParts {
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
  /** Variables of the project that the pipeline uses. */
  readonly variables: Set<string>;
}

interface Repairing {
  readonly project: TestProject;
  readonly declared: DeclaredTables;
}

/** Adds what a failed component lacked; false if the failure has another cause. */
export function repairParts(parts: TestParts, failure: FailedComponent, context: Repairing): boolean {
  const lines = mockLines(parts, failure, context);
  if (lines === undefined) {
    const { message } = failure;
    return (
      addTable(parts, message, context) ||
      addMatchingTable(parts, failure, context) ||
      addColumn(parts, message, context) ||
      makeVariant(parts, message, context) ||
      addVariable(parts, message, context)
    );
  }
  if (parts.mocks.includes(lines)) return false;
  parts.mocks.push(lines);
  return true;
}

/** The lines of the mock that a component needs, as the engine says them, with the columns that the project expects. */
function mockLines(parts: TestParts, failure: FailedComponent, { project }: Repairing): string | undefined {
  const { message, refusal, pipeline, component } = failure;
  const lines = linesOfMock(refusal ?? {});
  if (lines === undefined) {
    if (refusal !== undefined || !message.endsWith('mock the component')) return undefined;
    return `  ${yamlText(pipeline === parts.path ? component : `${pipeline}#${component}`)}: {}`;
  }
  const [, label = ''] = /\n {6}(.+):\n {8}rows:\n {10}- \{ column: value \}$/.exec(lines) ?? [];
  const names = label === '' ? [] : expectedColumns(label.split('.').at(-1) ?? '', project);
  if (names.length === 0) return withExamples(withDeclared(lines, pipeline, project), parts, project);
  const columns = names.map((name) => ({ name, type: parts.guess(name, project) }));
  const types = yamlRow(columns.map(({ name, type }) => [name, yamlText(type)] as const));
  const row = yamlRow(columns.map((column) => [column.name, exampleValue(column, 0, project)] as const));
  return lines.replace(/ {8}rows:\n.*$/, `        columns: ${types}\n        rows:\n          - ${row}`);
}

/** A script may name variables in a comment or an example: only those of its pipeline can be set. */
function withDeclared(lines: string, pipeline: string, project: TestProject): string {
  const declared = project.pipeline(pipeline)?.variables;
  return lines.replace(/\n {4}variables: \{ (.*) \}$/, (_, list: string) => {
    const kept = list.split(', ').filter((one) => declared?.has(one.split(': ')[0] ?? '') === true);
    return kept.length === 0 ? ' {}' : `\n    variables: { ${kept.join(', ')} }`;
  });
}

/** Texts that a pipeline may convert to the type that their column's name suggests. */
function withExamples(lines: string, { guess }: TestParts, project: TestProject): string {
  return lines.replaceAll(/(\w+): text(?=[,\s])/g, (_, name: string) => {
    const example = exampleValue({ name, type: guess(name, project) }, 0, project);
    return `${name}: ${/^['"]/.test(example) ? example : `'${example}'`}`;
  });
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
    typed?.map((column) => ({ name: column.name, type: describeType(column.type, project.kind) })) ??
    expectedColumns(table, project).map((column) => ({ name: column, type: parts.guess(column, project) }));
  parts.tables.set(label, columns.length === 0 ? [{ name: 'ID', type: wholeType(project) }] : columns);
  return true;
}

/** A table whose name a pattern matches, with the columns that the component reads. */
function addMatchingTable(
  parts: TestParts,
  { message, pipeline, component }: FailedComponent,
  { project }: Repairing,
): boolean {
  const [, database, schema, pattern] =
    /no table matches "([^"]+)"\."([^"]+)"\."([^"]+)"/.exec(message) ?? [];
  if (database === undefined || schema === undefined || pattern === undefined) return false;
  const reader = project.pipeline(pipeline)?.components.get(component);
  const names = itemsOf(reader?.parameter('columns')).flatMap((item) => textOf(item) ?? []);
  const label = labelOf({ database, schema, table: pattern.replaceAll('%', '1') }, project);
  if (names.length === 0 || /[\\[\](){}^$*+?|]/.test(pattern) || parts.tables.has(label)) return false;
  parts.tables.set(
    label,
    names.map((name) => ({ name, type: parts.guess(name, project) })),
  );
  return true;
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

/** A column into which SQL has a path, or that is flattened, is semi-structured. */
function makeVariant(parts: TestParts, message: string, { project }: Repairing): boolean {
  const type = variantType(project);
  const pattern = /(?:a path into a value of type|only a VARIANT can be flattened).*?: the column "([^"]+)"/;
  const [, name] = pattern.exec(message) ?? [];
  let isChanged = false;
  for (const columns of parts.tables.values()) {
    const at = columns.findIndex((column) => column.name === name && column.type !== type);
    if (name === undefined || at < 0) continue;
    columns[at] = { name, type };
    isChanged = true;
  }
  return isChanged;
}

/** A variable that the pipeline uses and does not declare is one of the project. */
function addVariable({ variables, path }: TestParts, message: string, { project }: Repairing): boolean {
  const [, name] = /the variable "([^"]+)" is not defined/.exec(message) ?? [];
  if (name === undefined || variables.has(name) || !project.mentions(name)) return false;
  if (project.pipeline(path)?.variables.has(name) === true) return false;
  variables.add(name);
  return true;
}

/** Values for variables that have none and that a caller sets, and for those of the project. */
export function variableLines({ path, variables }: TestParts, project: TestProject): readonly string[] {
  const declared = project.pipeline(path)?.variables.values() ?? [];
  const values = [...declared].flatMap(({ name, type, visibility, defaultValue }) => {
    if (visibility === 'PRIVATE' || type === 'GRID' || (defaultValue ?? '') !== '') return [];
    const isNumber = type === 'NUMBER';
    const guessed = isNumber ? wholeType(project) : guessType(name, project);
    return [[name, exampleText(name, guessed, project, isNumber)] as const];
  });
  const others = [...variables].map(
    (name) => [name, exampleText(name, guessType(name, project), project, false)] as const,
  );
  const all = [...values, ...others];
  return all.length === 0 ? [] : [`    variables: ${yamlRow(all)}`];
}

function exampleText(name: string, type: string, project: TestProject, isNumber: boolean): string {
  const example = exampleValue({ name, type }, 0, project);
  return isNumber || /^['"]/.test(example) ? example : `'${example}'`;
}
