import { describeType, readTypeText, sourceText } from '../../../../engine/index.ts';
import type { Component } from '../../../../lib/pipelines/model/component.ts';
import { gridOf, namesIn } from '../../../../lib/pipelines/model/grid.ts';
import { childOf, itemsOf, textOf, type YamlNode } from '../../../../lib/yaml/yaml-node.ts';
import { variableName } from '../../../../lib/pipelines/model/variable-name.ts';
import { columnInSql, comparedTexts, formatInSql, sqlNaming } from './sql-uses.ts';
import type { TestProject } from '../../files/test-project.ts';

/** Guesses the type of a column from how components use it, else from its name. */
export function guessType(name: string, project: TestProject): string {
  return remembered(project, `type ${name}`, () => findType(name, project));
}

const answers = new WeakMap<TestProject, Map<string, string>>();

/** Caches answers about a project, because each answer reads all its components. */
export function remembered(project: TestProject, question: string, find: () => string): string {
  const projectAnswers = answers.get(project) ?? new Map<string, string>();
  answers.set(project, projectAnswers);
  const answer = projectAnswers.get(question) ?? find();
  projectAnswers.set(question, answer);
  return answer;
}

function findType(name: string, project: TestProject): string {
  for (const component of components(project)) {
    const type = typeOfUse(name, component) ?? typeOfText(name, component, project);
    if (type !== undefined) return spelled(type, project);
  }
  return spelled(typeOfName(name), project);
}

/** The name of the type for semi-structured values in the project's warehouse. */
export function variantType({ kind }: TestProject): string {
  return describeType({ name: 'VARIANT' }, kind);
}

/** The name of the type for whole numbers in the project's warehouse. */
export function wholeType(project: TestProject): string {
  return spelled('NUMBER', project);
}

/**
 * Converts a type name of the first kind of warehouse to the project's kind of warehouse, which has other names for
 * some types.
 */
export function spelled(type: string, { kind }: TestProject): string {
  if (kind === 'WAREHOUSE_ONE') return type;
  return type === 'NUMBER'
    ? 'INTEGER'
    : describeType(readTypeText(sourceText(type, ''), 'WAREHOUSE_ONE'), kind);
}

function typeOfUse(name: string, component: Component): string | undefined {
  if (component.type.startsWith('create-table')) return typeOfDefinition(name, component);
  const rows = (key: string) => gridOf(component.parameter(key)).filter(([column]) => column === name);
  for (const [, , , value = ''] of rows('filterConditions')) {
    const type = typeOfLiteral(value, name);
    if (type !== undefined) return type;
  }
  if (formatInSql(name, component) !== undefined) return 'VARCHAR';
  if (isInSql(name, component, booleanUses)) return 'BOOLEAN';
  if (isInSql(name, component, timeCalls)) return 'TIMESTAMP';
  if (isInSql(name, component, numberUses)) return numberType(name);
  if (rows('aggregations').some(([, word = '']) => /^(?:sum|average)$/i.test(word))) return 'NUMBER(38,2)';
  const pivoted = typeOfPivot(name, component);
  if (pivoted !== undefined) return pivoted;
  const transposed = typeOfTransposed(name, component);
  if (transposed !== undefined) return transposed;
  const hasPath = rows('columnMapping').some(([, property = '']) => property !== '');
  if (component.type === 'flatten-variant' && (hasPath || rows('columnFlattens').length > 0))
    return 'VARIANT';
  if (component.type === 'extract-nested-data-sf' && usesNested(component.parameter('columns'), name))
    return 'VARIANT';
  return undefined;
}

type Uses = (column: string) => readonly string[];

/** SQL compares the column with a text that is neither a number nor a time, or with a variable that has one. */
function typeOfText(name: string, component: Component, project: TestProject): string | undefined {
  const texts = comparedTexts(name, component).map((text) => {
    const [, variable] = new RegExp(String.raw`^\$\{(${variableName})\}$`, 'u').exec(text) ?? [];
    return variable === undefined ? text : (defaultOf(variable, project) ?? '');
  });
  return texts.some((text) => /[A-Za-z]/.test(text) && typeOfLiteral(text, name) === undefined)
    ? 'VARCHAR'
    : undefined;
}

/** The first default value that a variable of this name has. */
function defaultOf(variable: string, project: TestProject): string | undefined {
  for (const file of project.pipelines) {
    const value = project.pipeline(file)?.variables.get(variable)?.defaultValue;
    if (typeof value === 'string') return value;
  }
  return undefined;
}

