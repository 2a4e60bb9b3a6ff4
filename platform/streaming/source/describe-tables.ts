import type { Connection, Row } from './connection.ts';
import type { Relation } from './messages.ts';
import { quoteName, quoteTable } from './quote.ts';
import { type DescribedTable, type SourceAddress, SourceFailure, type SourceTable } from './source.ts';
import { readRights, serverName } from './source-failure-of.ts';

const identities: Readonly<Record<string, Relation['identity'] | undefined>> = {
  d: 'default',
  n: 'nothing',
  f: 'full',
  i: 'index',
};

const otherKinds: Readonly<Record<string, string | undefined>> = {
  v: 'is a view',
  m: 'is a materialized view',
  f: 'is a foreign table',
  S: 'is a sequence',
  i: 'is an index',
  I: 'is an index',
  c: 'is a composite type',
};

/** One row for each table that exists. */
const tablesQuery = `
SELECT c.oid, n.nspname, c.relname, c.relkind, c.relpersistence, c.relreplident,
  has_schema_privilege(n.oid, 'USAGE') AS may_use,
  has_table_privilege(c.oid, 'SELECT') OR NOT EXISTS (
    SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      AND NOT has_column_privilege(c.oid, a.attnum, 'SELECT')) AS may_read,
  (SELECT string_agg(p.id::oid::text, ' ') FROM pg_partition_ancestors(c.oid) p(id) WHERE p.id <> c.oid) AS ancestors,
  (SELECT setting FROM pg_settings WHERE name = 'server_encoding') AS encoding
FROM unnest($1::text[], $2::text[]) AS listed(schema, name)
JOIN pg_namespace n ON n.nspname = listed.schema
JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = listed.name`;

/**
 * One row for each column whose changes are sent: generated ones are not. A domain has the type below it. A column that was
 * added with a default has values in older rows; later, the catalog no longer says whether it had one.
 */
const columnsQuery = `
WITH RECURSIVE bases(id, modifier, attrelid, attnum) AS (
  SELECT atttypid, atttypmod, attrelid, attnum FROM pg_attribute
    WHERE attrelid = ANY($1::oid[]) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  UNION ALL
  SELECT t.typbasetype, CASE WHEN t.typtypmod >= 0 THEN t.typtypmod ELSE b.modifier END, b.attrelid, b.attnum
    FROM bases b JOIN pg_type t ON t.oid = b.id WHERE t.typtype = 'd'
)
SELECT a.attrelid, a.attname, a.atttypid, a.atttypmod, NOT a.attnotnull AS is_nullable,
  format_type(b.id, b.modifier) AS type_text,
  a.atthasmissing OR a.atthasdef OR a.attidentity <> '' OR own.typdefault IS NOT NULL AS has_missing,
  EXISTS (SELECT FROM pg_index x WHERE x.indrelid = a.attrelid AND a.attnum = ANY(x.indkey) AND (x.indisprimary
    OR x.indisreplident AND NOT EXISTS (SELECT FROM pg_index y WHERE y.indrelid = a.attrelid AND y.indisprimary))) AS is_key
FROM pg_attribute a
JOIN bases b ON b.attrelid = a.attrelid AND b.attnum = a.attnum
JOIN pg_type t ON t.oid = b.id AND t.typtype <> 'd'
JOIN pg_type own ON own.oid = a.atttypid
ORDER BY a.attrelid, a.attnum`;

/** Describes tables in the order of the list. Throws SourceFailure for the first that cannot be captured. */
export async function describeTables(
  connection: Connection,
  address: SourceAddress,
  tables: readonly SourceTable[],
): Promise<readonly DescribedTable[]> {
  const found = await connection.query(tablesQuery, {
    values: [tables.map(({ schema }) => schema), tables.map(({ table }) => table)],
    attempt: { tables },
  });
  const rows = tables.map((table) => {
    const row = found.find(({ nspname, relname }) => nspname === table.schema && relname === table.table);
    const problem = problemOf(table, row, address);
    if (problem !== undefined) throw problem;
    return row as Row;
  });
  const problem = partitionProblem(rows, address);
  if (problem !== undefined) throw problem;
  const ids = rows.map(({ oid }) => oid ?? '');
  const columns = await connection.query(columnsQuery, { values: [ids] });
  return rows.map((row) => ({
    id: Number(row['oid']),
    schema: row['nspname'] ?? '',
    table: row['relname'] ?? '',
    identity: identities[row['relreplident'] ?? ''] ?? 'default',
    columns: columns.filter(({ attrelid }) => attrelid === row['oid']).map(columnOf),
  }));
}

function columnOf(row: Row): DescribedTable['columns'][number] {
  return {
    name: row['attname'] ?? '',
    typeId: Number(row['atttypid']),
    typeModifier: Number(row['atttypmod']),
    isKey: row['is_key'] === 't',
    typeText: row['type_text'] ?? '',
    isNullable: row['is_nullable'] === 't',
    hasMissingValue: row['has_missing'] === 't',
  };
}

function problemOf(
  table: SourceTable,
  row: Row | undefined,
  address: SourceAddress,
): SourceFailure | undefined {
  const name = quoteTable(table);
  const server = serverName(address);
  const database = quoteName(address.database);
  if (row === undefined)
    return new SourceFailure(`The database ${database} of ${server} does not have the table ${name}.`, {
      hint: 'Check schema and table; upper and lower case matter.',
    });
  const kind = row['relkind'] ?? '';
  const { relpersistence } = row;
  let reason = otherKinds[kind];
  if (relpersistence === 'u') reason = 'is unlogged: its changes are not in the log of the server';
  if (relpersistence === 't') reason = 'is temporary';
  if (/^pg_|^information_schema$/.test(table.schema)) reason = 'belongs to the system';
  if (reason !== undefined)
    return new SourceFailure(`${name} of ${server} cannot be captured: it ${reason}.`, {
      hint:
        relpersistence === 'u'
          ? `As its owner, run: ALTER TABLE ${name} SET LOGGED;`
          : 'List tables, or partitioned tables.',
    });
  if (row['encoding'] === 'SQL_ASCII')
    return new SourceFailure(
      `The database ${database} of ${server} does not say which encoding its texts have.`,
      {
        hint: 'Capture needs a database whose encoding is not SQL_ASCII.',
      },
    );
  if (row['may_use'] !== 't' || row['may_read'] !== 't')
    return new SourceFailure(`The user ${quoteName(address.username)} may not read ${name} of ${server}.`, {
      hint: `As its owner, run: ${readRights([table], address.username)}`,
    });
  return undefined;
}

/** With a partitioned table, the changes of its partitions arrive under its name. */
function partitionProblem(rows: readonly Row[], address: SourceAddress): SourceFailure | undefined {
  for (const row of rows) {
    const ancestors = (row['ancestors'] ?? '').split(' ');
    const listed = rows.find(({ oid }) => ancestors.includes(oid ?? ''));
    if (listed === undefined) continue;
    const [part, whole] = [row, listed].map(({ nspname, relname }) =>
      quoteTable({ schema: nspname ?? '', table: relname ?? '' }),
    );
    return new SourceFailure(
      `${part} of ${serverName(address)} is a partition of ${whole}, which is listed too.`,
      { hint: 'List only the partitioned table: it has the rows of its partitions.' },
    );
  }
  return undefined;
}
