import type { KnownTable, SqlType, TableName, WarehouseKind } from '../../../engine/index.ts';

const text: SqlType = { name: 'VARCHAR', length: undefined };
const whole: SqlType = { name: 'NUMBER', precision: 38, scale: 0 };
const moment: SqlType = { name: 'TIMESTAMP_TZ', isUtc: true };

const numbers =
  /^(?:ordinal_position|.*_maximum_length|.*_octet_length|numeric_.*|datetime_precision|interval_precision|maximum_cardinality|row_count|bytes|retention_time)$/;
const moments = /^(?:created|last_altered|last_ddl)$/;

const ofTable = ['table_catalog', 'table_schema', 'table_name'];
/** The columns of the SQL standard that both kinds document, by the view. */
const standard: Readonly<Record<string, readonly string[]>> = {
  tables: [...ofTable, 'table_type'],
  views: [...ofTable, 'view_definition', 'check_option', 'is_updatable', 'insertable_into'],
  schemata: ['catalog_name', 'schema_name', 'schema_owner'],
  columns: [
    ...ofTable,
    'column_name',
    'ordinal_position',
    'column_default',
    'is_nullable',
    'data_type',
    'character_maximum_length',
    'character_octet_length',
    'numeric_precision',
    'numeric_precision_radix',
    'numeric_scale',
    'datetime_precision',
    'interval_type',
    'interval_precision',
    'character_set_name',
    'collation_name',
    'domain_name',
    'maximum_cardinality',
    'dtd_identifier',
    'is_self_referencing',
  ],
};
const changes = ['created', 'last_altered', 'last_ddl', 'last_ddl_by', 'comment'];
/** What kind 1 has besides. */
const ofOne: Readonly<Record<string, readonly string[]>> = {
  tables: [
    'table_owner',
    'is_transient',
    'clustering_key',
    'row_count',
    'bytes',
    'retention_time',
    'is_insertable_into',
    'is_typed',
    'auto_clustering_on',
    ...changes,
  ],
  views: ['table_owner', 'is_secure', ...changes],
  schemata: ['is_transient', 'is_managed_access', 'retention_time', ...changes],
  columns: ['is_identity', 'identity_start', 'identity_increment', 'comment'],
};

/**
 * The documented columns of a view of `INFORMATION_SCHEMA`; undefined for any other table. A real warehouse may
 * have more columns and other number types.
 */
export function catalogView({ schema, table }: TableName, kind: WarehouseKind): KnownTable | undefined {
  const isOne = kind === 'WAREHOUSE_ONE';
  const stored = (name: string) => (isOne ? name.toUpperCase() : name);
  if (schema !== stored('information_schema')) return undefined;
  const view = Object.keys(standard).find((name) => stored(name) === table);
  if (view === undefined) return undefined;
  const names = [...(standard[view] ?? []), ...(isOne ? (ofOne[view] ?? []) : [])];
  return {
    columns: names.map((name) => ({
      name: stored(name),
      type: numbers.test(name) ? whole : moments.test(name) ? moment : text,
    })),
    areNamesComplete: false,
    areTypesKnown: false,
  };
}
