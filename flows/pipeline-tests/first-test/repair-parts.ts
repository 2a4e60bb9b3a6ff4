import { type FailedComponent, linesOfMock } from '../../../engine/index.ts';
import { namesIn } from '../../../lib/pipelines/model/grid.ts';
import { namedTable } from '../outside/table-named.ts';
import { type ExampleColumn, exampleValue, expectedColumns } from './examples/example-columns.ts';
import { exampleVariable } from './examples/example-variables.ts';
import { variantType, wholeType } from './examples/guess-type.ts';
import { columnsOf, type ColumnSources, typeOfColumn } from './column-types.ts';
import { listColumn } from './list-column.ts';
import { labelOf } from './table-label.ts';
import type { TestParts } from './test-parts.ts';
import type { TestProject } from '../files/test-project.ts';
import { yamlRow, yamlText } from '../files/yaml-text.ts';

/** A mock: its name as YAML writes it, and its lines. */
interface NeededMock {
  readonly name: string;
  readonly lines: () => string;
}

/** Adds what a failed component lacked. Returns false if the failure has another cause. */
export async function repairParts(
  parts: TestParts,
  failure: FailedComponent,
  context: ColumnSources,
): Promise<boolean> {
  const mock = await mockOf(parts, failure, context);
  if (mock === undefined) {
    const { message } = failure;
    return (
      listColumn(parts, failure, context.project) ||
      (await addTable(parts, message, context)) ||
      (await addMatchingTable(parts, failure, context)) ||
      (await addColumn(parts, message, context)) ||
      takeInserted(parts, message, context) ||
      makeVariant(parts, message, context) ||
      addVariable(parts, message, context) ||
      addSchema(parts, message, context)
    );
  }
  if (parts.mocks.has(mock.name)) return false;
  parts.mocks.set(mock.name, mock.lines);
  return true;
}

/** The mock that a component needs, as the engine says it, with the columns that the project expects. */
async function mockOf(
  parts: TestParts,
  failure: FailedComponent,
  context: ColumnSources,
): Promise<NeededMock | undefined> {
  const { project } = context;
  const { message, refusal, pipeline, component } = failure;
  const lines = linesOfMock(refusal ?? {});
  const name = yamlText(pipeline === parts.path ? component : `${pipeline}#${component}`);
  if (lines === undefined) {
    if (refusal !== undefined || !message.endsWith('mock the component')) return undefined;
    return { name, lines: () => `  ${name}: {}` };
  }
  const table = tableOfMock(lines, project);
  if (table === undefined) {
    const examples = withExamples(lines, parts, project);
    return { name, lines: () => withVariables(examples, parts, pipeline, project) };
  }
  const columns = await Promise.all(
    table.names.map(async (column) => ({
      name: column,
      type: await typeOfColumn(namedTable(table.label, project), column, parts, context),
    })),
  );
  const types = yamlRow(columns.map((column) => [column.name, yamlText(column.type)] as const));
  const row = yamlRow(
    columns.map((column) => [column.name, exampleValue(column, 0, project, parts.path)] as const),
  );
  const text = `${table.before}        columns: ${types}\n        rows:\n          - ${row}`;
  return { name, lines: () => text };
}

/** The new table of a mock, if components read other columns of it than the engine knows. */
function tableOfMock(
  lines: string,
  project: TestProject,
): { readonly before: string; readonly label: string; readonly names: readonly string[] } | undefined {
  const pattern = /^([^]*\n {6}(.+):\n)(?: {8}columns: \{ (.*) \}\n)? {8}rows:\n {10}- (.*)$/;
  const [, before = '', label = '', types, row] = pattern.exec(lines) ?? [];
  // The row of a table that exists has its columns.
  if (label === '' || (types === undefined && row !== '{ column: value }')) return undefined;
  const typedNames = (types ?? '').split(', ').flatMap((entry) => /^(\w+): /.exec(entry)?.[1] ?? []);
  const read = expectedColumns(label.split('.').at(-1) ?? '', project);
  const names = [...new Set([...typedNames, ...read])];
  return names.length === 0 || names.length === typedNames.length ? undefined : { before, label, names };
}

/** A script may name variables in a comment or an example: only its pipeline's variables can be set. */
function withVariables(lines: string, parts: TestParts, pipeline: string, project: TestProject): string {
  const document = project.pipeline(pipeline);
  return lines.replace(/\n {4}variables: \{ (.*) \}$/, (_, list: string) => {
    const values = list.split(', ').flatMap((entry) => {
      const variable = document?.variables.get(entry.split(': ')[0] ?? '');
      if (document === undefined || variable === undefined) return [];
      const value = exampleVariable(variable, document, parts, project);
      return value === undefined ? [] : [[variable.name, value] as const];
    });
    return values.length === 0 ? ' {}' : `\n    variables: ${yamlRow(values)}`;
  });
}

