import {
  type Snapshot,
  type SnapshotDefinition,
  type SnapshotName,
  type SnapshotPipeline,
  type SnapshotTable,
  tableKeyOf,
} from '../snapshot.ts';

/** A table's name in parts. */
export interface TableName {
  readonly database: string;
  readonly schema: string;
  readonly table: string;
}

/** A snapshot prepared for look-ups. Tables have the names of the wanted version. */
export interface ProjectFacts {
  readonly snapshot: Snapshot;
  /** Without those that are left out. */
  readonly pipelines: ReadonlyMap<string, SnapshotPipeline>;
  readonly tables: ReadonlyMap<string, SnapshotTable>;
  /** Whether the project has a pipeline, also one that is left out. */
  has(pipeline: string): boolean;
  definitionsOf(table: string): readonly SnapshotDefinition[];
  /** Whether no component of the project creates the table; it may alter the table. */
  isOutside(table: string): boolean;
  isMentioned(table: string): boolean;
}

/**
 * Prepares a snapshot for look-ups.
 * @param names the default names of the other side: the default database of one corresponds to the default of the
 * other
 */
export function projectFacts(
  written: Snapshot,
  names: Snapshot['defaults'] = written.defaults,
): ProjectFacts {
  const snapshot = withNames(written, names);
  const pipelines = new Map(snapshot.pipelines.map((pipeline) => [pipeline.path, pipeline]));
  const leftOut = new Set(snapshot.leftOut);
  const tables = new Map(snapshot.tables.map((table) => [tableKeyOf(table.name), table]));
  return {
    snapshot,
    pipelines,
    tables,
    has: (pipeline) => pipelines.has(pipeline) || leftOut.has(pipeline),
    definitionsOf: (table) => tables.get(table)?.definitions ?? [],
    isOutside: (table) =>
      (tables.get(table)?.definitions ?? []).every(
        ({ mode, streaming }) => mode === 'alter' || streaming === true,
      ),
    isMentioned: (table) => tables.get(table)?.mentioned === true,
  };
}

export function tableNameOf([database, schema, table]: SnapshotName): TableName {
  return { database, schema, table };
}

/** A snapshot with other names in place of its default database and schema. */
function withNames(snapshot: Snapshot, names: Snapshot['defaults']): Snapshot {
  const { defaults } = snapshot;
  if (defaults.database === names.database && defaults.schema === names.schema) return snapshot;
  const renamed = ([database, schema, table]: SnapshotName): SnapshotName =>
    database === defaults.database
      ? [names.database, schema === defaults.schema ? names.schema : schema, table]
      : [database, schema, table];
  const keys = new Map(snapshot.tables.map(({ name }) => [tableKeyOf(name), tableKeyOf(renamed(name))]));
  const keyOf = (key: string) => keys.get(key) ?? key;
  const one = <Use extends { readonly table: string }>(use: Use): Use => ({
    ...use,
    table: keyOf(use.table),
  });
  return {
    ...snapshot,
    tables: snapshot.tables.map((table) => ({ ...table, name: renamed(table.name) })),
    streaming: snapshot.streaming.map((each) => ({ ...each, tables: each.tables.map(keyOf) })),
    pipelines: snapshot.pipelines.map((pipeline) => ({
      ...pipeline,
      reads: pipeline.reads.map(one),
      writes: pipeline.writes.map(one),
      open: pipeline.open.map((use) => ({ ...use, name: renamed(use.name) })),
      unknown: pipeline.unknown.map((each) => ({ ...each, tables: each.tables.map(keyOf) })),
    })),
  };
}
