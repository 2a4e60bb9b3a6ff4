import { readTypeText, sourceText, type SqlType } from '../../../../engine/index.ts';
import type { Component } from '../../../../lib/pipelines/model/component.ts';
import { gridOf, namesIn } from '../../../../lib/pipelines/model/grid.ts';
import { exampleDocument, type Leaf } from './example-document.ts';
import { components, guessType, pivotValues, remembered, spelled, variantType } from './guess-type.ts';
import { passingValue } from './row-conditions.ts';
import type { TestProject } from '../../files/test-project.ts';
import { dayInFormat, formatInSql } from './sql-uses.ts';
import { shapeOfColumn } from './value-shapes.ts';
import { yamlQuoted, yamlValue } from '../../files/yaml-text.ts';

/** A column of a table in a first test, with its SQL type. */
export interface ExampleColumn {
  readonly name: string;
  readonly type: string;
}

/** The names of the columns that components of the project expect in a table. */
export function expectedColumns(table: string, project: TestProject): readonly string[] {
  const names = new Set<string>();
  for (const component of components(project)) {
    if (!tableNames(component).includes(table)) continue;
    for (const name of columnsOf(component)) if (name !== '' && !name.includes('${')) names.add(name);
  }
  return [...names];
}

function tableNames(component: Component): readonly string[] {
  return ['targetTable', 'table', 'tableName', 'targetStream'].flatMap((key) => component.text(key) ?? []);
}

/** Columns that a component reads from its table, or writes to one that must exist. */
function columnsOf(component: Component): readonly string[] {
  const list = (key: string) => namesIn(component.parameter(key));
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
 * The value of a column in the first (0) or second (1) example row, in YAML. The first row passes the filters of
 * the tested pipeline, or else of the project.
 */
export function exampleValue(
  column: ExampleColumn,
  row: 0 | 1,
  project: TestProject,
  tested?: string,
  hasSingleItems = false,
): string {
  const question = `row ${row} ${hasSingleItems} ${column.type} ${column.name} ${tested ?? ''}`;
  return remembered(
    project,
    question,
    () =>
      nestedValue(column, { row, hasSingleItems }, project, tested) ??
      scalarValue(column, row, project, tested),
  );
}

/** A semi-structured value with the parts that pipelines read; undefined if they read no part. */
function nestedValue(
  { name, type }: ExampleColumn,
  choice: { readonly row: 0 | 1; readonly hasSingleItems: boolean },
  project: TestProject,
  tested?: string,
): string | undefined {
  const isVariant = type === variantType(project);
  if (!isVariant && !type.startsWith('VARCHAR')) return undefined;
  const shape = shapeOfColumn(name, project, tested);
  if (shape === undefined || (!isVariant && !shape.isText)) return undefined;
  const leaf: Leaf = (part, key, at) => {
    const { literal } = part;
    if (at === 0 && literal !== undefined) return number.test(literal) ? Number(literal) : literal;
    const [partName = key] = part.names;
    const leafType = typeOfCast(part.type, partName, project);
    return scalarOf(scalarValue({ name: partName, type: leafType }, at, project, tested));
  };
  const document = exampleDocument(shape, { ...choice, leaf });
  return isVariant ? yamlValue(document, undefined) : yamlQuoted(JSON.stringify(document));
}

/** The type to which a value is converted, or else the type that its name suggests. */
function typeOfCast(type = '', name: string, project: TestProject): string {
  const castType = casts.find(([pattern]) => pattern.test(type))?.[1];
  if (castType !== undefined) return spelled(castType, project);
  const guessed = guessType(name, project);
  return guessed === variantType(project) ? 'VARCHAR' : guessed;
}

const casts: readonly (readonly [pattern: RegExp, type: string])[] = [
  [/^(?:NUMBER|NUMERIC|DECIMAL|\w*INT|INTEGER)$/i, 'NUMBER'],
  [/^(?:FLOAT\d?|DOUBLE|REAL)$/i, 'FLOAT'],
  [/^BOOLEAN$/i, 'BOOLEAN'],
  [/^DATE$/i, 'DATE'],
  [/^TIME$/i, 'TIME'],
  [/^(?:TIMESTAMP|DATETIME)/i, 'TIMESTAMP'],
  [/^(?:VARCHAR|STRING|TEXT|CHAR)/i, 'VARCHAR'],
];

/** A value as YAML writes it, as data. */
function scalarOf(text: string): string | number | boolean | null {
  if (text === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  if (text.startsWith('"')) return String(JSON.parse(text));
  return number.test(text) ? Number(text) : text.replace(/^'(.*)'$/, '$1');
}

function scalarValue(column: ExampleColumn, row: 0 | 1, project: TestProject, tested?: string): string {
  const type = readTypeText(sourceText(column.type, ''), project.kind);
  const example = plainExample(column, type, row, project);
  if (row === 1) return fitting(example, type, row);
  const passing = passingValue(column.name, example.replace(/^'(.*)'$/, '$1'), project, tested);
  return fitting((passing === undefined ? undefined : valueOfType(passing, type)) ?? example, type, row);
}

/** A shorter value in place of one that the column cannot hold. */
function fitting(value: string, type: SqlType, row: 0 | 1): string {
  const digit = String(row + 1);
  if (type.name === 'VARCHAR' && value.replace(/^(['"])(.*)\1$/, '$2').length > (type.length ?? Infinity))
    return `'${digit}'`;
  if (type.name !== 'NUMBER' || !number.test(value)) return value;
  const room = type.precision - type.scale;
  const [whole = ''] = value.replace('-', '').split('.');
  if (whole.length <= room) return value;
  return room > 0 ? digit : `0.${digit}`;
}

function plainExample({ name }: ExampleColumn, type: SqlType, row: 0 | 1, project: TestProject): string {
  if (type.name === 'NUMBER' && type.scale > 0) return `${row + 1}.5`;
  if (isNumeric(type) && /(?:^|_)(?:year|yyyy)$/i.test(name)) return String(2026 + row);
  if (type.name !== 'VARCHAR') return examples[type.name]?.[row] ?? String(row + 1);
  const text = textInUse(name, row, project);
  return text === undefined ? textLike(guessType(name, project), row, project) : yamlQuoted(text);
}

/** A text in the format in which SQL reads it, or one of those that a pivot makes columns of. */
function textInUse(name: string, row: 0 | 1, project: TestProject): string | undefined {
  for (const component of components(project)) {
    const format = formatInSql(name, component);
    if (format !== undefined) return dayInFormat(format, row);
    const values = component.text('pivotColumn') === name ? pivotValues(component) : [];
    if (values.length > 0) return values[row] ?? values[0];
  }
  return undefined;
}

function isNumeric({ name }: SqlType): boolean {
  return ['NUMBER', 'SMALLINT', 'INTEGER', 'BIGINT'].includes(name);
}

const number = /^-?\d+(?:\.\d+)?$/;
const day = /^\d{4}-\d{2}-\d{2}/;

/** A value as YAML writes it; undefined if the type does not have it. */
function valueOfType(value: string, type: SqlType): string | undefined {
  if (value === '') return 'null';
  const { name } = type;
  if (name === 'FLOAT' || (name === 'NUMBER' && type.scale > 0))
    return number.test(value) ? value : undefined;
  if (isNumeric(type)) return /^-?\d+$/.test(value) ? value : undefined;
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
