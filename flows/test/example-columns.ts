import { describeType, readTypeText, sourceText, type SqlType } from '../../engine/index.ts';
import type { Component } from '../../lib/pipelines/component.ts';
import { gridOf } from '../../lib/pipelines/grid.ts';
import { childOf, itemsOf, textOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import { passingValue } from './row-conditions.ts';
import type { TestProject } from './test-project.ts';
import { yamlQuoted } from './yaml-text.ts';

/** A column of a table that a first test makes, with its type as SQL writes it. */
export interface ExampleColumn {
  readonly name: string;
  readonly type: string;
}

/** Names of columns that components of the project expect in a table. */
export function expectedColumns(table: string, project: TestProject): readonly string[] {
  const names = new Set<string>();
  for (const component of components(project)) {
    if (!tableNames(component).includes(table)) continue;
    for (const name of columnsOf(component)) if (name !== '' && !name.includes('${')) names.add(name);
  }
  return [...names];
}

function* components(project: TestProject): Generator<Component> {
  for (const file of project.pipelines) yield* project.pipeline(file)?.components.values() ?? [];
}

function tableNames(component: Component): readonly string[] {
  return ['targetTable', 'table', 'tableName', 'targetStream'].flatMap((key) => component.text(key) ?? []);
}

/** Columns that a component reads from its table, or writes to one that must exist. */
function columnsOf(component: Component): readonly string[] {
  const list = (key: string) => itemsOf(component.parameter(key)).flatMap((item) => textOf(item) ?? []);
  const cells = (key: string, index: number) =>
    gridOf(component.parameter(key)).map((row) => row[index] ?? '');
  if (/^(?:table|stream|multi-table)-input/.test(component.type)) return list('columnNames');
  switch (component.type) {
    case 'table-output':
      return cells('columnMapping', 1);
    case 'table-update':
      return [...cells('updateMapping', 1), ...cells('insertMapping', 1), ...targetColumns(component)];
    case 'query-to-scalar':
      return list('tableColumns');
    case 'table-iterator':
      return cells('columnMapping', 0);
    default:
      return [];
  }
}

/** The columns of the target in a join expression: `"target"."ID"`. */
function targetColumns(component: Component): readonly string[] {
  const alias = component.text('targetAlias') ?? 'target';
  const text = gridOf(component.parameter('joinExpression')).flat().join(' ');
  const pattern = /"((?:[^"]|"")+)"\."((?:[^"]|"")+)"/g;
  return [...text.matchAll(pattern)].flatMap(([, first, column = '']) => (first === alias ? [column] : []));
}

/** A type for a column of which only the name is known: by how components use it, else by its name. */
export function guessType(name: string, project: TestProject): string {
  return remembered(project, `type ${name}`, () => findType(name, project));
}

/** All components of a project are read for one column: the answer is kept as long as the project. */
const answers = new WeakMap<TestProject, Map<string, string>>();

function remembered(project: TestProject, question: string, find: () => string): string {
  const known = answers.get(project) ?? new Map<string, string>();
  answers.set(project, known);
  const answer = known.get(question) ?? find();
  known.set(question, answer);
  return answer;
}

function findType(name: string, project: TestProject): string {
  for (const component of components(project)) {
    const type = typeOfUse(name, component);
    if (type !== undefined) return spelled(type, project);
  }
  return spelled(typeOfName(name), project);
}

/** The type of semi-structured values, as the project's warehouse writes it. */
export function variantType({ kind }: TestProject): string {
  return describeType({ name: 'VARIANT' }, kind);
}

/** The type of whole numbers, as the project's warehouse writes it. */
export function wholeType(project: TestProject): string {
  return spelled('NUMBER', project);
}

/** The types of this file are written as kind 1 does; kind 2 has other names for some. */
function spelled(type: string, { kind }: TestProject): string {
  return kind === 'WAREHOUSE_ONE'
    ? type
    : describeType(readTypeText(sourceText(type, ''), 'WAREHOUSE_ONE'), kind);
}

function typeOfUse(name: string, component: Component): string | undefined {
  if (component.type.startsWith('create-table')) return typeOfDefinition(name, component);
  const rows = (key: string) => gridOf(component.parameter(key)).filter(([column]) => column === name);
  for (const [, , , value = ''] of rows('filterConditions')) {
    const type = typeOfLiteral(value, name);
    if (type !== undefined) return type;
  }
  if (isTimeInSql(name, component)) return 'TIMESTAMP';
  if (rows('aggregations').some(([, word = '']) => /^(?:sum|average)$/i.test(word))) return 'NUMBER(38,2)';
  const hasPath = rows('columnMapping').some(([, property = '']) => property !== '');
  if (component.type === 'flatten-variant' && (hasPath || rows('columnFlattens').length > 0))
    return 'VARIANT';
  if (component.type === 'extract-nested-data-sf' && usesNested(component.parameter('columns'), name))
    return 'VARIANT';
  return undefined;
}

/** Whether SQL gives a column to a function of dates and times. */
function isTimeInSql(name: string, component: Component): boolean {
  const calculated = gridOf(component.parameter('calculations')).flatMap(([text = '']) => text);
  const texts = [component.text('query') ?? '', component.text('sqlScript') ?? '', ...calculated];
  if (!texts.some((text) => text.toUpperCase().includes(name.toUpperCase()))) return false;
  const column = `(?:\\w+\\.)?"?${RegExp.escape(name)}"?\\s*`;
  const calls = [
    `TO_(?:VAR)?CHAR\\(\\s*${column},\\s*'[^']*YY`,
    `DATE_TRUNC\\(\\s*'\\w+'\\s*,\\s*${column}\\)`,
    `DATEADD\\(\\s*'?\\w+'?\\s*,[^,()]+,\\s*${column}\\)`,
    `DATEDIFF\\(\\s*'?\\w+'?\\s*,\\s*${column},`,
  ];
  const pattern = new RegExp(`\\b(?:${calls.join('|')})`, 'i');
  return texts.some((text) => pattern.test(text));
}

/** The type that a new table gives to a column. A text may have any content, so it says nothing. */
function typeOfDefinition(name: string, component: Component): string | undefined {
  const row = gridOf(component.parameter('columns')).find(([column = '']) => column === name);
  const [, type = '', , scale = ''] = row ?? [];
  if (/^(?:NUMBER|NUMERIC|DECIMAL)$/i.test(type))
    return /^[1-9]\d*$/.test(scale) ? 'NUMBER(38,2)' : undefined;
  return [/^DATE$/i, /^TIMESTAMP/i, /^BOOLEAN$/i, /^VARIANT$/i].some((known) => known.test(type))
    ? type.toUpperCase().replace(/^TIMESTAMP.*$/, 'TIMESTAMP')
    : undefined;
}

function typeOfLiteral(text: string, column: string): string | undefined {
  if (/^-?\d+$/.test(text)) return numberType(column);
  if (/^-?\d+\.\d+$/.test(text)) return 'NUMBER(38,2)';
  if (/^(?:true|false)$/i.test(text)) return 'BOOLEAN';
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'DATE';
  return /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}/.test(text) ? 'TIMESTAMP' : undefined;
}

/** A whole number in a condition does not show that the column has no others. */
function numberType(column: string): string {
  const type = typeOfName(column);
  return type.startsWith('NUMBER') ? type : 'NUMBER(38,2)';
}

function usesNested(node: YamlNode | undefined, name: string): boolean {
  return itemsOf(node).some((item) => textOf(childOf(item, 'columnName')) === name);
}

const names: readonly (readonly [pattern: RegExp, type: string])[] = [
  [/^(?:is|has)_/i, 'BOOLEAN'],
  [/(?:^|_)(?:date|day|dt)$/i, 'DATE'],
  [/[a-z]Date$/, 'DATE'],
  [/_(?:updated|created|modified)$/i, 'DATE'],
  [/[a-z]At$/, 'TIMESTAMP'],
  [/(?:_at|_ts|time|timestamp|datetime)$/i, 'TIMESTAMP'],
  [/(?:^|_)(?:amount|price|cost|total|sales|revenue|rate|percent|discount|balance)$/i, 'NUMBER(38,2)'],
  [
    /(?:^|_)(?:id|key|no|num|number|count|qty|quantity|year|month|week|rank|age|length|precision|scale|position)$/i,
    'NUMBER',
  ],
  [/(?:^|_)(?:payload|json|variant|data_value)$/i, 'VARIANT'],
];

function typeOfName(name: string): string {
  return names.find(([pattern]) => pattern.test(name))?.[1] ?? 'VARCHAR';
}

/** The values of the first and the second example row, as YAML writes them. */
const examples: Readonly<Partial<Record<SqlType['name'], readonly [first: string, second: string]>>> = {
  BOOLEAN: ['true', 'false'],
  DATE: ["'2026-01-01'", "'2026-01-02'"],
  TIME: ["'06:00:00'", "'07:00:00'"],
  TIMESTAMP: ["'2026-01-01 06:00:00'", "'2026-01-02 07:00:00'"],
  TIMESTAMP_TZ: ["'2026-01-01 06:00:00'", "'2026-01-02 07:00:00'"],
  VARIANT: ['{}', '{}'],
  BINARY: ["'00'", "'01'"],
  FLOAT: ['1.5', '2.5'],
  VARCHAR: ["'1'", "'2'"],
};

/**
 * The value of a column in the first (0) or second (1) example row, as YAML writes it. The first row passes the filters
 * of the tested pipeline, or else of the project.
 */
export function exampleValue(
  column: ExampleColumn,
  row: 0 | 1,
  project: TestProject,
  tested?: string,
): string {
  const question = `row ${row} ${column.type} ${column.name} ${tested ?? ''}`;
  return remembered(project, question, () => findValue(column, row, project, tested));
}

function findValue(column: ExampleColumn, row: 0 | 1, project: TestProject, tested?: string): string {
  const type = readTypeText(sourceText(column.type, ''), project.kind);
  const example = plainExample(column, type, row, project);
  if (row === 1) return example;
  const passing = passingValue(column.name, example.replace(/^'(.*)'$/, '$1'), project, tested);
  return (passing === undefined ? undefined : valueOfType(passing, type)) ?? example;
}

function plainExample({ name }: ExampleColumn, type: SqlType, row: 0 | 1, project: TestProject): string {
  if (type.name === 'NUMBER' && type.scale > 0) return `${row + 1}.5`;
  if (type.name !== 'VARCHAR') return examples[type.name]?.[row] ?? String(row + 1);
  return textLike(guessType(name, project), row, project);
}

const number = /^-?\d+(?:\.\d+)?$/;
const day = /^\d{4}-\d{2}-\d{2}/;

/** A value as YAML writes it; undefined where the type does not have it. */
function valueOfType(value: string, type: SqlType): string | undefined {
  const { name } = type;
  if (name === 'NUMBER' && type.scale === 0) return /^-?\d+$/.test(value) ? value : undefined;
  if (name === 'NUMBER' || name === 'FLOAT') return number.test(value) ? value : undefined;
  if (name === 'BOOLEAN') return /^(?:true|false)$/i.test(value) ? value.toLowerCase() : undefined;
  if (name === 'DATE' || name === 'TIMESTAMP') return day.test(value) ? yamlQuoted(value) : undefined;
  return name === 'VARCHAR' ? yamlQuoted(value) : undefined;
}

/** A text that can be converted to a type: pipelines often convert what they read. */
function textLike(type: string, row: 0 | 1, { kind }: TestProject): string {
  const { name, ...size } = readTypeText(sourceText(type, ''), kind);
  const example =
    'scale' in size && size.scale > 0 ? `${row + 1}.5` : (examples[name]?.[row] ?? String(row + 1));
  return example.startsWith("'") ? example : `'${example}'`;
}