/** The type of a column of a pivot: of the column whose values become names, or of the column that is aggregated. */
function typeOfPivot(name: string, component: Component): string | undefined {
  if (component.type !== 'pivot') return undefined;
  if (component.text('valueColumn') === name)
    return /^(?:sum|average)$/i.test(component.text('aggregateFunction') ?? '') ? 'NUMBER(38,2)' : undefined;
  return component.text('pivotColumn') === name &&
    pivotValues(component).some((text) => !/^-?\d+$/.test(text))
    ? 'VARCHAR'
    : undefined;
}

/** The type of a column that a component transposes into rows, from the type or the name of the new column. */
function typeOfTransposed(name: string, component: Component): string | undefined {
  if (component.type !== 'transpose-columns') return undefined;
  const places = gridOf(component.parameter('columnToRowMapping')).map((row) => row.indexOf(name, 1));
  const place = places.find((index) => index > 0);
  const [output, type = ''] = (place && gridOf(component.parameter('outputColumns'))[place - 1]) || [];
  if (output === undefined) return undefined;
  const written = /^(?:DATE|BOOLEAN)$|^TIMESTAMP/i.exec(type)?.[0].toUpperCase();
  return written ?? (/^(?:NUMBER|DECIMAL|NUMERIC|INT)/i.test(type) ? 'NUMBER' : typeOfName(output));
}

/** The values from which a pivot makes columns. */
export function pivotValues(component: Component): readonly string[] {
  return namesIn(component.parameter('pivotValues'));
}

/** SQL in which a column decides alone, or is compared with true or false. */
const booleanUses: Uses = (column) => [
  `${column}=\\s*(?:TRUE|FALSE)\\b`,
  `${column}IS\\s+(?:NOT\\s+)?(?:TRUE|FALSE)\\b`,
  `\\b(?:WHERE|ON|WHEN|NOT)\\s+${column}(?:$|;|\\)|\\b(?:AND|OR|THEN|GROUP|ORDER|LIMIT)\\b)`,
];

/** SQL that gives a column to a function of dates and times. */
const timeCalls: Uses = (column) => [
  `\\bTO_(?:VAR)?CHAR\\(\\s*${column},\\s*'[^']*YY`,
  `\\bDATE_TRUNC\\(\\s*'\\w+'\\s*,\\s*${column}\\)`,
  `\\bDATEADD\\(\\s*'?\\w+'?\\s*,[^,()]+,\\s*${column}\\)`,
  `\\bDATEDIFF\\(\\s*'?\\w+'?\\s*,\\s*${column},`,
];

/** SQL that multiplies or divides a column. Numbers are also added to dates. */
const numberUses: Uses = (column) => [
  `\\bMOD\\(\\s*${column},`,
  `\\bDATEADD\\(\\s*'?\\w+'?\\s*,\\s*${column},`,
  `${column}[*/](?![*/])`,
  `(?<![*/])[*/]\\s*${column}`,
];

function isInSql(name: string, component: Component, uses: Uses): boolean {
  const texts = sqlNaming(name, component);
  if (texts.length === 0) return false;
  const pattern = new RegExp(`(?:${uses(columnInSql(name)).join('|')})`, 'i');
  return texts.some((text) => pattern.test(text));
}

/** The type that a new table gives to a column. A text may have any content, so it says nothing. */
function typeOfDefinition(name: string, component: Component): string | undefined {
  const row = gridOf(component.parameter('columns')).find(([column = '']) => column === name);
  const [, type = '', , scale = ''] = row ?? [];
  if (/^(?:NUMBER|NUMERIC|DECIMAL)$/i.test(type))
    return /^[1-9]\d*$/.test(scale) ? 'NUMBER(38,2)' : undefined;
  return [/^DATE$/i, /^TIMESTAMP/i, /^BOOLEAN$/i, /^VARIANT$/i].some((pattern) => pattern.test(type))
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
    /(?:^|_)(?:id|key|no|num|number|count|qty|quantity|year|month|week|rank|age|length|precision|scale|position|yyyy|mm|dd|hour|minute|second)$/i,
    'NUMBER',
  ],
  [/^day_?of_?(?:week|month|year)$/i, 'NUMBER'],
  [/(?:^|_)(?:payload|json|variant|data_value)$/i, 'VARIANT'],
];

function typeOfName(name: string): string {
  return names.find(([pattern]) => pattern.test(name))?.[1] ?? 'VARCHAR';
}

/** All components of a project. */
export function* components(project: TestProject): Generator<Component> {
  for (const file of project.pipelines) yield* project.pipeline(file)?.components.values() ?? [];
}
