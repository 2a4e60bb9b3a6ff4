import { childOf } from '../../lib/yaml/yaml-node.ts';
import { iterationOf } from '../../lib/pipelines/iterator.ts';
import { Refusal } from '../core/refusal.ts';
import type { Column, TableName } from '../core/relation.ts';
import { describeType } from '../duckdb/column-types.ts';
import { readNames } from '../parameters/read-rows.ts';
import { outsideType, targetTable } from './outside-types.ts';
import type { Task } from './task.ts';

/** The refusal of a component that needs a mock, with the lines to add to the test. */
export function missingMock(task: Task): Refusal {
  const { component, mockKey, reader } = task;
  const { line, column } = component.range;
  const what = component.type === '' ? 'a component without a type' : `the component type ${component.type}`;
  const lines = ['mock:', `  ${yamlText(mockKey)}:${mockLines(task)}`];
  return new Refusal(
    what,
    { file: reader.source.file, line, column },
    `mock the component:\n${lines.join('\n')}`,
  );
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
  const columns = existing?.columns ?? [];
  const types: Readonly<Record<string, string>> =
    existing === undefined
      ? knownColumns(task)
      : Object.fromEntries(columns.map(({ name, type }) => [name, describeType(type)]));
  const entries = Object.entries(types);
  const indent = '\n        ';
  const list = entries.map(([name, type]) => `${yamlText(name)}: ${yamlText(type)}`).join(', ');
  const declared = existing !== undefined || entries.length === 0 ? '' : `${indent}columns: { ${list} }`;
  const row =
    entries.length === 0
      ? 'column: value'
      : entries.map(([name, type]) => `${yamlText(name)}: ${exampleOf(type)}`).join(', ');
  return `\n    tables:\n      ${yamlText(tableLabel(target, task))}:${declared}${indent}rows:${indent}  - { ${row} }`;
}

/** Columns that a component's parameters or its type name. */
function knownColumns({ component, parameters, reader }: Task): Record<string, string> {
  const selected = childOf(parameters, 'dataSelection') ?? childOf(parameters, 'loadColumns');
  const names = selected?.kind === 'list' ? readNames(selected, reader).map(({ text }) => text) : [];
  const known = outsideType(component.type)?.columns ?? {};
  return { ...Object.fromEntries(names.map((name) => [name, 'VARCHAR'])), ...known };
}

/** The name as short as it is unambiguous. */
function tableLabel({ database, schema, table }: TableName, { dialect: { defaults } }: Task): string {
  if (database !== defaults.database) return [database, schema, table].join('.');
  return schema === defaults.schema ? table : `${schema}.${table}`;
}

const examples: Readonly<Partial<Record<Column['type']['name'], string>>> = {
  BOOLEAN: 'true',
  DATE: "'2026-01-02'",
  TIME: "'06:00:00'",
  TIMESTAMP: "'2026-01-02 06:00:00'",
  TIMESTAMP_TZ: "'2026-01-02 06:00:00+00:00'",
  VARIANT: '{}',
  VARCHAR: 'text',
  BINARY: "'00'",
};

function exampleOf(type: string): string {
  const name = type.replace(/\(.*/, '');
  return Object.entries(examples).find(([known]) => known === name)?.[1] ?? '1';
}

/** The variables that a Python script sets. */
function scriptVariables(script: string): readonly string[] {
  const names = [...script.matchAll(/\bupdate(?:Grid)?Variable\(\s*(["'])([\p{L}_][\p{L}\p{N}_]*)\1/gu)];
  return [...new Set(names.flatMap(([, , name]) => name ?? []))];
}

/** A text as YAML writes it. */
function yamlText(text: string): string {
  const isPlain =
    /^[A-Za-z_][\w.]*(?: [\w.]+)*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
