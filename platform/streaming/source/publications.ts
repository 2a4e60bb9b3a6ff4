import type { Connection } from './connection.ts';
import { quoteName, quoteTable } from './quote.ts';
import { type SourceAddress, SourceFailure, type SourceTable } from './source.ts';
import { serverName, wrongWalLevel } from './source-failure-of.ts';

const settings = `publish_via_partition_root = true, publish = 'insert, update, delete, truncate'`;

/** The settings of a publication, and whether the user may change it. */
const publicationQuery = `
SELECT p.puballtables, p.pubviaroot AND p.pubinsert AND p.pubupdate AND p.pubdelete AND p.pubtruncate AS is_complete,
  EXISTS (SELECT FROM pg_publication_rel r WHERE r.prpubid = p.oid
    AND (to_jsonb(r) ->> 'prqual' IS NOT NULL OR to_jsonb(r) ->> 'prattrs' IS NOT NULL)) AS is_filtered
FROM pg_publication p WHERE p.pubname = $1`;

const tablesQuery = `SELECT schemaname, tablename FROM pg_publication_tables WHERE pubname = $1`;

/** Creates a publication or changes it, so that it publishes exactly these tables. */
export async function publish(
  connection: Connection,
  address: SourceAddress,
  { publication, tables }: { readonly publication: string; readonly tables: readonly SourceTable[] },
): Promise<void> {
  const [level] = await connection.query(`SELECT setting FROM pg_settings WHERE name = 'wal_level'`);
  if (level?.['setting'] !== 'logical') {
    const { message, hint } = wrongWalLevel(serverName(address));
    throw new SourceFailure(message, { hint });
  }
  const [found] = await connection.query(publicationQuery, { values: [publication] });
  const name = quoteName(publication);
  if (found === undefined) {
    await run(connection, address, {
      publication,
      statements: [`CREATE PUBLICATION ${name} FOR TABLE ${list(tables)} WITH (${settings})`],
    });
    return;
  }
  const published = await publishedTables(connection, publication);
  const keys = new Set(published.map(quoteTable));
  const missing = tables.filter((table) => !keys.has(quoteTable(table)));
  const listed = new Set(tables.map(quoteTable));
  const more = published.filter((table) => !listed.has(quoteTable(table)));
  const isComplete = found['is_complete'] === 't' && found['is_filtered'] !== 't';
  const statements: string[] = [];
  if (found['is_filtered'] === 't') statements.push(`ALTER PUBLICATION ${name} SET TABLE ${list(tables)}`);
  else {
    if (missing.length > 0) statements.push(`ALTER PUBLICATION ${name} ADD TABLE ${list(missing)}`);
    if (more.length > 0 && found['puballtables'] !== 't')
      statements.push(`ALTER PUBLICATION ${name} DROP TABLE ${list(more)}`);
  }
  if (found['is_complete'] !== 't') statements.unshift(`ALTER PUBLICATION ${name} SET (${settings})`);
  const isEnough = missing.length === 0 && isComplete;
  await run(connection, address, { publication, statements, isEnough });
}

/** The tables that a publication has. */
export async function publishedTables(
  connection: Connection,
  publication: string,
): Promise<readonly SourceTable[]> {
  const rows = await connection.query(tablesQuery, { values: [publication] });
  return rows.map(({ schemaname, tablename }) => ({ schema: schemaname ?? '', table: tablename ?? '' }));
}

interface Statements {
  readonly publication: string;
  readonly statements: readonly string[];
  /** Whether the publication does as it is, if the user may not change it. */
  readonly isEnough?: boolean;
}

/** Runs all or none. */
async function run(
  connection: Connection,
  address: SourceAddress,
  { publication, statements, isEnough = false }: Statements,
): Promise<void> {
  if (statements.length === 0) return;
  try {
    // Several statements in one message are one transaction.
    await connection.query(statements.join('; '), { attempt: { publication } });
  } catch (error) {
    if (!(error instanceof SourceFailure) || error.isTransient) throw error;
    if (isEnough) return;
    throw new SourceFailure(
      `The user ${quoteName(address.username)} cannot set up the publication ${quoteName(publication)} of ${serverName(address)}: ${error.message}`,
      {
        hint: `As the owner of the tables or a superuser, run: ${statements.map((one) => `${one};`).join(' ')}`,
      },
    );
  }
}

export async function dropPublication(connection: Connection, publication: string): Promise<void> {
  await connection.query(`DROP PUBLICATION IF EXISTS ${quoteName(publication)}`, {
    attempt: { publication },
  });
}

/** Only these tables: what inherits from them is published under its own name. */
function list(tables: readonly SourceTable[]): string {
  return tables.map((table) => `ONLY ${quoteTable(table)}`).join(', ');
}
