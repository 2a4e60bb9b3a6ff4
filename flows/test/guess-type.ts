import { describeType, readTypeText, sourceText } from '../../engine/index.ts';
import type { Component } from '../../lib/pipelines/component.ts';
import { gridOf } from '../../lib/pipelines/grid.ts';
import { childOf, itemsOf, textOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import type { TestProject } from './test-project.ts';

/** A type for a column of which only the name is known: by how components use it, else by its name. */
export function guessType(name: string, project: TestProject): string {
  return remembered(project, `type ${name}`, () => findType(name, project));
}

const answers = new WeakMap<TestProject, Map<string, string>>();

/** All components of a project are read for one column: the answer is kept as long as the project. */
export function remembered(project: TestProject, question: string, find: () => string): string {
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
export function spelled(type: string, { kind }: TestProject): string {
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
  if (isInSql(name, component, timeCalls)) return 'TIMESTAMP';
  if (isInSql(name, component, numberUses)) return numberType(name);
  if (rows('aggregations').some(([, word = '']) => /^(?:sum|average)$/i.test(word))) return 'NUMBER(38,2)';
  const hasPath = rows('columnMapping').some(([, property = '']) => property !== '');
  if (component.type === 'flatten-variant' && (hasPath || rows('columnFlattens').length > 0))
    return 'VARIANT';
  if (component.type === 'extract-nested-data-sf' && usesNested(component.parameter('columns'), name))
    return 'VARIANT';
  return undefined;
}

type Uses = (column: string) => readonly string[];

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
  `${column}[*/](?![*/])`,
  `(?<![*/])[*/]\\s*${column}`,
];

function isInSql(name: string, component: Component, uses: Uses): boolean {
  const calculated = gridOf(component.parameter('calculations')).flatMap(([text = '']) => text);
  const texts = [component.text('query') ?? '', component.text('sqlScript') ?? '', ...calculated];
  if (!texts.some((text) => text.toUpperCase().includes(name.toUpperCase()))) return false;
  const column = `(?:\\b\\w+\\.)?(?:"${RegExp.escape(name)}"|\\b${RegExp.escape(name)}\\b)\\s*`;
  const pattern = new RegExp(`(?:${uses(column).join('|')})`, 'i');
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

/** All components of a project. */
export function* components(project: TestProject): Generator<Component> {
  for (const file of project.pipelines) yield* project.pipeline(file)?.components.values() ?? [];
}
