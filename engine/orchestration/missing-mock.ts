import { childOf } from '../../lib/yaml/yaml-node.ts';
import { iterationOf } from '../../lib/pipelines/iterator.ts';
import { Refusal } from '../core/refusal.ts';
import type { TableName } from '../core/relation.ts';
import { describeType } from '../duckdb/column-types.ts';
import { readNames } from '../parameters/read-rows.ts';
import { outsideType, targetTable } from './outside-types.ts';
import type { Task } from './task.ts';
import { exampleRow, typeMap, yamlText } from './yaml-text.ts';

/** The refusal of a component that needs a mock, with the lines to add to the test. */
export function missingMock(task: Task): Refusal {
  const { component, reader } = task;
  const { line, column } = component.range;
  const what = component.type === '' ? 'a component without a type' : `the component type ${component.type}`;
  const allow = isPython(component.type) ? 'allow Python with --allow-python, or ' : '';
  return new Refusal(what, { file: reader.source.file, line, column }, `${allow}${mockHint(task)}`);
}

/** The lines of a test that mock the component. */
export function mockHint(task: Task): string {
  return `mock the component:\nmock:\n  ${yamlText(task.mockKey)}:${mockLines(task)}`;
}

function isPython(type: string): boolean {
  return type === 'python-script' || type === 'python-pushdown';
}

/** What follows the component's name. Parameters may hold credentials: only names of tables and columns are shown. */
function mockLines(task: Task): string {
  const target = targetTable(task);
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
  const known = Object.entries(outsideType(component.type)?.columns ?? {}).map(
    ([name, type]) => [name, describeType(type, dialect.warehouse)] as const,
  );
  return Object.fromEntries([...names.map((name) => [name, 'VARCHAR'] as const), ...known]);
}

/** The name as short as it is unambiguous. */
function tableLabel({ database, schema, table }: TableName, { dialect: { defaults } }: Task): string {
  if (database !== defaults.database) return [database, schema, table].join('.');
  return schema === defaults.schema ? table : `${schema}.${table}`;
}

/** The variables that a Python script sets. */
function scriptVariables(script: string): readonly string[] {
  const names = [...script.matchAll(/\bupdate(?:Grid)?Variable\(\s*(["'])([\p{L}_][\p{L}\p{N}_]*)\1/gu)];
  return [...new Set(names.flatMap(([, , name]) => name ?? []))];
}
