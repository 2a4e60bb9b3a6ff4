import { describe, expect, test } from 'vitest';
import { openSource } from '../../../../platform/streaming/source/open-source.ts';
import { missingPostgres } from '../../../environment/postgres.ts';
import { type TestDatabase, testPostgres } from '../../../environment/postgres-database.ts';
import { publicTable } from './follow.ts';

const reason = missingPostgres === undefined ? '' : ` (skipped, no PostgreSQL: ${missingPostgres})`;
const tables = (...names: readonly string[]) => names.map(publicTable);

describe.skipIf(missingPostgres !== undefined)(`publications and tables of PostgreSQL${reason}`, () => {
  const postgres = testPostgres();

  async function databaseWithTables(): Promise<TestDatabase> {
    const database = await postgres.database();
    await database.sql(
      'CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY); CREATE TABLE c (id int)',
    );
    return database;
  }
  const published = async (database: TestDatabase) =>
    (await database.sql(`SELECT tablename FROM pg_publication_tables WHERE pubname = 'p' ORDER BY 1`)).map(
      ({ tablename }) => tablename,
    );

  test('a publication is created with exactly the tables, and follows them', async () => {
    const database = await databaseWithTables();
    await using source = await openSource(database.address());
    for (const names of [['a', 'b'], ['b', 'c'], ['b', 'c'], ['a']]) {
      await source.publish('p', tables(...names));
      expect(await published(database)).toEqual(names);
    }
    expect(await database.sql('SELECT pubviaroot FROM pg_publication')).toEqual([{ pubviaroot: 't' }]);
  });

  test('settings, filters and columns of a publication of ours are put right', async () => {
    const database = await databaseWithTables();
    await database.sql(`CREATE PUBLICATION p FOR TABLE a, b WITH (publish = 'insert')`);
    await using source = await openSource(database.address());
    await source.publish('p', tables('a', 'b'));
    const settings = 'SELECT pubviaroot, pubupdate, pubdelete, pubtruncate FROM pg_publication';
    expect(Object.values((await database.sql(settings))[0] ?? {})).toEqual(['t', 't', 't', 't']);
    const [version] = await database.sql(
      `SELECT current_setting('server_version_num')::int >= 150000 AS has_filters`,
    );
    if (version?.['has_filters'] !== 't') return;
    await database.sql('ALTER PUBLICATION p SET TABLE a WHERE (id > 5), b (id)');
    await source.publish('p', tables('a', 'b'));
    const filters = await database.sql('SELECT prqual, prattrs FROM pg_publication_rel');
    expect(filters).toEqual([
      { prqual: null, prattrs: null },
      { prqual: null, prattrs: null },
    ]);
  });

  test('a publication of another user is used as it is if it has all the tables', async () => {
    const database = await databaseWithTables();
    await database.sql('CREATE PUBLICATION p FOR TABLE a, b WITH (publish_via_partition_root = true)');
    await using source = await openSource(database.address('reader'));
    await source.publish('p', tables('a'));
    expect(await published(database)).toEqual(['a', 'b']);
    await database.admin(
      'DROP PUBLICATION p; CREATE PUBLICATION p FOR ALL TABLES WITH (publish_via_partition_root)',
    );
    await source.publish('p', tables('a', 'c'));
  });

  test('a user who may not change a publication gets the SQL for one who may', async () => {
    const database = await databaseWithTables();
    await using source = await openSource(database.address('reader'));
    const place = `PostgreSQL at 127.0.0.1:${postgres.server.port}`;
    const hintOf = async (...names: readonly string[]) => {
      const failure: unknown = await source.publish('p', tables(...names)).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        message: expect.stringContaining(
          `The user "reader" cannot set up the publication "p" of ${place}: `,
        ) as string,
        isTransient: false,
      });
      return (failure as { hint: string }).hint.replace(
        'As the owner of the tables or a superuser, run: ',
        '',
      );
    };
    const create = await hintOf('a', 'b');
    expect(create).toContain('CREATE PUBLICATION "p" FOR TABLE ONLY "public"."a", ONLY "public"."b" WITH');
    // What the hint says is enough.
    await database.sql(create);
    await source.publish('p', tables('a', 'b'));
    await database.sql(await hintOf('b', 'c'));
    await source.publish('p', tables('b', 'c'));
    await database.sql('ALTER PUBLICATION p SET (publish_via_partition_root = false)');
    await database.sql(await hintOf('b', 'c'));
    await source.publish('p', tables('b', 'c'));
    // Nothing was changed in part.
    expect(await published(database)).toEqual(['b', 'c']);
    await expect(source.dropPublication('p')).rejects.toThrow('lacks a right');
  });

  test('a table is described with its key, types, and columns that were added with a default', async () => {
    const database = await postgres.database();
    await database.sql(`
      CREATE DOMAIN cents AS numeric(12, 2); CREATE DOMAIN price AS cents CHECK (VALUE > 0);
      CREATE TYPE mood AS ENUM ('good', 'bad');
      CREATE TABLE described (b bigint, a varchar(20), price price, feeling mood NOT NULL, moods mood[], PRIMARY KEY (a, b));
      INSERT INTO described VALUES (1, 'x', 2.5, 'good', '{bad}');
      ALTER TABLE described ADD COLUMN plain text, ADD COLUMN constant int DEFAULT 5, ADD COLUMN made timestamptz DEFAULT clock_timestamp(),
        ADD COLUMN numbered bigint GENERATED BY DEFAULT AS IDENTITY;
      ALTER TABLE described REPLICA IDENTITY FULL`);
    await using source = await openSource(database.address());
    const [described] = await source.describe(tables('described'));
    expect(described).toMatchObject({ schema: 'public', table: 'described', identity: 'full' });
    const columns = described?.columns.map(({ name, typeText, isKey, isNullable, hasMissingValue }) =>
      [name, typeText, isKey && 'key', isNullable && 'NULL', hasMissingValue && 'missing']
        .filter(Boolean)
        .join(' '),
    );
    expect(columns).toEqual([
      'b bigint key',
      'a character varying(20) key',
      'price numeric(12,2) NULL',
      'feeling public.mood',
      'moods public.mood[] NULL',
      'plain text NULL',
      'constant integer NULL missing',
      'made timestamp with time zone NULL missing',
      'numbered bigint missing',
    ]);
    const [id] = await database.sql(`SELECT 'described'::regclass::oid AS id`);
    expect(String(described?.id)).toBe(id?.['id']);
  });
});