/** Texts that a pipeline may convert to the type that their column's name suggests. */
function withExamples(lines: string, { guess, path }: TestParts, project: TestProject): string {
  const texts = lines.replaceAll(/(\w+): text(?=[,\s])/g, (_, name: string) => {
    const example = exampleValue({ name, type: guess(name, project) }, 0, project, path);
    return `${name}: ${/^['"]/.test(example) ? example : `'${example}'`}`;
  });
  return texts.replaceAll(/(?<=^ *- \{.*)(\w+): \{\}(?=[,\s])/gm, (_, name: string) => {
    return `${name}: ${exampleValue({ name, type: variantType(project) }, 0, project, path)}`;
  });
}

async function addTable(parts: TestParts, message: string, context: ColumnSources): Promise<boolean> {
  const { project } = context;
  const [, database, schema, table] =
    /table "([^"]+)"\."([^"]+)"\."([^"]+)" (?:was not found|not found|does not exist)/.exec(message) ?? [];
  if (database === undefined || schema === undefined || table === undefined) return false;
  const name = { database, schema, table };
  const label = labelOf(name, project);
  // The engine refuses tables whose names differ in case only.
  if ([...parts.tables.keys()].some((existing) => existing.toLowerCase() === label.toLowerCase()))
    return false;
  const columns = await columnsOf(name, parts, context);
  if (columns.length === 0) parts.unknown.add(label);
  parts.tables.set(label, columns.length === 0 ? [{ name: 'ID', type: wholeType(project) }] : columns);
  return true;
}

/** A schema exists once it has a table. */
function addSchema(parts: TestParts, message: string, { project }: ColumnSources): boolean {
  const [, database, schema] = /schema "([\w%]+)\.([\w%]+)" not found/.exec(message) ?? [];
  if (database === undefined || schema === undefined) return false;
  const label = labelOf({ database, schema, table: 'EXAMPLE' }, project);
  if (parts.tables.has(label)) return false;
  parts.tables.set(label, [{ name: 'ID', type: wholeType(project) }]);
  return true;
}

/** A table whose name a pattern matches, with the columns that the component reads. */
async function addMatchingTable(
  parts: TestParts,
  { message, pipeline, component }: FailedComponent,
  context: ColumnSources,
): Promise<boolean> {
  const { project } = context;
  const [, database, schema, pattern] =
    /matches the pattern "([^"]+)"\."([^"]+)"\."([^"]+)"/.exec(message) ?? [];
  if (database === undefined || schema === undefined || pattern === undefined) return false;
  const reader = project.pipeline(pipeline)?.components.get(component);
  const names = namesIn(reader?.parameter('columns'));
  const table = { database, schema, table: pattern.replaceAll('%', '1') };
  const label = labelOf(table, project);
  if (names.length === 0 || /[\\[\](){}^$*+?|]/.test(pattern) || parts.tables.has(label)) return false;
  const columns = names.map(async (name) => ({
    name,
    type: await typeOfColumn(table, name, parts, context),
  }));
  parts.tables.set(label, await Promise.all(columns));
  return true;
}

/** The columns of a table that only SQL names show up when it runs. */
async function addColumn(parts: TestParts, message: string, context: ColumnSources): Promise<boolean> {
  const { project } = context;
  const [, name] = /column "([^"]+)" (?:was )?not found/.exec(message) ?? [];
  if (name === undefined) return false;
  const named = /in the table "[^"]*"\."[^"]*"\."([^"]+)"/.exec(message)?.[1];
  const knownColumns = /; known: (.*)$/
    .exec(message)?.[1]
    ?.split(', ')
    .map((text) => text.slice(1, -1));
  const open = [...parts.tables].filter(
    ([label, columns]) =>
      (named === undefined || namedTable(label, project).table === named) &&
      (parts.unknown.has(label) ||
        columns.every((column) => column.name.toLowerCase() !== name.toLowerCase())),
  );
  const isKnown = (columns: readonly ExampleColumn[]) =>
    knownColumns !== undefined && columns.every((column) => knownColumns.includes(column.name));
  const [label = '', columns] = open.find(([, tableColumns]) => isKnown(tableColumns)) ?? open.at(-1) ?? [];
  if (columns === undefined) return false;
  // From now on, the table has a column that the pipeline names.
  if (parts.unknown.delete(label)) columns.length = 0;
  columns.push({ name, type: await typeOfColumn(namedTable(label, project), name, parts, context) });
  return true;
}

/** A table that only an INSERT without column names shows has the columns of its query. */
function takeInserted(parts: TestParts, message: string, { project, declared }: ColumnSources): boolean {
  const pattern = /INSERT has .* of the table "([^"]+)"\."([^"]+)"\."([^"]+)"; the query gives (.*)$/;
  const [, database = '', schema = '', table = '', list = ''] = pattern.exec(message) ?? [];
  const name = { database, schema, table };
  const label = labelOf(name, project);
  if (!parts.tables.has(label) || parts.inserted.has(label) || declared(name) !== undefined) return false;
  const matches = [...list.matchAll(/"([^"]+)" (\w+(?:\([\d,]+\))?)/g)];
  const columns = matches.map(([, column = '', type = '']) => ({
    name: column,
    type: type === 'NULL' ? parts.guess(column, project) : type,
  }));
  parts.tables.set(label, columns);
  parts.inserted.add(label);
  return true;
}

/** A column into which SQL has a path, or that is flattened, is semi-structured. */
function makeVariant(parts: TestParts, message: string, { project }: ColumnSources): boolean {
  const type = variantType(project);
  const pattern =
    /(?:a path into a value of type|FLATTEN of a value of type|only a VARIANT can be flattened).*?: the column "([^"]+)"/;
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
function addVariable({ variables, path }: TestParts, message: string, { project }: ColumnSources): boolean {
  const [, name] = /the variable "([^"]+)" is not defined/.exec(message) ?? [];
  if (name === undefined || variables.has(name) || !project.mentions(name)) return false;
  if (project.pipeline(path)?.variables.has(name) === true) return false;
  variables.add(name);
  return true;
}
