import { childOf } from '../../../lib/yaml/yaml-node.ts';
import { meantQuestion } from '../../../lib/core/text/did-you-mean.ts';
import { iterationOf } from '../../../lib/pipelines/model/iterator.ts';
import { type PipelineKind, suffixOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { componentType } from '../../components/component-types.ts';
import { Refusal } from '../../core/refusal.ts';
import type { TableName } from '../../core/relation.ts';
import { describeType } from '../../duckdb/catalog/column-types.ts';
import { ParameterError } from '../../parameters/parameter-error.ts';
import { placeOfNode } from '../../parameters/parameter-reader.ts';
import { readNames } from '../../parameters/read-rows.ts';
import { outsideType, targetTable } from './outside-types.ts';
import type { Task } from '../task/task.ts';
import { exampleRow, typeMap, yamlText } from '../task/yaml-text.ts';

/**
 * The refusal of a component that needs a mock. Its hint contains the lines to add to the test. Throws ParameterError
 * if the component does not name its target table.
 * @param knownTypes the component types that the engine supports. The type of this component may be misspelt.
 */
export function missingMock(task: Task, knownTypes: readonly string[] = []): Refusal {
  const { component, reader } = task;
  const { line, column } = component.range;
  const what = component.type === '' ? 'a component without a type' : `the component type ${component.type}`;
  const isOutside = outsideType(component.type) !== undefined;
  const isOfOther = componentType(component.type) !== undefined;
  const similar = isOfOther ? belongsTo('transformation') : closestType(component.type, knownTypes);
  const meant = isOutside ? '' : similar;
  const allow = isPython(component.type) ? 'allow Python with --allow-python, or ' : meant;
  return new Refusal(what, { file: reader.source.file, line, column }, `${allow}${mockHint(task)}`);
}

/**
 * Whether a component was refused because it needs a mock and has none. The hint of such a refusal contains the lines
 * to add.
 */
export function isMissingMock(refusal: { readonly hint?: string | undefined }): boolean {
  return linesOfMock(refusal) !== undefined;
}

/** The lines below `mock:` in the hint of such a refusal. Undefined for a refusal for another reason. */
export function linesOfMock({ hint = '' }: { readonly hint?: string | undefined }): string | undefined {
  return /(?:^|, or |Otherwise, )mock the component:\nmock:\n([^]+)$/.exec(hint)?.[1];
}

/**
 * The start of a hint that suggests the type which was probably meant. Empty if no supported type has a similar name.
 */
export function closestType(type: string, knownTypes: readonly string[]): string {
  const meant = meantQuestion(type, knownTypes);
  return meant === undefined ? '' : `${meant} Otherwise, `;
}

/** The start of a hint about a type that exists only in the other kind of pipeline. */
export function belongsTo(kind: PipelineKind): string {
  return `this type belongs to ${kind}s, which are in ${suffixOf(kind)} files. Otherwise, `;
}

/**
 * The lines with which a test mocks a component. Throws ParameterError if the component does not name its target
 * table.
 */
export function mockHint(task: Task): string {
  return `mock the component:\nmock:\n  ${yamlText(task.mockKey)}:${mockLines(task)}`;
}

function isPython(type: string): boolean {
  return type === 'python-script' || type === 'python-pushdown';
}

/** What follows the component's name. Parameters may hold credentials: only names of tables and columns are shown. */
function mockLines(task: Task): string {
  const target = targetTable(task);
  if (target?.table === '') {
    const place = placeOfNode(task.parameters, task.reader);
    throw new ParameterError('it names no table: the name is empty', place);
  }
  if (target !== undefined) return tableLines(target, task);
  const { component } = task;
  if (component.type === 'file-iterator') {
    const row = (iterationOf(component)?.variables ?? []).map((name) => `${yamlText(name)}: text`);
    return `\n    rows:\n      - { ${row.join(', ')} }`;
  }
  const names = scriptVariables(component.text('pythonScript') ?? component.text('script') ?? '');
  if (names.length === 0) return ' {}';
  return `\n    variables: { ${names.map((name) => `${yamlText(name)}: text`).join(', ')} }`;
}

function tableLines(target: TableName, task: Task): string {
  const existing = task.dialect.catalog.find(target);
  const types: Readonly<Record<string, string>> =
    existing === undefined
      ? knownColumns(task)
      : Object.fromEntries(
          existing.columns.map(({ name, type }) => [name, describeType(type, task.dialect.warehouse)]),
        );
  const indent = '\n        ';
  const isDeclared = existing === undefined && Object.keys(types).length > 0;
  const declared = isDeclared ? `${indent}columns: ${typeMap(types)}` : '';
  const label = yamlText(tableLabel(target, task));
  return `\n    tables:\n      ${label}:${declared}${indent}rows:${indent}  - ${exampleRow(types)}`;
}

/** Columns that a component's parameters or its type name. */
function knownColumns({ component, parameters, reader, dialect }: Task): Record<string, string> {
  const selected = childOf(parameters, 'dataSelection') ?? childOf(parameters, 'loadColumns');
  const names = selected?.kind === 'list' ? readNames(selected, reader).map(({ text }) => text) : [];
  const outsideColumns = Object.entries(outsideType(component.type)?.columns ?? {}).map(
    ([name, type]) => [name, describeType(type, dialect.warehouse)] as const,
  );
  return Object.fromEntries([...names.map((name) => [name, 'VARCHAR'] as const), ...outsideColumns]);
}

/** The name as short as it is unambiguous. */
function tableLabel({ database, schema, table }: TableName, { dialect: { defaults } }: Task): string {
  if (database !== defaults.database) return [database, schema, table].join('.');
  return schema === defaults.schema ? table : `${schema}.${table}`;
}

/** The names of the variables that a Python script sets. */
export function scriptVariables(script: string): readonly string[] {
  const names = [...script.matchAll(/\bupdate(?:Grid)?Variable\(\s*(["'])([\p{L}_][\p{L}\p{N}_]*)\1/gu)];
  return [...new Set(names.flatMap(([, , name]) => name ?? []))];
}
