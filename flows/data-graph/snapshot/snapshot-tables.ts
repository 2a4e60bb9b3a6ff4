import { describeType, type TableName } from '../../../engine/index.ts';
import { readYaml } from '../../../lib/yaml/read-yaml.ts';
import { spellingOf } from '../../../lib/yaml/yaml-node.ts';
import {
  type SnapshotName,
  type SnapshotStreaming,
  type SnapshotTable,
  tableKeyOf,
} from '../../snapshot/snapshot.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { tableKey } from '../bind/table-definitions.ts';
import type { Definition } from '../bind/table-definitions.ts';
import { readText } from '../texts/read-text.ts';
import { sha256 } from './pipeline-meaning.ts';

export function snapshotName({ database, schema, table }: TableName): SnapshotName {
  return [database, schema, table];
}

export function snapshotKey(table: TableName): string {
  return tableKeyOf(snapshotName(table));
}

/** All tables that a project names. */
export function tableNames({ pipelines, schemas, streamed }: DataGraph): readonly TableName[] {
  const names = new Map<string, TableName>();
  const add = (table: TableName) => names.set(tableKey(table), table);
  for (const { reads, writes, unknown } of pipelines.values()) {
    for (const { table } of [...reads, ...writes]) add(table);
    for (const { tables } of unknown) for (const table of tables) add(table);
  }
  for (const { table } of [...schemas.all, ...streamed]) add(table);
  return [...names.values()];
}

/** The entry of a table in a snapshot. */
export function snapshotTable(table: TableName, graph: DataGraph): SnapshotTable {
  const { tables, schemas } = graph;
  const known = tables.find(table);
  const declared = schemas.all.find((each) => tableKey(each.table) === tableKey(table));
  return {
    name: snapshotName(table),
    definitions: tables.definitionsOf(table).map((definition) => definitionOf(definition, graph)),
    ...(known === undefined
      ? {}
      : { columns: known.columns.map(({ name, type }) => [name, describeType(type)] as const) }),
    ...(known?.areNamesComplete === true ? { complete: true } : {}),
    ...(known?.areTypesKnown === true ? { typed: true } : {}),
    ...(tables.isMentioned(table) ? { mentioned: true } : {}),
    ...(declared === undefined
      ? {}
      : {
          declared: {
            file: declared.place.file,
            digest: shortDigest(declared.columns.map(({ name, type }) => [name, type])),
          },
        }),
  };
}

function definitionOf(
  { pipeline, component, place: { file, line }, mode, columns }: Definition,
  { pipelines }: DataGraph,
): SnapshotTable['definitions'][number] {
  return {
    pipeline,
    component,
    line,
    ...(file === pipeline ? {} : { file }),
    mode: mode === 'alter' ? 'alter' : 'define',
    ...(columns === undefined ? {} : { digest: shortDigest(columns) }),
    ...(pipelines.has(pipeline) ? {} : { streaming: true }),
  };
}

function shortDigest(value: unknown): string {
  return sha256(JSON.stringify(value)).slice(0, 16);
}

/** The entries of streaming pipelines in a snapshot, with the tables that they write. */
export function snapshotStreaming({ streamed, project }: DataGraph): readonly SnapshotStreaming[] {
  return [...Map.groupBy(streamed, ({ pipeline }) => pipeline)].map(([file, definitions]) => ({
    file,
    line: definitions[0]?.place.line ?? 1,
    digest: sha256(spellingOf(readYaml(readText(file, project) ?? '', { file }).root)).slice(0, 32),
    tables: definitions.map(({ table }) => snapshotKey(table)),
  }));
}
